//! Files of a dump, opened and unpacked.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use crate::data::dump::utf16::Utf16;
use crate::process::failure::Fatal;

/// Forms of compression: the first bytes of a file, and the program that unpacks it.
const COMPRESSED: [(&[u8], &[&str]); 4] = [
    (b"\x1f\x8b", &["gzip", "-dc"]),
    (b"\x28\xb5\x2f\xfd", &["zstd", "-dcq", "--long=31"]),
    (b"\xfd7zXZ\0", &["xz", "-dc"]),
    (b"BZh", &["bzip2", "-dc"]),
];
/// Forms that hold several files, which nobody could tell apart here.
const ARCHIVES: [(&[u8], &str); 4] =
    [(b"7z\xbc\xaf", "7z"), (b"Rar!", "rar"), (b"\x04\x22\x4d\x18", "lz4"), (b"XBSTCK01", "xbstream")];
const ZIP: &[u8] = b"PK\x03\x04";
/// Names of files in an archive that a message lists.
const LISTED: usize = 3;
/// What files that are no SQL of these servers begin with, what they are, and what to do.
const FOREIGN: [(&[u8], &str, &str); 7] = [
    (b"PGDMP", "is a dump of PostgreSQL", "dump a MySQL or MariaDB server"),
    (b"--\n-- PostgreSQL database dump", "is a dump of PostgreSQL", "dump a MySQL or MariaDB server"),
    (b"PRAGMA foreign_keys", "is a dump of SQLite", "dump a MySQL or MariaDB server"),
    (b"SQLite format 3\0", "is a database of SQLite", "dump a MySQL or MariaDB server"),
    (b"\xfebin", "is a binary log", "dump the server (mysqldump --single-transaction)"),
    (
        b"\xd4\xc3\xb2\xa1",
        "is a capture of packets",
        "pt-query-digest --type tcpdump --output slowlog makes a log of one",
    ),
    (b"{\"", "is JSON", "dump again as SQL (mysqldump)"),
];
/// What a file of marks is, by a mark in it, and what to do; the last holds for any other.
const MARKED: [(&str, &str, &str); 5] = [
    ("<mapper", MAPPER, "give a log of the server that got its statements (general_log = ON)"),
    ("<sqlMap", MAPPER, "give a log of the server that got its statements (general_log = ON)"),
    ("<html", "is a page of HTML", "save it as SQL or text"),
    ("<mysqldump", "is XML (mysqldump --xml)", "dump again without --xml"),
    ("", "is XML", "give a file of SQL"),
];
const MAPPER: &str = "is a mapper of MyBatis, whose statements have values only in its program,";
/// Bytes of a binary file among which there is one control character at least that no text has.
const CONTROLLED: usize = 20;
/// Where an archive of tar says so, and how.
const TAR: (usize, &[u8]) = (257, b"ustar");
/// Bytes at either end of a file that are kept.
const END_BYTES: usize = 512;

/// The bytes of a file, unpacked, and how far it is read.
pub(crate) struct Source {
    bytes: Bytes,
    /// Shares its offset with whoever reads the file; `None` for a text in memory.
    file: Option<File>,
    /// The first bytes, which are read before anybody asks for them, and how many of them were handed on.
    head: Vec<u8>,
    handed: usize,
    /// The last bytes so far.
    tail: Vec<u8>,
    /// What makes UTF-8 of a file in UTF-16.
    utf16: Option<Utf16>,
}

enum Bytes {
    Text(io::Cursor<Vec<u8>>),
    File(File),
    Unpacked { program: &'static str, child: Child, out: ChildStdout },
}

impl Source {
    pub(super) fn of_text(text: Vec<u8>) -> Self {
        Self::new(Bytes::Text(io::Cursor::new(text)), None)
    }

    fn new(bytes: Bytes, file: Option<File>) -> Self {
        Self { bytes, file, head: Vec::new(), handed: 0, tail: Vec::new(), utf16: None }
    }

