//! Tokens: where strings, comments, names and numbers of a text begin and end, by the rules of the MySQL manual ("Language
//! Structure") and of MariaDB's executable comments.

use crate::letters::Letters;

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
    /// `/*! … */` or `/*M! … */`: code to some servers. Quotes and comments inside may hold its end mark.
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
    letters: Letters,
}

impl<'a> Tokens<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0, letters: Letters::default() }
    }

    /// Reads quotes as a session does.
    #[must_use]
    pub fn with(self, letters: Letters) -> Self {
        Self { letters, ..self }
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
        let before = self.at.checked_sub(1).map(|before| self.text[before]);
        let (kind, length, unended) = first(rest, before, self.letters)?;
        let token = Token { kind, text: &rest[..length], at: self.at, unended };
        self.at += length;
        Some(token)
    }
}

/// The tokens of a text whose comments with code are open: what they hold is as if it stood in the text, and their marks
/// are tokens of the kind `Code`. A comment for its own client alone stays a comment.
#[derive(Debug, Clone)]
pub struct Opened<'a> {
    tokens: Tokens<'a>,
    within: bool,
}

impl<'a> Opened<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Self { tokens: Tokens::new(text), within: false }
    }

    fn mark(&mut self, at: usize, length: usize) -> Token<'a> {
        self.tokens.at = at + length;
        Token { kind: Kind::Code, text: &self.tokens.text[at..at + length], at, unended: false }
    }
}

impl<'a> Iterator for Opened<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let (text, at) = (self.tokens.text, self.tokens.at);
        let rest = &text[at..];
        if self.within {
            if rest.starts_with(CODE_END) {
                self.within = false;
                return Some(self.mark(at, CODE_END.len()));
            }
            // Marks within marks open nothing: the first end mark ends all of them.
            if let Some(length) = code_mark(rest) {
                return Some(self.mark(at, length));
            }
        }
        let token = self.tokens.next()?;
        if token.kind != Kind::Code {
            return Some(token);
        }
        let length = code_mark(rest).unwrap_or_default();
        if rest[length..].starts_with(OF_CLIENT) {
            return Some(Token { kind: Kind::Comment, ..token });
        }
        self.within = true;
        Some(self.mark(at, length))
    }
}

const CODE_END: &[u8] = b"*/";
/// What follows the mark of a comment that MariaDB's client reads for itself.
const OF_CLIENT: &[u8] = b"\\-";

/// The length of the mark, with its version, of the code that `rest` begins with.
fn code_mark(rest: &[u8]) -> Option<usize> {
    let mark = [&b"/*!"[..], b"/*M!"].into_iter().find(|mark| rest.starts_with(mark))?.len();
    Some(mark + run(&rest[mark..], |byte| byte.is_ascii_digit()))
}

/// The length of the code in a comment that `rest` begins with: servers read its quotes and comments as they do outside.
fn code(rest: &[u8], letters: Letters) -> Option<usize> {
    let mut at = code_mark(rest)?;
    while !rest[at..].starts_with(CODE_END) {
        at += match code_mark(&rest[at..]) {
            Some(length) => length,
            None => match first(&rest[at..], at.checked_sub(1).map(|before| rest[before]), letters)? {
                (_, _, true) => return None,
                (_, length, false) => length,
            },
        };
    }
    Some(at + CODE_END.len())
}

