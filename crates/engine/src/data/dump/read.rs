//! The statements of a dump's files, one after the other, each with what it is for.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use assay_sql::{Kind, Stream, Streamed};

use crate::data::dump::facts::Facts;
use crate::data::dump::objects::{is_word, solid};
use crate::data::dump::order::Order;
use crate::data::dump::roles::Role;
use crate::data::dump::seen::Seen;
use crate::data::dump::source::Source;
use crate::process::failure::Fatal;
use crate::process::poison::unpoisoned;
use crate::process::signal;
use assay_format::job::{Dump, RowsOfTable};

/// Files within files that a dump may name (`source FILE;`), and how often it may name one in all.
const DEEPEST: usize = 8;
const SOURCED_MOST: u32 = 10_000;
/// Statements between two looks at how far the file is read.
const LOOK_EACH: u64 = 256;

/// A file that makes tables.
#[derive(Debug, Clone)]
pub(crate) enum Input {
    /// A text in memory, and its name.
    Text {
        name: String,
        text: Vec<u8>,
    },
    Sql {
        name: String,
        path: PathBuf,
    },
    Rows {
        name: String,
        path: PathBuf,
        rows: RowsOfTable,
    },
}

impl Input {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Text { name, .. } | Self::Sql { name, .. } | Self::Rows { name, .. } => name,
        }
    }

    /// Bytes of the file as it lies on disk.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Self::Text { text, .. } => text.len() as u64,
            Self::Sql { path, .. } | Self::Rows { path, .. } => {
                std::fs::metadata(path).map_or(0, |file| file.len())
            }
        }
    }

    fn path(&self) -> Option<&Path> {
        match self {
            Self::Text { .. } => None,
            Self::Sql { path, .. } | Self::Rows { path, .. } => Some(path),
        }
    }

    /// # Errors
    /// The file cannot be read, or is another than when it was read first.
    pub(super) fn open(&self, seen: &Seen) -> Result<Source, Fatal> {
        match self {
            Self::Text { text, .. } => Ok(Source::of_text(text.clone())),
            Self::Sql { path, name } | Self::Rows { path, name, .. } => {
                seen.note(path, name)?;
                Source::open(path, name)
            }
        }
    }
}

/// The files of a job's dump, in order.
pub(super) fn inputs_of(dump: &Dump) -> Vec<Input> {
    let input = |file: &assay_format::job::DumpFile| {
        let (name, path) = (file.name.clone(), file.path.clone());
        match &file.rows {
            None => Input::Sql { name, path },
            Some(rows) => Input::Rows { name, path, rows: rows.clone() },
        }
    };
    dump.files.iter().map(input).collect()
}

