//! Lines of a log, some of which are read once more, and the texts that several of them make.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use crate::log::is_closed;
use crate::{Kind, Tokens};

/// The most lines of other entries that a text is looked on in for the end of a quote, and its most bytes.
const JOINED_MOST: usize = 40;
const TEXT_MOST: usize = 16 << 20;

/// The most bytes of one line; what follows is left out, and the line is not whole.
const LINE_MOST: usize = 16 << 20;

/// A line without its end.
#[derive(Debug, Default, Clone)]
pub(super) struct Line {
    pub(super) number: usize,
    pub(super) text: Vec<u8>,
}

/// The lines of a log.
#[derive(Debug)]
pub(super) struct Lines<R> {
    from: R,
    number: usize,
    again: VecDeque<Line>,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(from: R) -> Self {
        Self { from, number: 0, again: VecDeque::new() }
    }

    /// # Errors
    /// The file cannot be read.
    pub(super) fn line(&mut self) -> io::Result<Option<Line>> {
        if let Some(line) = self.again.pop_front() {
            return Ok(Some(line));
        }
        let mut text = Vec::new();
        let mut any = false;
        loop {
            let part = self.from.fill_buf()?;
            if part.is_empty() {
                break;
            }
            any = true;
            let end = part.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(part.len(), |end| end + 1);
            let room = LINE_MOST.saturating_sub(text.len());
            text.extend_from_slice(&part[..end.unwrap_or(taken).min(room)]);
            self.from.consume(taken);
            if end.is_some() {
                break;
            }
        }
        if !any {
            return Ok(None);
        }
        if text.last() == Some(&b'\r') {
            text.pop();
        }
        self.number += 1;
        Ok(Some(Line { number: self.number, text }))
    }

    /// Has a line come again, before all others.
    pub(super) fn again(&mut self, line: Line) {
        self.again.push_front(line);
    }

    /// Reads on in a text up to the line with which another entry begins: one after which every quote and comment of the
    /// text is closed, or any where it is no statement (`is_quoted` is false). `take` may take lines out of the text. False: the text is not
    /// closed; the lines that look like other entries' come again, before all others.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(super) fn join(
        &mut self,
        text: &mut Vec<u8>,
        is_quoted: bool,
        begins: impl Fn(&[u8]) -> bool,
        mut take: impl FnMut(&[u8]) -> bool,
    ) -> io::Result<bool> {
        // Lines from the first on that looks like another entry's, while a quote is open.
        let mut held: VecDeque<Line> = VecDeque::new();
        let is_whole = loop {
            let Some(line) = self.line()? else {
                break !is_quoted || (is_closed(text) && (held.is_empty() || quotes_end(text)));
            };
            let other = begins(&line.text);
            if other && (!is_quoted || is_closed(text)) {
                if held.is_empty() || quotes_end(text) {
                    self.again.push_front(line);
                    return Ok(true);
                }
                held.push_back(line);
                break false;
            }
            if other || !held.is_empty() {
                held.push_back(line.clone());
            }
            if held.len() > JOINED_MOST || text.len() + line.text.len() > TEXT_MOST {
                break false;
            }
            if !take(&line.text) {
                text.push(b'\n');
                text.extend_from_slice(&line.text);
            }
        };
        if !is_whole {
            held.append(&mut self.again);
            self.again = held;
        }
        Ok(is_whole)
    }
}

/// Whether what follows the quotes of several lines may follow a quote. Where a text is cut within a quote and another one after it
/// as well, the first quote of the other would end that of the first: `'abc` and `VALUES ('def` are `… ('` and `def`.
fn quotes_end(text: &[u8]) -> bool {
    Tokens::new(text).all(|token| {
        let spans = matches!(token.kind, Kind::Text | Kind::Identifier) && token.text.contains(&b'\n');
        let after = text.get(token.at + token.text.len()).copied().unwrap_or(b';');
        !spans || after.is_ascii_whitespace() || b",);=.'\"`".contains(&after)
    })
}

