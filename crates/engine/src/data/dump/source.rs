//! Files of a dump, opened and unpacked.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use crate::process::failure::Fatal;

/// Forms of compression: the first bytes of a file, and the program that unpacks it.
const COMPRESSED: [(&[u8], &[&str]); 4] = [
    (b"\x1f\x8b", &["gzip", "-dc"]),
    (b"\x28\xb5\x2f\xfd", &["zstd", "-dcq", "--long=31"]),
    (b"\xfd7zXZ\0", &["xz", "-dc"]),
    (b"BZh", &["bzip2", "-dc"]),
];
/// Forms that hold several files, which nobody could tell apart here.
const ARCHIVES: [(&[u8], &str); 3] = [(b"PK\x03\x04", "zip"), (b"7z\xbc\xaf", "7z"), (b"Rar!", "rar")];

/// The bytes of a file, unpacked, and how far it is read.
pub(super) struct Source {
    bytes: Bytes,
    /// Shares its offset with whoever reads the file; `None` for a text in memory.
    file: Option<File>,
}

enum Bytes {
    Text(io::Cursor<Vec<u8>>),
    File(File),
    Unpacked { program: &'static str, child: Child, out: ChildStdout },
}

impl Source {
    pub(super) fn of_text(text: Vec<u8>) -> Self {
        Self { bytes: Bytes::Text(io::Cursor::new(text)), file: None }
    }

    /// # Errors
    /// The file cannot be read, or the program that unpacks it is missing.
    pub(super) fn open(path: &Path, name: &str) -> Result<Self, Fatal> {
        let failed = |error: io::Error| Fatal::job(format!("cannot read {name}: {error}"));
        let file = File::open(path).map_err(failed)?;
        let mut first = [0; 8];
        let read = file.read_at(&mut first, 0).map_err(failed)?;
        let first = &first[..read];
        if let Some((_, archive)) = ARCHIVES.iter().find(|(magic, _)| first.starts_with(magic)) {
            return Err(Fatal::job(format!("{name} is an archive ({archive}), and a dump is SQL"))
                .hint("unpack it, and name the file or folder of SQL in it"));
        }
        let again = file.try_clone().map_err(failed)?;
        let Some((_, command)) = COMPRESSED.iter().find(|(magic, _)| first.starts_with(magic)) else {
            return Ok(Self { bytes: Bytes::File(file), file: Some(again) });
        };
        let program = command[0];
        let started = Command::new(program)
            .args(&command[1..])
            .stdin(file)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = started.map_err(|error| {
            Fatal::host(format!("cannot unpack {name}: {program}: {error}"))
                .hint(format!("install {program}, or unpack the file"))
        })?;
        let out = child.stdout.take().expect("piped");
        Ok(Self { bytes: Bytes::Unpacked { program, child, out }, file: Some(again) })
    }

    /// Bytes of the file that were read so far, as it lies on disk.
    pub(super) fn position(&mut self) -> u64 {
        match (&mut self.file, &self.bytes) {
            (Some(file), _) => file.stream_position().unwrap_or_default(),
            (None, Bytes::Text(text)) => text.position(),
            (None, _) => 0,
        }
    }
}

impl Read for Source {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match &mut self.bytes {
            Bytes::Text(text) => text.read(out),
            Bytes::File(file) => file.read(out),
            Bytes::Unpacked { program, child, out: from } => {
                let read = from.read(out)?;
                if read == 0 && !out.is_empty() {
                    let mut said = String::new();
                    if let Some(errors) = &mut child.stderr {
                        let _ = errors.read_to_string(&mut said);
                    }
                    if !child.wait()?.success() {
                        let said = said.trim();
                        return Err(io::Error::other(format!("{program} could not unpack it: {said}")));
                    }
                }
                Ok(read)
            }
        }
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        if let Bytes::Unpacked { child, .. } = &mut self.bytes {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