    /// # Errors
    /// The file cannot be read, or the program that unpacks it is missing.
    pub(crate) fn open(path: &Path, name: &str) -> Result<Self, Fatal> {
        let failed = |error: io::Error| Fatal::job(format!("cannot read {name}: {error}"));
        let file = File::open(path).map_err(failed)?;
        let mut first = [0; 8];
        let read = file.read_at(&mut first, 0).map_err(failed)?;
        let first = &first[..read];
        if let Some((_, archive)) = ARCHIVES.iter().find(|(magic, _)| first.starts_with(magic)) {
            return Err(Fatal::job(format!("{name} is an archive ({archive}), and a dump is SQL"))
                .hint("unpack it, and name the file or folder of SQL in it"));
        }
        if first.starts_with(ZIP) {
            return Self::of_zip(path, name);
        }
        let again = file.try_clone().map_err(failed)?;
        let Some((_, command)) = COMPRESSED.iter().find(|(magic, _)| first.starts_with(magic)) else {
            return Ok(Self::new(Bytes::File(file), Some(again)));
        };
        let mut unpacking = Command::new(command[0]);
        unpacking.args(&command[1..]).stdin(file);
        Self::of_program(command[0], unpacking, name, Some(again))
    }

    /// The only file of an archive of zip, in which exports of one database come.
    fn of_zip(path: &Path, name: &str) -> Result<Self, Fatal> {
        let program = "unzip";
        let listed = Command::new(program).arg("-Z1").arg(path).stdin(Stdio::null()).output();
        let listed = listed.map_err(|error| missing(program, name, &error))?;
        let names = String::from_utf8_lossy(&listed.stdout).into_owned();
        let names: Vec<&str> = names.lines().filter(|one| !one.ends_with('/')).collect();
        if names.len() > 1 {
            let shown = names[..names.len().min(LISTED)].join(", ");
            let more = if names.len() > LISTED { ", …" } else { "" };
            return Err(Fatal::job(format!("{name} is an archive (zip) of several files: {shown}{more}"))
                .hint("unpack it, and name the file or folder of SQL in it"));
        }
        let mut unpacking = Command::new(program);
        unpacking.arg("-p").arg(path).stdin(Stdio::null());
        Self::of_program(program, unpacking, name, None)
    }

    fn of_program(
        program: &'static str,
        mut command: Command,
        name: &str,
        file: Option<File>,
    ) -> Result<Self, Fatal> {
        let started = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = started.map_err(|error| missing(program, name, &error))?;
        let out = child.stdout.take().expect("piped");
        Ok(Self::new(Bytes::Unpacked { program, child, out }, file))
    }

    /// Refuses what is no SQL of a MySQL or MariaDB server by its first bytes.
    ///
    /// # Errors
    /// Fails for a file that is something else, and for one that cannot be read.
    pub(crate) fn sql(self, name: &str) -> Result<Self, Fatal> {
        let file = self.text(name)?;
        if is_binary(&file.head) {
            return Err(Fatal::job(format!("{name} is binary, and a dump is SQL"))
                .hint("dump the server with mysqldump or MySQL Shell"));
        }
        Ok(file)
    }

    /// Refuses what is known as something else than SQL or a log of a server by its first bytes.
    ///
    /// # Errors
    /// Fails for a file that is something else, and for one that cannot be read.
    pub(crate) fn text(mut self, name: &str) -> Result<Self, Fatal> {
        let mut head = Vec::new();
        let read = (&mut self.bytes).take(END_BYTES as u64).read_to_end(&mut head);
        read.map_err(|error| Fatal::job(format!("cannot read {name}: {error}")))?;
        self.utf16 = Utf16::of(&head);
        self.head = match &mut self.utf16 {
            None => head,
            Some(utf16) => {
                utf16.text(&head).map_err(|error| Fatal::job(format!("cannot read {name}: {error}")))?
            }
        };
        let begins = self.head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.head).trim_ascii_start();
        let foreign = FOREIGN.iter().find(|(mark, ..)| begins.starts_with(mark));
        if let Some((what, hint)) = foreign.map(|(_, what, hint)| (what, hint)).or_else(|| marked(begins)) {
            return Err(Fatal::job(format!("{name} {what}, and no SQL of MySQL or MariaDB")).hint(*hint));
        }
        if self.head.get(TAR.0..).is_some_and(|rest| rest.starts_with(TAR.1)) {
            return Err(Fatal::job(format!("{name} is an archive (tar), and a dump is SQL"))
                .hint("unpack it, and name the file or folder of SQL in it"));
        }
        Ok(self)
    }

