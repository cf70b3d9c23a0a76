//! Statements of rows that are longer than a server takes, cut between two rows.

use std::borrow::Cow;
use std::ops::Range;

use assay_sql::{Kind, Letters, Tokens};

/// Bytes of a packet that are no part of its statement.
const ROOM: usize = 64;

/// What is too long for a server, and cannot be cut.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLong {
    /// The row of its statement, from 1; `None`: the statement has no rows written out.
    pub row: Option<usize>,
    /// The bytes of the shortest statement for it.
    pub bytes: usize,
}

/// A statement as a server takes it whose packets have so many bytes at most: itself, or several with some of its rows each.
///
/// # Errors
/// One row of it is too long, or it cannot be cut.
pub(super) fn parts(sql: &[u8], letters: Letters, packet: usize) -> Result<Vec<Cow<'_, [u8]>>, TooLong> {
    let most = packet.saturating_sub(ROOM);
    if sql.len() <= most {
        return Ok(vec![sql.into()]);
    }
    let Some(Rows { head, rows, tail }) = Rows::of(sql, letters) else {
        return Err(TooLong { row: None, bytes: sql.len() });
    };
    let (head, tail) = (&sql[..head], &sql[tail..]);
    let around = head.len() + tail.len() + 1;
    let mut found: Vec<Vec<u8>> = Vec::new();
    for (index, row) in rows.into_iter().map(|row| &sql[row]).enumerate() {
        let bytes = around + row.len() + 1;
        if bytes > most {
            return Err(TooLong { row: Some(index + 1), bytes });
        }
        match found.last_mut().filter(|part| part.len() + row.len() + tail.len() + 2 <= most) {
            Some(part) => part.push(b','),
            None => found.push([head, b" "].concat()),
        }
        found.last_mut().expect("a part").extend_from_slice(row);
    }
    let ended = |part: Vec<u8>| if tail.is_empty() { part } else { [&part, &b" "[..], tail].concat() };
    Ok(found.into_iter().map(|part| ended(part).into()).collect())
}

/// The rows of a statement, what stands before the first, and where what follows the last begins.
struct Rows {
    head: usize,
    rows: Vec<Range<usize>>,
    tail: usize,
}

impl Rows {
    /// `None`: the statement has no rows written out.
    fn of(sql: &[u8], letters: Letters) -> Option<Self> {
        let mut tokens = Tokens::new(sql).with(letters);
        let (mut depth, mut head, mut begun) = (0_u32, None, None);
        let (mut rows, mut tail) = (Vec::new(), sql.len());
        let is_word =
            |text: &[u8], words: &[&str]| words.iter().any(|word| word.as_bytes().eq_ignore_ascii_case(text));
        let first = tokens.find(|token| token.kind == Kind::Word)?;
        if !is_word(first.text, &["INSERT", "REPLACE"]) {
            return None;
        }
        for token in tokens.filter(|token| !matches!(token.kind, Kind::Space | Kind::Comment)) {
            match (token.kind, token.text) {
                (Kind::Symbol, b"(") => {
                    begun = begun.or(Some(token.at));
                    depth += 1;
                }
                (Kind::Symbol, b")") => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        let row = begun.take()?..token.at + 1;
                        rows.extend(head.map(|_| row));
                    }
                }
                _ if depth > 0 => {}
                (Kind::Word, text) if head.is_none() && is_word(text, &["VALUES", "VALUE"]) => {
                    head = Some(token.at + text.len());
                }
                _ if head.is_none() => {}
                (Kind::Symbol, b",") => {}
                (Kind::Word, text) if is_word(text, &["ROW"]) => begun = Some(token.at),
                _ => {
                    tail = token.at;
                    break;
                }
            }
        }
        (!rows.is_empty()).then_some(Self { head: head?, rows, tail })
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn cut(sql: &str, most: usize) -> Result<Vec<String>, TooLong> {
        let found = parts(sql.as_bytes(), Letters::default(), most + ROOM)?;
        assert!(found.iter().all(|part| part.len() <= most));
        Ok(found.iter().map(|part| String::from_utf8_lossy(part).into_owned()).collect())
    }

    #[rstest]
    #[case("INSERT INTO a VALUES (1),(2)", 30, &["INSERT INTO a VALUES (1),(2)"])]
    #[case("INSERT INTO a VALUES (1),(2)", 27, &["INSERT INTO a VALUES (1)", "INSERT INTO a VALUES (2)"])]
    #[case(
        "REPLACE s.a (`values`, b) VALUES\n('),(', F(1, 2)), -- (3)\n(3, 4), (5, 6)",
        50,
        &["REPLACE s.a (`values`, b) VALUES ('),(', F(1, 2))", "REPLACE s.a (`values`, b) VALUES (3, 4),(5, 6)"]
    )]
    #[case(
        "insert a value (1),(2) on duplicate key update b = values(b), c = 3",
        65,
        &[
            "insert a value (1) on duplicate key update b = values(b), c = 3",
            "insert a value (2) on duplicate key update b = values(b), c = 3",
        ]
    )]
    #[case("INSERT a VALUES ROW(1), ROW(2)", 24, &["INSERT a VALUES ROW(1)", "INSERT a VALUES ROW(2)"])]
    fn rows_are_told_apart(#[case] sql: &str, #[case] most: usize, #[case] expected: &[&str]) {
        assert_eq!(cut(sql, most).expect("cut"), expected);
    }

    #[rstest]
    #[case("INSERT INTO a VALUES (1),(22222)", 26, Some(2))]
    #[case("INSERT INTO a SELECT b FROM c", 20, None)]
    #[case("UPDATE a SET b = 'x' WHERE c IN (1, 2)", 20, None)]
    #[case("INSERT INTO a SET b = 'VALUES (1),(2)'", 20, None)]
    fn what_is_too_long_is_named(#[case] sql: &str, #[case] most: usize, #[case] row: Option<usize>) {
        assert_eq!(cut(sql, most).expect_err("too long").row, row);
    }
}
