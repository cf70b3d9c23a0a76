//! The tables, views and other objects that a statement makes, drops or refers to, by their names.

use assay_sql::{Kind, Opened, Token};

use crate::data::dump::facts::{is_name, plain};

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

fn is_word(token: &Token<'_>, words: &[&str]) -> bool {
    token.kind == Kind::Word && words.iter().any(|word| token.text.eq_ignore_ascii_case(word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

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
