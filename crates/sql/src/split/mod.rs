//! Statements of a text of several, as the client `mysql` cuts it: by a delimiter outside of quotes and comments, which the
//! line `DELIMITER //` changes, and by `\g` and `\G`. The client's own commands `USE` and `SOURCE` end with their line.

use crate::letters::Letters;
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

/// What the rules find next in a text, by offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    Statement {
        from: usize,
        to: usize,
    },
    Annotation {
        from: usize,
        to: usize,
        at: usize,
        trails: bool,
    },
    Unended {
        at: usize,
    },
    /// What there is of the text does not say: there must be more of it.
    More,
    End,
}

/// The rules by which a text is cut, and how far they have come in it.
#[derive(Debug)]
pub(crate) struct Cutter {
    delimiter: Vec<u8>,
    /// The offset at which the next token begins.
    pub(crate) at: usize,
    /// The first byte of the statement that is being read.
    pub(crate) begun: Option<usize>,
    /// The end of its last token that is no space and no comment.
    ended: usize,
    /// Whether semicolons may stand in the statement, where another delimiter ends it, and how many words it has so far.
    has_body: bool,
    words: usize,
    /// The end of the last statement, delimiter included, while its line goes on.
    line_of_last: Option<usize>,
    /// How quotes are read.
    pub(crate) letters: Letters,
}

/// Commands of the client that need no delimiter.
const COMMANDS: [&[u8]; 2] = [b"use", b"source"];

impl Default for Cutter {
    fn default() -> Self {
        Self {
            delimiter: vec![b';'],
            at: 0,
            begun: None,
            ended: 0,
            has_body: false,
            words: 0,
            line_of_last: None,
            letters: Letters::default(),
        }
    }
}

impl Cutter {
    /// Goes on in a text that lacks its first bytes, which were cut already.
    pub(crate) fn shift(&mut self, bytes: usize) {
        self.at -= bytes;
        self.begun = self.begun.map(|begun| begun - bytes);
        self.ended = self.ended.saturating_sub(bytes);
    }

