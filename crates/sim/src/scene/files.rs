//! Files that a scene names: beside the scene's own file, or embedded with a built-in scene.

use super::decode::{Decoded, Table};
use std::path::{Path, PathBuf};

/// A larger file is refused.
const BYTES_MAX: u64 = 1 << 29;

/// Where the files of a scene are.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    /// The folder of the scene's file.
    pub folder: PathBuf,
    /// Names and contents of files that are part of the program.
    pub embedded: &'static [(&'static str, &'static [u8])],
}

impl Files {
    /// The content of a file that `key` names, and the path for messages.
    pub fn read(&self, t: &Table<'_>, key: &str, name: &str) -> Decoded<(PathBuf, Vec<u8>)> {
        if let Some((name, content)) = self.embedded.iter().find(|(own, _)| *own == name) {
            return Ok((PathBuf::from(name), content.to_vec()));
        }
        let path = self.folder.join(name);
        let refused = |why: String| {
            let message = format!("cannot read {}: {why}", path.display());
            t.fault(key, message)
                .help("the path begins at the folder of the scene's file")
        };
        let about = std::fs::metadata(&path).map_err(|e| refused(e.to_string()))?;
        if !about.is_file() {
            return Err(refused("it is not a file".into()));
        }
        if about.len() > BYTES_MAX {
            return Err(refused(format!(
                "it has {} bytes; at most {BYTES_MAX} are read",
                about.len()
            )));
        }
        let content = std::fs::read(&path).map_err(|e| refused(e.to_string()))?;
        Ok((path, content))
    }

    /// The text of a file.
    pub fn text(&self, t: &Table<'_>, key: &str, name: &str) -> Decoded<(PathBuf, String)> {
        let (path, content) = self.read(t, key, name)?;
        match String::from_utf8(content) {
            Ok(text) => Ok((path, text)),
            Err(_) => Err(t.fault(key, format!("{} is not a text", path.display()))),
        }
    }

    /// The files beside a scene.
    pub fn beside(source_name: &str) -> Self {
        let folder = Path::new(source_name).parent().unwrap_or(Path::new(""));
        Files {
            folder: folder.into(),
            embedded: &[],
        }
    }
}
