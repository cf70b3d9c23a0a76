//! The statements of a log, of a file or of texts, each as its shape and its values: JSON, a line each.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

use assay_sql::log::{Entry, Form, General, Sender, Slow, What};
use assay_sql::{Kind, Letters, Literal, Part, Piece, Pieces, Shape, Stream, Streamed};
use clap::ValueEnum;
use serde::Serialize;

use crate::data::dump::source::{Source, is_binary};
use crate::process::failure::Fatal;

/// What is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum From {
    /// A file whose form its content says.
    File,
    /// Lines of JSON on standard input, a text each.
    Texts,
}

/// The bytes that say the form of a file.
const HEAD: usize = 64 << 10;
/// A longer statement carries data and no question.
const STATEMENT_MOST: usize = 1 << 20;

/// Some files have places that a program fills in.
const TEMPLATES: Letters = Letters { escapes: true, pairs: None, templates: true };
const BINARY: &str = "it is binary; a log and a file of statements are text";

/// A line of the answer. What is not known is left out.
#[derive(Debug, Default, Serialize)]
struct Told<'a> {
    /// The line of the file, or the number of the text, from 1.
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    database: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<u32>,
    /// What is there in place of a statement.
    #[serde(skip_serializing_if = "Option::is_none")]
    instead: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shape: Option<usize>,
    /// The parts of a shape that no line before has: kind, text, and 1 after a space.
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<Vec<(&'static str, String, u8)>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<(&'static str, String)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    counts: Vec<usize>,
}

/// Writes the statements of a file, or of the texts on standard input; the first line says the form.
///
/// # Errors
/// The file cannot be read.
pub(crate) fn tell(path: &Path, from: From) -> Result<(), Fatal> {
    let mut teller = Teller::new(BufWriter::with_capacity(1 << 18, io::stdout().lock()));
    let told = match from {
        From::Texts => teller.texts(io::stdin().lock()),
        From::File => {
            let name = path.display().to_string();
            teller.file(Source::open(path, &name)?.text(&name)?)
        }
    };
    match told.and_then(|()| teller.out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Fatal::job(format!("cannot read {}: {error}", path.display()))),
        Ok(()) => Ok(()),
    }
}

struct Teller<W> {
    out: W,
    /// Numbers of shapes by their keys.
    shapes: HashMap<Vec<u8>, usize>,
    /// The database of each session, and of the last entry that names one.
    databases: HashMap<u64, String>,
    last_database: Option<String>,
}

impl<W: Write> Teller<W> {
    fn new(out: W) -> Self {
        Self { out, shapes: HashMap::new(), databases: HashMap::new(), last_database: None }
    }

    fn say(&mut self, line: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        self.out.write_all(b"\n")
    }

    fn file(&mut self, mut file: impl Read) -> io::Result<()> {
        let mut head = Vec::new();
        file.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
        let (form, binary) = (Form::of(&head), is_binary(&head));
        let name = match form {
            Form::Slow => "slow log",
            Form::General => "general log",
            Form::Statements => "statements",
        };
        self.say(&serde_json::json!({ "form": name }))?;
        let all = BufReader::with_capacity(1 << 18, io::Cursor::new(head).chain(file));
        match form {
            Form::Slow => {
                let mut log = Slow::new(all);
                while let Some(entry) = log.entry()? {
                    // The slow log names a database where it is another than that of the entry before.
                    self.last_database = entry.database.clone().or(self.last_database.take());
                    let database = self.last_database.clone();
                    self.entry(&entry, database)?;
                }
            }
            Form::General => {
                let mut log = General::new(all);
                while let Some(entry) = log.entry()? {
                    let session = entry.session.unwrap_or_default();
                    if let Some(database) = &entry.database {
                        self.databases.insert(session, database.clone());
                    } else if matches!(&entry.what, What::Command(command) if command == "Connect") {
                        self.databases.remove(&session);
                    }
                    let database = self.databases.get(&session).cloned();
                    self.entry(&entry, database)?;
                }
            }
            Form::Statements if binary => return Err(invalid(BINARY)),
            Form::Statements => self.stream(all)?,
        }
        Ok(())
    }

    /// Says the statements of a text of several, which may be larger than memory.
    fn stream(&mut self, text: impl Read) -> io::Result<()> {
        let mut stream = Stream::new(text);
        stream.set_letters(TEMPLATES);
        let mut database = None;
        while let Some(next) = stream.next(&mut |_| {})? {
            // The text has at least a byte for each line.
            let place = |line: u64| usize::try_from(line).unwrap_or(usize::MAX);
            match next {
                Streamed::Statement { text, line, .. } => match used(text) {
                    Some(name) => database = Some(name),
                    None => {
                        let told =
                            Told { line: place(line), database: database.as_deref(), ..Told::default() };
                        self.statement(text, told)?;
                    }
                },
                Streamed::Unended { line } => {
                    self.say(&Told { line: place(line), instead: Some("unended"), ..Told::default() })?;
                }
                Streamed::TooLong { line } => {
                    self.say(&Told { line: place(line), instead: Some("endless"), ..Told::default() })?;
                }
            }
        }
        Ok(())
    }

    fn texts(&mut self, input: impl BufRead) -> io::Result<()> {
        self.say(&serde_json::json!({ "form": "texts" }))?;
        for (number, line) in input.lines().enumerate() {
            let text: String = serde_json::from_str(&line?)?;
            let what = What::Statement(text.into_bytes());
            self.entry(&Entry { line: number + 1, what, ..Entry::default() }, None)?;
        }
        Ok(())
    }

