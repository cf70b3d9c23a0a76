//! What each statement of a dump is for, by its words.

use assay_sql::{Kind, Tokens};

/// What a statement of a dump is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A setting of the session that what follows relies on.
    Setting,
    /// A setting around one table's definition, as dumps have it: rows do not depend on it.
    SettingOfTable,
    /// Tables: made and dropped in order.
    Table,
    /// Rows that are written out, which depend on no other statement of rows.
    Rows,
    /// Views, triggers, routines, events: after the rows.
    Last,
    /// Whatever else. What stands after it in the file may rely on it.
    Other,
    /// What a load here has no use for: locks, other databases, the replication of the server that was dumped.
    LeftOut,
}

/// The first words of a statement in capitals, those of its first executable comment included; names keep their backticks.
pub(super) fn words_of(sql: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    gather(sql, &mut found);
    found
}

const WORDS_MOST: usize = 16;

fn gather(sql: &[u8], found: &mut Vec<String>) {
    for token in Tokens::new(sql) {
        if found.len() >= WORDS_MOST {
            return;
        }
        match token.kind {
            Kind::Word | Kind::Identifier | Kind::Variable => {
                let word = String::from_utf8_lossy(token.text);
                let is_name =
                    token.kind == Kind::Identifier || found.last().is_some_and(|last| last == "USE");
                found.push(if is_name { word.into_owned() } else { word.to_uppercase() });
            }
            Kind::Code => {
                if let Some(code) = inside(token.text) {
                    gather(code, found);
                }
            }
            _ => {}
        }
    }
}

/// Settings of a session around the definition of a table, in dumps, and their values.
const OF_TABLE: [&str; 3] = ["CHARACTER_SET_CLIENT", "UTF8", "UTF8MB4"];
/// What is made after the rows, whatever stands between it and its first word.
const AFTER_ROWS: [&str; 5] = ["VIEW", "TRIGGER", "PROCEDURE", "FUNCTION", "EVENT"];
/// Words with which rows depend on what is in a table, or on the statement before.
const DEPENDS: [&str; 6] = ["SELECT", "TABLE", "DUPLICATE", "IGNORE", "LAST_INSERT_ID", "SET"];

pub(super) fn role_of(words: &[&str], sql: &[u8]) -> Role {
    match words {
        [] => Role::LeftOut,
        ["SET", rest @ ..] => {
            let of_server = |word: &&str| {
                matches!(*word, "GLOBAL" | "PERSIST" | "SQL_LOG_BIN" | "GTID_PURGED")
                    || word.starts_with("@@GLOBAL.")
            };
            // Values that are kept to be put back begin with those of the session, and do no harm.
            let of_log = |word: &&str| word.ends_with("SQL_LOG_BIN") && !word.starts_with("@MYSQLDUMP");
            if rest.first().is_some_and(of_server) || rest.iter().any(of_log) {
                Role::LeftOut
            } else if rest.iter().all(|word| word.starts_with('@') || OF_TABLE.contains(word)) {
                Role::SettingOfTable
            } else {
                Role::Setting
            }
        }
        ["LOCK" | "UNLOCK" | "USE" | "COMMIT" | "BEGIN" | "START", ..]
        | ["CREATE" | "DROP", "DATABASE" | "SCHEMA", ..]
        | ["CHANGE", "MASTER" | "REPLICATION", ..] => Role::LeftOut,
        // Keys of InnoDB cannot be disabled, and those of MyISAM are made with the rows.
        ["ALTER", "TABLE", _, "DISABLE" | "ENABLE", "KEYS", ..] => Role::LeftOut,
        ["INSERT", ..] if !depends(sql) => Role::Rows,
        ["CREATE" | "DROP", "TABLE", ..] if !has_word(sql, &["SELECT"]) => Role::Table,
        ["CREATE" | "DROP" | "ALTER", rest @ ..] if rest.iter().any(|word| AFTER_ROWS.contains(word)) => {
            Role::Last
        }
        _ => Role::Other,
    }
}

