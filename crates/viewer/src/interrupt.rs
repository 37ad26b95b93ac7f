//! Interrupts: what was made for the time of the command is taken away before it ends.

use std::io::Result;

/// The exit code of a command that was interrupted, as shells expect it.
const INTERRUPTED: i32 = 130;

/// Calls `tidy` when the program is interrupted or asked to end, and ends it.
pub fn on_interrupt(tidy: impl FnOnce() + Send + 'static) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    // From here on the signals are ours: they are not lost before the thread looks for them.
    let asked = {
        let _inside = runtime.enter();
        Asked::new()?
    };
    std::thread::Builder::new()
        .name("interrupt".into())
        .spawn(move || {
            runtime.block_on(asked.wait());
            tidy();
            std::process::exit(INTERRUPTED);
        })?;
    Ok(())
}

#[cfg(unix)]
struct Asked([tokio::signal::unix::Signal; 3]);

#[cfg(unix)]
impl Asked {
    fn new() -> Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Asked([
            signal(SignalKind::interrupt())?,
            signal(SignalKind::terminate())?,
            signal(SignalKind::hangup())?,
        ]))
    }

    async fn wait(mut self) {
        let [a, b, c] = &mut self.0;
        tokio::select! {
            _ = a.recv() => {}
            _ = b.recv() => {}
            _ = c.recv() => {}
        }
    }
}

#[cfg(windows)]
struct Asked(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Asked {
    fn new() -> Result<Self> {
        Ok(Asked(tokio::signal::windows::ctrl_c()?))
    }

    async fn wait(mut self) {
        self.0.recv().await;
    }
}
