//! Files and the terminal as places for results: a file gets its name only when it is whole, and a
//! reader that closes a pipe is no error.

use crate::failure::Failure;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Prints to standard output.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Err(Failure::ReaderGone),
        Err(e) => Err(Failure::run(
            format!("cannot write to standard output: {e}"),
            None,
        )),
    }
}

/// A file that appears under its name only when it is complete.
pub struct WholeFile {
    file: File,
    partial: PathBuf,
    path: PathBuf,
}

impl WholeFile {
    /// Begins the file, so that a wrong path is found before the work is done.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let is_device = path.exists() && !path.is_file() && !path.is_dir();
        let partial = match is_device {
            true => path.to_path_buf(),
            false => {
                let mut name = path.as_os_str().to_owned();
                name.push(".partial");
                name.into()
            }
        };
        let create = || match path.is_dir() {
            true => Err(std::io::ErrorKind::IsADirectory.into()),
            false => File::create(&partial),
        };
        let file = create().map_err(|e| {
            Failure::input(
                format!("cannot create {}: {e}", path.display()),
                Some("give a path in a directory that exists and can be written to".into()),
            )
        })?;
        Ok(WholeFile {
            file,
            partial,
            path: path.to_path_buf(),
        })
    }

    /// Writes a part of the file.
    pub fn append(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.file.write_all(bytes)
    }

    /// Writes everything that is left and gives the file its name.
    pub fn finish(mut self, bytes: &[u8]) -> Result<(), Failure> {
        let mut write = || {
            self.file.write_all(bytes)?;
            if self.partial != self.path {
                self.file.sync_all()?;
                std::fs::rename(&self.partial, &self.path)?;
            }
            Ok(())
        };
        write().map_err(|e: std::io::Error| {
            Failure::run(
                format!("cannot write {}: {e}", self.path.display()),
                Some("free some space or write elsewhere".into()),
            )
        })
    }
}

/// A half file is of no use. A whole one has another name by now.
impl Drop for WholeFile {
    fn drop(&mut self) {
        if self.partial != self.path {
            let _ = std::fs::remove_file(&self.partial);
        }
    }
}

/// Writes a whole file at once.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    WholeFile::create(path)?.finish(bytes)
}

/// Makes sure that a directory is there.
pub fn make_directory(path: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(path).map_err(|e| {
        let message = format!("cannot create directory {}: {e}", path.display());
        Failure::input(message, None)
    })
}
