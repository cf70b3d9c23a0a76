//! The slow query log.

use std::io::{self, BufRead};

use crate::log::lines::Lines;
use crate::log::{Entry, Sender, What, is_of_server, is_rest, name_of};

/// `ER_UNKNOWN_ERROR`, where a log says that a statement failed and not why.
const UNKNOWN_ERROR: u32 = 1105;

/// Entries of a slow query log, of MySQL from 5.5 on, MariaDB, Percona Server or TiDB.
#[derive(Debug)]
pub struct Slow<R> {
    lines: Lines<R>,
    begun: bool,
}

impl<R: BufRead> Slow<R> {
    pub fn new(from: R) -> Self {
        Self { lines: Lines::new(from), begun: false }
    }

    /// The next entry.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn entry(&mut self) -> io::Result<Option<Entry>> {
        let mut entry = Entry::default();
        let mut command = None;
        // The lines before the text.
        let mut text = loop {
            let Some(mut line) = self.lines.line()? else {
                // A log may end before the text.
                let what = command.map_or(What::Cut, What::Command);
                return Ok((entry.line > 0).then_some(Entry { what, ..entry }));
            };
            line.text.drain(..stamp(&line.text));
            if is_head(&line.text) {
                if begins_entry(&line.text) && command.is_some() {
                    self.lines.again(line);
                    return Ok(command.map(|command| Entry { what: What::Command(command), ..entry }));
                }
                if entry.line == 0 {
                    entry.line = line.number;
                }
                self.begun = true;
                command = command_of(&line.text).or(command);
                read_head(&line.text, &mut entry);
            } else if entry.line > 0 && !is_of_server(&line.text) {
                break line.text;
            } else if !self.begun && is_rest(&line.text) {
                // The end of a text that began elsewhere.
                self.begun = true;
                return Ok(Some(Entry { line: line.number, ..Entry::default() }));
            }
        };
        let begins = |line: &[u8]| begins_entry(&line[stamp(line)..]) || is_of_server(line);
        // `# administrator command: Prepare` stands in place of a text.
        let whole = self.lines.join(&mut text, true, begins, |line| {
            let said = command_of(line);
            let is_command = said.is_some();
            command = said.or(command.take());
            is_command
        })?;
        let (database, rest) = after_settings(&text);
        entry.database = database.or(entry.database);
        entry.what = match command {
            _ if !whole => What::Cut,
            Some(command) => What::Command(command),
            None => What::Statement(rest.to_vec()),
        };
        Ok(Some(entry))
    }
}

/// The length of the time and blank that services write before the first line of an entry.
fn stamp(line: &[u8]) -> usize {
    let is_time =
        line.len() > 20 && line[..4].iter().all(u8::is_ascii_digit) && line[4] == b'-' && line[10] == b'T';
    let end = line.iter().take(40).position(|byte| *byte == b' ').filter(|_| is_time);
    end.map(|end| end + 1).filter(|end| begins_entry(&line[*end..])).unwrap_or_default()
}

fn is_head(line: &[u8]) -> bool {
    line.starts_with(b"# ") || line == b"#"
}

/// What `# administrator command: Quit;` says.
fn command_of(line: &[u8]) -> Option<String> {
    let said = line.strip_prefix(b"# administrator command: ")?;
    Some(String::from_utf8_lossy(said).trim_matches([';', ' ']).to_owned())
}

/// Whether a line is the first of an entry: servers leave the time out where it is that of the entry before, and people more.
fn begins_entry(line: &[u8]) -> bool {
    [&b"# Time: "[..], b"# User@Host: ", b"# Thread_id: ", b"# Schema: ", b"# Query_time: "]
        .iter()
        .any(|head| line.starts_with(head))
}