/// The kind and length of the token that `rest` begins with, and whether it lacks its end; `before` is the byte in front.
fn first(rest: &[u8], before: Option<u8>, letters: Letters) -> Option<(Kind, usize, bool)> {
    let next = *rest.first()?;
    let second = rest.get(1).copied();
    let whole = |kind, length| Some((kind, length, false));
    match next {
        _ if next.is_ascii_whitespace() || next == 0x0b => {
            whole(Kind::Space, run(rest, |byte| byte.is_ascii_whitespace() || byte == 0x0b))
        }
        b'\'' | b'"' => Some(quoted(rest, next, letters, Kind::Text)),
        b'`' => Some(quoted(rest, next, letters.of_names(), Kind::Identifier)),
        b'#' => match letters.template(rest) {
            Some(length) => whole(Kind::Parameter, length),
            None => whole(Kind::Comment, to_line_end(rest)),
        },
        b'-' if second == Some(b'-')
            && rest.get(2).is_none_or(|byte| byte.is_ascii_whitespace() || byte.is_ascii_control()) =>
        {
            whole(Kind::Comment, to_line_end(rest))
        }
        b'/' if second == Some(b'*') => {
            let (kind, end) = match code_mark(rest) {
                Some(_) => (Kind::Code, code(rest, letters)),
                None => (Kind::Comment, find(&rest[2..], CODE_END).map(|end| end + 4)),
            };
            Some((kind, end.unwrap_or(rest.len()), end.is_none()))
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
    memchr::memchr(b'\n', rest).unwrap_or(rest.len())
}

pub(crate) fn find(rest: &[u8], what: &[u8]) -> Option<usize> {
    memchr::memmem::find(rest, what)
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

/// A quoted text with its quotes: a doubled quote stands for itself, and a backslash escapes where it is an escape.
fn quoted(rest: &[u8], quote: u8, letters: Letters, kind: Kind) -> (Kind, usize, bool) {
    let mut at = 1;
    while let Some(length) = letters.before_mark(&rest[at..], quote) {
        at += length;
        if rest[at] == quote && rest.get(at + 1) != Some(&quote) {
            return (kind, at + 1, false);
        }
        // A doubled quote, or an escape with what it escapes.
        at = (at + 2).min(rest.len());
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
    #[case("/*!1 a /* it's */ '*/' -- */\n b */ c", &[(Kind::Code, "/*!1 a /* it's */ '*/' -- */\n b */"), (Kind::Word, "c")])]
    #[case("/*!1 /*!2 a */ */", &[(Kind::Code, "/*!1 /*!2 a */"), (Kind::Symbol, "*"), (Kind::Symbol, "/")])]
    #[case("/*/", &[(Kind::Comment, "/*/")])]
    #[case(":a :=b c::d", &[(Kind::Parameter, ":a"), (Kind::Symbol, ":"), (Kind::Symbol, "="), (Kind::Word, "b"), (Kind::Word, "c"), (Kind::Symbol, ":"), (Kind::Symbol, ":"), (Kind::Word, "d")])]
    #[case("@a @@global.b a@b", &[(Kind::Variable, "@a"), (Kind::Variable, "@@global.b"), (Kind::Word, "a"), (Kind::Variable, "@b")])]
    #[case("1e-5 1.5 .5 0x1F 2-1", &[(Kind::Number, "1e-5"), (Kind::Number, "1.5"), (Kind::Number, ".5"), (Kind::Number, "0x1F"), (Kind::Number, "2"), (Kind::Symbol, "-"), (Kind::Number, "1")])]
    #[case("über $x", &[(Kind::Word, "über"), (Kind::Word, "$x")])]
    fn tokens_end_where_the_manual_says(#[case] text: &str, #[case] expected: &[(Kind, &str)]) {
        assert_eq!(kinds(text), expected);
    }

    #[rstest]
    #[case("a /*!50003 b*/ c", "a|/*!50003|b|*/|c")]
    #[case("/*M!1 '*/' */ /* no */", "/*M!1|'*/'|*/|/* no */")]
    #[case("/*!1 a /*!2 b */ */", "/*!1|a|/*!2|b|*/|*|/")]
    #[case("/*M!999999\\- a mode */ b", "/*M!999999\\- a mode */|b")]
    #[case("/*!1 a", "/*!1|a")]
    fn code_in_comments_is_opened(#[case] text: &str, #[case] expected: &str) {
        let tokens = Opened::new(text.as_bytes()).filter(|token| token.kind != Kind::Space);
        let texts: Vec<&str> = tokens.map(|token| str::from_utf8(token.text).expect("UTF-8")).collect();
        assert_eq!(texts.join("|"), expected);
    }

    #[test]
    fn code_within_code_ends_however_deep_it_is() {
        let text = "/*!1 ".repeat(200_000);
        assert_eq!(Opened::new(text.as_bytes()).filter(|token| token.kind == Kind::Code).count(), 200_000);
    }

    #[test]
    fn a_backslash_escapes_where_the_mode_lets_it() {
        let letters = |escapes| Letters { escapes, ..Letters::default() };
        let ended =
            |escapes| Tokens::new(br"'a\' b'").with(letters(escapes)).next().map(|token| token.text.len());
        assert_eq!((ended(true), ended(false)), (Some(7), Some(4)));
    }

    #[rstest]
    #[case("#{id} b", Kind::Parameter, 5)]
    #[case("#{ row.at[0], jdbcType=DATE }", Kind::Parameter, 29)]
    #[case("#{it's}", Kind::Comment, 7)]
    #[case("#{}", Kind::Comment, 3)]
    #[case("#{id", Kind::Comment, 4)]
    fn a_place_that_a_program_fills_in_is_no_comment(
        #[case] text: &str,
        #[case] kind: Kind,
        #[case] length: usize,
    ) {
        let first =
            |letters| Tokens::new(text.as_bytes()).with(letters).next().map(|one| (one.kind, one.text.len()));
        assert_eq!(first(Letters { templates: true, ..Letters::default() }), Some((kind, length)));
        assert_eq!(first(Letters::default()), Some((Kind::Comment, text.len())));
    }

    #[test]
    fn what_nobody_closed_is_said() {
        for text in ["'a", "\"a\\\"", "`a", "/* a", "/*!1", "'a\\"] {
            assert!(Tokens::new(text.as_bytes()).any(|token| token.unended), "{text}");
        }
    }

    proptest! {
        #[test]
        fn tokens_are_the_whole_text(text in proptest::collection::vec(prop_oneof![any::<u8>(), proptest::sample::select(b"'\"`-*/!#:@\\; \n1ea".to_vec())], 0..60)) {
            let tokens: Vec<Token<'_>> = Tokens::new(&text).collect();
            let joined: Vec<u8> = tokens.iter().flat_map(|token| token.text.iter().copied()).collect();
            prop_assert!(tokens.iter().all(|token| !token.text.is_empty()));
            prop_assert!(tokens.iter().rev().skip(1).all(|token| !token.unended));
            prop_assert_eq!(joined, text.clone());
            let opened: Vec<u8> = Opened::new(&text).flat_map(|token| token.text.iter().copied()).collect();
            prop_assert_eq!(opened, text);
        }
    }
}
