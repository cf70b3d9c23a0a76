//! Logs of servers as entries: who sent what, in which database, and how long it took. The forms are those of the MySQL
//! manual ("The Slow Query Log", "The General Query Log"), of MariaDB's documentation and of Percona Server's.

mod general;
mod lines;
mod slow;

pub use general::General;
pub use slow::Slow;

use crate::Tokens;
use crate::log::lines::{is_entry_of_general, is_message};

/// An entry of a log.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Entry {
    /// The line on which it begins, from 1.
    pub line: usize,
    /// The number of the connection, where the log says it.
    pub session: Option<u64>,
    pub database: Option<String>,
    pub seconds: Option<f64>,
    /// The number of the error with which it ended.
    pub error: Option<u32>,
    pub sender: Sender,
    pub what: What,
}

/// The sender of what an entry has.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Sender {
    #[default]
    Client,
    /// A stored routine.
    Routine,
    /// The server itself, as TiDB does for its own tables.
    Server,
}

/// What an entry is about.
#[derive(Debug, Default, Clone, PartialEq)]
pub enum What {
    /// A text that was sent; it may be several statements.
    Statement(Vec<u8>),
    /// Anything else that a client asked for: `Quit`, `Prepare`.
    Command(String),
    /// A text that the log does not have to its end.
    #[default]
    Cut,
}

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Slow,
    General,
    /// Statements with semicolons.
    Statements,
}

impl Form {
    /// The form of a file that begins with these bytes.
    pub fn of(head: &[u8]) -> Self {
        let mut lines = head.split(|byte| *byte == b'\n');
        if lines.clone().any(|line| line.starts_with(b"# User@Host:") || line.starts_with(b"# Query_time:")) {
            Self::Slow
        } else if lines.any(is_entry_of_general) {
            Self::General
        } else {
            Self::Statements
        }
    }
}

/// Whether every quote and comment of a text is closed.
fn is_closed(text: &[u8]) -> bool {
    !Tokens::new(text).any(|token| token.unended)
}

/// Whether a line is what a server says of itself, between the entries of a log or before them.
fn is_of_server(line: &[u8]) -> bool {
    is_banner(line) || is_message(line)
}

/// Whether a line before the first entry is a part of one that the log has not.
fn is_rest(line: &[u8]) -> bool {
    !line.trim_ascii().is_empty() && !is_of_server(line)
}

/// Whether a server has written a line when it opened a log.
fn is_banner(line: &[u8]) -> bool {
    let has = |what: &[u8]| line.windows(what.len()).any(|window| window == what);
    // Servers on Windows write "TCP Port".
    let begins = |what: &[u8]| line.len() > what.len() && line[..what.len()].eq_ignore_ascii_case(what);
    line.ends_with(b"started with:")
        || (begins(b"Tcp port: ") && (has(b"Unix socket:") || has(b"Named Pipe:")))
        || (line.starts_with(b"Time") && has(b"Id Command") && line.ends_with(b"Argument"))
}

fn name_of(text: &[u8]) -> Option<String> {
    let name = String::from_utf8_lossy(text.trim_ascii()).trim_matches(['`', ';']).to_owned();
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Lines that logs are made of, and what spoils them.
    fn lines() -> impl Strategy<Value = Vec<u8>> {
        let known = [
            "# Time: 260131 12:00:00",
            "# User@Host: a[a] @ b []  Id: 1",
            "# Query_time: 1  Lock_time:",
            "SET timestamp=1;",
            "use shop;",
            "SELECT 'a;",
            "b';",
            "# administrator command: Quit;",
            "\t\t    8 Query\tSELECT \"a",
            "260131  1:00:00\t    8 Quit\t",
            "Tcp port: 0  Unix socket: /x",
        ];
        let line = prop_oneof![
            proptest::sample::select(known.map(|line| line.as_bytes().to_vec()).to_vec()),
            proptest::collection::vec(any::<u8>(), 0..20),
        ];
        proptest::collection::vec(line, 0..60).prop_map(|lines| lines.join(&b'\n'))
    }

    proptest! {
        #[test]
        fn any_lines_come_to_an_end(text in lines()) {
            let most = text.split(|byte| *byte == b'\n').count();
            let mut slow = Slow::new(text.as_slice());
            let entries = std::iter::from_fn(|| slow.entry().expect("bytes")).count();
            prop_assert!(entries <= most);
            let mut general = General::new(text.as_slice());
            let entries = std::iter::from_fn(|| general.entry().expect("bytes")).count();
            prop_assert!(entries <= most);
            let _ = Form::of(&text);
        }
    }
}
