//! What is replaced in statements of a dump so that another server takes them: accounts that it lacks, collations, modes.

use std::collections::BTreeMap;

use assay_sql::{Kind, Opened, Token};

use crate::data::dump::objects::database_altered;
use crate::data::dump::roles::{AFTER_ROWS, Role};
use crate::data::dump::settings::{Scope, only};

/// A mode of old servers about GRANT, which newer ones refuse to hear.
const OLD_MODE: &str = "NO_AUTO_CREATE_USER";

/// What is replaced, and how often it was.
#[derive(Debug, Default)]
pub(super) struct Rewriting {
    /// By names in lower case.
    collations: BTreeMap<String, String>,
    pub definers: u64,
    pub modes: u64,
    pub collated: u64,
    /// Statements whose settings of the server were left out.
    pub settings: u64,
    /// Whether statements are sent in one session, with its transactions.
    in_one_session: bool,
}

impl Rewriting {
    pub(super) fn new(collations: &BTreeMap<String, String>) -> Self {
        let collations = collations.iter().map(|(from, to)| (from.to_lowercase(), to.clone())).collect();
        Self { collations, ..Self::default() }
    }

    /// Keeps what statements say of transactions, for they are sent in one session.
    pub(super) fn in_one_session(self) -> Self {
        Self { in_one_session: true, ..self }
    }

    /// The statement as it is sent; rows are sent as they stand.
    pub(super) fn rewritten(&mut self, sql: &[u8], role: Role) -> Vec<u8> {
        let is_setting = role == Role::Setting;
        let in_one_session = self.in_one_session;
        let keeps = |scope| scope == Scope::Session || (in_one_session && scope == Scope::Autocommit);
        let fewer = if is_setting { only(sql, keeps) } else { None };
        self.settings += u64::from(fewer.is_some());
        let unnamed = (role == Role::Defaults).then(|| database_altered(sql).1);
        let sql = fewer.as_deref().or(unnamed.as_deref()).unwrap_or(sql);
        let tokens: Vec<Token<'_>> = Opened::new(sql).collect();
        let mut out = Vec::with_capacity(sql.len());
        let (mut at, mut opened) = (0, None);
        // What a routine does is its own text: a definer stands before the kind of what is made.
        let mut may_define = role == Role::Last;
        while let Some(token) = tokens.get(at) {
            if may_define && let Some(length) = definer(&tokens[at..]) {
                self.definers += 1;
                may_define = false;
                at += length;
                continue;
            }
            match token.kind {
                Kind::Code if token.text == b"*/" => {
                    let (from, to) = opened.take().unwrap_or((out.len(), out.len()));
                    if out[to..].iter().all(u8::is_ascii_whitespace) {
                        out.truncate(from);
                    } else {
                        out.extend_from_slice(token.text);
                    }
                }
                Kind::Code => {
                    let from = out.len();
                    out.extend_from_slice(token.text);
                    opened.get_or_insert((from, out.len()));
                }
                Kind::Word | Kind::Identifier => {
                    may_define &=
                        !AFTER_ROWS.iter().any(|kind| token.text.eq_ignore_ascii_case(kind.as_bytes()));
                    let name = String::from_utf8_lossy(token.text).trim_matches('`').to_lowercase();
                    match self.collations.get(&name) {
                        Some(other) => {
                            self.collated += 1;
                            out.extend_from_slice(other.as_bytes());
                        }
                        None => out.extend_from_slice(token.text),
                    }
                }
                Kind::Text if is_setting => out.extend_from_slice(&self.text_of_setting(token.text)),
                _ => out.extend_from_slice(token.text),
            }
            at += 1;
        }
        out
    }

    fn text_of_setting(&mut self, text: &[u8]) -> Vec<u8> {
        let said = String::from_utf8_lossy(text);
        let quote = said.chars().next().unwrap_or('\'');
        let inner = said.trim_matches(quote);
        if let Some(other) = self.collations.get(&inner.to_lowercase()) {
            self.collated += 1;
            return format!("{quote}{other}{quote}").into_bytes();
        }
        if !inner.split(',').any(|mode| mode.trim() == OLD_MODE) {
            return text.to_vec();
        }
        self.modes += 1;
        let kept: Vec<&str> = inner.split(',').filter(|mode| mode.trim() != OLD_MODE).collect();
        format!("{quote}{}{quote}", kept.join(",")).into_bytes()
    }
}

