//! What each statement of a dump is for, by its words.

use assay_sql::Kind;

use crate::data::dump::facts::{Facts, Mark};
use crate::data::dump::functions::is_harmless;
use crate::data::dump::objects::solid;
use crate::data::dump::settings::{Scope, assignments};

/// What a statement of a dump is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A setting of the session.
    Setting,
    /// What the database gives to the tables, views and routines that are made after it.
    Defaults,
    /// Tables: made and dropped in order.
    Table,
    /// Rows that are written out, which depend on no other statement of rows.
    Rows,
    /// Rows that depend on others.
    DependentRows,
    /// Views, triggers, routines, events, statistics: after the rows.
    Last,
    /// Transactions and locks, which a statement alone has no use for.
    Transaction,
    /// Whatever else. What stands after it in the file may rely on it.
    Other,
    /// What a load here has no use for, and a word for it.
    LeftOut(&'static str),
}

/// What is left out of a dump that makes databases and changes between them.
pub(super) const DATABASES: &str = "databases";
/// What is made after the rows, whatever stands between it and its first word.
pub(super) const AFTER_ROWS: [&str; 5] = ["VIEW", "TRIGGER", "PROCEDURE", "FUNCTION", "EVENT"];
/// Words of `ALTER DATABASE` that say how texts are kept and compared.
const COLLATES: [&str; 3] = ["CHARACTER", "CHARSET", "COLLATE"];
pub(super) fn role_of(facts: &Facts, sql: &[u8]) -> Role {
    let words: Vec<&str> = facts.words.iter().map(String::as_str).collect();
    match words[..] {
        [] => Role::LeftOut("comments of the dump program"),
        ["SET", "STATEMENT", ..] => Role::Other,
        ["SET", ..] => role_of_set(sql),
        // BEGIN with more after it is a block of statements.
        ["LOCK" | "UNLOCK" | "COMMIT", ..] | ["BEGIN"] | ["BEGIN", "WORK"] | ["START", "TRANSACTION", ..] => {
            Role::Transaction
        }
        ["ALTER", "DATABASE" | "SCHEMA", ref rest @ ..]
            if rest.iter().any(|word| COLLATES.contains(word)) =>
        {
            Role::Defaults
        }
        ["USE", ..] | ["CREATE" | "DROP" | "ALTER", "DATABASE" | "SCHEMA", ..] => Role::LeftOut(DATABASES),
        ["CHANGE", "MASTER" | "REPLICATION", ..]
        | ["START" | "STOP" | "RESET", "SLAVE" | "REPLICA" | "MASTER" | "BINARY", ..]
        | ["PURGE", ..] => Role::LeftOut("replication"),
        ["GRANT" | "REVOKE", ..] | ["CREATE" | "DROP" | "ALTER", "USER" | "ROLE", ..] => {
            Role::LeftOut("accounts")
        }
        ["FLUSH" | "INSTALL" | "UNINSTALL" | "SHUTDOWN" | "KILL", ..]
        | ["CREATE" | "DROP" | "ALTER", "SERVER" | "TABLESPACE" | "UNDO" | "LOGFILE" | "INSTANCE", ..] => {
            Role::LeftOut("the server")
        }
        // Keys of InnoDB cannot be disabled, and those of MyISAM are made with the rows.
        ["ALTER", "TABLE", .., "DISABLE" | "ENABLE", "KEYS"] => Role::LeftOut("keys that are disabled"),
        ["SELECT" | "SHOW" | "DESCRIBE" | "DESC", ..] if !acts(sql) => Role::LeftOut("questions"),
        ["INSERT" | "REPLACE", ..] if words[0] == "REPLACE" || facts.has(Mark::Depends) => {
            Role::DependentRows
        }
        ["INSERT", ..] if facts.has(Mark::AsksBack) => Role::DependentRows,
        ["INSERT", ..] => Role::Rows,
        ["CREATE" | "DROP", "TABLE", ..] | ["CREATE", "OR", "REPLACE", "TABLE", ..]
            if !facts.has(Mark::Select) =>
        {
            Role::Table
        }
        ["CREATE" | "DROP", "SEQUENCE", ..] | ["CREATE", "OR", "REPLACE", "SEQUENCE", ..] => Role::Table,
        ["DO" | "SELECT", "SETVAL", ..] => Role::Table,
        ["CREATE" | "DROP" | "ALTER", ref rest @ ..]
            if rest.iter().any(|word| AFTER_ROWS.contains(word)) && rest.first() != Some(&"TABLE") =>
        {
            Role::Last
        }
        ["ANALYZE", ..] => Role::Last,
        ["UPDATE" | "DELETE" | "LOAD" | "TRUNCATE" | "CALL" | "WITH", ..] => Role::DependentRows,
        _ => Role::Other,
    }
}

/// A statement with one setting of the session is one: what else it sets is taken out of it.
fn role_of_set(sql: &[u8]) -> Role {
    let all = assignments(sql);
    let has = |scope| all.iter().any(|one| one.scope == scope);
    match () {
        () if has(Scope::Accounts) => Role::LeftOut("accounts"),
        () if has(Scope::Session) => Role::Setting,
        () if has(Scope::Autocommit) => Role::Transaction,
        () if has(Scope::Replication) => Role::LeftOut("replication"),
        () => Role::LeftOut("the server"),
    }
}

