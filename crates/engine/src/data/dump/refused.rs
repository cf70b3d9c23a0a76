//! What a server refuses of a dump: its place in the files, and what to do about the usual reasons.

use assay_sql::Kind;
use assay_wire::Error;
use memchr::memmem::find;

use crate::data::dump::cut::TooLong;
use crate::data::dump::objects::{is_word, solid};
use crate::data::dump::read::shown;
use crate::data::dump::send::Sent;
use crate::process::failure::Fatal;
use crate::say::counted::thousands;
use assay_format::event::ErrorKind;

impl Sent {
    /// The error of a statement at a place.
    pub(super) fn refused(&self, place: &str, sql: &[u8], error: &Error) -> Fatal {
        let mut fatal = Fatal::statement(&format!("{place}: {}", shown(sql)), error);
        let other = named_database(&fatal.message).filter(|name| !name.eq_ignore_ascii_case(&self.database));
        let hint = match (error.code(), other) {
            (Some(1273), _) => {
                let lacks = unknown_collation(&fatal.message).unwrap_or("utf8mb4_0900_ai_ci");
                let other = stand_in(lacks);
                Some(format!("let another collation stand in for it: [dataset] collation = {{{lacks} = \"{other}\"}}"))
            }
            // A question whose answer nobody reads, but for what its functions may do.
            (Some(_), _) if is_question(sql) => Some(
                "leave the question out of the files of the dump: statements to measure are [workload] use = \"sql:FILE\"".into(),
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
            (Some(1064), _) if of_other_server(&fatal.message, sql).is_some() => {
                of_other_server(&fatal.message, sql).map(|(word, server, ours)| format!("{word} is {server}'s: write {ours}"))
            }
            (Some(1064), _) if reserved(&fatal.message).is_some() => {
                let word = reserved(&fatal.message).unwrap_or_default();
                Some(format!("{word} is a word of SQL to this server, and a name to older ones: write it in backticks"))
            }
            (Some(1064), _) if is_part_of_body(sql) => Some(
                "its body has several statements: write the line DELIMITER // before it, // after its END, and DELIMITER ; below".into(),
            ),
            (Some(1064), _) if find(sql, b" TYPE=").is_some() => {
                Some("write ENGINE= in place of TYPE=, as servers from MySQL 5.5 on want it".into())
            }
            (Some(1067 | 1292), _) => Some(
                "the file is of a server with another sql_mode: write SET sql_mode = 'NO_ENGINE_SUBSTITUTION'; at its beginning".into(),
            ),
            (Some(1005 | 1215 | 1822 | 1824), _) if find(sql, b"REFERENCES").is_some() => Some(
                "a column that it refers to is not there, is of another type or has no index: compare the two tables".into(),
            ),
            (Some(1286), _) => Some(
                "the server has no such engine: write SET sql_mode = ''; at the beginning of the file, and it takes its own".into(),
            ),
            (Some(1062), _) => Some("two rows have the same key: leave one out, or write INSERT IGNORE".into()),
            (Some(code), _) if lacking(code, &fatal.message, sql).is_some() => {
                let Lack { right, database } = lacking(code, &fatal.message, sql).unwrap_or_default();
                let database = database.unwrap_or(&self.database);
                Some(format!(
                    "give the account the right (GRANT {right} ON {database}.* TO …), or leave the statement out of the file"
                ))
            }
            (Some(1419), _) => Some(
                "set log_bin_trust_function_creators = ON at the server, or give the account SUPER".into(),
            ),
            (Some(1148 | 3948), _) => Some("files of rows need local_infile = ON at the server".into()),
            (Some(1366), _) if !fatal.message.contains("Incorrect string value") => {
                Some("the value does not fit its column: correct it, or the order of the columns".into())
            }
            (Some(1366), _) if !sql.is_ascii() && std::str::from_utf8(sql).is_ok() => Some(
                "the table's character set lacks letters of this text: write character_set_server = \"utf8mb4\" into \
                 [server.variables], or DEFAULT CHARSET=utf8mb4 after CREATE TABLE or CREATE DATABASE".into(),
            ),
            (Some(1366 | 1300), _) => {
                Some("the file must say its character set: SET NAMES latin1; at its beginning".into())
            }
            _ => fatal.hint.clone(),
        };
        fatal.hint = hint;
        fatal
    }
}

/// The collation that a server does not know: `Unknown collation: 'utf8mb4_0900_ai_ci'`.
fn unknown_collation(message: &str) -> Option<&str> {
    message.rsplit_once("nknown collation: '")?.1.split('\'').next()
}

/// The collation that every server has and that is most like one of MySQL 8 or of MariaDB from 10.10 on: one that tells more
/// letters apart breaks no unique key.
fn stand_in(collation: &str) -> String {
    let charset = match collation.split_once('_') {
        Some((charset, _)) if charset != "uca1400" => charset,
        _ => "utf8mb4",
    };
    if collation.contains("_as_") || collation.contains("_cs") || collation.ends_with("_bin") {
        format!("{charset}_bin")
    } else {
        format!("{charset}_unicode_520_ci")
    }
}

/// Whether a statement only asks.
fn is_question(sql: &[u8]) -> bool {
    solid(sql)
        .find(|token| token.kind == Kind::Word)
        .is_some_and(|first| is_word(&first, &["SELECT", "WITH"]))
}

/// Whether a statement begins a body of statements that it does not end: it was cut at the first semicolon inside.
fn is_part_of_body(sql: &[u8]) -> bool {
    let mut words = solid(sql).filter(|token| token.kind == Kind::Word);
    words.next().is_some_and(|first| is_word(&first, &["CREATE"]))
        && words.any(|token| is_word(&token, &["BEGIN"]))
        && words.last().is_none_or(|last| !is_word(&last, &["END"]))
}

/// The error of a statement that is longer than the server takes, and cannot be cut.
pub(super) fn too_long(long: &TooLong, place: &str, sql: &[u8], packet: usize) -> Fatal {
    let row = long.row.map_or_else(String::new, |row| format!("row {row} of "));
    let message = format!(
        "{place}: {row}{} needs {} bytes, and max_allowed_packet of the server is {}",
        shown(sql),
        thousands(long.bytes as u64),
        thousands(packet as u64)
    );
    let enough = long.bytes.next_power_of_two().max(packet.next_power_of_two() * 2);
    Fatal::new(ErrorKind::Server, message)
        .hint(format!("raise it at the server: SET GLOBAL max_allowed_packet = {enough}"))
}

/// A right that an account lacks.
#[derive(Debug, Default, PartialEq, Eq)]
struct Lack<'a> {
    right: String,
    /// The database in which it does, or `*`; `None`: that of the tables.
    database: Option<&'a str>,
}

