//! The general query log.

use std::io::{self, BufRead};

use crate::log::lines::{Lines, entry_of_general, is_entry_of_general};
use crate::log::{Entry, What, is_of_server, is_rest, name_of};

/// Entries of a general query log.
#[derive(Debug)]
pub struct General<R> {
    lines: Lines<R>,
    begun: bool,
}

impl<R: BufRead> General<R> {
    pub fn new(from: R) -> Self {
        Self { lines: Lines::new(from), begun: false }
    }

    /// The next entry.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn entry(&mut self) -> io::Result<Option<Entry>> {
        let first = loop {
            let Some(line) = self.lines.line()? else { return Ok(None) };
            if is_entry_of_general(&line.text) {
                break line;
            }
            // What comes before the first entry is the server's own, or the end of a text that began elsewhere.
            if !self.begun && is_rest(&line.text) {
                self.begun = true;
                return Ok(Some(Entry { line: line.number, ..Entry::default() }));
            }
        };
        self.begun = true;
        let Some((session, command, argument)) = entry_of_general(&first.text) else { return Ok(None) };
        let mut text = argument.to_vec();
        let is_text = matches!(command, "Query" | "Execute");
        let begins = |line: &[u8]| is_entry_of_general(line) || is_of_server(line);
        let whole = self.lines.join(&mut text, is_text, begins, |_| false)?;
        let database = match command {
            "Init DB" => name_of(&text),
            "Connect" => database_of_connect(&text),
            _ => None,
        };
        let what = match (is_text, whole) {
            (true, true) => What::Statement(text),
            (true, false) => What::Cut,
            _ => What::Command(command.into()),
        };
        Ok(Some(Entry { line: first.number, session: Some(session), database, what, ..Entry::default() }))
    }
}

/// The database of `user@host on shop using Socket`.
fn database_of_connect(text: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(text).into_owned();
    let (_, rest) = text.split_once(" on ")?;
    let name = rest.split(" using ").next().unwrap_or(rest);
    name_of(name.as_bytes())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn entries(text: &str) -> Vec<Entry> {
        let mut log = General::new(text.as_bytes());
        std::iter::from_fn(|| log.entry().expect("a text")).collect()
    }

    fn statements(text: &str) -> Vec<(u64, String)> {
        let one = |entry: Entry| match entry.what {
            What::Statement(text) => {
                (entry.session.expect("a session"), String::from_utf8_lossy(&text).into_owned())
            }
            What::Command(command) => (entry.session.expect("a session"), format!("[{command}]")),
            What::Cut => (entry.session.expect("a session"), "[cut]".into()),
        };
        entries(text).into_iter().map(one).collect()
    }

    #[test]
    fn both_forms_are_read() {
        let new = "/usr/sbin/mysqld, Version: 8.0.36 (x). started with:\nTcp port: 3306  Unix socket: /x\nTime                 Id Command    Argument\n\
            2026-01-31T12:00:00.000001Z\t    8 Connect\troot@localhost on shop using Socket\n\
            2026-01-31T12:00:00.000002Z\t    8 Query\tSELECT 1,\n  'a\n2026-01-31T12:00:00.000002Z\t    9 Query\tb'\n\
            2026-01-31T12:00:00.000003Z\t    8 Execute\tSELECT 2\r\n\
            2026-01-31T12:00:00.000004Z\t    8 Close stmt\t\n\
            2026-01-31T12:00:00.000004Z\t    8 Quit\t\n";
        assert_eq!(
            statements(new),
            [
                (8, "[Connect]".into()),
                (8, "SELECT 1,\n  'a\n2026-01-31T12:00:00.000002Z\t    9 Query\tb'".into()),
                (8, "SELECT 2".into()),
                (8, "[Close stmt]".into()),
                (8, "[Quit]".into()),
            ]
        );
        assert_eq!(entries(new)[0].database.as_deref(), Some("shop"));
        let old =
            "260131  1:00:00\t    8 Init DB\tshop\n\t\t    8 Query\tSELECT 1\n\t\t   12 Query\tSELECT 2\n";
        assert_eq!(
            statements(old),
            [(8, "[Init DB]".into()), (8, "SELECT 1".into()), (12, "SELECT 2".into())]
        );
    }

    #[rstest]
    #[case(
        "051007   21:55:24\t     42 Connect     root@localhost on db1\n\t\t     42 Query       SELECT a\n\t\t     42 Quit\n               \t     11 Init DB     b\n               \t     11 Query       SELECT 2\n061226 16:44:48\t     11 Quit       \n",
        "SELECT a"
    )]
    #[case(
        "100211  0:55:24      42 Query       SELECT a\n                     11 Query       SELECT 2\n",
        "SELECT a"
    )]
    #[case(
        "2016-06-07T19:07:02.558338Z    42 Query\tSELECT a\n2016-06-07T19:07:02.558338+08:00\t11 Execute\t[3] SELECT 2\n",
        "SELECT a"
    )]
    #[case("260131  1:00:00\t   42 Query\tSELECT [1] a\n\t\t   11 Execute\tSELECT 2\n", "SELECT [1] a")]
    fn tabs_may_be_spaces_and_old_servers_number_their_texts(#[case] log: &str, #[case] first: &str) {
        let sent: Vec<_> = statements(log).into_iter().filter(|one| !one.1.starts_with('[')).collect();
        assert_eq!(sent, [(42, first.into()), (11, "SELECT 2".into())]);
    }

    #[test]
    fn a_line_of_a_statement_that_looks_like_a_time_or_a_number_begins_no_entry() {
        let text = "\t\t  1 Query\tSELECT\n          12 Queries\n  260131 12:00:00 5 Query x\n260131 12:0:00\t 5 Query\tx\n";
        assert_eq!(statements(text).len(), 1);
    }

    #[test]
    fn a_text_that_is_cut_takes_no_other_with_it() {
        let text = "\t\t  1 Query\tSELECT 'a\n\t\t  1 Query\tSELECT 2\n\t\t  1 Query\tSELECT 3\n";
        assert_eq!(statements(text), [(1, "[cut]".into()), (1, "SELECT 2".into()), (1, "SELECT 3".into())]);
    }
}