/// Commands of the general query log, of MySQL and of MariaDB up to MySQL 9.7 and MariaDB 11.8.
const COMMANDS: [&str; 38] = [
    "Sleep",
    "Quit",
    "Init DB",
    "Query",
    "Field List",
    "Create DB",
    "Drop DB",
    "Refresh",
    "Shutdown",
    "Statistics",
    "Processlist",
    "Connect",
    "Kill",
    "Debug",
    "Ping",
    "Time",
    "Delayed insert",
    "Change user",
    "Binlog Dump",
    "Binlog Dump GTID",
    "Table Dump",
    "Connect Out",
    "Register Slave",
    "Register Replica",
    "Prepare",
    "Execute",
    "Bulk_execute",
    "Long Data",
    "Close stmt",
    "Reset stmt",
    "Set option",
    "Fetch",
    "Daemon",
    "Reset Connection",
    "Reset connection",
    "clone",
    "Clone",
    "Error",
];

/// Blanks with which a line begins whose time is that of the entry before, where its tabs were made spaces.
const BLANKS_LEAST: usize = 8;

/// Connection, command and argument of the first line of an entry of the general query log: a time or two tabs, the number of the
/// connection, a command, a tab. Terminals and web pages make spaces of the tabs; servers before 5.5 wrote several of them.
pub(super) fn entry_of_general(line: &[u8]) -> Option<(u64, &'static str, &[u8])> {
    let blanks = line.iter().position(|byte| !matches!(byte, b' ' | b'\t'))?;
    let rest = if line.starts_with(b"\t\t") || blanks >= BLANKS_LEAST { line } else { after_time(line)? };
    let rest = rest.strip_prefix(b"\t").or_else(|| rest.strip_prefix(b" "))?.trim_ascii_start();
    let digits = rest.iter().position(|byte| !byte.is_ascii_digit()).filter(|digits| *digits > 0)?;
    let session = str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    let rest = rest[digits..].strip_prefix(b" ")?;
    let command = COMMANDS.iter().find(|command| {
        rest.strip_prefix(command.as_bytes()).is_some_and(|after| {
            after.trim_ascii().is_empty() || after[0] == b'\t' || after.starts_with(b"  ")
        })
    })?;
    let argument = rest[command.len()..].trim_ascii_start();
    Some((session, *command, if *command == "Execute" { without_number(argument) } else { argument }))
}

pub(super) fn is_entry_of_general(line: &[u8]) -> bool {
    entry_of_general(line).is_some()
}

/// Whether a line is one of the error log, which containers have in one stream with the others: a time, the number of a
/// connection, a level in brackets (`2026-01-31T12:00:00.000001Z 0 [Note] …`, of MariaDB with a space in the time).
pub(super) fn is_message(line: &[u8]) -> bool {
    let is_day =
        line.len() > 20 && line[..4].iter().all(u8::is_ascii_digit) && line[4] == b'-' && line[10] == b' ';
    let after = if is_day {
        line[11..].iter().position(|byte| *byte == b' ').map(|at| &line[11 + at..])
    } else {
        after_time(line)
    };
    let Some(rest) = after.and_then(|rest| rest.strip_prefix(b" ")) else { return false };
    let rest = rest.trim_ascii_start();
    let level = &rest[rest.iter().take_while(|byte| byte.is_ascii_digit()).count()..];
    [&b" [Note]"[..], b" [Warning]", b" [ERROR]", b" [System]"].iter().any(|name| level.starts_with(name))
}

/// A text without the number of its prepared statement, which MySQL 5.0 and 5.1 wrote in front: `[1] SELECT …`.
fn without_number(text: &[u8]) -> &[u8] {
    let inside = text.strip_prefix(b"[").unwrap_or_default();
    let digits = inside.iter().take_while(|byte| byte.is_ascii_digit()).count();
    inside[digits..].strip_prefix(b"] ").filter(|_| digits > 0).unwrap_or(text)
}

/// What follows a time: `2026-01-31T12:00:00.000000Z`, or `260131 12:00:00`, whose hour may have one digit after more blanks.
fn after_time(line: &[u8]) -> Option<&[u8]> {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if line.len() > 19 && digits(line) == 4 && line[10] == b'T' {
        let end = line.iter().position(|byte| matches!(byte, b' ' | b'\t'))?;
        return (end < 40 && line[4] == b'-' && line[13] == b':').then(|| &line[end..]);
    }
    let rest = (digits(line) == 6).then(|| &line[6..])?;
    let clock = rest.trim_ascii_start();
    let hour = digits(clock);
    let after = (rest.len() > clock.len() && (1..=2).contains(&hour)).then(|| &clock[hour..])?;
    let is_clock = after.len() >= 6
        && after[0] == b':'
        && after[3] == b':'
        && digits(&after[1..3]) == 2
        && digits(&after[4..6]) == 2;
    is_clock.then(|| &after[6..])
}