/// Takes what a line before the text says: names with a colon, each followed by its value.
fn read_head(line: &[u8], entry: &mut Entry) {
    // MariaDB and Percona Server name the routine whose statement it is.
    if line.starts_with(b"# Stored_routine: ") || line.starts_with(b"# Stored routine: ") {
        entry.sender = Sender::Routine;
    }
    // TiDB has the statement before in a line, whose words are no names.
    if line.starts_with(b"# Prev_stmt: ") {
        return;
    }
    let text = String::from_utf8_lossy(line).into_owned();
    let names_user = line.windows(12).any(|window| window == b"# User@Host:");
    // The name of a user may be any text; what follows the host is the number of the connection.
    let said = if names_user { text.rfind(" Id: ").map_or("", |at| &text[at..]) } else { text.as_str() };
    let mut words = said.split_ascii_whitespace().peekable();
    while let Some(word) = words.next() {
        let Some(name) = word.strip_suffix(':') else { continue };
        // A name without a value is followed by the next name, as in `Schema:  QC_hit: No`.
        let Some(value) = words.next_if(|next| !next.ends_with(':')) else { continue };
        match name {
            "Id" | "Thread_id" | "Conn_ID" => entry.session = value.parse().ok().or(entry.session),
            "Schema" | "DB" => entry.database = name_of(value.as_bytes()),
            "Query_time" => entry.seconds = value.parse().ok(),
            "Errno" | "Last_errno" => entry.error = value.parse().ok().filter(|code| *code != 0),
            "Is_internal" if value == "true" => entry.sender = Sender::Server,
            "Succ" if value == "false" => entry.error = entry.error.or(Some(UNKNOWN_ERROR)),
            _ => {}
        }
    }
}

