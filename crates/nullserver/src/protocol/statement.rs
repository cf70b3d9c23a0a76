//! What a statement is, from its first word and a look for a few others. Not a parser.

use crate::counters::Counter;

/// The kinds of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswerKind {
    /// Rows of one text column.
    Point,
    Range,
    /// A row with one number.
    Aggregate,
    /// OK with one affected row.
    Write,
    /// OK, and a transaction is open or closed.
    Begin,
    End,
    /// OK.
    Other,
    /// A question about the server itself: answered from [`catalogue`](crate::protocol::catalogue), never disturbed.
    Ask,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Statement {
    pub(crate) kind: AnswerKind,
    /// The server counter `Com_…` that it belongs to.
    pub(crate) command: Counter,
}

impl Statement {
    const fn new(kind: AnswerKind, command: Counter) -> Self {
        Self { kind, command }
    }

    /// Set-up and questions are exempt from delays and faults, so that these hit the measured load only.
    pub(crate) fn is_load(self) -> bool {
        self.kind != AnswerKind::Ask && self.command != Counter::ComSetOption
    }
}

/// The beginning of a statement, which is all that is looked at: a bulk INSERT has megabytes.
const LOOK: usize = 400;

pub(crate) fn classify(sql: &[u8]) -> Statement {
    let sql = skip_blank(sql);
    let sql = &sql[..sql.len().min(LOOK)];
    let length = sql.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(sql.len());
    let (word, rest) = sql.split_at(length);
    let mut upper = [0u8; 10];
    let Some(upper) = upper.get_mut(..length) else {
        return Statement::new(AnswerKind::Other, Counter::ComOther);
    };
    upper.copy_from_slice(word);
    upper.make_ascii_uppercase();
    match &*upper {
        b"SELECT" | b"WITH" => Statement::new(select(rest), Counter::ComSelect),
        b"INSERT" => Statement::new(AnswerKind::Write, Counter::ComInsert),
        b"REPLACE" => Statement::new(AnswerKind::Write, Counter::ComReplace),
        b"UPDATE" => Statement::new(AnswerKind::Write, Counter::ComUpdate),
        b"DELETE" => Statement::new(AnswerKind::Write, Counter::ComDelete),
        b"BEGIN" | b"START" => Statement::new(AnswerKind::Begin, Counter::ComBegin),
        b"COMMIT" => Statement::new(AnswerKind::End, Counter::ComCommit),
        b"ROLLBACK" => Statement::new(AnswerKind::End, Counter::ComRollback),
        b"SET" => Statement::new(AnswerKind::Other, Counter::ComSetOption),
        b"SHOW" | b"DESC" | b"DESCRIBE" | b"EXPLAIN" | b"ANALYZE" | b"CHECK" | b"CHECKSUM" | b"OPTIMIZE" => {
            Statement::new(AnswerKind::Ask, Counter::ComOther)
        }
        _ => Statement::new(AnswerKind::Other, Counter::ComOther),
    }
}

fn select(rest: &[u8]) -> AnswerKind {
    if rest.windows(2).any(|pair| pair == b"@@") || is_bare_function(rest) {
        AnswerKind::Ask
    } else if [&b"SUM("[..], b"COUNT(", b"AVG(", b"MIN(", b"MAX("].iter().any(|word| contains(rest, word)) {
        AnswerKind::Aggregate
    } else if contains(rest, b"BETWEEN") {
        AnswerKind::Range
    } else {
        AnswerKind::Point
    }
}

/// `SELECT VERSION()` and its like: a function without arguments comes first.
fn is_bare_function(rest: &[u8]) -> bool {
    let rest = rest.trim_ascii_start();
    let name = rest.iter().position(|byte| !(byte.is_ascii_alphabetic() || *byte == b'_')).unwrap_or(0);
    name > 0 && rest[name..].starts_with(b"()")
}

/// Whether the text holds the word; letters in any case.
fn contains(text: &[u8], word: &[u8]) -> bool {
    let (upper, lower) = (word[0], word[0].to_ascii_lowercase());
    memchr::memchr2_iter(upper, lower, text)
        .any(|at| text.get(at..at + word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word)))
}

/// Without blanks, comments and brackets in front.
fn skip_blank(mut sql: &[u8]) -> &[u8] {
    loop {
        sql = sql.trim_ascii_start();
        let end = if sql.starts_with(b"/*") {
            memchr::memmem::find(sql, b"*/").map(|at| at + 2)
        } else if sql.starts_with(b"--") || sql.starts_with(b"#") {
            memchr::memchr(b'\n', sql).map(|at| at + 1)
        } else if sql.starts_with(b"(") {
            Some(1)
        } else {
            return sql;
        };
        sql = &sql[end.unwrap_or(sql.len())..];
    }
}