/// The number of tokens of `DEFINER = user@host` at the beginning, with the space after it.
fn definer(tokens: &[Token<'_>]) -> Option<usize> {
    let solid = |from: usize| {
        tokens[from..].iter().position(|token| token.kind != Kind::Space).map(|skipped| from + skipped)
    };
    let is_word = |at: usize, word: &[u8]| tokens[at].text.eq_ignore_ascii_case(word);
    if !is_word(0, b"DEFINER") || tokens[0].kind != Kind::Word {
        return None;
    }
    let equals = solid(1).filter(|at| tokens[*at].text == b"=")?;
    let user = solid(equals + 1)?;
    let mut end = user + 1;
    // CURRENT_USER may have parentheses; a host follows its @ at once, and one without quotes is of the same token.
    match tokens.get(end) {
        Some(token) if token.text == b"(" => end = solid(end + 1)? + 1,
        Some(token) if token.text == b"@" => end = solid(end + 1)? + 1,
        Some(token) if token.kind == Kind::Variable => end += 1,
        _ => {}
    }
    while tokens.get(end).is_some_and(|token| token.kind == Kind::Space) {
        end += 1;
    }
    Some(end)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("CREATE DEFINER=`a`@`%` TRIGGER t", Role::Last, "CREATE TRIGGER t")]
    #[case(
        "/*!50003 CREATE*/ /*!50017 DEFINER=`r`@`l`*/ /*!50003 TRIGGER t */",
        Role::Last,
        "/*!50003 CREATE*/  /*!50003 TRIGGER t */"
    )]
    #[case(
        "/*!50013 DEFINER=`r`@`l` SQL SECURITY DEFINER */",
        Role::Last,
        "/*!50013 SQL SECURITY DEFINER */"
    )]
    #[case("CREATE definer = current_user() VIEW v AS SELECT 1", Role::Last, "CREATE VIEW v AS SELECT 1")]
    #[case("CREATE DEFINER=root@localhost PROCEDURE p()", Role::Last, "CREATE PROCEDURE p()")]
    #[case("CREATE DEFINER='a'@'b' EVENT e", Role::Last, "CREATE EVENT e")]
    #[case("CREATE TRIGGER t SET definer = USER()", Role::Last, "CREATE TRIGGER t SET definer = USER()")]
    #[case(
        "ALTER DATABASE `a` COLLATE utf8mb4_0900_ai_ci",
        Role::Defaults,
        "ALTER DATABASE  COLLATE utf8mb4_unicode_520_ci"
    )]
    #[case("SET @x = 1, GLOBAL y = 2", Role::Setting, "SET @x = 1")]
    #[case("SET sql_mode = 'A,NO_AUTO_CREATE_USER,B'", Role::Setting, "SET sql_mode = 'A,B'")]
    #[case("SELECT 'NO_AUTO_CREATE_USER'", Role::Last, "SELECT 'NO_AUTO_CREATE_USER'")]
    #[case(
        "a CHAR(9) COLLATE utf8mb4_0900_ai_ci COMMENT 'utf8mb4_0900_ai_ci'",
        Role::Last,
        "a CHAR(9) COLLATE utf8mb4_unicode_520_ci COMMENT 'utf8mb4_0900_ai_ci'"
    )]
    #[case(
        "SET collation_connection = 'utf8mb4_0900_ai_ci'",
        Role::Setting,
        "SET collation_connection = 'utf8mb4_unicode_520_ci'"
    )]
    fn statements_are_sent_as_another_server_takes_them(
        #[case] sql: &str,
        #[case] role: Role,
        #[case] sent: &str,
    ) {
        let collations = [("utf8mb4_0900_ai_ci".to_owned(), "utf8mb4_unicode_520_ci".to_owned())];
        let mut rewriting = Rewriting::new(&BTreeMap::from(collations));
        assert_eq!(String::from_utf8(rewriting.rewritten(sql.as_bytes(), role)).expect("UTF-8"), sent);
    }
}
