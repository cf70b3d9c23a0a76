//! The statements of a dump's files, one after the other, each with what it is for.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use assay_sql::{Stream, Streamed};

use crate::data::dump::facts::Facts;
use crate::data::dump::order::Order;
use crate::data::dump::roles::Role;
use crate::data::dump::source::Source;
use crate::process::failure::Fatal;
use crate::process::signal;
use assay_format::job::{Dump, RowsOfTable};

/// Files within files that a dump may name (`source FILE;`).
const DEEPEST: usize = 8;
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

    pub(super) fn open(&self) -> Result<Source, Fatal> {
        match self {
            Self::Text { text, .. } => Ok(Source::of_text(text.clone())),
            Self::Sql { path, name } | Self::Rows { path, name, .. } => Source::open(path, name),
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
    },
    /// A file of rows.
    Rows {
        input: &'a Input,
    },
}

/// How far files are read, for people.
#[derive(Debug, Default)]
pub(super) struct Reached {
    /// Bytes as they lie on disk.
    pub bytes: AtomicU64,
    /// Files that others have named.
    pub named: std::sync::Mutex<Vec<PathBuf>>,
}

/// Reads all files; `take` gets each statement and file of rows, and says whether to go on.
///
/// # Errors
/// A file cannot be read, or does not end where a statement does; what `take` says.
pub(super) fn read(
    inputs: &[Input],
    order: &mut Order,
    reached: &Reached,
    take: &mut dyn FnMut(Read<'_>, &Order) -> Result<bool, Fatal>,
) -> Result<(), Fatal> {
    for input in inputs {
        let goes_on = match input {
            Input::Rows { .. } => take(Read::Rows { input }, order)?,
            _ => read_file(input, order, reached, take, DEEPEST)?,
        };
        if !goes_on {
            return Ok(());
        }
    }
    Ok(())
}

fn read_file(
    input: &Input,
    order: &mut Order,
    reached: &Reached,
    take: &mut dyn FnMut(Read<'_>, &Order) -> Result<bool, Fatal>,
    deeper: usize,
) -> Result<bool, Fatal> {
    let name = input.name();
    let mut stream = Stream::new(input.open()?);
    let mut facts = Facts::default();
    let before = reached.bytes.load(Ordering::Relaxed);
    let mut count = 0_u64;
    loop {
        facts.clear();
        let next = stream.next(&mut |token| facts.see(token, &order.counting));
        let next = next.map_err(|error| Fatal::job(format!("cannot read {name}: {error}")))?;
        let (sql, line) = match next {
            None => break,
            Some(Streamed::Statement { text, line }) => (text, line),
            Some(Streamed::Unended { line }) => {
                return Err(Fatal::job(format!(
                    "{name}:{line}: a quote or a comment is not closed; is the file whole?"
                )));
            }
            Some(Streamed::TooLong { line }) => {
                return Err(Fatal::job(format!(
                    "{name}:{line}: a statement is longer than 1 GiB, which no server takes"
                )));
            }
            Some(Streamed::Utf16) => {
                return Err(Fatal::job(format!("{name} is in UTF-16, which no server takes for SQL"))
                    .hint("dump with --result-file=FILE, not with the shell's >, or convert it to UTF-8"));
            }
        };
        if let Some(named) = sourced(sql) {
            let at = || format!("{name}:{line}: {}", shown(sql));
            let (Some(folder), true) = (input.path().and_then(Path::parent), deeper > 0) else {
                return Err(Fatal::job(format!("{}: a file is named that cannot be read from here", at()))
                    .hint("put the files into one folder, and name that"));
            };
            let path = folder.join(named);
            if !path.is_file() {
                return Err(Fatal::job(format!("{}: there is no file {}", at(), path.display())));
            }
            crate::process::poison::unpoisoned(reached.named.lock()).push(path.clone());
            let inner = Input::Sql { name: named.to_owned(), path };
            if !read_file(&inner, order, reached, take, deeper - 1)? {
                return Ok(false);
            }
            continue;
        }
        let role = order.role_of(&facts, sql, || format!("{name}:{line}"));
        if !take(Read::Statement { role, facts: &facts, sql, file: name, line }, order)? {
            return Ok(false);
        }
        count += 1;
        if count.is_multiple_of(LOOK_EACH) || sql.len() > 1 << 16 {
            if signal::received() {
                return Ok(false);
            }
            reached.bytes.store(before + stream.source().position(), Ordering::Relaxed);
        }
    }
    reached.bytes.store(before + input.bytes(), Ordering::Relaxed);
    Ok(true)
}

/// The file that a command of the client names, as `source FILE` and `\. FILE` do.
fn sourced(sql: &[u8]) -> Option<&str> {
    let text = str::from_utf8(sql).ok()?;
    let (command, file) = text.split_once(char::is_whitespace)?;
    let is = command.eq_ignore_ascii_case("source") || command == "\\.";
    let file = file.trim();
    (is && !file.contains(['\n', '\''])).then_some(file)
}

/// The beginning of a statement, for a message.
pub(super) fn shown(sql: &[u8]) -> String {
    let text = String::from_utf8_lossy(&sql[..sql.len().min(200)]);
    let line = text.lines().next().unwrap_or_default();
    line.chars().take(80).collect()
}
