//! What a server refuses of a dump: its place in the files, and what to do about the usual reasons.

use assay_wire::Error;
use memchr::memmem::find;

use crate::data::dump::read::shown;
use crate::data::dump::send::Sent;
use crate::process::failure::Fatal;

impl Sent {
    /// The error of a statement at a place.
    pub(super) fn refused(&self, place: &str, sql: &[u8], error: &Error) -> Fatal {
        let mut fatal = Fatal::statement(&format!("{place}: {}", shown(sql)), error);
        let other = named_database(&fatal.message).filter(|name| !name.eq_ignore_ascii_case(&self.database));
        let hint = match (error.code(), other) {
            (Some(1273), _) => Some(
                "let another collation stand in for it: [dataset] collation = {utf8mb4_0900_ai_ci = \"utf8mb4_unicode_520_ci\"}".into(),
            ),
            (Some(1115), _) => {
                Some("let another character set stand in for it: [dataset] collation = {utf8mb3 = \"utf8\"}".into())
            }
            (Some(1044 | 1049 | 1146), Some(name)) => Some(format!(
                "the statement needs the database {name}, and the tables are made in {}: leave it out, or load the file by \
                 [dataset] use, into the database that it names", self.database
            )),
            (Some(1146), None) => Some("no statement before makes the table: name the folder of all files of the dump".into()),
            (Some(1050), _) => Some("the table is made twice: leave one of its definitions out".into()),
            (Some(1064), _) if is_message(sql) => Some(
                "leave the line out: it is a message of the dump program, which the shell's 2>&1 has put into the file".into(),
            ),
            (Some(1064), _) if reserved(&fatal.message).is_some() => {
                let word = reserved(&fatal.message).unwrap_or_default();
                Some(format!("{word} is a word of SQL to this server, and a name to older ones: write it in backticks"))
            }
            (Some(1064), _) if find(sql, b" TYPE=").is_some() => {
                Some("write ENGINE= in place of TYPE=, as servers from MySQL 5.5 on want it".into())
            }
            (Some(1067 | 1292), _) => Some(
                "the file is of a server with another sql_mode: write SET sql_mode = 'NO_ENGINE_SUBSTITUTION'; at its beginning".into(),
            ),
            (Some(1005 | 1215 | 1822 | 1824), _) if find(sql, b"REFERENCES").is_some() => Some(
                "a table that it refers to is not there, or its column is of another type: put that table before it, or write \
                 SET foreign_key_checks = 0; at the beginning of the file".into(),
            ),
            (Some(1286), _) => Some(
                "the server has no such engine: write SET sql_mode = ''; at the beginning of the file, and it takes its own".into(),
            ),
            (Some(1062), _) => Some("two rows have the same key: leave one out, or write INSERT IGNORE".into()),
            (Some(1148 | 3948), _) => Some("files of rows need local_infile = ON at the server".into()),
            (Some(1366 | 1300), _) => {
                Some("the file must say its character set: SET NAMES latin1; at its beginning".into())
            }
            _ => fatal.hint.clone(),
        };
        fatal.hint = hint;
        fatal
    }
}

/// Whether a text begins with what a dump program says on its terminal.
fn is_message(sql: &[u8]) -> bool {
    const SAID: [&[u8]; 4] =
        [b"mysqldump: ", b"mariadb-dump: ", b"Enter password:", b"Warning: Using a password"];
    SAID.iter().any(|said| sql.starts_with(said))
}

/// Words that became words of SQL after MySQL 5.6 and MariaDB 10.1, and that tables have as names (manuals, "Keywords and
/// Reserved Words").
const RESERVED: [&str; 31] = [
    "ARRAY",
    "CUBE",
    "CUME_DIST",
    "DENSE_RANK",
    "EMPTY",
    "EXCEPT",
    "FIRST_VALUE",
    "GENERATED",
    "GROUPING",
    "GROUPS",
    "INTERSECT",
    "LAG",
    "LAST_VALUE",
    "LATERAL",
    "LEAD",
    "MANUAL",
    "NTILE",
    "OF",
    "OFFSET",
    "OVER",
    "PARALLEL",
    "PARTITION",
    "PERCENT_RANK",
    "QUALIFY",
    "RANK",
    "RECURSIVE",
    "ROWS",
    "ROW_NUMBER",
    "SYSTEM",
    "VIRTUAL",
    "WINDOW",
];

/// The word before which a server stopped to understand, where it is one of these.
fn reserved(message: &str) -> Option<&str> {
    let near = message.rsplit_once("near '")?.1;
    let end = near.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')?;
    let word = &near[..end];
    RESERVED.iter().any(|one| one.eq_ignore_ascii_case(word)).then_some(word)
}

/// The database that a message of a server names: `Unknown database 'shop'`, `Table 'shop.a' doesn't exist`.
fn named_database(message: &str) -> Option<&str> {
    let after = ["nknown database '", "Table '"].iter().find_map(|before| message.rsplit_once(before))?.1;
    let name = after.split(['\'', '.']).next()?;
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[test]
    fn what_a_dump_program_says_is_no_statement() {
        assert!(is_message(b"mysqldump: [Warning] Using a password\n-- MySQL dump 10.13"));
        assert!(!is_message(b"SELECT 'mysqldump: '"));
    }

    #[rstest]
    #[case("right syntax to use near 'rank int NOT NULL' at line 3", Some("rank"))]
    #[case("right syntax to use near 'foo int' at line 3", None)]
    #[case("right syntax to use near '' at line 1", None)]
    fn a_name_that_became_a_word_is_known(#[case] message: &str, #[case] word: Option<&str>) {
        assert_eq!(reserved(message), word);
    }

    #[rstest]
    #[case("a.sql:1: SELECT: server error 1049 (42000): Unknown database 'shop'", Some("shop"))]
    #[case("a.sql:1: x: server error 1146 (42S02): Table 'shop.a' doesn't exist", Some("shop"))]
    #[case("a.sql:1: x: server error 1064", None)]
    fn the_database_of_a_message_is_known(#[case] message: &str, #[case] name: Option<&str>) {
        assert_eq!(named_database(message), name);
    }
}