/// What is read next.
pub(super) enum Read<'a> {
    Statement {
        role: Role,
        facts: &'a Facts,
        sql: &'a [u8],
        file: &'a str,
        line: u64,
        /// The file and the offset at which the statement can be read again; `None`: the file is packed, or in memory.
        in_file: Option<(&'a Path, u64)>,
        /// The file that the statement has the client send: `LOAD DATA LOCAL INFILE`.
        local: Option<&'a Path>,
    },
    /// A file of rows.
    Rows { input: &'a Input },
}

/// How far files are read, for people.
#[derive(Debug, Default)]
pub(super) struct Reached {
    /// Bytes as they lie on disk.
    pub bytes: AtomicU64,
    /// Files that others have named.
    pub named: std::sync::Mutex<BTreeSet<PathBuf>>,
    /// Sentences about files that lack their last line, or whose letters may be others.
    pub notes: std::sync::Mutex<BTreeSet<String>>,
    /// The files as they were when they were read first.
    pub seen: Arc<Seen>,
}

/// What hears of each statement and file of rows, and says whether to go on.
type Take<'a> = &'a mut dyn FnMut(Read<'_>, &Order) -> Result<bool, Fatal>;

/// Reads all files; `take` gets each statement and file of rows, and says whether to go on.
///
/// # Errors
/// A file cannot be read, or does not end where a statement does; what `take` says.
pub(super) fn read(
    inputs: &[Input],
    order: &mut Order,
    reached: &Reached,
    take: Take<'_>,
) -> Result<(), Fatal> {
    let mut reader = Reader { order, reached, take, above: Vec::new(), sourced: 0 };
    for input in inputs {
        let goes_on = match input {
            Input::Rows { .. } => (reader.take)(Read::Rows { input }, reader.order)?,
            _ => reader.read_file(input)?,
        };
        if !goes_on {
            return Ok(());
        }
    }
    Ok(())
}

struct Reader<'a> {
    order: &'a mut Order,
    reached: &'a Reached,
    take: Take<'a>,
    /// The files that are open, each named by the one before.
    above: Vec<PathBuf>,
    sourced: u32,
}

impl Reader<'_> {
    fn read_file(&mut self, input: &Input) -> Result<bool, Fatal> {
        let name = input.name();
        let source = input.open(&self.reached.seen)?.sql(name)?;
        let path = input.path().filter(|_| source.is_plain_file());
        let mut stream = Stream::new(source);
        let mut facts = Facts::default();
        let before = self.reached.bytes.load(Ordering::Relaxed);
        let mut count = 0_u64;
        loop {
            facts.clear();
            let next = stream.next(&mut |token| facts.see(token, &self.order.counting));
            let next = next.map_err(|error| Fatal::job(format!("cannot read {name}: {error}")))?;
            let Some((sql, line, at)) = next.map(|next| statement(next, name)).transpose()? else { break };
            if let Some(named) = sourced(sql) {
                let at = format!("{name}:{line}: {}", shown(sql));
                if !self.read_named(input, named, &at)? {
                    return Ok(false);
                }
                continue;
            }
            if facts.breaks_off() {
                return Err(Fatal::job(format!(
                    "{name}:{line}: the last row is not closed; is the file whole?"
                ))
                .hint("dump again, or remove the row"));
            }
            let role = self.order.role_of(&facts, sql, || format!("{name}:{line}"));
            let local = match local_file(sql).filter(|_| role == Role::DependentRows) {
                Some(named) => Some(self.found(input, &named, &format!("{name}:{line}: {}", shown(sql)))?),
                None => None,
            };
            let (in_file, local) = (path.map(|path| (path, at)), local.as_deref());
            let read = Read::Statement { role, facts: &facts, sql, file: name, line, in_file, local };
            let length = sql.len();
            if !(self.take)(read, self.order)? {
                return Ok(false);
            }
            if role == Role::Setting {
                stream.set_letters(self.order.letters());
            }
            count += 1;
            if count.is_multiple_of(LOOK_EACH) || length > 1 << 16 {
                if signal::received() {
                    return Ok(false);
                }
                self.reached.bytes.store(before + stream.source().position(), Ordering::Relaxed);
            }
        }
        if stream.source().is_cut() {
            self.note(format!(
                "{name} has no last line \"-- Dump completed\": the dump program was stopped, or the file is cut"
            ));
        }
        if stream.source().is_utf16() {
            self.note(format!(
                "{name} is in UTF-16, as PowerShell writes what a program prints: letters beyond ASCII may be others than \
                 the server's; mysqldump --result-file=FILE keeps them"
            ));
        }
        self.reached.bytes.store(before + input.bytes(), Ordering::Relaxed);
        Ok(true)
    }

    fn note(&self, sentence: String) {
        unpoisoned(self.reached.notes.lock()).insert(sentence);
    }

    /// Reads a file that another names: beside that, or beside the first, from where the client would look.
    fn read_named(&mut self, input: &Input, named: &str, at: &str) -> Result<bool, Fatal> {
        let found = self.found(input, named, at)?;
        self.above.extend(input.path().map(Path::to_path_buf));
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if self.above.iter().any(|one| real(one) == real(&found)) {
            return Err(Fatal::job(format!("{at}: the file would be read within itself"))
                .hint("leave one of the two lines out"));
        }
        self.sourced += 1;
        if self.above.len() > DEEPEST || self.sourced > SOURCED_MOST {
            return Err(Fatal::job(format!(
                "{at}: files may name others {DEEPEST} deep, and {SOURCED_MOST} in all"
            )));
        }
        let inner = Input::Sql { name: named.to_owned(), path: found };
        let goes_on = self.read_file(&inner)?;
        self.above.pop();
        Ok(goes_on)
    }

    /// The file that a statement names, as the client would look for it.
    fn found(&self, input: &Input, named: &str, at: &str) -> Result<PathBuf, Fatal> {
        let Some(path) = input.path() else {
            return Err(Fatal::job(format!("{at}: a file is named that cannot be read from here"))
                .hint("put the files into one folder, and name that"));
        };
        let first = self.above.first().map_or(path, PathBuf::as_path);
        let beside = [path, first].map(|one| one.parent().unwrap_or(one).join(named));
        let Some(found) = beside.iter().find(|one| one.is_file()) else {
            return Err(Fatal::job(format!("{at}: there is no file {}", beside[0].display()))
                .hint("put the file beside the one that names it"));
        };
        self.reached.seen.note(found, named)?;
        unpoisoned(self.reached.named.lock()).insert(found.clone());
        Ok(found.clone())
    }
}

/// A statement of a file with its line and its offset.
fn statement<'a>(streamed: Streamed<'a>, name: &str) -> Result<(&'a [u8], u64, u64), Fatal> {
    let fatal = match streamed {
        Streamed::Statement { text, line, at } => return Ok((text, line, at)),
        Streamed::Unended { line } => {
            Fatal::job(format!("{name}:{line}: a quote or a comment is not closed; is the file whole?"))
        }
        Streamed::TooLong { line } => {
            Fatal::job(format!("{name}:{line}: a statement is longer than 1 GiB, which no server takes"))
        }
    };
    Err(fatal)
}

