//! Templates of SQL text, into which the text protocol writes its parameters.

use std::io::Write;

use crate::error::Error;
use crate::param::{Param, put_decimal};

/// SQL with its `?` found: parse once, fill many times without allocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    sql: Box<str>,
    /// Byte positions of the `?`.
    marks: Box<[usize]>,
}

impl Template {
    /// Parses a text: finds the `?` outside of strings, quoted names and comments.
    #[must_use]
    pub fn new(sql: &str) -> Self {
        let marks = marks(sql.as_bytes());
        Self { sql: sql.into(), marks: marks.into() }
    }

    /// The text with its `?`.
    #[must_use]
    pub fn sql(&self) -> &str {
        &self.sql
    }

    /// Number of `?`.
    #[must_use]
    pub fn params(&self) -> usize {
        self.marks.len()
    }

    /// Appends the text with the parameters in place of the `?`.
    ///
    /// Strings are quoted and escaped with backslashes: not for sessions in SQL mode `NO_BACKSLASH_ESCAPES`. Infinite
    /// and undefined numbers become NULL.
    ///
    /// # Errors
    /// [`Error::ParameterCount`].
    pub fn fill(&self, params: &[Param<'_>], out: &mut Vec<u8>) -> Result<(), Error> {
        self.check(params)?;
        self.put(params, out);
        Ok(())
    }

    pub(crate) fn check(&self, params: &[Param<'_>]) -> Result<(), Error> {
        if params.len() == self.params() {
            Ok(())
        } else {
            Err(Error::ParameterCount { expected: self.params(), given: params.len() })
        }
    }

    /// Appends the text as [`Template::fill`] does, for a number of parameters that was checked.
    pub(crate) fn put(&self, params: &[Param<'_>], out: &mut Vec<u8>) {
        let (sql, mut from) = (self.sql.as_bytes(), 0);
        for (mark, param) in self.marks.iter().zip(params) {
            out.extend_from_slice(&sql[from..*mark]);
            put_literal(*param, out);
            from = mark + 1;
        }
        out.extend_from_slice(&sql[from..]);
    }
}

/// Fills a text that is used once: [`Template::new`] and [`Template::fill`] in one.
///
/// # Errors
/// [`Error::ParameterCount`].
pub fn interpolate(sql: &str, params: &[Param<'_>], out: &mut Vec<u8>) -> Result<(), Error> {
    Template::new(sql).fill(params, out)
}

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// Appends a parameter as a literal of SQL.
fn put_literal(param: Param<'_>, out: &mut Vec<u8>) {
    // Writing to a vector does not fail.
    let _ = match param {
        Param::Int(value) => write!(out, "{value}"),
        Param::UInt(value) => write!(out, "{value}"),
        // The exponent makes it a double for the server, not a decimal.
        Param::Double(value) if value.is_finite() => write!(out, "{value:e}"),
        Param::Null | Param::Double(_) => out.write_all(b"NULL"),
        Param::Decimal { unscaled, scale } => {
            put_decimal(unscaled, scale, out);
            Ok(())
        }
        Param::Bytes(bytes) => {
            put_string(bytes, out);
            Ok(())
        }
        Param::Binary(bytes) => {
            out.extend_from_slice(b"X'");
            for byte in bytes {
                out.extend([byte >> 4, byte & 15].map(|digit| HEX[usize::from(digit)]));
            }
            out.push(b'\'');
            Ok(())
        }
    };
}

/// Appends a string in quotes, escaped with backslashes.
fn put_string(bytes: &[u8], out: &mut Vec<u8>) {
    out.push(b'\'');
    let mut from = 0;
    for (at, byte) in bytes.iter().enumerate() {
        let escape = match byte {
            0 => b'0',
            b'\n' => b'n',
            b'\r' => b'r',
            0x1A => b'Z',
            b'\'' | b'"' | b'\\' => *byte,
            _ => continue,
        };
        out.extend_from_slice(&bytes[from..at]);
        out.extend_from_slice(&[b'\\', escape]);
        from = at + 1;
    }
    out.extend_from_slice(&bytes[from..]);
    out.push(b'\'');
}

/// Positions of the `?` that stand for parameters.
fn marks(sql: &[u8]) -> Vec<usize> {
    let mut marks = Vec::new();
    let mut at = 0;
    while at < sql.len() {
        match &sql[at..] {
            [b'?', ..] => {
                marks.push(at);
                at += 1;
            }
            [quote @ (b'\'' | b'"' | b'`'), ..] => at = quoted_end(sql, at, *quote),
            [b'#', ..] => at = line_end(sql, at),
            // Two dashes begin a comment only before white space.
            [b'-', b'-', b' ' | b'\t' | b'\n' | b'\r', ..] | [b'-', b'-'] => at = line_end(sql, at),
            // The server executes what is in /*! ... */, so a `?` in it counts.
            [b'/', b'*', b'!', ..] => at += 3,
            [b'/', b'*', b'M', b'!', ..] => at += 4,
            [b'/', b'*', ..] => at = comment_end(sql, at),
            _ => at += 1,
        }
    }
    marks
}

/// Position after the closing quote. A doubled quote needs no care: it ends one string and begins the next.
fn quoted_end(sql: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start + 1;
    while at < sql.len() && sql[at] != quote {
        at += if sql[at] == b'\\' && quote != b'`' { 2 } else { 1 };
    }
    at + 1
}

/// Position after the end of the line.
fn line_end(sql: &[u8], start: usize) -> usize {
    sql[start..].iter().position(|byte| *byte == b'\n').map_or(sql.len(), |length| start + length + 1)
}

/// Position after the end of the comment.
fn comment_end(sql: &[u8], start: usize) -> usize {
    sql[start + 2..].windows(2).position(|pair| pair == b"*/").map_or(sql.len(), |length| start + length + 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(sql: &str, params: &[Param<'_>]) -> String {
        let mut out = Vec::new();
        interpolate(sql, params, &mut out).expect("as many parameters as marks");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn marks_outside_of_quotes_and_comments() {
        for (sql, params) in [
            ("SELECT ?", 1),
            ("SELECT '?', \"?\", `?`, ?", 1),
            ("SELECT 'it''s ?', ?", 1),
            ("SELECT 'it\\'s ?', \"a\\\"?\", ?", 1),
            ("SELECT `a\\`, ?", 1),
            ("SELECT 1 # ?\n, ?", 1),
            ("SELECT 1 -- ?\n, ?", 1),
            ("SELECT 1 --?", 1),
            ("SELECT 1 --", 0),
            ("SELECT /* ? */ ? /* ?", 1),
            ("SELECT /*! ?, */ /*M! ?, */ /*!50000 ?, */ ?", 4),
            ("SELECT 5 / ? * ?", 2),
            ("SELECT 'unfinished ?", 0),
            ("SELECT 'unfinished \\", 0),
            ("???", 3),
            ("", 0),
        ] {
            assert_eq!(Template::new(sql).params(), params, "{sql}");
        }
    }

    #[test]
    fn literals() {
        let params = [Param::Int(-5), Param::UInt(u64::MAX), Param::Double(0.1), Param::Null];
        assert_eq!(filled("(?,?,?,?)", &params), "(-5,18446744073709551615,1e-1,NULL)");
        let params = [Param::Double(f64::NAN), Param::Double(f64::NEG_INFINITY), Param::Double(-2.5e300)];
        assert_eq!(filled("? ? ?", &params), "NULL NULL -2.5e300");
        let bytes = b"a'b\"c\\d\0e\nf\rg\x1Ah?";
        assert_eq!(filled("?;", &[Param::Binary(b"\x00\xFFa")]), "X'00FF61';");
        assert_eq!(filled("?;", &[Param::Bytes(bytes)]), "'a\\'b\\\"c\\\\d\\0e\\nf\\rg\\Zh?';");
    }

    #[test]
    fn a_wrong_number_of_parameters() {
        let mut out = Vec::new();
        let error = interpolate("? ?", &[Param::Null], &mut out).expect_err("one too few");
        assert!(matches!(error, Error::ParameterCount { expected: 2, given: 1 }));
        assert!(out.is_empty());
    }
}
