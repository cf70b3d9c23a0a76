//! Lines of a log, some of which are read once more.

use std::collections::VecDeque;
use std::io::{self, BufRead};

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

    /// Has lines come again, before all others.
    pub(super) fn again(&mut self, lines: Vec<Line>) {
        for line in lines.into_iter().rev() {
            self.again.push_front(line);
        }
    }
}

/// Commands of the general query log.
const COMMANDS: [&str; 28] = [
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
    "Change user",
    "Binlog Dump",
    "Table Dump",
    "Connect Out",
    "Register Slave",
    "Prepare",
    "Execute",
    "Long Data",
    "Close stmt",
    "Reset stmt",
    "Set option",
    "Fetch",
    "Error",
];

/// Connection, command and argument of the first line of an entry of the general query log: a time or two tabs, the number of the
/// connection, a command, a tab.
pub(super) fn entry_of_general(line: &[u8]) -> Option<(u64, &'static str, &[u8])> {
    let rest = match line.strip_prefix(b"\t\t") {
        Some(rest) => rest,
        None => after_time(line)?.strip_prefix(b"\t")?,
    };
    let rest = rest.trim_ascii_start();
    let digits = rest.iter().position(|byte| !byte.is_ascii_digit()).filter(|digits| *digits > 0)?;
    let session = str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    let rest = rest[digits..].strip_prefix(b" ")?;
    let command = COMMANDS.iter().find(|command| {
        rest.strip_prefix(command.as_bytes()).is_some_and(|after| after.is_empty() || after[0] == b'\t')
    })?;
    let argument = rest[command.len()..].strip_prefix(b"\t").unwrap_or_default();
    Some((session, *command, argument))
}

pub(super) fn is_entry_of_general(line: &[u8]) -> bool {
    entry_of_general(line).is_some()
}

/// What follows a time: `2026-01-31T12:00:00.000000Z`, or `260131 12:00:00`, whose hour may have one digit.
fn after_time(line: &[u8]) -> Option<&[u8]> {
    let pattern = |text: &[u8], pattern: &str| {
        text.len() >= pattern.len()
            && text.iter().zip(pattern.bytes()).all(|(byte, wanted)| match wanted {
                b'0' => byte.is_ascii_digit(),
                b'_' => byte.is_ascii_digit() || *byte == b' ',
                wanted => *byte == wanted,
            })
    };
    if pattern(line, "0000-00-00T00:00:00") {
        let end = line.iter().position(|byte| *byte == b'\t')?;
        return (end < 40).then(|| &line[end..]);
    }
    pattern(line, "000000 _0:00:00").then(|| &line["000000 _0:00:00".len()..])
}
