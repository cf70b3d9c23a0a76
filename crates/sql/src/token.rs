//! Tokens: where strings, comments, names and numbers of a text begin and end, by the rules of the MySQL manual ("Language
//! Structure") and of MariaDB's executable comments.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Space,
    /// A key word or a name without quotes; any letter beyond ASCII belongs to one.
    Word,
    /// A name in backticks.
    Identifier,
    /// A text in single or double quotes.
    Text,
    Number,
    /// `:name`, a value that is drawn.
    Parameter,
    /// `@name` of the session, `@@name` of the server.
    Variable,
    /// `-- …`, `# …` or `/* … */`, with its marks.
    Comment,
    /// `/*! … */` or `/*M! … */`: code to some servers.
    Code,
    /// Any other byte.
    Symbol,
}

/// A stretch of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    pub kind: Kind,
    /// All of its bytes, quotes and marks included.
    pub text: &'a [u8],
    /// The offset of its first byte.
    pub at: usize,
    /// Whether the text ended before the token did: a quote or a comment that nobody closed.
    pub unended: bool,
}

/// The tokens of a text, one after the other; together they are the text.
#[derive(Debug, Clone)]
pub struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Tokens<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// The offset at which the next token begins.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Goes on at another offset.
    pub fn go_to(&mut self, at: usize) {
        self.at = at.min(self.text.len());
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let rest = &self.text[self.at..];
        let (kind, length, unended) = first(rest, self.at.checked_sub(1).map(|before| self.text[before]))?;
        let token = Token { kind, text: &rest[..length], at: self.at, unended };
        self.at += length;
        Some(token)
    }
}

/// The kind and length of the token that `rest` begins with, and whether it lacks its end; `before` is the byte in front.
fn first(rest: &[u8], before: Option<u8>) -> Option<(Kind, usize, bool)> {
    let next = *rest.first()?;
    let second = rest.get(1).copied();
    let whole = |kind, length| Some((kind, length, false));
    match next {
        _ if next.is_ascii_whitespace() || next == 0x0b => {
            whole(Kind::Space, run(rest, |byte| byte.is_ascii_whitespace() || byte == 0x0b))
        }
        b'\'' | b'"' => Some(quoted(rest, next, true, Kind::Text)),
        b'`' => Some(quoted(rest, next, false, Kind::Identifier)),
        b'#' => whole(Kind::Comment, to_line_end(rest)),
        b'-' if second == Some(b'-')
            && rest.get(2).is_none_or(|byte| byte.is_ascii_whitespace() || byte.is_ascii_control()) =>
        {
            whole(Kind::Comment, to_line_end(rest))
        }
        b'/' if second == Some(b'*') => {
            let kind = if rest.starts_with(b"/*!") || rest.starts_with(b"/*M!") {
                Kind::Code
            } else {
                Kind::Comment
            };
            match find(&rest[2..], b"*/") {
                Some(end) => whole(kind, end + 4),
                None => Some((kind, rest.len(), true)),
            }
        }
        b':' if before != Some(b':') && second.is_some_and(begins_word) => {
            whole(Kind::Parameter, 1 + run(&rest[1..], is_of_word))
        }
        b'@' if second.is_some_and(|byte| begins_word(byte) || byte == b'@') => whole(
            Kind::Variable,
            1 + run(&rest[1..], |byte| is_of_word(byte) || byte == b'@' || byte == b'.'),
        ),
        _ if next.is_ascii_digit() || (next == b'.' && second.is_some_and(|byte| byte.is_ascii_digit())) => {
            whole(Kind::Number, number(rest))
        }
        _ if begins_word(next) => whole(Kind::Word, run(rest, is_of_word)),
        _ => whole(Kind::Symbol, 1),
    }
}

fn begins_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn is_of_word(byte: u8) -> bool {
    begins_word(byte) || byte.is_ascii_digit()
}

fn run(rest: &[u8], belongs: impl Fn(u8) -> bool) -> usize {
    rest.iter().position(|byte| !belongs(*byte)).unwrap_or(rest.len())
}

fn to_line_end(rest: &[u8]) -> usize {
    run(rest, |byte| byte != b'\n')
}

pub(crate) fn find(rest: &[u8], what: &[u8]) -> Option<usize> {
    rest.windows(what.len()).position(|window| window == what)
}