/// Number of `?`, quoted ones not counted.
pub(crate) fn parameters(sql: &[u8]) -> u16 {
    let mut quote = None;
    let mut count = 0u16;
    for &byte in sql {
        match (quote, byte) {
            (None, b'?') => count = count.saturating_add(1),
            (None, b'\'' | b'"' | b'`') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    count
}

/// Rows of an INSERT, by its `),(`: quick, and right as long as no string holds that. Other statements: 1.
pub(crate) fn inserted_rows(sql: &[u8]) -> u64 {
    let follow = |at: usize| {
        let rest = sql[at + 1..].trim_ascii_start();
        rest.strip_prefix(b",").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"("))
    };
    1 + memchr::memchr_iter(b')', sql).filter(|&at| follow(at)).count() as u64
}

/// The statements of a multi-statement text; a `;` inside quotes does not separate.
pub(crate) fn split(sql: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let (mut quote, mut start) = (None, 0);
    for (at, &byte) in sql.iter().enumerate() {
        match (quote, byte) {
            (None, b';') => {
                parts.push(&sql[start..at]);
                start = at + 1;
            }
            (None, b'\'' | b'"' | b'`') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    parts.push(&sql[start..]);
    parts.retain(|part| !part.trim_ascii().is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_told_apart() {
        for (sql, kind, command) in [
            ("SELECT c FROM sbtest1 WHERE id=?", AnswerKind::Point, Counter::ComSelect),
            ("  /* hint */ select c FROM t WHERE id between 1 AND 2", AnswerKind::Range, Counter::ComSelect),
            ("SELECT SUM(k) FROM t WHERE id BETWEEN ? AND ?", AnswerKind::Aggregate, Counter::ComSelect),
            ("SELECT count(k) FROM t WHERE k BETWEEN ? AND ?", AnswerKind::Aggregate, Counter::ComSelect),
            ("SELECT @@version_comment LIMIT 1", AnswerKind::Ask, Counter::ComSelect),
            ("select version()", AnswerKind::Ask, Counter::ComSelect),
            ("SELECT 1", AnswerKind::Point, Counter::ComSelect),
            ("(SELECT 1)", AnswerKind::Point, Counter::ComSelect),
            ("insert INTO t VALUES (1)", AnswerKind::Write, Counter::ComInsert),
            ("UPDATE t SET k=k+1 WHERE id=?", AnswerKind::Write, Counter::ComUpdate),
            ("BEGIN", AnswerKind::Begin, Counter::ComBegin),
            ("START TRANSACTION", AnswerKind::Begin, Counter::ComBegin),
            ("COMMIT", AnswerKind::End, Counter::ComCommit),
            ("-- note\nROLLBACK", AnswerKind::End, Counter::ComRollback),
            ("SET NAMES utf8mb4", AnswerKind::Other, Counter::ComSetOption),
            ("SHOW GLOBAL STATUS", AnswerKind::Ask, Counter::ComOther),
            ("CREATE TABLE t (id INT)", AnswerKind::Other, Counter::ComOther),
            ("", AnswerKind::Other, Counter::ComOther),
            ("NOTHINGTHATISKNOWN", AnswerKind::Other, Counter::ComOther),
        ] {
            assert_eq!(classify(sql.as_bytes()), Statement { kind, command }, "{sql}");
        }
    }

    #[test]
    fn parameters_are_counted_outside_quotes() {
        assert_eq!(parameters(b"SELECT c FROM t WHERE id BETWEEN ? AND ?"), 2);
        assert_eq!(parameters(b"SELECT '?', \"?\", `?` , ?"), 1);
        assert_eq!(parameters(b"COMMIT"), 0);
    }

    #[test]
    fn rows_of_an_insert_are_counted() {
        assert_eq!(inserted_rows(b"INSERT INTO t VALUES(1,'a')"), 1);
        assert_eq!(inserted_rows(b"INSERT INTO t(a,b) VALUES (1,'a'),(2,'b'), (3,'c') , (4,'d')"), 4);
    }

    #[test]
    fn texts_are_split_into_statements() {
        assert_eq!(split(b"BEGIN; SELECT ';' ;\n"), [&b"BEGIN"[..], b" SELECT ';' "]);
        assert!(split(b" ; ").is_empty());
    }
}
