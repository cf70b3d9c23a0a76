//! Statements without their values: what two statements share that differ in nothing else, and the values apart.
//!
//! A value is what may be a parameter of a prepared statement. What servers want written stays: positions after ORDER BY,
//! lengths of types, aliases in quotes, paths of JSON.

use crate::fold::folded;
use crate::letters::Letters;
use crate::token::{Kind, Token, Tokens};
use crate::value::{Literal, of_bits, of_hex, of_number, text_or_bytes, unquoted};
use crate::words::{ends_order, has_length, is_key_word, may_precede_value};

/// A part of a shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// A token that stays; whether space is before it.
    Token {
        kind: Kind,
        text: Vec<u8>,
        spaced: bool,
    },
    /// A value; whether space is before it.
    Value {
        spaced: bool,
    },
    /// The values of a list, `IN (1, 2)`, without its parentheses.
    List,
    /// Begins and ends the parts that repeated rows of values share: `(1, 'a'), (2, 'b')`.
    RowsBegin,
    RowsEnd,
}

/// A statement as its shape and its values.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Shape {
    pub parts: Vec<Part>,
    pub values: Vec<Literal>,
    /// How many values each list has, or how many rows, in the order of the parts.
    pub counts: Vec<usize>,
}

impl Shape {
    /// Takes a statement apart; `None` where a quote or a comment is not closed.
    pub fn of(statement: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(statement)?;
        reader.read();
        Some(folded(reader.parts, reader.values))
    }

    /// Bytes that are equal for equal shapes: no matter the case of key words, spaces, quotes of names that need none.
    pub fn key(&self) -> Vec<u8> {
        let mut key = Vec::new();
        for part in &self.parts {
            match part {
                Part::Token { kind: Kind::Word, text, .. } if is_key_word(text) => {
                    key.extend(text.to_ascii_uppercase());
                }
                Part::Token { kind: Kind::Identifier, text, .. } => key.extend(plain_name(text)),
                Part::Token { text, .. } => key.extend(text),
                Part::Value { .. } => key.push(0),
                Part::List => key.push(1),
                Part::RowsBegin => key.push(2),
                Part::RowsEnd => key.push(3),
            }
            key.push(b' ');
        }
        key
    }
}

/// A name without the backticks that it does not need.
fn plain_name(text: &[u8]) -> &[u8] {
    let inner = text.strip_prefix(b"`").and_then(|text| text.strip_suffix(b"`")).unwrap_or(text);
    let plain = !inner.is_empty()
        && !inner[0].is_ascii_digit()
        && inner.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'))
        && !is_key_word(inner);
    if plain { inner } else { text }
}

/// What an open parenthesis, or the statement, holds at a place.
#[derive(Debug, Default, Clone, Copy)]
struct Frame {
    /// Numbers are lengths.
    lengths: bool,
    /// Numbers are positions: after ORDER BY or GROUP BY.
    positions: bool,
}

struct Reader<'a> {
    tokens: Vec<(Token<'a>, bool)>,
    at: usize,
    frames: Vec<Frame>,
    parts: Vec<Part>,
    values: Vec<Literal>,
}

impl<'a> Reader<'a> {
    fn new(statement: &'a [u8]) -> Option<Self> {
        let (mut tokens, mut spaced) = (Vec::new(), false);
        let letters = Letters { templates: true, ..Letters::default() };
        for token in Tokens::new(statement).with(letters) {
            if token.unended {
                return None;
            }
            match token.kind {
                Kind::Space => spaced = true,
                Kind::Comment if !token.text.starts_with(b"/*+") => spaced = true,
                _ => tokens.push((token, std::mem::take(&mut spaced))),
            }
        }
        Some(Self { tokens, at: 0, frames: vec![Frame::default()], parts: Vec::new(), values: Vec::new() })
    }

    fn read(&mut self) {
        while self.at < self.tokens.len() {
            let (token, spaced) = self.tokens[self.at];
            if let Some((value, length)) = self.value() {
                self.values.push(value);
                self.parts.push(Part::Value { spaced });
                self.at += length;
                continue;
            }
            self.enter(&token);
            self.parts.push(Part::Token { kind: token.kind, text: token.text.to_vec(), spaced });
            self.at += 1;
        }
    }