/// A number as MySQL writes one; digits that letters follow are a name (`0x1F`, `1st`), which ends nowhere else.
fn number(rest: &[u8]) -> usize {
    let mut length = run(rest, |byte| is_of_word(byte) || byte == b'.');
    let exponent = matches!(rest[length - 1], b'e' | b'E')
        && rest[..length - 1].iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    if exponent && matches!(rest.get(length), Some(b'+' | b'-')) {
        length += 1 + run(&rest[length + 1..], |byte| byte.is_ascii_digit());
    }
    length
}

/// A quoted text with its quotes: a doubled quote stands for itself, and a backslash escapes where it `escapes`.
fn quoted(rest: &[u8], quote: u8, escapes: bool, kind: Kind) -> (Kind, usize, bool) {
    let mut at = 1;
    while let Some(byte) = rest.get(at) {
        if *byte == b'\\' && escapes {
            at += 2;
        } else if *byte != quote {
            at += 1;
        } else if rest.get(at + 1) == Some(&quote) {
            at += 2;
        } else {
            return (kind, at + 1, false);
        }
    }
    (kind, rest.len(), true)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    fn kinds(text: &str) -> Vec<(Kind, &str)> {
        let tokens = Tokens::new(text.as_bytes()).filter(|token| token.kind != Kind::Space);
        tokens.map(|token| (token.kind, str::from_utf8(token.text).expect("UTF-8"))).collect()
    }

    #[rstest]
    #[case("'it''s; \\' :x'", &[(Kind::Text, "'it''s; \\' :x'")])]
    #[case("\"a \"\" ;\"", &[(Kind::Text, "\"a \"\" ;\"")])]
    #[case("`a\\`;", &[(Kind::Identifier, "`a\\`"), (Kind::Symbol, ";")])]
    #[case("a--b", &[(Kind::Word, "a"), (Kind::Symbol, "-"), (Kind::Symbol, "-"), (Kind::Word, "b")])]
    #[case("-- x\n1", &[(Kind::Comment, "-- x"), (Kind::Number, "1")])]
    #[case("--", &[(Kind::Comment, "--")])]
    #[case("#x", &[(Kind::Comment, "#x")])]
    #[case("/* ; */ /*!40101 a */ /*M!1 b*/", &[(Kind::Comment, "/* ; */"), (Kind::Code, "/*!40101 a */"), (Kind::Code, "/*M!1 b*/")])]
    #[case("/*/", &[(Kind::Comment, "/*/")])]
    #[case(":a :=b c::d", &[(Kind::Parameter, ":a"), (Kind::Symbol, ":"), (Kind::Symbol, "="), (Kind::Word, "b"), (Kind::Word, "c"), (Kind::Symbol, ":"), (Kind::Symbol, ":"), (Kind::Word, "d")])]
    #[case("@a @@global.b a@b", &[(Kind::Variable, "@a"), (Kind::Variable, "@@global.b"), (Kind::Word, "a"), (Kind::Variable, "@b")])]
    #[case("1e-5 1.5 .5 0x1F 2-1", &[(Kind::Number, "1e-5"), (Kind::Number, "1.5"), (Kind::Number, ".5"), (Kind::Number, "0x1F"), (Kind::Number, "2"), (Kind::Symbol, "-"), (Kind::Number, "1")])]
    #[case("über $x", &[(Kind::Word, "über"), (Kind::Word, "$x")])]
    fn tokens_end_where_the_manual_says(#[case] text: &str, #[case] expected: &[(Kind, &str)]) {
        assert_eq!(kinds(text), expected);
    }

    #[test]
    fn what_nobody_closed_is_said() {
        for text in ["'a", "\"a\\\"", "`a", "/* a", "/*!1", "'a\\"] {
            assert!(Tokens::new(text.as_bytes()).any(|token| token.unended), "{text}");
        }
    }

    proptest! {
        #[test]
        fn tokens_are_the_whole_text(text in proptest::collection::vec(prop_oneof![any::<u8>(), proptest::sample::select(b"'\"`-*/#:@\\; \n1ea".to_vec())], 0..60)) {
            let tokens: Vec<Token<'_>> = Tokens::new(&text).collect();
            let joined: Vec<u8> = tokens.iter().flat_map(|token| token.text.iter().copied()).collect();
            prop_assert!(tokens.iter().all(|token| !token.text.is_empty()));
            prop_assert!(tokens.iter().rev().skip(1).all(|token| !token.unended));
            prop_assert_eq!(joined, text.clone());
        }
    }
}
