//! Where the files are that a robot names. `package://` is found by walking up from the robot's
//! file; nothing outside the robot's folder is opened.

use std::path::{Component, Path, PathBuf};

/// The folder a robot may read from.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    /// The folder of the robot's own file.
    pub own: PathBuf,
    /// Nothing above this is opened.
    root: PathBuf,
    /// Whether the user has said what the root is.
    chosen: bool,
}

impl Folder {
    /// The folder of a robot's file. Unless `root` says otherwise, files may lie in the package the
    /// file belongs to (the nearest folder above it with a `package.xml`), or beside its own folder.
    pub fn new(file: &Path, root: Option<&Path>) -> Folder {
        let own = match file.parent() {
            Some(p) if !p.as_os_str().is_empty() => p.to_path_buf(),
            _ => PathBuf::from("."),
        };
        let absolute = own.canonicalize().unwrap_or_else(|_| own.clone());
        let package = absolute
            .ancestors()
            .find(|a| a.join("package.xml").is_file());
        let inferred = package.or_else(|| absolute.parent()).unwrap_or(&absolute);
        Folder {
            root: match root {
                Some(r) => r.canonicalize().unwrap_or_else(|_| r.to_path_buf()),
                None => inferred.to_path_buf(),
            },
            chosen: root.is_some(),
            own,
        }
    }

    /// An existing file of this name, looked for in `folders`.
    pub fn find(&self, name: &str, folders: &[&Path]) -> Result<PathBuf, String> {
        for scheme in ["package://", "model://"] {
            if let Some(rest) = name.strip_prefix(scheme) {
                return self.in_package(name, rest);
            }
        }
        let plain = name.strip_prefix("file://").unwrap_or(name);
        if let Some((scheme, _)) = plain.split_once("://") {
            return Err(format!(
                "`{name}` cannot be opened: `{scheme}://` is not read"
            ));
        }
        let normal = plain.replace('\\', "/");
        for folder in folders {
            let path = folder.join(&normal);
            if path.is_file() {
                return self.inside(path, name);
            }
            // on a miss, tell of paths that climb out rather than that nothing is there
            if climbs_out(&path, &self.root) {
                return Err(self.outside(name));
            }
        }
        Err(format!("there is no file `{name}`"))
    }

    /// `package://name/rest`: the folder `name` beside one of the folders above, or one of the
    /// folders above when it bears that name or is a package.
    fn in_package(&self, name: &str, rest: &str) -> Result<PathBuf, String> {
        let absolute = self.own.canonicalize().unwrap_or_else(|_| self.own.clone());
        let (package, inner) = rest.split_once('/').unwrap_or((rest, ""));
        if Path::new(inner)
            .components()
            .any(|c| c == Component::ParentDir)
            || package == ".."
        {
            return Err(self.outside(name));
        }
        let limit = self.chosen.then_some(&self.root);
        for above in absolute.ancestors() {
            let candidates = [above.join(rest), above.join(inner)];
            let named = above.file_name().is_some_and(|n| n == package);
            let whole = named || above.join("package.xml").is_file();
            for (k, path) in candidates.iter().enumerate() {
                if path.is_file() && (k == 0 || whole) {
                    return Ok(path.clone());
                }
            }
            if limit.is_some_and(|l| above == l) {
                break;
            }
        }
        // a package installed under another name: the nearest folder that holds the inner path
        for above in absolute.ancestors().take(4) {
            let path = above.join(inner);
            if path.is_file() {
                return Ok(path);
            }
        }
        Err(format!(
            "there is no `{inner}` in a folder `{package}` beside or above the robot's file"
        ))
    }

    fn inside(&self, path: PathBuf, name: &str) -> Result<PathBuf, String> {
        let canonical = path.canonicalize().unwrap_or_else(|_| path.clone());
        if canonical.starts_with(&self.root) {
            Ok(path)
        } else {
            Err(self.outside(name))
        }
    }

    fn outside(&self, name: &str) -> String {
        format!(
            "`{name}` leaves the robot's folder {}; move the file into it, or name a folder above both as the root",
            self.root.display()
        )
    }
}

/// Whether a path, taken as written, ends outside `root`.
fn climbs_out(path: &Path, root: &Path) -> bool {
    let absolute = if path.is_absolute() {
        path.to_path_buf()
    } else {
        match std::env::current_dir() {
            Ok(here) => here.join(path),
            Err(_) => return false,
        }
    };
    let mut out = PathBuf::new();
    for part in absolute.components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    let real = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
    !out.starts_with(root) && !out.starts_with(&real)
}