    /// Follows parentheses and clauses.
    fn enter(&mut self, token: &Token<'_>) {
        match (token.kind, token.text) {
            (Kind::Symbol, b"(") => {
                let lengths =
                    self.before(0).is_some_and(|before| before.kind == Kind::Word && has_length(before.text));
                self.frames.push(Frame { lengths, positions: false });
            }
            (Kind::Symbol, b")") if self.frames.len() > 1 => {
                self.frames.pop();
            }
            (Kind::Word, word) => {
                if let Some(frame) = self.frames.last_mut() {
                    if word.eq_ignore_ascii_case(b"ORDER") || word.eq_ignore_ascii_case(b"GROUP") {
                        frame.positions = true;
                    } else if ends_order(word) {
                        frame.positions = false;
                    }
                }
            }
            _ => {}
        }
    }

    /// The token so many before this one.
    fn before(&self, back: usize) -> Option<&Token<'a>> {
        self.at.checked_sub(back + 1).map(|at| &self.tokens[at].0)
    }

    fn token(&self, ahead: usize) -> Option<&Token<'a>> {
        self.tokens.get(self.at + ahead).map(|(token, _)| token)
    }

    /// Whether no space is before the token so many ahead.
    fn adjoins(&self, ahead: usize) -> bool {
        self.tokens.get(self.at + ahead).is_some_and(|(_, spaced)| !spaced)
    }

    /// Whether a value may begin here.
    fn is_operand(&self) -> bool {
        let Some(before) = self.before(0) else { return false };
        match before.kind {
            Kind::Word => may_precede_value(before.text),
            // `->'$.a'` wants its path written.
            Kind::Symbol if before.text == b">" => {
                let is = |back, text: &[u8]| self.before(back).is_some_and(|token| token.text == text);
                !(is(1, b"-") || (is(1, b">") && is(2, b"-")))
            }
            Kind::Symbol => !matches!(before.text, b")" | b"." | b"}" | b"]" | b"?"),
            _ => false,
        }
    }

    /// The value that begins here, and of how many tokens it is.
    fn value(&self) -> Option<(Literal, usize)> {
        let token = self.token(0)?;
        if token.kind == Kind::Symbol && token.text == b"?" {
            return Some((Literal::Unknown, 1));
        }
        if !self.is_operand() {
            return None;
        }
        let frame = self.frames.last().copied().unwrap_or_default();
        match token.kind {
            Kind::Number => self.number(0, frame),
            Kind::Symbol if matches!(token.text, b"-" | b"+") => {
                let (Literal::Number(number), _) = self.number(1, frame)? else { return None };
                let sign = if token.text == b"-" { "-" } else { "" };
                Some((Literal::Number(format!("{sign}{number}")), 2))
            }
            Kind::Text => self.texts(0),
            Kind::Word => self.word(token),
            _ => None,
        }
    }

    fn number(&self, ahead: usize, frame: Frame) -> Option<(Literal, usize)> {
        let token = self.token(ahead).filter(|token| token.kind == Kind::Number)?;
        let follows = self.token(ahead + 1);
        let is_bound = follows.is_some_and(|next| {
            next.kind == Kind::Word
                && (next.text.eq_ignore_ascii_case(b"PRECEDING")
                    || next.text.eq_ignore_ascii_case(b"FOLLOWING"))
        });
        if frame.lengths || is_bound {
            return None;
        }
        if frame.positions {
            let alone = follows.is_none_or(|next| {
                matches!(next.kind, Kind::Word)
                    || (next.kind == Kind::Symbol && matches!(next.text, b"," | b")"))
            });
            if alone {
                return None;
            }
        }
        of_number(token.text).map(|value| (value, 1))
    }

    /// One text, or several side by side, which are one.
    fn texts(&self, ahead: usize) -> Option<(Literal, usize)> {
        let mut text = Vec::new();
        let mut length = ahead;
        while let Some(token) = self.token(length).filter(|token| token.kind == Kind::Text) {
            text.extend(unquoted(token.text));
            length += 1;
        }
        // A path of JSON: servers want most of them written.
        let path = text == b"$" || text.starts_with(b"$.") || text.starts_with(b"$[");
        (length > ahead && !path).then(|| (text_or_bytes(text), length))
    }

    /// A value that begins with a word: `NULL`, `x'4D'`, `_utf8mb4'a'`, `DATE '2026-01-01'`.
    fn word(&self, token: &Token<'_>) -> Option<(Literal, usize)> {
        let next_is_text = self.token(1).is_some_and(|next| next.kind == Kind::Text);
        let is = |word: &[u8]| token.text.eq_ignore_ascii_case(word);
        let after_not = self.before(0).is_some_and(|before| before.text.eq_ignore_ascii_case(b"NOT"));
        let is_name =
            self.token(1).is_some_and(|next| next.kind == Kind::Symbol && matches!(next.text, b"." | b"("));
        if next_is_text && self.adjoins(1) && (is(b"x") || is(b"b")) {
            let digits = unquoted(self.token(1)?.text);
            let value = if is(b"x") { of_hex(&digits) } else { of_bits(&digits) };
            return value.map(|value| (value, 2));
        }
        if next_is_text && self.adjoins(1) && is(b"n") {
            return self.texts(1);
        }
        if token.text.starts_with(b"_") {
            if next_is_text {
                return self.texts(1);
            }
            let number =
                self.token(1).filter(|next| next.kind == Kind::Number && next.text.starts_with(b"0x"));
            if let Some(number) = number {
                return of_number(number.text).map(|value| (value, 2));
            }
            let is_hex = self.token(1).is_some_and(|next| next.text.eq_ignore_ascii_case(b"x"));
            if is_hex && self.adjoins(2) {
                let digits = self.token(2).filter(|next| next.kind == Kind::Text)?;
                return of_hex(&unquoted(digits.text)).map(|value| (value, 3));
            }
        }
        if next_is_text && (is(b"DATE") || is(b"TIME") || is(b"TIMESTAMP")) {
            return self.texts(1);
        }
        match () {
            () if is_name => None,
            () if is(b"NULL") && !after_not => Some((Literal::Null, 1)),
            () if is(b"TRUE") => Some((Literal::Number("1".into()), 1)),
            () if is(b"FALSE") => Some((Literal::Number("0".into()), 1)),
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    /// A shape as text: `?` a value, `…` a list, `<` and `>` around repeated rows.
    fn text(shape: &Shape) -> String {
        let word = |part: &Part| match part {
            Part::Token { text, .. } => String::from_utf8_lossy(text).into_owned(),
            Part::Value { .. } => "?".into(),
            Part::List => "…".into(),
            Part::RowsBegin => "<".into(),
            Part::RowsEnd => ">".into(),
        };
        shape.parts.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    fn shown(values: &[Literal]) -> Vec<String> {
        let one = |value: &Literal| match value {
            Literal::Number(text) => text.clone(),
            Literal::Text(text) => format!("'{text}'"),
            Literal::Bytes(bytes) => format!("{bytes:x?}"),
            Literal::Null => "NULL".into(),
            Literal::Unknown => "?".into(),
        };
        values.iter().map(one).collect()
    }

    #[rstest]
    #[case("SELECT a FROM t WHERE id = -5 AND b > 'x'", "SELECT a FROM t WHERE id = ? AND b > ?", &["-5", "'x'"])]
    #[case("SELECT a-5, b 'c', 1 AS 'd' FROM t", "SELECT a - ? , b 'c' , ? AS 'd' FROM t", &["5", "1"])]
    #[case("SELECT 1 FROM t ORDER BY 2, FIELD(a, 3) LIMIT 4, 5", "SELECT ? FROM t ORDER BY 2 , FIELD ( a , ? ) LIMIT ? , ?", &["1", "3", "4", "5"])]
    #[case("SELECT * FROM t WHERE a IN (1, 2,3) AND b = 1", "SELECT * FROM t WHERE a IN ( … ) AND b = ?", &["1", "2", "3", "1"])]
    #[case("INSERT INTO t (a, b) VALUES (1, NOW(6)), (2, NOW(6))", "INSERT INTO t ( a , b ) VALUES < ( ? , NOW ( 6 ) ) >", &["1", "2"])]
    #[case("SELECT a FROM t WHERE (a, b) IN ((1, 'x'), (2, 'y'))", "SELECT a FROM t WHERE ( a , b ) IN ( < ( ? , ? ) > )", &["1", "'x'", "2", "'y'"])]
    #[case("UPDATE t SET a = NULL, b = x'4d' WHERE c IS NOT NULL AND d = _latin1 'e' 'f'", "UPDATE t SET a = ? , b = ? WHERE c IS NOT NULL AND d = ?", &["NULL", "[4d]", "'ef'"])]
    #[case("SELECT CAST(a AS CHAR(10)), j->'$.a', JSON_EXTRACT(j, '$[0]') FROM t WHERE d = DATE '2026-01-01'", "SELECT CAST ( a AS CHAR ( 10 ) ) , j - > '$.a' , JSON_EXTRACT ( j , '$[0]' ) FROM t WHERE d = ?", &["'2026-01-01'"])]
    #[case("SELECT /*+ NO_ICP(t) */ a /* b */ FROM t -- c\n WHERE d LIKE 'e%' ESCAPE '|'", "SELECT /*+ NO_ICP(t) */ a FROM t WHERE d LIKE ? ESCAPE '|'", &["'e%'"])]
    #[case("SELECT a FROM t WHERE b = ? LIMIT ?", "SELECT a FROM t WHERE b = ? LIMIT ?", &["?", "?"])]
    #[case("CALL p(1, 'a', TRUE, 0b11)", "CALL p ( ? , ? , ? , ? )", &["1", "'a'", "1", "3"])]
    #[case("SELECT SUM(a) OVER (ORDER BY b ROWS 5 PRECEDING) FROM t", "SELECT SUM ( a ) OVER ( ORDER BY b ROWS 5 PRECEDING ) FROM t", &[])]
    fn values_stand_apart(#[case] statement: &str, #[case] shape: &str, #[case] values: &[&str]) {
        let found = Shape::of(statement.as_bytes()).expect("closed");
        assert_eq!(
            (text(&found).as_str(), shown(&found.values)),
            (shape, values.iter().map(ToString::to_string).collect())
        );
    }

    #[test]
    fn statements_that_differ_in_values_alone_have_one_key() {
        let key = |text: &str| Shape::of(text.as_bytes()).expect("closed").key();
        let one = "select `a` from t where b in (1,2) and c='x'";
        assert_eq!(key(one), key("SELECT a\nFROM t WHERE b IN (3, 4, 5) AND c = 'y' -- z"));
        assert_ne!(key(one), key("SELECT a FROM T WHERE b IN (1, 2) AND c = 'x'"));
        assert_ne!(key("SELECT a FROM t ORDER BY 1"), key("SELECT a FROM t ORDER BY 2"));
        assert_eq!(key("INSERT t VALUES (1)"), key("INSERT t VALUES (1), (2), (3)"));
    }

    proptest! {
        #[test]
        fn any_bytes_have_a_shape(text in proptest::collection::vec(prop_oneof![any::<u8>(), proptest::sample::select(b"'\"`-(),?=:x1 IN VALUES".to_vec())], 0..80)) {
            if let Some(shape) = Shape::of(&text) {
                prop_assert!(!shape.key().is_empty() || shape.parts.is_empty());
            }
        }

        #[test]
        fn numbers_and_texts_come_back(number in any::<i64>(), letters in "[a-z äß'\"\\\\;%-]{0,12}") {
            let quoted = letters.replace('\\', "\\\\").replace('\'', "''");
            let found = Shape::of(format!("SELECT a FROM t WHERE b = {number} AND c = '{quoted}'").as_bytes()).expect("closed");
            prop_assert_eq!(found.values, vec![Literal::Number(number.to_string()), Literal::Text(letters)]);
        }
    }
}
