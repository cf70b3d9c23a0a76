//! Tables that statements make while they run, and the statements that use them: no server prepares these before.

use std::collections::HashSet;

use crate::token::{Kind, Token, Tokens};

/// Says of each statement whether it uses a table that another one of them makes, as `CREATE TEMPORARY TABLE` does.
pub fn uses_made<'a>(statements: impl Iterator<Item = &'a [u8]> + Clone) -> Vec<bool> {
    let made: HashSet<Vec<u8>> = statements.clone().filter_map(made_table).collect();
    let uses = |sql: &'a [u8]| !made.is_empty() && solid(sql).any(|token| made.contains(&plain(&token)));
    statements.map(uses).collect()
}

/// The name of the table that a statement makes, in small letters and without its database.
fn made_table(sql: &[u8]) -> Option<Vec<u8>> {
    const BEFORE: [&[u8]; 7] = [b"OR", b"REPLACE", b"TEMPORARY", b"TABLE", b"IF", b"NOT", b"EXISTS"];
    let is =
        |token: &Token<'_>, word: &[u8]| token.kind == Kind::Word && token.text.eq_ignore_ascii_case(word);
    let mut tokens = solid(sql).peekable();
    tokens.next().filter(|first| is(first, b"CREATE"))?;
    let mut is_table = false;
    while let Some(token) = tokens.next_if(|token| BEFORE.iter().any(|word| is(token, word))) {
        is_table |= is(&token, b"TABLE");
    }
    let mut name = tokens.next().filter(|_| is_table)?;
    if tokens.next_if(|token| token.text == b".").is_some() {
        name = tokens.next()?;
    }
    Some(plain(&name))
}

fn solid(sql: &[u8]) -> impl Iterator<Item = Token<'_>> {
    Tokens::new(sql).filter(|token| !matches!(token.kind, Kind::Space | Kind::Comment))
}

/// A name as all its spellings are.
fn plain(token: &Token<'_>) -> Vec<u8> {
    let text = match token.kind {
        Kind::Identifier => token.text.trim_ascii_start().strip_prefix(b"`").unwrap_or(token.text),
        _ => token.text,
    };
    text.strip_suffix(b"`").unwrap_or(text).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(&["CREATE TEMPORARY TABLE tt (a INT)", "INSERT INTO `TT` VALUES (?)", "SELECT 1 FROM other"], &[true, true, false])]
    #[case(&["create table if not exists shop.`t t` as select 1", "select * from shop.`t t`"], &[true, true])]
    #[case(&["CREATE OR REPLACE TEMPORARY TABLE a LIKE b", "SELECT * FROM b", "DROP TABLE a"], &[true, false, true])]
    #[case(&["CREATE INDEX a ON b (c)", "SELECT * FROM a"], &[false, false])]
    #[case(&["SELECT a FROM b", "-- CREATE TABLE b\nSELECT 'b'"], &[false, false])]
    fn what_rests_on_another_statement_is_known(#[case] statements: &[&str], #[case] rests: &[bool]) {
        assert_eq!(uses_made(statements.iter().map(|sql| sql.as_bytes())), rests);
    }
}
