//! What the tokens of a statement say of it, gathered while it is cut out of its file.

use std::collections::HashMap;

use assay_sql::{Kind, Opened, Token, Tokens};

/// First words that are kept of a statement.
const WORDS_MOST: usize = 24;

/// Words that say something wherever they stand outside of quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Mark {
    /// SELECT, TABLE, DUPLICATE, IGNORE, SET, or a variable: rows that depend on what is there.
    Depends,
    Select,
    /// What the statement before has done on its connection.
    AsksBack,
    References,
    /// A row whose number the server gives.
    Numbered,
    /// A row whose number is 0, which stands for one that the server gives unless `sql_mode` says otherwise.
    Zero,
}

/// Columns that count by themselves: name and number, by the table's name in lower case.
pub(super) type Counting = HashMap<String, (String, usize)>;

/// Where the reader is in a statement of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum At {
    /// Before the name of the table.
    #[default]
    Name,
    /// After it: its columns may be named.
    Columns,
    Values,
    /// Elsewhere, or in a statement of another kind.
    Nowhere,
}

/// What is known of a statement.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// Its first words in capitals, those of its executable comments included; names keep their backticks.
    pub words: Vec<String>,
    marks: u8,
    /// The table that gets rows, in lower case; and the database before it, where one is named.
    pub table: String,
    pub qualifier: Option<String>,
    at: At,
    dotted: bool,
    depth: u32,
    column: usize,
    fresh: bool,
    columns: Vec<String>,
    watched: Option<usize>,
    /// Whether a row must follow.
    awaits_row: bool,
}

impl Facts {
    pub(super) fn has(&self, mark: Mark) -> bool {
        self.marks & (1 << mark as u8) != 0
    }

    /// Whether the statement says what there is, whatever rows there are.
    pub(super) fn defines(&self) -> bool {
        let first = self.words.first().map_or("", String::as_str);
        ["CREATE", "ALTER", "DROP", "RENAME"].contains(&first)
    }

    /// Whether the statement ends within a row of values, or before one.
    pub(super) fn breaks_off(&self) -> bool {
        self.at == At::Values && (self.depth > 0 || self.awaits_row)
    }

    fn mark(&mut self, mark: Mark) {
        self.marks |= 1 << mark as u8;
    }

    /// Forgets all, for the next statement.
    pub(super) fn clear(&mut self) {
        let (mut words, mut columns) = (std::mem::take(&mut self.words), std::mem::take(&mut self.columns));
        words.clear();
        columns.clear();
        *self = Self { words, columns, ..Self::default() };
    }

    /// What is known of a whole statement.
    #[cfg(test)]
    pub(super) fn of(sql: &[u8], counting: &Counting) -> Self {
        let mut facts = Self::default();
        for token in Tokens::new(sql) {
            facts.see(&token, counting);
        }
        facts
    }

    /// Takes the next token of the statement.
    pub(super) fn see(&mut self, token: &Token<'_>, counting: &Counting) {
        if token.kind == Kind::Code {
            Opened::new(token.text).for_each(|token| self.see_open(&token, counting));
        } else {
            self.see_open(token, counting);
        }
    }

    fn see_open(&mut self, token: &Token<'_>, counting: &Counting) {
        match token.kind {
            Kind::Word | Kind::Identifier | Kind::Variable | Kind::Text if is_name_or_variable(token) => {
                if self.words.len() < WORDS_MOST {
                    let word = String::from_utf8_lossy(token.text);
                    let keeps_case = matches!(token.kind, Kind::Identifier | Kind::Text)
                        || self.words.last().is_some_and(|last| last == "USE");
                    self.words.push(if keeps_case { word.into_owned() } else { word.to_uppercase() });
                }
                if token.kind == Kind::Word {
                    self.see_word(token.text);
                }
                if token.kind == Kind::Variable {
                    self.mark(Mark::Depends);
                }
            }
            Kind::Space | Kind::Comment | Kind::Code => return,
            _ => {}
        }
        self.follow(token, counting);
    }

