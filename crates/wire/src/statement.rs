//! The kind of answer that a statement calls for, as far as its text tells.

use crate::answer::{ResultAnswer, ResultKind};
use crate::error::Error;
use crate::row::Rows;

/// ResultKind of answer that a statement calls for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswerKind {
    Rows,
    Ok,
    /// Rows or OK, or several results: `CALL`, `EXECUTE`, `CHECK TABLE`.
    Either,
}

/// Bytes at the beginning of a text that are looked at for its first word.
const WORD: usize = 10;

impl AnswerKind {
    /// The answer due by a text's first word, and by the words that change what it means.
    pub(crate) fn of(sql: &[u8]) -> Self {
        let (due, unless, rest) = Self::first_word(sql);
        if !unless.is_empty() && contains(rest, unless) { Self::Either } else { due }
    }

    /// Judges the answer to a text. The text is read beyond its first word only where that word is not enough: it may
    /// be megabytes of rows.
    ///
    /// # Errors
    /// As [`Due::check`].
    pub(crate) fn judge<R: Rows + ?Sized>(sql: &[u8], answer: &ResultAnswer<'_, R>) -> Result<(), Error> {
        let (due, ..) = Self::first_word(sql);
        if due.fits(answer.first) && (due == Self::Either || answer.results == 1) {
            return Ok(());
        }
        Self::of(sql).check(answer)
    }

    /// The answer due by the first word alone, the word that makes it [`Due::Either`], and the rest of the text.
    fn first_word(sql: &[u8]) -> (Self, &'static [u8], &[u8]) {
        let sql = without_comments(sql);
        let length = sql.iter().take(WORD).take_while(|byte| byte.is_ascii_alphabetic()).count();
        let (word, rest) = sql.split_at(length);
        let mut upper = [0; WORD];
        let upper = &mut upper[..length];
        upper.copy_from_slice(word);
        upper.make_ascii_uppercase();
        let (due, unless): (Self, &'static [u8]) = match &*upper {
            // SELECT ... INTO a variable or a file, EXPLAIN ... INTO a variable.
            b"SELECT" | b"DESC" | b"DESCRIBE" | b"EXPLAIN" => (Self::Rows, b"INTO"),
            b"SHOW" => (Self::Rows, b""),
            b"INSERT" | b"REPLACE" | b"DELETE" | b"UPDATE" => (Self::Ok, b"RETURNING"),
            // MariaDB: BEGIN NOT ATOMIC, SET STATEMENT ... FOR.
            b"BEGIN" => (Self::Ok, b"NOT"),
            b"SET" => (Self::Ok, b"STATEMENT"),
            // ALTER TABLE ... CHECK PARTITION, LOAD INDEX INTO CACHE.
            b"ALTER" => (Self::Ok, b"PARTITION"),
            b"LOAD" => (Self::Ok, b"INDEX"),
            b"START" | b"COMMIT" | b"ROLLBACK" | b"CREATE" | b"DROP" | b"TRUNCATE" => (Self::Ok, b""),
            _ => (Self::Either, b""),
        };
        (due, unless, rest)
    }

    /// Whether the statement asks about the server or a statement, and is no `SELECT`.
    pub(crate) fn shows(sql: &[u8]) -> bool {
        !without_comments(sql).get(..6).is_some_and(|word| word.eq_ignore_ascii_case(b"SELECT"))
    }

    fn fits(self, kind: ResultKind) -> bool {
        match self {
            Self::Either => true,
            Self::Rows => kind == ResultKind::Rows,
            Self::Ok => kind == ResultKind::Ok,
        }
    }

    /// Checks that the answer is of the kind that is due.
    ///
    /// # Errors
    /// [`Error::Protocol`] where the answer is of another kind, or has more results than the statement.
    pub(crate) fn check<R: Rows + ?Sized>(self, answer: &ResultAnswer<'_, R>) -> Result<(), Error> {
        if !self.fits(answer.first) {
            let (came, due) = match answer.first {
                ResultKind::Ok => ("OK", "rows were"),
                ResultKind::Rows => ("rows", "OK was"),
            };
            return Err(Error::Protocol(format!("the server answered with {came} where {due} due")));
        }
        if self != Self::Either && answer.results > 1 {
            return Err(too_many(answer.results, 1));
        }
        Ok(())
    }
}

#[cold]
pub(crate) fn too_many(results: u32, statements: u32) -> Error {
    Error::Protocol(format!("{results} results came for {statements} statements"))
}

/// Whether the word stands in the text, in letters of any case.
fn contains(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word))
}

/// The text without blanks, comments and brackets in front.
fn without_comments(mut sql: &[u8]) -> &[u8] {
    loop {
        sql = sql.trim_ascii_start();
        let end = if sql.starts_with(b"/*!") || sql.starts_with(b"/*M!") {
            // The server executes what is in it.
            return &[];
        } else if sql.starts_with(b"/*") {
            sql.windows(2).position(|pair| pair == b"*/").map(|at| at + 2)
        } else if sql.starts_with(b"#") || sql.starts_with(b"--") {
            sql.iter().position(|byte| *byte == b'\n').map(|at| at + 1)
        } else if sql.starts_with(b"(") {
            Some(1)
        } else {
            return sql;
        };
        sql = &sql[end.unwrap_or(sql.len())..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_tells() {
        for (sql, due) in [
            ("SELECT c FROM t WHERE id = ?", AnswerKind::Rows),
            (" /* hint */ (select 1)", AnswerKind::Rows),
            ("-- a line\nSHOW TABLES", AnswerKind::Rows),
            ("SELECT 1 INTO @x", AnswerKind::Either),
            ("EXPLAIN FORMAT=JSON INTO @x SELECT 1", AnswerKind::Either),
            ("EXPLAIN SELECT 1", AnswerKind::Rows),
            ("INSERT INTO t VALUES (1)", AnswerKind::Ok),
            ("INSERT INTO t VALUES (1) returning id", AnswerKind::Either),
            ("BEGIN", AnswerKind::Ok),
            ("BEGIN NOT ATOMIC SELECT 1; END", AnswerKind::Either),
            ("SET autocommit = 1", AnswerKind::Ok),
            ("set statement max_statement_time=1 for select 1", AnswerKind::Either),
            ("CALL p()", AnswerKind::Either),
            ("CHECK TABLE t", AnswerKind::Either),
            ("ALTER TABLE t ADD INDEX (a)", AnswerKind::Ok),
            ("ALTER TABLE t CHECK PARTITION ALL", AnswerKind::Either),
            ("/*!40101 SELECT 1 */", AnswerKind::Either),
            ("NOTHINGTHATISKNOWN", AnswerKind::Either),
            ("", AnswerKind::Either),
            ("/*", AnswerKind::Either),
        ] {
            assert_eq!(AnswerKind::of(sql.as_bytes()), due, "{sql}");
        }
    }
}
