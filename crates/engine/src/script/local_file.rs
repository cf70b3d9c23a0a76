//! The file that a statement of a script names: `LOAD DATA LOCAL INFILE 'name'`. A server may ask for a file whenever it answers;
//! it gets none but this one.

use std::fs::{self, File};
use std::io::Read;

/// Longest file that is sent: it is in memory as a whole.
const MOST_BYTES: u64 = 1 << 30;
/// Bytes of a statement in which the name of its file must end.
const HEAD_BYTES: usize = 8192;

/// The name of the file that a statement has the server ask for; none of any other statement, nor where the name has an escape
/// or a character that does not print: it could not be told whether the server asks for the same.
pub(super) fn named_file(sql: &[u8]) -> Option<String> {
    let head = &sql[..sql.len().min(HEAD_BYTES)];
    let head =
        std::str::from_utf8(head).or_else(|error| std::str::from_utf8(&head[..error.valid_up_to()])).ok()?;
    let mut rest = word(head, "LOAD")?;
    rest = word(rest, "DATA").or_else(|| word(rest, "XML"))?;
    rest = word(rest, "LOW_PRIORITY").or_else(|| word(rest, "CONCURRENT")).unwrap_or(rest);
    rest = word(word(rest, "LOCAL")?, "INFILE")?.trim_start();
    let quote = rest.chars().next().filter(|first| matches!(first, '\'' | '"'))?;
    let (name, after) = rest[1..].split_once(quote)?;
    // Two quotes stand for one.
    let is_plain = !name.contains('\\') && !name.chars().any(char::is_control) && !after.starts_with(quote);
    (is_plain && !name.is_empty()).then(|| name.to_owned())
}

/// What follows a word at the beginning of a text.
fn word<'a>(text: &'a str, wanted: &str) -> Option<&'a str> {
    let text = text.trim_start();
    let (found, rest) = text.split_at_checked(wanted.len())?;
    let ends = rest.starts_with(|next: char| next.is_ascii_whitespace() || matches!(next, '\'' | '"'));
    (found.eq_ignore_ascii_case(wanted) && ends).then_some(rest)
}

/// The contents of a regular file; none where it cannot be read, or is too large.
pub(super) fn read_file(name: &str) -> Option<Vec<u8>> {
    let is_taken = |found: &fs::Metadata| found.is_file() && found.len() <= MOST_BYTES;
    fs::metadata(name).ok().filter(is_taken)?;
    let mut contents = Vec::new();
    File::open(name).ok()?.take(MOST_BYTES).read_to_end(&mut contents).ok()?;
    Some(contents)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_statement_that_loads_a_local_file_names_one() {
        for (sql, file) in [
            ("LOAD DATA LOCAL INFILE '/tmp/ld.csv' INTO TABLE ld", Some("/tmp/ld.csv")),
            ("  load xml concurrent local infile \"a b.xml\" into table t", Some("a b.xml")),
            ("LOAD DATA LOW_PRIORITY LOCAL\nINFILE'x' INTO TABLE t", Some("x")),
            ("LOAD DATA INFILE '/tmp/ld.csv' INTO TABLE ld", None),
            ("SELECT 'LOAD DATA LOCAL INFILE ''x'''", None),
            ("LOAD DATA LOCAL INFILE 'it''s' INTO TABLE t", None),
            ("LOAD DATA LOCAL INFILE 'a\\tb' INTO TABLE t", None),
            ("LOAD DATA LOCAL INFILE 'cut", None),
            ("LOAD DATA LOCAL INFILE '' INTO TABLE t", None),
            ("LOADDATA LOCAL INFILE 'x'", None),
            ("", None),
        ] {
            assert_eq!(named_file(sql.as_bytes()).as_deref(), file, "{sql}");
        }
        let long = format!("LOAD DATA LOCAL INFILE '{}'", "x".repeat(HEAD_BYTES));
        assert_eq!(named_file(long.as_bytes()), None);
    }

    #[test]
    fn what_is_no_regular_file_is_not_read() {
        assert_eq!(read_file("/dev/zero"), None);
        assert_eq!(read_file("/nowhere/at/all"), None);
        assert!(read_file("/proc/self/status").is_some());
    }
}