/// The database of `use shop;`, and what follows it and the `SET timestamp=…;` that servers write before each text.
fn after_settings(text: &[u8]) -> (Option<String>, &[u8]) {
    let (mut rest, mut database) = (text, None);
    loop {
        let line = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        let first = rest[..line].trim_ascii();
        let begins = |word: &str| {
            first.len() > word.len() && first[..word.len()].eq_ignore_ascii_case(word.as_bytes())
        };
        let set = begins("SET ")
            && ["timestamp=", "last_insert_id=", "insert_id="].iter().any(|name| {
                first[4..].trim_ascii_start().len() > name.len()
                    && first[4..].trim_ascii_start()[..name.len()].eq_ignore_ascii_case(name.as_bytes())
            });
        if !first.ends_with(b";") || line == rest.len() || !(set || begins("use ")) {
            return (database, rest);
        }
        if !set {
            database = name_of(&first[4..]);
        }
        rest = &rest[line + 1..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(text: &str) -> Vec<Entry> {
        let mut log = Slow::new(text.as_bytes());
        std::iter::from_fn(|| log.entry().expect("a text")).collect()
    }

    fn text(entry: &Entry) -> String {
        match &entry.what {
            What::Statement(text) => String::from_utf8_lossy(text).into_owned(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn the_form_of_each_server_is_read() {
        let mysql = "/usr/sbin/mysqld, Version: 8.0.36 (MySQL). started with:\nTcp port: 3306  Unix socket: /x\nTime                 Id Command    Argument\n\
            # Time: 2026-01-31T12:00:00.123456Z\n# User@Host: a Id: 3[b] @ localhost []  Id:     8\n\
            # Query_time: 0.000123  Lock_time: 0.000001 Rows_sent: 1  Rows_examined: 1 Thread_id: 8 Errno: 1062 Killed: 0\n\
            use shop;\nSET timestamp=1767182400;\nSELECT 'a;\n# Time: b'\nFROM t;\n";
        let percona = "# Time: 260131 12:00:00\n# User@Host: root[root] @ localhost []  Id: 9\n# Schema: shop  Last_errno: 0  Killed: 0\n\
            # Query_time: 1.5  Lock_time: 0.1\n# Bytes_sent: 11\nSET timestamp=1;\nCOMMIT;\n# User@Host: root[root] @ localhost []  Id: 9\n# Query_time: 0.1\n# administrator command: Quit;\n";
        let mariadb = "# Time: 260131 12:00:00\r\n# User@Host: root[root] @ localhost []\r\n# Thread_id: 7  Schema:   QC_hit: No\r\n# Query_time: 0.25\r\n# Full_scan: Yes\r\nSET timestamp=1;\r\nSELECT 2;\r\n";
        let old = "# Time: 110131 12:00:00\n# User@Host: root[root] @ localhost []\n# Query_time: 2  Lock_time: 0 Rows_sent: 1  Rows_examined: 0\nuse shop;\nSELECT 3;\n# User@Host: root[root] @ localhost []\n# Query_time: 3\nSELECT 4;\n";
        let found = entries(&[mysql, percona, mariadb, old].concat());
        let texts: Vec<String> = found.iter().map(text).collect();
        assert_eq!(
            texts,
            [
                "SELECT 'a;\n# Time: b'\nFROM t;",
                "COMMIT;",
                "Command(\"Quit\")",
                "SELECT 2;",
                "SELECT 3;",
                "SELECT 4;"
            ]
        );
        let facts: Vec<_> =
            found.iter().map(|one| (one.session, one.database.as_deref(), one.seconds, one.error)).collect();
        assert_eq!(
            facts,
            [
                (Some(8), Some("shop"), Some(0.000_123), Some(1062)),
                (Some(9), Some("shop"), Some(1.5), None),
                (Some(9), None, Some(0.1), None),
                (Some(7), None, Some(0.25), None),
                (None, Some("shop"), Some(2.0), None),
                (None, None, Some(3.0), None),
            ]
        );
        assert_eq!(found[0].line, 4);
    }

    #[test]
    fn the_names_of_tidb_are_read() {
        let log = "# Time: 2026-01-31T12:00:00.1+08:00\n# Txn_start_ts: 4\n# User@Host: a[a] @ b [10.0.0.5]\n# Conn_ID: 6\n\
            # Query_time: 1.5\n# DB: shop\n# Is_internal: INTERNAL\n# Prev_stmt: SELECT 'Conn_ID: 9 '\n# Succ: SUCC\n\
            # Plan: tidb_decode_plan('x')\nuse shop;\nSELECT 1;\n";
        let one = |internal, succ| log.replace("INTERNAL", internal).replace("SUCC", succ);
        let found = entries(&[one("false", "true"), one("true", "true"), one("false", "false")].concat());
        assert!(found.iter().all(|one| text(one) == "SELECT 1;" && one.session == Some(6)));
        assert!(found.iter().all(|one| one.database.as_deref() == Some("shop") && one.seconds == Some(1.5)));
        let facts: Vec<_> = found.iter().map(|one| (one.sender, one.error)).collect();
        assert_eq!(
            facts,
            [(Sender::Client, None), (Sender::Server, None), (Sender::Client, Some(UNKNOWN_ERROR))]
        );
    }

    #[test]
    fn what_a_server_writes_when_it_starts_is_no_statement() {
        for address in
            ["Tcp port: 0  Unix socket: /x", "TCP Port: 3306, Named Pipe: x", "Tcp Port: 3306, Named Pipe: x"]
        {
            let banner = format!(
                "mysqld, Version: 8.0 (x). started with:\n{address}\nTime                 Id Command    Argument\n"
            );
            let one = "# User@Host: a[a] @ b []\n# Query_time: 1\nSELECT 1;\n";
            let found = entries(&[&banner, one, &banner, one].concat());
            assert_eq!(found.iter().map(text).collect::<Vec<_>>(), ["SELECT 1;", "SELECT 1;"]);
        }
    }

    #[test]
    fn a_service_may_write_a_time_before_each_entry() {
        let one = "2026-01-31T12:00:00.000Z # Time: 2026-01-31T12:00:00.123456Z\n# User@Host: a[a] @ b []  Id: 1\n# Query_time: 1\nSELECT 1;\n";
        let found = entries(&one.repeat(2));
        assert_eq!(found.iter().map(text).collect::<Vec<_>>(), ["SELECT 1;", "SELECT 1;"]);
        assert!(found.iter().all(|one| one.session == Some(1)));
    }

    #[test]
    fn a_text_that_is_cut_takes_no_other_with_it() {
        let one = |text: &str| format!("# User@Host: a[a] @ b []  Id: 1\n# Query_time: 1\n{text}\n");
        let log = [one("SELECT 'a"), one("SELECT 'b';"), one("SELECT 3;")].concat();
        let found: Vec<String> = entries(&log).iter().map(text).collect();
        assert_eq!(found, ["Cut", "SELECT 'b';", "SELECT 3;"]);
        assert_eq!(
            entries("# User@Host: a[a] @ b []\n# Query_time: 1\nSELECT 'a")
                .iter()
                .map(text)
                .collect::<Vec<_>>(),
            ["Cut"]
        );
    }

    #[test]
    fn texts_that_are_cut_one_after_the_other_are_not_taken_for_one() {
        let one = |text: &str| format!("# User@Host: a[a] @ b []  Id: 1\n# Query_time: 1\n{text}\n");
        let cut = |value: &str| one(&format!("INSERT INTO t VALUES (1, '{value};"));
        let log =
            [cut("abc"), cut("def"), cut("%g"), one("SELECT 'h';"), cut("i"), one("SELECT 3;")].concat();
        let found: Vec<String> = entries(&log).iter().map(text).collect();
        assert_eq!(found, ["Cut", "Cut", "Cut", "SELECT 'h';", "Cut", "SELECT 3;"]);
        // A log may be the value of a statement.
        let log = one(&format!("INSERT INTO logs VALUES ('{}', 5);", one("SELECT 2;")));
        assert_eq!(entries(&log).len(), 1);
    }
}
