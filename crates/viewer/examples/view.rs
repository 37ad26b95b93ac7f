//! Serves a recording: `cargo run -p warpline-viewer --example view -- run.wline [port]`

use warpline_viewer::{Options, serve};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let path = args.next().ok_or("give a recording")?;
    let port = args.next().map_or(Ok(0), |text| text.parse())?;
    let server = serve(
        path,
        &Options {
            port,
            ..Options::default()
        },
    )?;
    println!("{}", server.url());
    server.wait();
    Ok(())
}
