//! The page's files, built from `page/` by esbuild and compiled into the program: a user needs no Node.

/// A file of the page: its path, its media type and its bytes.
pub(crate) struct Asset {
    pub(crate) path: &'static str,
    pub(crate) media: &'static str,
    pub(crate) bytes: &'static [u8],
}

/// Everything that the server gives out besides the recording.
pub(crate) const ASSETS: [Asset; 3] = [
    Asset {
        path: "/",
        media: "text/html; charset=utf-8",
        bytes: include_bytes!("../dist/index.html"),
    },
    Asset {
        path: "/page.js",
        media: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../dist/page.js"),
    },
    Asset {
        path: "/page.css",
        media: "text/css; charset=utf-8",
        bytes: include_bytes!("../dist/page.css"),
    },
];
