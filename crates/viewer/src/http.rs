//! Requests and answers over plain connections, as much of HTTP/1.1 as browsers ask of a server on loopback.

use http::{HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use std::borrow::Cow;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

/// The longest head of a request, bytes.
const MAX_HEAD: usize = 16 * 1024;
/// Fields of a head.
const MAX_FIELDS: usize = 100;
/// The longest body, which nobody reads: all that is asked stands in the head.
const MAX_BODY: u64 = 64 * 1024;
/// For so long a page may say nothing or read nothing before its connection is closed.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long the other side may take to hear why a connection is closed.
const FAREWELL: Duration = Duration::from_millis(250);

pub(crate) type Request = http::Request<()>;
pub(crate) type Answer = http::Response<Cow<'static, [u8]>>;

/// A connection and what has been read of it ahead.
pub(crate) struct Connection {
    pub(crate) stream: TcpStream,
    pub(crate) ahead: Vec<u8>,
}

impl Connection {
    pub(crate) fn new(stream: TcpStream) -> std::io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Self {
            stream,
            ahead: Vec::new(),
        })
    }

    /// The next request. `Ok(None)` once the other side has gone or has said nothing for long; an error is what to
    /// answer before the connection is closed.
    pub(crate) fn next(&mut self) -> Result<Option<Request>, StatusCode> {
        loop {
            if let Some((length, request)) = parsed(&self.ahead)? {
                self.ahead.drain(..length);
                return match self.skip_body(&request)? {
                    true => Ok(Some(request)),
                    false => Ok(None),
                };
            }
            if self.ahead.len() >= MAX_HEAD {
                return Err(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
            }
            if !self.read_more() {
                return Ok(None);
            }
        }
    }

    /// Says whether there was more to read.
    fn read_more(&mut self) -> bool {
        let mut bytes = [0; 4096];
        loop {
            match self.stream.read(&mut bytes) {
                Ok(0) => return false,
                Ok(count) => {
                    self.ahead.extend_from_slice(&bytes[..count]);
                    return true;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return false,
            }
        }
    }

    /// Says whether the body has come whole.
    fn skip_body(&mut self, request: &Request) -> Result<bool, StatusCode> {
        let headers = request.headers();
        if headers.contains_key(header::TRANSFER_ENCODING) {
            return Err(StatusCode::NOT_IMPLEMENTED);
        }
        let mut missing = match headers.get(header::CONTENT_LENGTH) {
            None => return Ok(true),
            Some(length) => length
                .to_str()
                .ok()
                .and_then(|length| length.parse::<u64>().ok())
                .ok_or(StatusCode::BAD_REQUEST)?,
        };
        if missing > MAX_BODY {
            return Err(StatusCode::PAYLOAD_TOO_LARGE);
        }
        loop {
            let here = (self.ahead.len() as u64).min(missing);
            self.ahead.drain(..here as usize);
            missing -= here;
            if missing == 0 {
                return Ok(true);
            }
            if !self.read_more() {
                return Ok(false);
            }
        }
    }

    /// Closes the connection. What has been sent and not been read here would take the answer with it.
    pub(crate) fn close(mut self) {
        let ends = self.stream.shutdown(Shutdown::Write);
        let waits = self.stream.set_read_timeout(Some(FAREWELL));
        if ends.is_err() || waits.is_err() {
            return;
        }
        for _ in 0..64 {
            self.ahead.clear();
            if !self.read_more() {
                return;
            }
        }
    }

    /// Sends an answer, and says whether the connection stays.
    pub(crate) fn send(&mut self, answer: &Answer, stays: bool) -> std::io::Result<()> {
        let mut head = format!("HTTP/1.1 {}\r\n", answer.status()).into_bytes();
        for (name, value) in answer.headers() {
            head.extend_from_slice(name.as_str().as_bytes());
            head.extend_from_slice(b": ");
            head.extend_from_slice(value.as_bytes());
            head.extend_from_slice(b"\r\n");
        }
        if answer.status() != StatusCode::SWITCHING_PROTOCOLS {
            let length = answer.body().len();
            head.extend_from_slice(format!("content-length: {length}\r\n").as_bytes());
            if !stays {
                head.extend_from_slice(b"connection: close\r\n");
            }
        }
        head.extend_from_slice(b"\r\n");
        self.stream.write_all(&head)?;
        self.stream.write_all(answer.body())?;
        self.stream.flush()
    }
}

/// A request's head and its length, if all of it is there.
fn parsed(bytes: &[u8]) -> Result<Option<(usize, Request)>, StatusCode> {
    let mut fields = [httparse::EMPTY_HEADER; MAX_FIELDS];
    let mut head = httparse::Request::new(&mut fields);
    let length = match head.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => {
            return Err(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
        }
        Err(_) => return Err(StatusCode::BAD_REQUEST),
    };
    let (Some(method), Some(path), Some(version)) = (head.method, head.path, head.version) else {
        return Err(StatusCode::BAD_REQUEST);
    };
    let mut request = Request::new(());
    *request.method_mut() =
        Method::from_bytes(method.as_bytes()).map_err(|_| StatusCode::BAD_REQUEST)?;
    *request.uri_mut() = path.parse::<Uri>().map_err(|_| StatusCode::BAD_REQUEST)?;
    *request.version_mut() = match version {
        0 => http::Version::HTTP_10,
        _ => http::Version::HTTP_11,
    };
    for field in head.headers.iter() {
        let name = HeaderName::from_bytes(field.name.as_bytes());
        let value = HeaderValue::from_bytes(field.value);
        let (Ok(name), Ok(value)) = (name, value) else {
            return Err(StatusCode::BAD_REQUEST);
        };
        request.headers_mut().append(name, value);
    }
    // Who says two lengths means to be understood in two ways.
    if request
        .headers()
        .get_all(header::CONTENT_LENGTH)
        .iter()
        .count()
        > 1
    {
        return Err(StatusCode::BAD_REQUEST);
    }
    Ok(Some((length, request)))
}

/// Whether a list in a head has a word in it.
pub(crate) fn lists(request: &Request, name: HeaderName, word: &str) -> bool {
    let lists = request.headers().get_all(name);
    lists.iter().any(|list| {
        let words = list.to_str().unwrap_or_default().split(',');
        words
            .into_iter()
            .any(|one| one.trim().eq_ignore_ascii_case(word))
    })
}

/// Whether the other side will ask more over this connection.
pub(crate) fn stays(request: &Request) -> bool {
    request.version() == http::Version::HTTP_11 && !lists(request, header::CONNECTION, "close")
}

/// What a query says, by name.
pub(crate) struct Query<'a>(&'a str);