/// Whether a question may do more than answer: it changes rows, keeps values, or calls what nobody knows.
fn acts(sql: &[u8]) -> bool {
    let mut before: Option<Vec<u8>> = None;
    let (mut found, mut words) = (false, String::new());
    for token in solid(sql) {
        match token.kind {
            Kind::Word | Kind::Identifier => {
                found |= token.text.eq_ignore_ascii_case(b"INTO");
                before = Some(token.text.to_ascii_uppercase());
            }
            Kind::Symbol if token.text == b"(" => {
                found |= before.take().is_some_and(|name| !is_harmless(&name));
            }
            Kind::Symbol if token.text == b":" => found = true,
            _ => before = None,
        }
        words.push_str(&String::from_utf8_lossy(token.text));
        words.push(' ');
    }
    found || !assay_workload::reads(&words)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::data::dump::facts::Counting;

    #[rstest]
    #[case("/*!40101 SET NAMES utf8mb4 */", Role::Setting)]
    #[case("SET @OLD_X=@@X, FOREIGN_KEY_CHECKS=0", Role::Setting)]
    #[case("SET @@GLOBAL.GTID_PURGED=/*!80000 '+'*/ 'a:1-2'", Role::LeftOut("replication"))]
    #[case("SET @@SESSION.SQL_LOG_BIN= 0", Role::LeftOut("replication"))]
    #[case("/*M!999999\\- enable the sandbox mode */", Role::LeftOut("comments of the dump program"))]
    #[case("LOCK TABLES `a` WRITE", Role::Transaction)]
    #[case("SET AUTOCOMMIT = 0", Role::Transaction)]
    #[case("SET SESSION autocommit = 0", Role::Transaction)]
    #[case("SET GLOBAL a = 1", Role::LeftOut("the server"))]
    #[case("SET @x = 1, GLOBAL a = 1", Role::Setting)]
    #[case("SET STATEMENT max_statement_time = 1 FOR SELECT 1", Role::Other)]
    #[case("/*!40000 ALTER TABLE `s`.`a` ENABLE KEYS */", Role::LeftOut("keys that are disabled"))]
    #[case("/*!40000 ALTER TABLE \"a\" DISABLE KEYS */", Role::LeftOut("keys that are disabled"))]
    #[case("/*!40000 ALTER TABLE `a` DISABLE KEYS */", Role::LeftOut("keys that are disabled"))]
    #[case("CREATE DATABASE /*!32312 IF NOT EXISTS*/ `a`", Role::LeftOut("databases"))]
    #[case("ALTER DATABASE `a` CHARACTER SET latin1 COLLATE latin1_swedish_ci", Role::Defaults)]
    #[case("ALTER SCHEMA COLLATE = utf8mb4_bin", Role::Defaults)]
    #[case("ALTER DATABASE `a` READ ONLY = 1", Role::LeftOut("databases"))]
    #[case("BEGIN", Role::Transaction)]
    #[case("begin work", Role::Transaction)]
    #[case("BEGIN NOT ATOMIC INSERT INTO a VALUES (1); END", Role::Other)]
    #[case("CREATE USER a@b IDENTIFIED BY 'c'", Role::LeftOut("accounts"))]
    #[case("flush /*!50503 binary */ logs", Role::LeftOut("the server"))]
    #[case(
        "/*!50503 select CONCAT('storage engine: ', @@default_storage_engine) as INFO */",
        Role::LeftOut("questions")
    )]
    #[case("SELECT fill_tables(7)", Role::Other)]
    #[case("SELECT SUM(a) FROM b WHERE c IN (1, 2) AND (d OR EXISTS (SELECT 1))", Role::LeftOut("questions"))]
    #[case("SELECT GET_LOCK('a', 1)", Role::Other)]
    #[case("DESCRIBE ANALYZE UPDATE a SET b = 1", Role::Other)]
    #[case("SHOW CREATE TABLE a", Role::LeftOut("questions"))]
    #[case("-- of a\nINSERT INTO `a` VALUES (1)", Role::Rows)]
    #[case("DROP TABLE IF EXISTS `a`", Role::Table)]
    #[case("/*!50001 CREATE VIEW `v` AS SELECT 1*/", Role::Last)]
    #[case("/*!80002 ANALYZE TABLE `a` UPDATE HISTOGRAM ON `b` WITH 10 BUCKETS */", Role::Last)]
    #[case(
        "/*!50003 CREATE*/ /*!50017 DEFINER=`r`@`l`*/ /*!50003 TRIGGER t BEFORE INSERT ON a FOR EACH ROW SET @a=1 */",
        Role::Last
    )]
    #[case("CREATE ALGORITHM=UNDEFINED DEFINER=`r`@`l` SQL SECURITY DEFINER VIEW v AS SELECT 1", Role::Last)]
    #[case("ALTER TABLE a ADD INDEX (b)", Role::Other)]
    #[case("UPDATE a SET b = 1", Role::DependentRows)]
    #[case("CREATE TABLE b AS SELECT 1", Role::Other)]
    #[case("INSERT INTO a SELECT 1", Role::DependentRows)]
    #[case("INSERT INTO a VALUES (@x)", Role::DependentRows)]
    #[case("INSERT INTO a VALUES (LAST_INSERT_ID())", Role::DependentRows)]
    #[case("INSERT INTO a VALUES (1) ON DUPLICATE KEY UPDATE b = 1", Role::DependentRows)]
    #[case("REPLACE INTO a VALUES (1)", Role::DependentRows)]
    #[case("INSERT INTO a VALUES ('SELECT @x')", Role::Rows)]
    fn each_statement_has_its_turn(#[case] sql: &str, #[case] role: Role) {
        let facts = Facts::of(sql.as_bytes(), &Counting::new());
        assert_eq!(role_of(&facts, sql.as_bytes()), role, "{:?}", facts.words);
    }
}