/// Rights by the words of the statement that needs them, where the server names none.
const RIGHTS: [(&str, &str); 7] = [
    ("LOCK", "LOCK TABLES"),
    ("TEMPORARY", "CREATE TEMPORARY TABLES"),
    ("PROCEDURE", "CREATE ROUTINE"),
    ("FUNCTION", "CREATE ROUTINE"),
    ("EVENT", "EVENT"),
    ("CREATE", "CREATE"),
    ("DROP", "DROP"),
];

/// The right for want of which a server has refused a statement; `None`: it has another reason.
fn lacking<'a>(code: u16, message: &'a str, sql: &[u8]) -> Option<Lack<'a>> {
    let lack = |right: &str, database| Some(Lack { right: right.trim().to_uppercase(), database });
    match code {
        // "TRIGGER command denied to user 'a'@'b' for table `s`.`t`"; MySQL names the table alone.
        1142 | 1143 | 1370 => {
            let (before, after) = message.split_once(" command denied")?;
            let table = after.split_once("for table `").and_then(|(_, name)| name.split_once("`.`"));
            lack(before.rsplit(": ").next()?, table.map(|(database, _)| database))
        }
        // Any one of those that it lists allows it; the last allows the least.
        1227 => {
            let listed = message.split_once("(at least one of) the ")?.1.split_once(" privilege")?.0;
            lack(listed.rsplit(',').next()?, Some("*"))
        }
        // The connection is logged in: a file at the server is meant.
        1045 => lack("FILE", Some("*")),
        1044 => {
            let words: Vec<_> =
                solid(sql).filter(|token| token.kind == Kind::Word).take(WORDS_MOST).collect();
            let named = |word: &str| words.iter().any(|token| is_word(token, &[word]));
            lack(RIGHTS.iter().find(|(word, _)| named(word))?.1, None)
        }
        _ => None,
    }
}