/// Whether rows are not written out, or stand for others by when they come.
fn depends(sql: &[u8]) -> bool {
    has_word(sql, &DEPENDS) || Tokens::new(sql).any(|token| token.kind == Kind::Variable)
}

/// Whether one of these words is in a statement, outside of quotes and comments; code in comments counts.
pub(super) fn has_word(sql: &[u8], words: &[&str]) -> bool {
    Tokens::new(sql).any(|token| match token.kind {
        Kind::Word => words.iter().any(|word| token.text.eq_ignore_ascii_case(word.as_bytes())),
        Kind::Code => inside(token.text).is_some_and(|code| has_word(code, words)),
        _ => false,
    })
}

/// The code of an executable comment, without its marks and version; `None` where it is for its own client alone.
fn inside(comment: &[u8]) -> Option<&[u8]> {
    let code = comment.strip_prefix(b"/*M!").or_else(|| comment.strip_prefix(b"/*!"))?;
    let code = code.strip_suffix(b"*/").unwrap_or(code);
    let digits = code.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(code.len());
    Some(&code[digits..]).filter(|code| !code.starts_with(b"\\-"))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("/*!40101 SET NAMES utf8mb4 */", Role::Setting)]
    #[case("SET @OLD_X=@@X, FOREIGN_KEY_CHECKS=0", Role::Setting)]
    #[case("/*!50503 SET character_set_client = utf8mb4 */", Role::SettingOfTable)]
    #[case("SET character_set_client = latin1", Role::Setting)]
    #[case("SET @@GLOBAL.GTID_PURGED=/*!80000 '+'*/ 'a:1-2'", Role::LeftOut)]
    #[case("SET @@SESSION.SQL_LOG_BIN= 0", Role::LeftOut)]
    #[case("/*M!999999\\- enable the sandbox mode */", Role::LeftOut)]
    #[case("LOCK TABLES `a` WRITE", Role::LeftOut)]
    #[case("/*!40000 ALTER TABLE `a` DISABLE KEYS */", Role::LeftOut)]
    #[case("CREATE DATABASE /*!32312 IF NOT EXISTS*/ `a`", Role::LeftOut)]
    #[case("-- of a\nINSERT INTO `a` VALUES (1)", Role::Rows)]
    #[case("DROP TABLE IF EXISTS `a`", Role::Table)]
    #[case("/*!50001 CREATE VIEW `v` AS SELECT 1*/", Role::Last)]
    #[case(
        "/*!50003 CREATE*/ /*!50017 DEFINER=`r`@`l`*/ /*!50003 TRIGGER t BEFORE INSERT ON a FOR EACH ROW SET @a=1 */",
        Role::Last
    )]
    #[case("CREATE ALGORITHM=UNDEFINED DEFINER=`r`@`l` SQL SECURITY DEFINER VIEW v AS SELECT 1", Role::Last)]
    #[case("ALTER TABLE a ADD INDEX (b)", Role::Other)]
    #[case("UPDATE a SET b = 1", Role::Other)]
    #[case("CREATE TABLE b AS SELECT 1", Role::Other)]
    #[case("INSERT INTO a SELECT 1", Role::Other)]
    #[case("INSERT INTO a VALUES (@x)", Role::Other)]
    #[case("INSERT INTO a VALUES (LAST_INSERT_ID())", Role::Other)]
    #[case("INSERT INTO a VALUES (1) ON DUPLICATE KEY UPDATE b = 1", Role::Other)]
    #[case("REPLACE INTO a VALUES (1)", Role::Other)]
    #[case("INSERT INTO a VALUES ('SELECT @x')", Role::Rows)]
    fn each_statement_has_its_turn(#[case] sql: &str, #[case] role: Role) {
        let words = words_of(sql.as_bytes());
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        assert_eq!(role_of(&words, sql.as_bytes()), role, "{words:?}");
    }
}
