//! Who may ask: only pages that this server gave out, under a loopback name. A foreign site that a
//! browser has open can neither read the recording (Origin) nor pass for us by DNS (Host), nor show it in a frame, unless
//! it was told the key: a notebook shows the viewer in a cell.

use crate::http::{Answer, Request};
use http::{HeaderMap, HeaderValue, Method, header};

/// What the page may load: itself. Inline styles are the page's own sizes; blobs are its screenshots.
macro_rules! policy {
    () => {
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; \
         img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-src 'self'"
    };
}

/// For who was told the key, in whatever frame.
const FRAMED: &str = policy!();

/// For all others: in no frame but our own.
const UNFRAMED: &str = concat!(policy!(), "; frame-ancestors 'self'");

/// What the server is known by.
pub(crate) struct Known {
    pub port: u16,
    /// Who says it may show the page in a frame.
    pub key: Option<String>,
}

impl Known {
    /// Whether a request says the key.
    fn is_told(&self, method: &Method, query: Option<&str>) -> bool {
        let Some(key) = &self.key else {
            return false;
        };
        let says = |pair: &str| pair.strip_prefix("key=") == Some(key.as_str());
        method == Method::GET && query.is_some_and(|query| query.split('&').any(says))
    }
}

/// Lets a request through if it comes from our own page, and says whether it knows the key; an error says why not.
pub(crate) fn guard(known: &Known, request: &Request) -> Result<bool, &'static str> {
    let is_told = known.is_told(request.method(), request.uri().query());
    admit(request.method(), request.headers(), known.port, is_told)?;
    Ok(is_told)
}

/// Marks an answer for our own page alone.
pub(crate) fn mark(answer: &mut Answer, is_told: bool) {
    let headers = answer.headers_mut();
    let mut set = |name, value| {
        headers.insert(name, HeaderValue::from_static(value));
    };
    match is_told {
        true => set(header::CONTENT_SECURITY_POLICY, FRAMED),
        false => {
            set(header::CONTENT_SECURITY_POLICY, UNFRAMED);
            set(header::X_FRAME_OPTIONS, "SAMEORIGIN");
        }
    }
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    set(header::CACHE_CONTROL, "no-store");
    set(
        header::HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    );
    set(
        header::HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    );
}

fn admit(
    method: &Method,
    headers: &HeaderMap,
    port: u16,
    is_told: bool,
) -> Result<(), &'static str> {
    if method != Method::GET && method != Method::POST {
        return Err("only GET and POST are answered here\n");
    }
    let text = |name| {
        headers
            .get(name)
            .map(|value: &HeaderValue| value.to_str().unwrap_or("?"))
    };
    if !text(header::HOST).is_some_and(|host| is_ours(host, port)) {
        return Err("this viewer answers only to 127.0.0.1 and localhost\n");
    }
    let origin = text(header::ORIGIN);
    if !origin.is_none_or(|o| {
        o.strip_prefix("http://")
            .is_some_and(|host| is_ours(host, port))
    }) {
        return Err("this viewer answers only its own page\n");
    }
    // what changes something is asked by our page alone: browsers then say where they come from
    if method == Method::POST && origin.is_none() {
        return Err("this viewer answers only its own page\n");
    }
    let site = text(header::HeaderName::from_static("sec-fetch-site"));
    if site == Some("cross-site") && !is_told {
        return Err("this viewer answers only its own page\n");
    }
    Ok(())
}

fn is_ours(host: &str, port: u16) -> bool {
    ["127.0.0.1", "localhost"]
        .iter()
        .any(|name| host == format!("{name}:{port}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(pairs: &[(&'static str, &'static str)]) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.insert(*name, HeaderValue::from_static(value));
        }
        admit(&Method::GET, &headers, 8000, false).is_ok()
    }

    #[test]
    fn only_our_own_page_is_answered() {
        assert!(asked(&[("host", "127.0.0.1:8000")]));
        assert!(asked(&[
            ("host", "localhost:8000"),
            ("origin", "http://localhost:8000")
        ]));
        assert!(!asked(&[]));
        assert!(!asked(&[("host", "127.0.0.1")]));
        assert!(!asked(&[("host", "127.0.0.1:8001")]));
        assert!(!asked(&[("host", "evil.example:8000")]));
        assert!(!asked(&[("host", "127.0.0.1.evil.example:8000")]));
        assert!(!asked(&[
            ("host", "127.0.0.1:8000"),
            ("origin", "http://evil.example")
        ]));
        assert!(!asked(&[
            ("host", "127.0.0.1:8000"),
            ("origin", "https://127.0.0.1:8000")
        ]));
        assert!(!asked(&[("host", "127.0.0.1:8000"), ("origin", "null")]));
        assert!(!asked(&[
            ("host", "127.0.0.1:8000"),
            ("sec-fetch-site", "cross-site")
        ]));
        let mut headers = HeaderMap::new();
        headers.insert("host", HeaderValue::from_static("127.0.0.1:8000"));
        assert!(admit(&Method::GET, &headers, 8000, false).is_ok());
        assert!(admit(&Method::POST, &headers, 8000, false).is_err());
        headers.insert("origin", HeaderValue::from_static("http://127.0.0.1:8000"));
        assert!(admit(&Method::POST, &headers, 8000, false).is_ok());
        assert!(admit(&Method::DELETE, &headers, 8000, false).is_err());
    }

    #[test]
    fn who_says_the_key_may_show_the_page_and_do_nothing_else() {
        let known = Known {
            port: 8000,
            key: Some("secret".into()),
        };
        assert!(known.is_told(&Method::GET, Some("a=1&key=secret")));
        assert!(!known.is_told(&Method::GET, Some("key=secre")));
        assert!(!known.is_told(&Method::GET, Some("key=")));
        assert!(!known.is_told(&Method::GET, None));
        assert!(!known.is_told(&Method::POST, Some("key=secret")));
        let nobody = Known {
            port: 8000,
            key: None,
        };
        assert!(!nobody.is_told(&Method::GET, Some("key=")));
        let mut headers = HeaderMap::new();
        headers.insert("host", HeaderValue::from_static("127.0.0.1:8000"));
        headers.insert("sec-fetch-site", HeaderValue::from_static("cross-site"));
        assert!(admit(&Method::GET, &headers, 8000, true).is_ok());
        assert!(admit(&Method::GET, &headers, 8000, false).is_err());
        headers.insert("origin", HeaderValue::from_static("http://evil.example"));
        assert!(admit(&Method::GET, &headers, 8000, true).is_err());
    }
}
