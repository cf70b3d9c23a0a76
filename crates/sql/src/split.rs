//! Statements of a text of several, as the client `mysql` cuts it: by a delimiter outside of quotes and comments, which the
//! line `DELIMITER //` changes.

use crate::token::{Kind, Token, Tokens, find};

/// Where something stands in a text, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub line: usize,
    /// In bytes.
    pub column: usize,
}

/// Where the lines of a text begin.
#[derive(Debug)]
pub struct Lines(Vec<usize>);

impl Lines {
    pub fn new(text: &[u8]) -> Self {
        let begins = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        Self(std::iter::once(0).chain(begins).collect())
    }

    /// The place of an offset.
    pub fn place(&self, at: usize) -> Place {
        let line = self.0.partition_point(|begins| *begins <= at).max(1);
        Place { line, column: at - self.0[line - 1] + 1 }
    }
}

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece<'a> {
    /// A statement without its delimiter and the space around it; comments inside belong to it.
    Statement { text: &'a [u8], at: usize },
    /// A comment that begins with `-- @`: what follows, without the space around it. It comes before the statement that it
    /// stands in.
    Annotation {
        text: &'a [u8],
        at: usize,
        /// Whether it belongs to the statement before: it stands on the line where that ends.
        trails: bool,
    },
    /// A quote or a comment that the text does not close.
    Unended { at: usize },
}

/// The statements and annotations of a text, in order.
#[derive(Debug)]
pub struct Pieces<'a> {
    text: &'a [u8],
    tokens: Tokens<'a>,
    delimiter: Vec<u8>,
    /// The first byte of the statement that is being read.
    begun: Option<usize>,
    /// The end of its last token that is no space and no comment.
    ended: usize,
    /// The end of the last statement, delimiter included, while its line goes on.
    line_of_last: Option<usize>,
    over: bool,
}

impl<'a> Pieces<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        Self {
            text,
            tokens: Tokens::new(text),
            delimiter: vec![b';'],
            begun: None,
            ended: 0,
            line_of_last: None,
            over: false,
        }
    }

    /// The statement that ends here, where one has begun.
    fn statement(&mut self) -> Option<Piece<'a>> {
        let at = self.begun.take()?;
        Some(Piece::Statement { text: &self.text[at..self.ended], at })
    }

    /// Whether a line that is the client's own, `DELIMITER //`, begins with this token; reads it.
    fn is_delimiter_line(&mut self, token: &Token<'a>) -> bool {
        let is =
            self.begun.is_none() && token.kind == Kind::Word && token.text.eq_ignore_ascii_case(b"delimiter");
        if is {
            let rest = &self.text[self.tokens.at()..];
            let line = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            let chosen = rest[..line].trim_ascii();
            let end = chosen.iter().position(u8::is_ascii_whitespace).unwrap_or(chosen.len());
            if end > 0 {
                self.delimiter = chosen[..end].to_vec();
            }
            self.tokens.go_to(self.tokens.at() + line);
        }
        is
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        while !self.over {
            let at = self.tokens.at();
            // A delimiter of several bytes may be words or symbols: it is looked for before tokens are.
            let outside = self.text[at..].starts_with(&self.delimiter);
            if outside {
                self.tokens.go_to(at + self.delimiter.len());
                let statement = self.statement();
                if statement.is_some() {
                    self.line_of_last = Some(self.tokens.at());
                    return statement;
                }
                continue;
            }
            let Some(token) = self.tokens.next() else {
                self.over = true;
                return self.statement();
            };
            if token.unended {
                self.over = true;
                return Some(Piece::Unended { at: token.at });
            }
            let quoted = matches!(token.kind, Kind::Text | Kind::Identifier | Kind::Comment | Kind::Code);
            // `END$$`: what ends a statement need not stand apart from its last word.
            if let Some(inside) = find(token.text, &self.delimiter).filter(|_| !quoted) {
                self.tokens.go_to(token.at + inside);
                self.begun.get_or_insert(token.at);
                self.ended = token.at + inside;
                continue;
            }
            match token.kind {
                Kind::Space => {
                    if token.text.contains(&b'\n') {
                        self.line_of_last = None;
                    }
                }
                Kind::Comment => {
                    if let Some(text) = annotation(token.text) {
                        let trails = self.begun.is_none() && self.line_of_last.is_some();
                        return Some(Piece::Annotation { text, at: token.at, trails });
                    }
                }
                _ if self.is_delimiter_line(&token) => {}
                _ => {
                    self.begun.get_or_insert(token.at);
                    self.ended = token.at + token.text.len();
                }
            }
        }
        None
    }
}

