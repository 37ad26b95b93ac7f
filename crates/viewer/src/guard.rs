//! Who may ask: only pages that this server gave out, under a loopback name. A foreign site that a
//! browser has open can neither read the recording (Origin) nor pass for us by DNS (Host).

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// What the page may load: itself. Inline styles are the page's own sizes; blobs are its screenshots.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
     connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'self'; frame-src 'self'";

/// Lets a request through if it comes from our own page, and marks the answer for it alone.
pub(crate) async fn guard(State(port): State<u16>, request: Request, next: Next) -> Response {
    if let Err(reason) = admit(request.method(), request.headers(), port) {
        return (StatusCode::FORBIDDEN, reason).into_response();
    }
    let mut response = next.run(request).await;
    let mut set = |name, value| {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    };
    set(header::CONTENT_SECURITY_POLICY, CONTENT_POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::X_FRAME_OPTIONS, "SAMEORIGIN");
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
    response
}

fn admit(method: &Method, headers: &HeaderMap, port: u16) -> Result<(), &'static str> {
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
    if text(header::HeaderName::from_static("sec-fetch-site")) == Some("cross-site") {
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
        admit(&Method::GET, &headers, 8000).is_ok()
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
        assert!(admit(&Method::GET, &headers, 8000).is_ok());
        assert!(admit(&Method::POST, &headers, 8000).is_err());
        headers.insert("origin", HeaderValue::from_static("http://127.0.0.1:8000"));
        assert!(admit(&Method::POST, &headers, 8000).is_ok());
        assert!(admit(&Method::DELETE, &headers, 8000).is_err());
    }
}