impl<'a> Query<'a> {
    pub(crate) fn of(request: &'a Request) -> Self {
        Query(request.uri().query().unwrap_or_default())
    }

    /// The words under a name; nothing where it is not there.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        let mut pairs = self
            .0
            .split('&')
            .map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        pairs
            .find(|(key, _)| *key == name)
            .map(|(_, value)| decoded(value))
    }

    /// What the words under a name mean; an error says that they mean nothing.
    pub(crate) fn value<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, String> {
        let text = self.text(name);
        let meant = text.map(|text| {
            let unclear = |_| format!("`{name}` is `{text}`, which means nothing here\n");
            text.parse().map_err(unclear)
        });
        meant.transpose()
    }

    /// The same for what must be there.
    pub(crate) fn needed<T: std::str::FromStr>(&self, name: &str) -> Result<T, String> {
        self.value(name)?
            .ok_or_else(|| format!("`{name}` is missing\n"))
    }
}

/// A form's value as it was before it was written into an address.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes().iter();
    while let Some(&byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => match coded(rest.as_slice()) {
                Some(meant) => {
                    rest.nth(1);
                    meant
                }
                None => byte,
            },
            _ => byte,
        });
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The byte that two hexadecimal digits mean.
fn coded(digits: &[u8]) -> Option<u8> {
    let value = |index: usize| char::from(*digits.get(index)?).to_digit(16);
    Some((16 * value(0)? + value(1)?) as u8)
}

/// An answer in words.
pub(crate) fn words(status: StatusCode, text: impl Into<String>) -> Answer {
    answer(
        status,
        "text/plain; charset=utf-8",
        text.into().into_bytes(),
    )
}

pub(crate) fn answer(
    status: StatusCode,
    media: &'static str,
    body: impl Into<Cow<'static, [u8]>>,
) -> Answer {
    let mut answer = Answer::new(body.into());
    *answer.status_mut() = status;
    let media = HeaderValue::from_static(media);
    answer.headers_mut().insert(header::CONTENT_TYPE, media);
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_into_an_address_is_read_back() {
        let request = |query: &str| {
            let mut request = Request::new(());
            *request.uri_mut() = format!("/a?{query}").parse().expect("an address");
            request
        };
        let asked = request("scene=a%20b+c&set=x%3D1%0Ay%3D%C3%BC&odd=%zz%+1%4&time=1.5");
        let query = Query::of(&asked);
        assert_eq!(query.text("scene").as_deref(), Some("a b c"));
        assert_eq!(query.text("set").as_deref(), Some("x=1\ny=ü"));
        assert_eq!(query.text("odd").as_deref(), Some("%zz% 1%4"));
        assert_eq!(query.text("nothing"), None);
        assert_eq!(query.needed::<f64>("time"), Ok(1.5));
        assert!(query.needed::<usize>("time").is_err());
        assert!(query.needed::<usize>("nothing").is_err());
    }

    #[test]
    fn heads_are_read_when_they_are_whole() {
        let head = b"GET /a?b=1 HTTP/1.1\r\nHost: here\r\nConnection: Upgrade, close\r\n\r\n";
        for length in 0..head.len() {
            assert!(
                parsed(&head[..length])
                    .expect("nothing wrong yet")
                    .is_none()
            );
        }
        let (length, request) = parsed(head).expect("a head").expect("all of it");
        assert_eq!(length, head.len());
        assert_eq!(request.uri().path(), "/a");
        assert!(lists(&request, header::CONNECTION, "upgrade"));
        assert!(!stays(&request));
    }

    #[test]
    fn broken_heads_are_refused() {
        for head in [
            &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
            b"GET / HTTP/3.7\r\n\r\n",
            b"GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
        ] {
            assert!(parsed(head).is_err(), "{}", String::from_utf8_lossy(head));
        }
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(200));
        assert!(parsed(many.as_bytes()).is_err());
    }
}