    /// Finds what comes next in `text`; `whole`: there is no more of it. `see` hears every token of a statement but spaces
    /// and comments, once.
    pub(crate) fn next(&mut self, text: &[u8], whole: bool, see: &mut dyn FnMut(&Token<'_>)) -> Cut {
        let mut plain = self.delimiter == b";";
        let mut tokens = Tokens::new(text).with(self.letters);
        tokens.go_to(self.at);
        loop {
            let at = tokens.at();
            self.at = at;
            // What a token is, its next two bytes may decide; a delimiter and a message have a few more.
            if !whole && text.len() - at < self.delimiter.len().max(LONGEST_MARK) {
                return Cut::More;
            }
            // Most tokens begin with none of the bytes that these rules are about: one look at the first tells.
            let first = text.get(at).copied();
            // The client ends a statement at `\g` and `\G` too, whatever the delimiter is.
            let is_go = first == Some(b'\\') && matches!(text.get(at + 1), Some(b'G' | b'g'));
            // A delimiter of several bytes may be words or symbols: it is looked for before tokens are.
            let is_end = first.as_ref() == self.delimiter.first()
                && (plain || text[at..].starts_with(&self.delimiter));
            if is_go || is_end {
                self.at = at + if is_go { 2 } else { self.delimiter.len() };
                tokens.go_to(self.at);
                if let Some(from) = self.begun.take() {
                    self.line_of_last = Some(self.at);
                    return Cut::Statement { from, to: self.ended };
                }
                continue;
            }
            if let Some(line) = self.aside(text, at) {
                let Some(line) = line_of(line, whole) else { return Cut::More };
                tokens.go_to(at + line.len());
                continue;
            }
            let Some(token) = tokens.next() else {
                return self.begun.take().map_or(Cut::End, |from| Cut::Statement { from, to: self.ended });
            };
            let end = token.at + token.text.len();
            if !whole && end == text.len() {
                return Cut::More;
            }
            if token.unended {
                self.at = text.len();
                self.begun = None;
                return Cut::Unended { at: token.at };
            }
            // `END$$`: what ends a statement need not stand apart from its last word.
            if !plain
                && !matches!(token.kind, Kind::Text | Kind::Identifier | Kind::Comment | Kind::Code)
                && let Some(inside) = find(token.text, &self.delimiter)
            {
                tokens.go_to(token.at + inside);
                self.begun.get_or_insert(token.at);
                self.ended = token.at + inside;
                see(&Token { text: &token.text[..inside], ..token });
                continue;
            }
            if let Some(cut) = self.before_delimiter(&token, text, whole) {
                return cut;
            }
            match token.kind {
                Kind::Space => {
                    if token.text.contains(&b'\n') {
                        self.line_of_last = None;
                    }
                }
                Kind::Comment => {
                    if let Some(found) = annotation(token.text) {
                        let trails = self.begun.is_none() && self.line_of_last.is_some();
                        let from = found.as_ptr() as usize - text.as_ptr() as usize;
                        self.at = end;
                        return Cut::Annotation { from, to: from + found.len(), at: token.at, trails };
                    }
                }
                Kind::Word if self.begun.is_none() && token.text.eq_ignore_ascii_case(b"delimiter") => {
                    let Some(line) = line_of(&text[end..], whole) else { return Cut::More };
                    self.take_delimiter(line);
                    plain = self.delimiter == b";";
                    tokens.go_to(end + line.len());
                }
                Kind::Word | Kind::Symbol if self.begun.is_none() && is_command(&text[at..], &token) => {
                    let Some(line) = line_of(&text[at..], whole) else { return Cut::More };
                    let cut = find(line, &self.delimiter);
                    let names = line.iter().any(u8::is_ascii_whitespace)
                        && line.trim_ascii_end().len() > token.text.len();
                    if token.kind == Kind::Word && (cut.is_some() || !names) {
                        self.begun = Some(at);
                        self.ended = end;
                        see(&token);
                        continue;
                    }
                    let to = at + line[..cut.unwrap_or(line.len())].trim_ascii_end().len();
                    Tokens::new(&text[at..to])
                        .filter(|token| token.kind != Kind::Space)
                        .for_each(|token| see(&token));
                    self.at = at + line.len();
                    self.line_of_last = None;
                    return Cut::Statement { from: at, to };
                }
                Kind::Symbol if !plain && self.begun.is_none() && token.text == b";" => {}
                _ => {
                    self.follow(&token);
                    self.begun.get_or_insert(token.at);
                    self.ended = end;
                    see(&token);
                }
            }
        }
    }

    /// Follows the first words of a statement, which say whether it has a body of statements.
    fn follow(&mut self, token: &Token<'_>) {
        if self.delimiter == b";" || (self.has_body && self.begun.is_some()) {
            return;
        }
        let is = |words: &[&str]| words.iter().any(|word| token.text.eq_ignore_ascii_case(word.as_bytes()));
        if self.begun.is_none() {
            self.words = if is(&["CREATE", "ALTER"]) { 0 } else { WORDS_BEFORE_NAME };
            self.has_body = token.kind != Kind::Word || is(&COMPOUND);
        }
        if token.kind == Kind::Word {
            self.words += 1;
            self.has_body |= self.words <= WORDS_BEFORE_NAME && is(&WITH_BODIES);
        }
    }

    /// What stands between statements on a line of its own and is no SQL: all that follows it, from its first byte on.
    fn aside<'a>(&self, text: &'a [u8], at: usize) -> Option<&'a [u8]> {
        let rest = &text[at..];
        if self.begun.is_some() || !matches!(rest.first(), Some(b'-' | b'm' | b'W')) {
            return None;
        }
        // The client takes two hyphens that begin a line for a comment, as in a line of hyphens; `--@let` lacks a space.
        let is_drawn = || {
            let after = rest.strip_prefix(b"--").and_then(|after| after.first());
            self.line_of_last.is_none() && after.is_some_and(|byte| byte.is_ascii_graphic() && *byte != b'@')
        };
        let is_message = || MESSAGES.iter().any(|one| rest.starts_with(one)) && begins_line(&text[..at]);
        (is_drawn() || is_message()).then_some(rest)
    }

    /// The statement that lacks its delimiter: before a line that changes it, where the client sends what stands before, or
    /// at a semicolon, where the client sends several as one and the server parts them.
    fn before_delimiter(&mut self, token: &Token<'_>, text: &[u8], whole: bool) -> Option<Cut> {
        let from = self.begun?;
        if token.text == b";" && self.delimiter != b";" && !self.has_body {
            self.begun = None;
            self.at = token.at + 1;
            self.line_of_last = Some(self.at);
            return Some(Cut::Statement { from, to: self.ended });
        }
        let is_named = token.kind == Kind::Word && token.text.eq_ignore_ascii_case(b"delimiter");
        if !is_named || !begins_line(&text[..token.at]) {
            return None;
        }
        match line_of(&text[token.at + token.text.len()..], whole) {
            None => Some(Cut::More),
            Some(line) if is_delimiter(line) => {
                self.begun = None;
                Some(Cut::Statement { from, to: self.ended })
            }
            Some(_) => None,
        }
    }

    /// Takes the delimiter that the rest of a client's own line, `DELIMITER //`, names.
    fn take_delimiter(&mut self, line: &[u8]) {
        let chosen = line.trim_ascii();
        let end = chosen.iter().position(u8::is_ascii_whitespace).unwrap_or(chosen.len());
        if end > 0 {
            self.delimiter = chosen[..end].to_vec();
        }
    }
}