    /// Whether offsets in what is read are offsets in a file, which can be read again from there.
    pub(super) fn is_plain_file(&self) -> bool {
        match &self.bytes {
            Bytes::File(file) => self.utf16.is_none() && file.metadata().is_ok_and(|file| file.is_file()),
            Bytes::Text(_) | Bytes::Unpacked { .. } => false,
        }
    }

    /// Whether the file begins as those of mysqldump and mariadb-dump, and lacks their last line.
    pub(super) fn is_cut(&self) -> bool {
        let has = |text: &[u8], what: &str| text.windows(what.len()).any(|window| window == what.as_bytes());
        let begins = ["-- MySQL dump ", "-- MariaDB dump "].iter().any(|one| has(&self.head, one));
        begins && !has(&self.tail, "-- Dump completed")
    }

    /// Whether the file is in UTF-16, as Windows' shells write what a program prints.
    pub(super) fn is_utf16(&self) -> bool {
        self.utf16.is_some()
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

/// What a file is that begins with a mark in angle brackets, and what to do.
fn marked(begins: &[u8]) -> Option<(&'static &'static str, &'static &'static str)> {
    let [b'<', b'?' | b'!' | b'a'..=b'z' | b'A'..=b'Z', ..] = begins else { return None };
    let head = String::from_utf8_lossy(begins);
    MARKED.iter().find(|(mark, ..)| head.contains(mark)).map(|(_, what, hint)| (what, hint))
}

/// Whether a file that begins with these bytes is no text.
pub(crate) fn is_binary(head: &[u8]) -> bool {
    let control = |byte: &&u8| byte.is_ascii_control() && !matches!(byte, b'\t'..=b'\r' | 0x1a | 0x1b);
    let most = head.len().min(END_BYTES);
    head[..most].iter().filter(control).count() * CONTROLLED > most
}

fn missing(program: &str, name: &str, error: &io::Error) -> Fatal {
    Fatal::host(format!("cannot unpack {name}: {program}: {error}"))
        .hint(format!("install {program}, or unpack the file"))
}

impl Read for Bytes {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Text(text) => text.read(out),
            Self::File(file) => file.read(out),
            Self::Unpacked { program, child, out: from } => {
                let read = from.read(out)?;
                if read == 0 && !out.is_empty() {
                    let mut said = String::new();
                    if let Some(errors) = &mut child.stderr {
                        let _ = errors.read_to_string(&mut said);
                    }
                    if !child.wait()?.success() {
                        let said = said.trim();
                        return Err(io::Error::other(format!("it is damaged or cut: {program}: {said}")));
                    }
                }
                Ok(read)
            }
        }
    }
}

impl Read for Source {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let waiting = &self.head[self.handed..];
        let read = if waiting.is_empty() {
            match &mut self.utf16 {
                None => self.bytes.read(out)?,
                Some(utf16) => utf16.read(&mut self.bytes, out)?,
            }
        } else {
            let length = waiting.len().min(out.len());
            out[..length].copy_from_slice(&waiting[..length]);
            self.handed += length;
            length
        };
        let last = &out[read.saturating_sub(END_BYTES)..read];
        let surplus = (self.tail.len() + last.len()).saturating_sub(END_BYTES).min(self.tail.len());
        self.tail.drain(..surplus);
        self.tail.extend_from_slice(last);
        Ok(read)
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
