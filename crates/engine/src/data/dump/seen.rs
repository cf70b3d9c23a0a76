//! Files that are read more than once: each time they must be what they were at first.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::process::failure::Fatal;
use crate::process::poison::unpoisoned;

/// What another content of a file changes: which file it is, its length, and when that was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileState([u64; 3], i64);

impl FileState {
    pub(super) fn of(file: &Metadata) -> Self {
        Self([file.ino(), file.len(), file.mtime_nsec().unsigned_abs()], file.mtime())
    }
}

/// The error that a file is another than before.
pub(super) fn changed(name: &str) -> Fatal {
    unreadable(name, &io::Error::other("it has changed since it was read first"))
}

/// The error that a file cannot be read again.
pub(super) fn unreadable(name: &str, error: &io::Error) -> Fatal {
    Fatal::job(format!("cannot read {name}: {error}")).hint("leave the file as it is while it is loaded")
}

/// The files that were read so far, with their names in messages.
#[derive(Debug, Default)]
pub(super) struct Seen(Mutex<BTreeMap<PathBuf, (String, FileState)>>);

impl Seen {
    /// Notes a file that is about to be read.
    ///
    /// # Errors
    /// The file is another than when it was noted first.
    pub(super) fn note(&self, path: &Path, name: &str) -> Result<(), Fatal> {
        let mut files = unpoisoned(self.0.lock());
        let file = path.metadata().map_err(|error| {
            let is_known = files.contains_key(path);
            if is_known {
                unreadable(name, &error)
            } else {
                Fatal::job(format!("cannot read {name}: {error}"))
            }
        })?;
        let state = FileState::of(&file);
        let (_, first) = files.entry(path.to_owned()).or_insert_with(|| (name.to_owned(), state));
        if *first == state { Ok(()) } else { Err(changed(name)) }
    }

    /// # Errors
    /// A file is another than when it was noted.
    pub(super) fn require_unchanged(&self) -> Result<(), Fatal> {
        for (path, (name, state)) in &*unpoisoned(self.0.lock()) {
            let file = path.metadata().map_err(|error| unreadable(name, &error))?;
            if FileState::of(&file) != *state {
                return Err(changed(name));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn another_content_is_told_and_the_same_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("x.sql");
        let write = |text: &str| {
            std::fs::write(&file, text).expect("written");
            let at = SystemTime::UNIX_EPOCH;
            File::options().write(true).open(&file).and_then(|file| file.set_modified(at)).expect("dated");
        };
        write("a");
        let seen = Seen::default();
        seen.note(&file, "x.sql").expect("first");
        seen.note(&file, "x.sql").expect("the same");
        seen.require_unchanged().expect("the same");
        write("ab");
        assert!(seen.note(&file, "x.sql").expect_err("longer").message.contains("has changed"));
        write("a");
        seen.require_unchanged().expect("as before");
        let other = folder.path().join("y.sql");
        std::fs::rename(&file, &other).expect("moved");
        assert!(seen.require_unchanged().expect_err("gone").message.starts_with("cannot read x.sql: "));
        write("b");
        let told = seen.require_unchanged().expect_err("another file");
        assert_eq!(told.message, "cannot read x.sql: it has changed since it was read first");
    }
}