    fn see_word(&mut self, word: &[u8]) {
        let is = |other: &str| word.eq_ignore_ascii_case(other.as_bytes());
        match word.first().map(u8::to_ascii_uppercase) {
            Some(b'S') if is("SELECT") => {
                self.mark(Mark::Depends);
                self.mark(Mark::Select);
            }
            Some(b'S') if is("SET") => self.mark(Mark::Depends),
            Some(b'T') if is("TABLE") => self.mark(Mark::Depends),
            Some(b'D') if is("DUPLICATE") => self.mark(Mark::Depends),
            Some(b'I') if is("IGNORE") => self.mark(Mark::Depends),
            Some(b'L') if is("LAST_INSERT_ID") => self.mark(Mark::AsksBack),
            Some(b'R') if is("ROW_COUNT") => self.mark(Mark::AsksBack),
            Some(b'F') if is("FOUND_ROWS") => self.mark(Mark::AsksBack),
            Some(b'R') if is("REFERENCES") => self.mark(Mark::References),
            _ => {}
        }
    }

    /// Follows a statement of rows from its table to its values.
    fn follow(&mut self, token: &Token<'_>, counting: &Counting) {
        match self.at {
            At::Nowhere => {}
            At::Name => self.follow_name(token),
            At::Columns => self.follow_columns(token, counting),
            At::Values => self.follow_values(token),
        }
    }

    /// A dot right after the name of the table says that it was that of a database; those of a SELECT that follows do not.
    fn follow_columns(&mut self, token: &Token<'_>, counting: &Counting) {
        let after_name = std::mem::take(&mut self.fresh);
        match token.kind {
            Kind::Symbol if token.text == b"." => self.dotted = after_name,
            _ if self.dotted && is_name(token) => {
                self.dotted = false;
                self.qualifier = Some(std::mem::replace(&mut self.table, plain(token.text)));
            }
            Kind::Word
                if token.text.eq_ignore_ascii_case(b"VALUES")
                    || token.text.eq_ignore_ascii_case(b"VALUE") =>
            {
                self.at = At::Values;
                self.awaits_row = true;
                if let Some((name, number)) = counting.get(&self.table) {
                    self.watched = if self.columns.is_empty() {
                        Some(*number)
                    } else {
                        self.columns.iter().position(|column| column == name)
                    };
                    if self.watched.is_none() {
                        self.mark(Mark::Numbered);
                    }
                }
            }
            _ if is_name(token) => self.columns.push(plain(token.text)),
            _ => {}
        }
    }

    fn follow_name(&mut self, token: &Token<'_>) {
        match token.kind {
            Kind::Word if self.words.len() == 1 => {
                if !["INSERT", "REPLACE"].contains(&self.words[0].as_str()) {
                    self.at = At::Nowhere;
                }
            }
            Kind::Word
                if ["INTO", "LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "IGNORE"]
                    .iter()
                    .any(|word| token.text.eq_ignore_ascii_case(word.as_bytes())) => {}
            _ if is_name(token) => {
                self.table = plain(token.text);
                self.at = At::Columns;
                self.fresh = true;
            }
            _ => self.at = At::Nowhere,
        }
    }

    fn follow_values(&mut self, token: &Token<'_>) {
        match (token.kind, token.text) {
            (Kind::Symbol, b"(") => {
                self.depth += 1;
                if self.depth == 1 {
                    (self.column, self.fresh) = (0, true);
                    return;
                }
            }
            (Kind::Symbol, b")") => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    self.awaits_row = false;
                }
                return;
            }
            (Kind::Symbol, b",") if self.depth == 0 => self.awaits_row = true,
            _ if self.depth == 0 => self.awaits_row = false,
            (Kind::Symbol, b",") if self.depth == 1 => {
                self.column += 1;
                self.fresh = true;
                return;
            }
            _ => {}
        }
        if self.depth == 1 && self.fresh && Some(self.column) == self.watched {
            match token.kind {
                Kind::Word => self.mark(Mark::Numbered),
                Kind::Number if token.text.iter().all(|byte| *byte == b'0') => self.mark(Mark::Zero),
                Kind::Text if token.text.len() == 3 && token.text[1] == b'0' => self.mark(Mark::Zero),
                _ => {}
            }
        }
        self.fresh = false;
    }
}

/// A name without its quotes, in lower case.
pub(super) fn plain(name: &[u8]) -> String {
    unquoted(name).to_lowercase()
}

/// A name without its quotes.
pub(super) fn unquoted(name: &[u8]) -> String {
    String::from_utf8_lossy(name).trim_matches(['`', '"']).replace("``", "`")
}