/// The text of an annotation, where a comment is one: `-- @let …`.
fn annotation(comment: &[u8]) -> Option<&[u8]> {
    let text = comment.strip_prefix(b"--")?.trim_ascii();
    text.starts_with(b"@").then_some(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    fn statements(text: &str) -> Vec<String> {
        let pieces = Pieces::new(text.as_bytes());
        let statement = |piece| match piece {
            Piece::Statement { text, .. } => Some(String::from_utf8_lossy(text).into_owned()),
            _ => None,
        };
        pieces.filter_map(statement).collect()
    }

    #[rstest]
    #[case("SELECT 1; SELECT 2", &["SELECT 1", "SELECT 2"])]
    #[case("SELECT ';'; -- a ; b\nSELECT 2;;;", &["SELECT ';'", "SELECT 2"])]
    #[case("\u{feff}SELECT 1;\r\n", &["SELECT 1"])]
    #[case("/*!40101 SET x = 1 */;\n/*M!999999\\- enable the sandbox mode */\nSELECT 1;", &["/*!40101 SET x = 1 */", "/*M!999999\\- enable the sandbox mode */\nSELECT 1"])]
    #[case("DELIMITER //\nCREATE PROCEDURE p() BEGIN SELECT 1; END//\ndelimiter ;\nSELECT 2;", &["CREATE PROCEDURE p() BEGIN SELECT 1; END", "SELECT 2"])]
    #[case("DELIMITER $$\nBEGIN SELECT '$$'; END$$\nSELECT `$$`, 1$$", &["BEGIN SELECT '$$'; END", "SELECT `$$`, 1"])]
    #[case("DELIMITER $$\nSELECT 1$$\nDELIMITER ;\nSELECT 2", &["SELECT 1", "SELECT 2"])]
    #[case("# all\n/* nothing */", &[])]
    #[case("SELECT 1 -- end\n", &["SELECT 1"])]
    fn statements_are_cut_as_the_client_cuts_them(#[case] text: &str, #[case] expected: &[&str]) {
        assert_eq!(statements(text), expected);
    }

    #[test]
    fn annotations_belong_to_the_line_where_a_statement_ends() {
        let text = "-- @transaction buy\nSELECT 1; -- @let a = int(1..2)\n-- @end\nSELECT\n-- @let b = 1\n2;";
        let pieces: Vec<(String, Option<bool>)> = Pieces::new(text.as_bytes())
            .map(|piece| match piece {
                Piece::Statement { text, .. } => (String::from_utf8_lossy(text).into_owned(), None),
                Piece::Annotation { text, trails, .. } => {
                    (String::from_utf8_lossy(text).into_owned(), Some(trails))
                }
                Piece::Unended { .. } => panic!("all is closed"),
            })
            .collect();
        let expected = [
            ("@transaction buy", Some(false)),
            ("SELECT 1", None),
            ("@let a = int(1..2)", Some(true)),
            ("@end", Some(false)),
            ("@let b = 1", Some(false)),
            ("SELECT\n-- @let b = 1\n2", None),
        ];
        assert_eq!(pieces, expected.map(|(text, trails)| (text.to_owned(), trails)));
    }

    #[test]
    fn places_are_lines_and_columns() {
        let text = b"a;\n  'b";
        assert_eq!(Pieces::new(text).last(), Some(Piece::Unended { at: 5 }));
        let lines = Lines::new(text);
        assert_eq!(lines.place(5), Place { line: 2, column: 3 });
        assert_eq!(
            (lines.place(0), lines.place(2)),
            (Place { line: 1, column: 1 }, Place { line: 1, column: 3 })
        );
    }

    proptest! {
        #[test]
        fn joined_statements_are_cut_where_they_were_joined(bodies in proptest::collection::vec("[a-z'`\"]{0,6}", 1..6)) {
            // Each is closed as a text of its own.
            let bodies: Vec<String> = bodies.iter().map(|body| format!("SELECT '{}'", body.replace('\'', "''"))).collect();
            prop_assert_eq!(statements(&bodies.join(";\n")), bodies);
        }

        #[test]
        fn any_bytes_come_to_an_end(text in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(Pieces::new(&text).count() <= text.len() + 1);
        }
    }
}
