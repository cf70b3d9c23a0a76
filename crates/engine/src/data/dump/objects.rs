//! The tables, views and other objects that a statement makes, drops or refers to, by their names.

use assay_sql::{Kind, Opened, Token};

use crate::data::dump::facts::{is_name, plain, unquoted};

/// A name, in lower case, and the database before it where one is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Object {
    pub database: Option<String>,
    pub name: String,
}

/// Key words before the name of an object.
const KINDS: [&str; 7] = ["TABLE", "SEQUENCE", "VIEW", "TRIGGER", "PROCEDURE", "FUNCTION", "EVENT"];

/// What a statement `CREATE`, `DROP` or `ALTER` names: `DROP` may name several.
pub(super) fn objects(sql: &[u8]) -> Vec<Object> {
    let mut tokens = solid(sql);
    tokens.find(|token| is_word(token, &KINDS));
    let mut tokens = tokens.skip_while(|token| is_word(token, &["IF", "NOT", "EXISTS"])).peekable();
    let mut found = Vec::new();
    while let Some(object) = name(&mut tokens) {
        found.push(object);
        if tokens.next_if(|token| token.text == b",").is_none() {
            break;
        }
    }
    found
}

/// The table after a key word: that of a trigger after `ON`, another's form after `LIKE`.
pub(super) fn object_after(sql: &[u8], word: &str) -> Option<Object> {
    let mut tokens = solid(sql);
    tokens.find(|token| is_word(token, &[word]))?;
    name(&mut tokens.peekable())
}

/// The database that a statement makes, with the case of its letters, which some servers tell apart.
pub(super) fn database_made(sql: &[u8]) -> Option<String> {
    let mut tokens = solid(sql);
    tokens.find(|token| is_word(token, &["DATABASE", "SCHEMA"]))?;
    let mut tokens = tokens.skip_while(|token| is_word(token, &["IF", "NOT", "EXISTS"]));
    tokens.next().filter(is_name).map(|token| unquoted(token.text))
}

/// The database that `ALTER DATABASE` names, in lower case, and the statement without that name: it changes the database
/// of the session, whatever that is called.
pub(super) fn database_altered(sql: &[u8]) -> (Option<String>, Vec<u8>) {
    const OPTIONS: [&str; 7] =
        ["DEFAULT", "CHARACTER", "CHARSET", "COLLATE", "ENCRYPTION", "READ", "COMMENT"];
    let after = solid(sql).skip_while(|token| !is_word(token, &["DATABASE", "SCHEMA"])).nth(1);
    match after.filter(|token| is_name(token) && !is_word(token, &OPTIONS)) {
        Some(name) => {
            let end = name.at + name.text.len();
            (Some(plain(name.text)), [&sql[..name.at], &sql[end..]].concat())
        }
        None => (None, sql.to_vec()),
    }
}

/// The name that stands before a point in a statement and is this one, whatever the case of its letters.
pub(super) fn as_written(sql: &[u8], database: &str) -> Option<String> {
    let mut tokens = solid(sql).peekable();
    while let Some(token) = tokens.next() {
        if is_name(&token)
            && plain(token.text) == database
            && tokens.peek().is_some_and(|next| next.text == b".")
        {
            return Some(unquoted(token.text));
        }
    }
    None
}

/// The tokens of a statement but spaces and comments; code in comments counts.
pub(super) fn solid(sql: &[u8]) -> impl Iterator<Item = Token<'_>> {
    Opened::new(sql).filter(|token| !matches!(token.kind, Kind::Space | Kind::Comment | Kind::Code))
}

fn name<'a>(tokens: &mut std::iter::Peekable<impl Iterator<Item = Token<'a>>>) -> Option<Object> {
    let first = plain(tokens.next_if(is_name)?.text);
    if tokens.next_if(|token| token.text == b".").is_none() {
        return Some(Object { database: None, name: first });
    }
    Some(Object { database: Some(first), name: plain(tokens.next_if(is_name)?.text) })
}

pub(super) fn is_word(token: &Token<'_>, words: &[&str]) -> bool {
    token.kind == Kind::Word && words.iter().any(|word| token.text.eq_ignore_ascii_case(word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(
        "CREATE DATABASE /*!32312 IF NOT EXISTS*/ `Shop` /*!40100 DEFAULT CHARACTER SET utf8 */",
        Some("Shop")
    )]
    #[case("create schema if not exists Shop", Some("Shop"))]
    #[case("DROP TABLE a", None)]
    fn the_database_that_is_made_is_known(#[case] sql: &str, #[case] name: Option<&str>) {
        assert_eq!(database_made(sql.as_bytes()).as_deref(), name);
        assert_eq!(
            as_written(b"INSERT INTO /* x */ Shop . `a` VALUES ('shop.b')", "shop").as_deref(),
            Some("Shop")
        );
    }

    #[rstest]
    #[case("ALTER DATABASE `Shop` COLLATE utf8mb4_bin", Some("shop"), "ALTER DATABASE  COLLATE utf8mb4_bin")]
    #[case(
        "/*!40101 alter schema CHARACTER SET utf8 */",
        None,
        "/*!40101 alter schema CHARACTER SET utf8 */"
    )]
    #[case("ALTER DATABASE `default` COLLATE a", Some("default"), "ALTER DATABASE  COLLATE a")]
    fn a_database_that_is_altered_is_that_of_the_session(
        #[case] sql: &str,
        #[case] name: Option<&str>,
        #[case] sent: &str,
    ) {
        let (found, without) = database_altered(sql.as_bytes());
        assert_eq!((found.as_deref(), without.as_slice()), (name, sent.as_bytes()));
    }

    #[rstest]
    #[case("CREATE TABLE IF NOT EXISTS `S`.`a` (id INT)", "s.a")]
    #[case("CREATE TABLE \"a\" (id INT)", "a")]
    #[case("/*!50001 DROP TABLE IF EXISTS `a`*/", "a")]
    #[case("DROP TABLE a, s . `b` CASCADE", "a s.b")]
    #[case(
        "/*!50003 CREATE*/ /*!50017 DEFINER=`r`@`l`*/ /*!50003 TRIGGER `s`.`t` BEFORE INSERT ON a */",
        "s.t"
    )]
    #[case("SELECT 1", "")]
    fn what_a_statement_names_is_known(#[case] sql: &str, #[case] expected: &str) {
        let text = |object: Object| {
            object
                .database
                .map_or_else(|| object.name.clone(), |database| format!("{database}.{}", object.name))
        };
        let found: Vec<String> = objects(sql.as_bytes()).into_iter().map(text).collect();
        assert_eq!(found.join(" "), expected);
    }
}