    /// Says what an entry has: each of its statements, or what is there instead.
    fn entry(&mut self, entry: &Entry, mut database: Option<String>) -> io::Result<()> {
        let (line, session, error) = (entry.line, entry.session, entry.error);
        let mut seconds = entry.seconds;
        let by_another = match entry.sender {
            Sender::Client => None,
            Sender::Routine => Some("in a routine"),
            Sender::Server => Some("of the server"),
        };
        if by_another.is_some() {
            return self.say(&Told { line, session, seconds, instead: by_another, ..Told::default() });
        }
        let text = match &entry.what {
            What::Statement(text) => text,
            What::Command(command) => {
                return self.say(&Told { line, session, seconds, instead: Some(command), ..Told::default() });
            }
            What::Cut => return self.say(&Told { line, session, instead: Some("cut"), ..Told::default() }),
        };
        // A log has a routine as one text, whose statements nobody sent apart.
        if makes(text) {
            let told =
                Told { line, session, seconds, error, database: database.as_deref(), ..Told::default() };
            return self.statement(text.trim_ascii(), told);
        }
        let mut any = false;
        for piece in Pieces::new(text).with(TEMPLATES) {
            any |= !matches!(piece, Piece::Annotation { .. });
            match piece {
                Piece::Annotation { .. } => {}
                Piece::Unended { .. } => {
                    self.say(&Told { line, session, instead: Some("cut"), ..Told::default() })?;
                }
                Piece::Statement { text, .. } => {
                    if let Some(name) = used(text) {
                        if let Some(session) = session {
                            self.databases.insert(session, name.clone());
                        }
                        database = Some(name);
                        continue;
                    }
                    let told = Told {
                        line,
                        session,
                        seconds: seconds.take(),
                        error,
                        database: database.as_deref(),
                        ..Told::default()
                    };
                    self.statement(text, told)?;
                }
            }
        }
        if !any {
            self.say(&Told { line, session, instead: Some("empty"), ..Told::default() })?;
        }
        Ok(())
    }

    fn statement(&mut self, text: &[u8], mut told: Told<'_>) -> io::Result<()> {
        if text.len() > STATEMENT_MOST && !is_schema(text) {
            told.instead = Some("long");
            return self.say(&told);
        }
        if is_schema(text) {
            told.instead = Some("schema");
            told.parts = Some(tokens_of(text));
            return self.say(&told);
        }
        let Some(shape) = Shape::of(text) else {
            told.instead = Some("cut");
            return self.say(&told);
        };
        let next = self.shapes.len() + 1;
        let number = *self.shapes.entry(shape.key()).or_insert(next);
        if number == next {
            told.parts = Some(shape.parts.iter().map(part).collect());
        }
        told.shape = Some(number);
        told.values = shape.values.into_iter().map(value).collect();
        told.counts = shape.counts;
        self.say(&told)
    }
}

fn invalid(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// The database of `USE shop`.
fn used(text: &[u8]) -> Option<String> {
    let text = str::from_utf8(text).ok()?;
    let (word, name) = text.split_once(char::is_whitespace)?;
    word.eq_ignore_ascii_case("USE").then(|| name.trim().trim_matches('`').to_owned())
}

/// Whether a text makes or changes something that may hold statements.
fn makes(text: &[u8]) -> bool {
    let first = text.trim_ascii_start().split(u8::is_ascii_whitespace).next().unwrap_or_default();
    first.eq_ignore_ascii_case(b"CREATE") || first.eq_ignore_ascii_case(b"ALTER")
}

/// Whether a text makes or drops a table, its columns or its unique keys, which are wanted and not its shape.
fn is_schema(text: &[u8]) -> bool {
    let mut words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    let is = |word: &[u8], other: &str| word.eq_ignore_ascii_case(other.as_bytes());
    let passed =
        |word: &&[u8]| ["OR", "REPLACE", "IGNORE", "ONLINE", "OFFLINE"].iter().any(|one| is(word, one));
    let second = words.find(|word| !passed(word)).unwrap_or_default();
    (is(second, "TABLE") && ["CREATE", "ALTER", "DROP", "RENAME"].iter().any(|verb| is(first, verb)))
        || (is(first, "CREATE") && is(second, "UNIQUE"))
}

/// The tokens of a text that makes a table, in the form of parts.
fn tokens_of(text: &[u8]) -> Vec<(&'static str, String, u8)> {
    let mut spaced = 0;
    let mut found = Vec::new();
    for token in assay_sql::Tokens::new(text) {
        match token.kind {
            Kind::Space | Kind::Comment => spaced = 1,
            kind => found.push((letter(kind), lossy(token.text), std::mem::take(&mut spaced))),
        }
    }
    found
}

fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

fn letter(kind: Kind) -> &'static str {
    match kind {
        Kind::Word => "word",
        Kind::Identifier => "name",
        Kind::Text => "text",
        Kind::Number => "number",
        Kind::Parameter => "parameter",
        Kind::Variable => "variable",
        Kind::Code | Kind::Comment => "code",
        Kind::Symbol | Kind::Space => "symbol",
    }
}

fn part(part: &Part) -> (&'static str, String, u8) {
    match part {
        Part::Token { kind, text, spaced } => (letter(*kind), lossy(text), u8::from(*spaced)),
        Part::Value { spaced } => ("value", String::new(), u8::from(*spaced)),
        Part::List => ("list", String::new(), 0),
        Part::RowsBegin => ("rows", String::new(), 1),
        Part::RowsEnd => ("end", String::new(), 0),
    }
}

fn value(literal: Literal) -> (&'static str, String) {
    match literal {
        Literal::Number(text) => ("number", text),
        Literal::Text(text) => ("text", text),
        Literal::Bytes(bytes) => ("bytes", bytes.iter().map(|byte| format!("{byte:02x}")).collect()),
        Literal::Null => ("null", String::new()),
        Literal::Unknown => ("unknown", String::new()),
    }
}

#[cfg(test)]
mod tests;