/// Whether a token may name a thing: in double quotes it does so by `ANSI_QUOTES`, and is a text elsewhere.
pub(super) fn is_name(token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Word | Kind::Identifier => true,
        Kind::Text => token.text.starts_with(b"\""),
        _ => false,
    }
}

fn is_name_or_variable(token: &Token<'_>) -> bool {
    token.kind == Kind::Variable || is_name(token)
}

/// The column of a table's definition that counts by itself, and its number.
pub(super) fn counting_column(create: &[u8]) -> Option<(String, usize)> {
    let (mut depth, mut number, mut name) = (0_u32, 0, None);
    for token in Tokens::new(create) {
        match (token.kind, token.text) {
            (Kind::Symbol, b"(") => depth += 1,
            (Kind::Symbol, b")") => depth = depth.saturating_sub(1),
            (Kind::Symbol, b",") if depth == 1 => {
                number += 1;
                name = None;
            }
            (_, text) if depth == 1 && is_name(&token) => {
                if text.eq_ignore_ascii_case(b"AUTO_INCREMENT") && name.is_some() {
                    return name.map(|name| (name, number));
                }
                name.get_or_insert_with(|| plain(text));
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("INSERT INTO `a` VALUES (1,'x'),(2,NULL)", false)]
    #[case("INSERT INTO `a` VALUES (1,'x'),(NULL,'y')", true)]
    #[case("INSERT INTO `s`.`a` VALUES (DEFAULT,'x')", true)]
    #[case("INSERT INTO a (b) VALUES ('x')", true)]
    #[case("INSERT INTO a (b, id) VALUES ('x', 7), (NULL, 8)", false)]
    #[case("INSERT INTO a (b, id) VALUES (f(NULL, NULL), 7), ('x', NULL)", true)]
    #[case("INSERT INTO other VALUES (NULL)", false)]
    #[case("INSERT INTO \"a\" (\"b\") VALUES ('x')", true)]
    #[case("INSERT INTO \"s\".\"a\" VALUES (1,'x')", false)]
    fn rows_whose_number_the_server_gives_are_known(#[case] sql: &str, #[case] numbered: bool) {
        let create = b"CREATE TABLE `a` (`id` int(11) NOT NULL AUTO_INCREMENT, b text, PRIMARY KEY (`id`)) AUTO_INCREMENT=9";
        let found = counting_column(create).expect("a column");
        assert_eq!(found, ("id".to_owned(), 0));
        let facts = Facts::of(sql.as_bytes(), &Counting::from([("a".to_owned(), found)]));
        assert_eq!(facts.has(Mark::Numbered), numbered);
    }

    #[rstest]
    #[case("INSERT INTO a VALUES (1,'x')", false)]
    #[case("INSERT INTO a VALUES (1,'x'),", true)]
    #[case("INSERT INTO a VALUES (1,'x'),(2", true)]
    #[case("INSERT INTO a (b, c) VALUES", true)]
    #[case("INSERT INTO a (b) VALUES (f(1, (2)))", false)]
    #[case("INSERT INTO a VALUES ROW(1), ROW(2)", false)]
    #[case("INSERT INTO a VALUES (1) ON DUPLICATE KEY UPDATE b = VALUES(b)", false)]
    #[case("INSERT INTO a SELECT * FROM (VALUES (1), (2)) b", false)]
    #[case("INSERT INTO a SET b = (1", false)]
    fn rows_that_are_cut_are_known(#[case] sql: &str, #[case] expected: bool) {
        assert_eq!(Facts::of(sql.as_bytes(), &Counting::new()).breaks_off(), expected);
    }

    #[rstest]
    #[case("INSERT INTO a SELECT 1 + b.d, c.id FROM digits b, s.digits c", "a", None)]
    #[case("INSERT INTO `s`.`a` (x) SELECT b.d FROM b", "a", Some("s"))]
    #[case("INSERT INTO a (x) SELECT b.d FROM b", "a", None)]
    #[case("REPLACE s.a VALUES (1.5)", "a", Some("s"))]
    fn the_table_that_gets_rows_is_no_name_of_those_that_give_them(
        #[case] sql: &str,
        #[case] table: &str,
        #[case] database: Option<&str>,
    ) {
        let facts = Facts::of(sql.as_bytes(), &Counting::new());
        assert_eq!((facts.table.as_str(), facts.qualifier.as_deref()), (table, database));
    }
}