/// Words of a statement among which is the kind of thing that it makes.
const WORDS_MOST: usize = 4;

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

/// Words of tables of other servers, and what stands for them here.
type Foreign = (&'static str, &'static str, &'static str);
const OF_OTHERS: [Foreign; 6] = [
    ("AUTOINCREMENT", "SQLite", "AUTO_INCREMENT"),
    ("BYTEA", "PostgreSQL", "BLOB"),
    ("JSONB", "PostgreSQL", "JSON"),
    ("TIMESTAMPTZ", "PostgreSQL", "TIMESTAMP"),
    ("UNIQUEIDENTIFIER", "SQL Server", "CHAR(36)"),
    ("VARCHAR2", "Oracle", "VARCHAR"),
];
/// Words of other servers that may be names here.
const OF_OTHERS_OR_NAMES: [Foreign; 4] = [
    ("GO", "SQL Server", "a semicolon"),
    ("IDENTITY", "SQL Server", "AUTO_INCREMENT"),
    ("MONEY", "SQL Server", "DECIMAL(19,4)"),
    ("NUMBER", "Oracle", "DECIMAL"),
];

/// The word of another server that a statement has, or before which the server stopped to understand: MariaDB takes an unknown
/// word for an attribute, and stops at what follows.
fn of_other_server(message: &str, sql: &[u8]) -> Option<Foreign> {
    let near = not_understood(message)
        .and_then(|word| OF_OTHERS_OR_NAMES.into_iter().find(|(one, ..)| one.eq_ignore_ascii_case(word)));
    near.or_else(|| {
        let words: Vec<_> = solid(sql).collect();
        OF_OTHERS.into_iter().find(|(one, ..)| words.iter().any(|word| is_word(word, &[*one])))
    })
}

/// The word before which a server stopped to understand, where it is one of these.
fn reserved(message: &str) -> Option<&str> {
    let word = not_understood(message)?;
    RESERVED.iter().any(|one| one.eq_ignore_ascii_case(word)).then_some(word)
}

fn not_understood(message: &str) -> Option<&str> {
    let near = message.rsplit_once("near '")?.1;
    let end = near.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')?;
    Some(&near[..end])
}

/// The database that a message of a server names: `Unknown database 'shop'`, `Table 'shop.a' doesn't exist`.
fn named_database(message: &str) -> Option<&str> {
    let after = ["nknown database '", "to database '", "Table '"]
        .iter()
        .find_map(|before| message.rsplit_once(before))?
        .1;
    let name = after.split(['\'', '.']).next()?;
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("utf8mb4_0900_ai_ci", "utf8mb4_unicode_520_ci")]
    #[case("utf8mb4_0900_as_cs", "utf8mb4_bin")]
    #[case("utf8mb4_da_0900_as_ci", "utf8mb4_bin")]
    #[case("utf8mb4_0900_bin", "utf8mb4_bin")]
    #[case("utf8mb3_uca1400_nopad_ai_ci", "utf8mb3_unicode_520_ci")]
    #[case("uca1400_ai_ci", "utf8mb4_unicode_520_ci")]
    fn another_collation_is_known_everywhere(#[case] lacks: &str, #[case] other: &str) {
        let said = format!("a.sql:1: CREATE: server error 1273 (HY000): Unknown collation: '{lacks}'");
        assert_eq!(unknown_collation(&said), Some(lacks));
        assert_eq!(stand_in(lacks), other);
    }

    #[rstest]
    #[case("SELECT f(1)", true)]
    #[case("-- a\nselect 1", true)]
    #[case("(SELECT 1)", true)]
    #[case("INSERT INTO a SELECT 1", false)]
    fn a_question_is_known(#[case] sql: &str, #[case] expected: bool) {
        assert_eq!(is_question(sql.as_bytes()), expected);
    }

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
    #[case(
        1142,
        "TRIGGER command denied to user 'a'@'b' for table `s`.`t`",
        "CREATE TRIGGER",
        Some("TRIGGER s")
    )]
    #[case(1370, "alter routine command denied to user", "DROP PROCEDURE p", Some("ALTER ROUTINE"))]
    #[case(
        1227,
        "you need (at least one of) the SUPER, BINLOG ADMIN privilege(s)",
        "SET x",
        Some("BINLOG ADMIN *")
    )]
    #[case(1044, "Access denied for user", "LOCK TABLES a READ", Some("LOCK TABLES"))]
    #[case(1044, "Access denied for user", "CREATE PROCEDURE p() SELECT 1", Some("CREATE ROUTINE"))]
    #[case(1044, "Access denied for user", "CREATE TABLE a (id int)", Some("CREATE"))]
    #[case(1045, "Access denied for user", "LOAD DATA INFILE '/x' INTO TABLE a", Some("FILE *"))]
    #[case(1064, "You have an error", "x", None)]
    fn the_right_that_lacks_is_named(
        #[case] code: u16,
        #[case] said: &str,
        #[case] sql: &str,
        #[case] right: Option<&str>,
    ) {
        let message = format!("a.sql:1: {sql}: server error {code} (42000): {said}");
        let found = lacking(code, &message, sql.as_bytes());
        let found = found.map(|lack| {
            [Some(lack.right.as_str()), lack.database].into_iter().flatten().collect::<Vec<_>>().join(" ")
        });
        assert_eq!(found.as_deref(), right);
    }

    #[rstest]
    #[case(
        "near ',\n b' at line 2",
        "CREATE TABLE a (id INTEGER autoincrement,\n b INT)",
        Some("AUTO_INCREMENT")
    )]
    #[case("near 'number,\n b' at line 2", "CREATE TABLE a (id number,\n b INT)", Some("DECIMAL"))]
    #[case("near 'x' at line 2", "CREATE TABLE a (number INT, `jsonb` INT x)", None)]
    fn a_word_of_another_server_has_one_here(
        #[case] message: &str,
        #[case] sql: &str,
        #[case] ours: Option<&str>,
    ) {
        assert_eq!(of_other_server(message, sql.as_bytes()).map(|found| found.2), ours);
    }

    #[rstest]
    #[case("CREATE PROCEDURE p(x INT) BEGIN DECLARE i INT DEFAULT 0", true)]
    #[case("create trigger t before insert on a for each row\nbegin\n set new.b = 1", true)]
    #[case("CREATE PROCEDURE p() BEGIN SELEC 1; END", false)]
    #[case("CREATE FUNCTION f() RETURNS INT RETURN 1 +", false)]
    #[case("SELECT begin FROM a WHERE", false)]
    fn a_body_that_was_cut_is_told_from_one_that_is_wrong(#[case] sql: &str, #[case] cut: bool) {
        assert_eq!(is_part_of_body(sql.as_bytes()), cut);
    }

    #[rstest]
    #[case("a.sql:1: SELECT: server error 1049 (42000): Unknown database 'shop'", Some("shop"))]
    #[case("a.sql:1: x: server error 1146 (42S02): Table 'shop.a' doesn't exist", Some("shop"))]
    #[case("a.sql:1: x: server error 1064", None)]
    fn the_database_of_a_message_is_known(#[case] message: &str, #[case] name: Option<&str>) {
        assert_eq!(named_database(message), name);
    }
}