/// The file that a command of the client names, as `source FILE` and `\. FILE` do.
fn sourced(sql: &[u8]) -> Option<&str> {
    let end = sql.iter().position(u8::is_ascii_whitespace)?;
    let (command, file) = sql.split_at(end);
    if !command.eq_ignore_ascii_case(b"source") && command != b"\\." {
        return None;
    }
    let file = str::from_utf8(file).ok()?.trim();
    (!file.contains('\n')).then_some(file)
}

/// The file that a statement has the client send.
fn local_file(sql: &[u8]) -> Option<String> {
    if !sql.get(..4).is_some_and(|word| word.eq_ignore_ascii_case(b"LOAD")) {
        return None;
    }
    let mut tokens = solid(sql);
    tokens.find(|token| is_word(token, &["LOCAL"]))?;
    tokens.next().filter(|token| is_word(token, &["INFILE"]))?;
    let name = tokens.next().filter(|token| token.kind == Kind::Text)?;
    let inner = &name.text[1..name.text.len().max(2) - 1];
    Some(String::from_utf8_lossy(inner).replace("\\\\", "\\"))
}

/// The beginning of a statement, for a message; an ellipsis says that there is more of it.
pub(super) fn shown(sql: &[u8]) -> String {
    let text = String::from_utf8_lossy(&sql[..sql.len().min(400)]);
    let line = text.lines().next().unwrap_or_default();
    let mut begin: String = line.chars().take(80).collect();
    if begin.len() < sql.trim_ascii_end().len() {
        begin.push('…');
    }
    begin
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_of(files: &[(&str, &[u8])]) -> Result<u64, Fatal> {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("written");
        }
        let path = folder.path().join(files[0].0);
        let inputs = [Input::Sql { name: files[0].0.into(), path }];
        let mut count = 0;
        read(&inputs, &mut Order::default(), &Reached::default(), &mut |_, _| {
            count += 1;
            Ok(true)
        })?;
        Ok(count)
    }

    #[test]
    fn files_that_others_name_are_read_in_their_place() {
        let files: [(&str, &[u8]); 4] = [
            ("all.sql", b"source sub/a.sql\nSELECT 1;\n\\. b.sql\n"),
            ("sub/a.sql", b"source c.sql;\nSOURCE b.sql\n"),
            ("sub/c.sql", b"SELECT 2;"),
            ("b.sql", b"SELECT 3; SELECT 4"),
        ];
        assert_eq!(read_of(&files).expect("readable"), 6);
        let refused = read_of(&[("a.sql", b"SELECT 1;\nsource b.sql\n"), ("b.sql", b"\n\nsource a.sql;")]);
        let message = refused.expect_err("endless").message;
        assert_eq!(message, "b.sql:3: source a.sql: the file would be read within itself");
    }

    #[test]
    fn a_file_that_the_client_sends_is_known() {
        let name = |sql: &str| local_file(sql.as_bytes());
        assert_eq!(name("load data local infile 'a\\\\b.csv' into table t").as_deref(), Some("a\\b.csv"));
        assert_eq!(name("LOAD DATA INFILE '/x' INTO TABLE t"), None);
        let refused = read_of(&[("a.sql", b"\nLOAD DATA LOCAL INFILE 'gone.csv' INTO TABLE t;")]);
        let message = refused.expect_err("refused").message;
        assert!(message.starts_with("a.sql:2: LOAD DATA LOCAL INFILE 'gone.csv'"), "{message}");
        assert!(message.contains("there is no file "), "{message}");
    }

    #[test]
    fn what_is_no_sql_is_said_by_its_name() {
        let mut tar = vec![0; 512];
        tar[257..262].copy_from_slice(b"ustar");
        let cases: [(&[u8], &str); 6] = [
            (b"PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n", "a.sql is a dump of SQLite"),
            (b"<?xml version=\"1.0\"?>\n<mysqldump/>", "a.sql is XML"),
            (b"PGDMP\x01", "a.sql is a dump of PostgreSQL"),
            (&tar, "a.sql is an archive (tar)"),
            (b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x4b", "cannot read a.sql: it is damaged or cut: gzip: "),
            (b"SELECT 1;\nSELECT 'x", "a.sql:2: a quote or a comment is not closed"),
        ];
        for (text, words) in cases {
            let message = read_of(&[("a.sql", text)]).expect_err(words).message;
            assert!(message.starts_with(words), "{message}");
        }
    }

    #[test]
    fn a_mode_without_escapes_is_followed() {
        let text =
            br"SET sql_mode = 'NO_BACKSLASH_ESCAPES'; SELECT 'a\'; SET sql_mode = ''; SELECT 'a\';', 1";
        assert_eq!(read_of(&[("a.sql", text)]).expect("readable"), 4);
        let pairs = b"/*!40101 SET NAMES gbk */; SELECT '\xd5\x5c'; SET NAMES utf8mb4; SELECT 'a\x5c';', 1";
        assert_eq!(read_of(&[("a.sql", pairs)]).expect("readable"), 4);
    }
}