/// Words with which a statement begins that holds others.
const COMPOUND: [&str; 9] = ["BEGIN", "IF", "CASE", "LOOP", "REPEAT", "WHILE", "FOR", "DECLARE", "EXECUTE"];
/// Kinds of things that are made with a body of statements, and the most words up to them.
const WITH_BODIES: [&str; 5] = ["PROCEDURE", "FUNCTION", "TRIGGER", "EVENT", "PACKAGE"];
const WORDS_BEFORE_NAME: usize = 12;

/// What a program that dumps says of itself among its SQL, where both of its outputs were written into one file.
const MESSAGES: [&[u8]; 5] =
    [b"mysqldump: ", b"mariadb-dump: ", b"mysqlpump: ", b"mysql: [", b"Warning: Using a password"];

/// The most bytes that decide what comes next: those of a message; all else needs three.
const LONGEST_MARK: usize = 25;

/// The text up to the end of its line; `None`: there must be more of it.
fn line_of(rest: &[u8], whole: bool) -> Option<&[u8]> {
    match rest.iter().position(|byte| *byte == b'\n') {
        Some(end) => Some(&rest[..end]),
        None => whole.then_some(rest),
    }
}

/// Whether nothing but blanks stands between the end of a text and the beginning of its last line.
fn begins_line(text: &[u8]) -> bool {
    let solid = text.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t'));
    solid.is_none_or(|byte| *byte == b'\n')
}

/// Whether the rest of a line names a delimiter of marks alone, which no column called `delimiter` is followed by.
fn is_delimiter(line: &[u8]) -> bool {
    let named = line.trim_ascii();
    line.first().is_some_and(u8::is_ascii_whitespace)
        && !named.is_empty()
        && named.iter().all(|byte| b";$/|!@#%^&~\\".contains(byte))
}

/// Whether a text begins with a command of the client: `use shop`, `\. shop.sql`.
fn is_command(rest: &[u8], token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Word => COMMANDS.iter().any(|one| token.text.eq_ignore_ascii_case(one)),
        _ => rest.starts_with(b"\\."),
    }
}

/// The statements and annotations of a text, in order.
#[derive(Debug)]
pub struct Pieces<'a> {
    text: &'a [u8],
    cutter: Cutter,
}

impl<'a> Pieces<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        Self { text, cutter: Cutter::default() }
    }

    /// Reads bytes by these rules.
    #[must_use]
    pub fn with(mut self, letters: Letters) -> Self {
        self.cutter.letters = letters;
        self
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let text = self.text;
        match self.cutter.next(text, true, &mut |_| {}) {
            Cut::Statement { from, to } => Some(Piece::Statement { text: &text[from..to], at: from }),
            Cut::Annotation { from, to, at, trails } => {
                Some(Piece::Annotation { text: &text[from..to], at, trails })
            }
            Cut::Unended { at } => Some(Piece::Unended { at }),
            Cut::More | Cut::End => None,
        }
    }
}

/// What some editors begin a text of UTF-8 with.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The text of an annotation, where a comment is one: `-- @let …`.
fn annotation(comment: &[u8]) -> Option<&[u8]> {
    let text = comment.strip_prefix(b"--")?.trim_ascii();
    text.starts_with(b"@").then_some(text)
}

#[cfg(test)]
mod tests;
