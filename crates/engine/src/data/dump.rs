//! Files of SQL that make tables, as `mysqldump` and people write them: the tables first, then their rows over several
//! connections, then what needs the rows.

use std::collections::BTreeMap;
use std::sync::Arc;

use assay_sql::{Kind, Lines, Piece, Pieces, Tokens};
use assay_wire::Discard;

use crate::data::pool::{Shared, work_off};
use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::process::signal::INTERRUPTED;
use crate::process::usage::{engine_use, peak_resident_bytes};
use crate::say::emit::emit;
use crate::server::login::{Login, Purpose};
use assay_format::event::{ActionResult, Event, Phase, PhaseStart, Progress};
use assay_format::job::Job;

/// Bytes of rows that a connection takes at a time.
const BATCH_BYTES: usize = 1 << 20;

/// What a statement of a dump is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// A setting of the session that what follows relies on.
    Setting,
    /// Tables: made and dropped in order.
    Table,
    /// Rows of a table: statements whose order changes nothing.
    Rows,
    /// Views, triggers, routines, events, and whatever else: in order, after the rows.
    Last,
    /// What a load here has no use for: locks, other databases, the replication of the server that was dumped.
    LeftOut,
}

/// A statement of a dump with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Placed {
    sql: Vec<u8>,
    place: Arc<str>,
}

/// The statements of files, by the order in which they are sent.
#[derive(Debug, Default)]
struct Dump {
    settings: Vec<Placed>,
    tables: Vec<Placed>,
    rows: Vec<Placed>,
    last: Vec<Placed>,
    /// How many statements were left out.
    left_out: u64,
    databases: Vec<String>,
}

impl Dump {
    /// Reads files, each a name and its bytes.
    ///
    /// # Errors
    /// A file is not closed somewhere, or the files hold several databases.
    fn read(files: &[(String, Vec<u8>)]) -> Result<Self, Fatal> {
        let mut dump = Self::default();
        for (name, text) in files {
            dump.add(name, text)?;
        }
        if let [first, second, ..] = &dump.databases[..] {
            let message = format!("the dump holds several databases, {first} and {second}");
            return Err(Fatal::job(message).hint("dump one: mysqldump DATABASE, without --databases"));
        }
        Ok(dump)
    }

    fn add(&mut self, name: &str, text: &[u8]) -> Result<(), Fatal> {
        let lines = Lines::new(text);
        for piece in Pieces::new(text) {
            match piece {
                Piece::Statement { text: sql, at } => {
                    let place = format!("{name}:{}", lines.place(at).line).into();
                    let words = words_of(sql);
                    let words: Vec<&str> = words.iter().map(String::as_str).collect();
                    if let ["USE", database, ..] = words[..] {
                        let database = database.trim_matches('`').to_owned();
                        if !self.databases.contains(&database) {
                            self.databases.push(database);
                        }
                    }
                    let placed = Placed { sql: sql.to_vec(), place };
                    match role_of(&words) {
                        // A setting before the first table holds for all that follows; one after it for what comes last.
                        Role::Setting
                            if self.rows.is_empty() && self.last.is_empty() && self.tables.is_empty() =>
                        {
                            self.settings.push(placed);
                        }
                        Role::Setting if self.last.is_empty() => self.tables.push(placed),
                        Role::Setting | Role::Last => self.last.push(placed),
                        Role::Table => self.tables.push(placed),
                        Role::Rows => self.rows.push(placed),
                        Role::LeftOut => self.left_out += 1,
                    }
                }
                Piece::Unended { at } => {
                    let line = lines.place(at).line;
                    return Err(Fatal::job(format!(
                        "{name}:{line}: a quote or a comment is not closed; is the file whole?"
                    )));
                }
                Piece::Annotation { .. } => {}
            }
        }
        Ok(())
    }

    /// Sends all of it over as many connections; `report` hears the statements of rows that are done, and of how many.
    ///
    /// # Errors
    /// The server refuses a statement: its place and its beginning are named. `Ok(false)`: a signal ended it.
    fn load(
        &self,
        login: &Login,
        clock: Clock,
        connections: usize,
        mut report: impl FnMut(u64, u64),
    ) -> Result<bool, Fatal> {
        let settings = Arc::new(self.settings.clone());
        let total = self.rows.len() as u64;
        let parts = [vec![self.tables.clone()], batches(&self.rows), vec![self.last.clone()]];
        for (number, pieces) in parts.into_iter().enumerate() {
            let pieces = pieces.into_iter().filter(|batch| !batch.is_empty()).collect();
            let send = |shared: Arc<Shared<Vec<Placed>>>,
                        mut connection: assay_wire::Connection<_>,
                        batch: Vec<Placed>| {
                let settings = settings.clone();
                async move {
                    for placed in settings.iter().chain(&batch) {
                        let sent = connection.query(&placed.sql, &mut Discard).await;
                        sent.map_err(|error| {
                            Fatal::statement(&format!("{}: {}", placed.place, shown(&placed.sql)), &error)
                        })?;
                    }
                    shared.add_done(if number == 1 { batch.len() as u64 } else { 0 });
                    Ok(connection)
                }
            };
            let whole = work_off(login, clock, connections, pieces, send, |done| {
                if number == 1 {
                    report(done, total);
                }
            })?;
            if !whole {
                return Ok(false);
            }
        }
        report(total, total);
        Ok(true)
    }
}

/// Carries out `prepare` of a job whose tables are in files; returns the exit code.
///
/// # Errors
/// The files cannot be read, or the server refuses a statement of theirs.
pub(crate) fn prepare(job: &Job, clock: Clock, files: &[(String, Vec<u8>)]) -> Result<i32, Fatal> {
    if files.is_empty() {
        return Err(Fatal::job(format!("{} names no file that makes its tables", job.workload.name))
            .hint("write -- @data FILE.sql in it, or load the tables before"));
    }
    let dump = Dump::read(files)?;
    let login = Login::new(&job.target, Purpose::default())?;
    let connections = match job.engine.loaders {
        0 => std::thread::available_parallelism().map_or(2, usize::from).max(2),
        loaders => loaders as usize,
    };
    emit(&Event::Phase(PhaseStart { phase: Phase::Load, start_ns: clock.now(), planned_ms: None }));
    let whole = dump.load(&login, clock, connections, |done, total| {
        let elapsed_s = clock.now() as f64 / 1e9;
        emit(&Event::Progress(Progress {
            phase: Phase::Load,
            done,
            total,
            unit: "statements".into(),
            elapsed_s,
        }));
    })?;
    if !whole {
        return Ok(INTERRUPTED);
    }
    let mut engine = engine_use();
    engine.rss_bytes = peak_resident_bytes();
    emit(&Event::Done(ActionResult {
        action: "prepare".into(),
        elapsed_s: clock.now() as f64 / 1e9,
        rows: 0,
        tables: 0,
        rows_by_table: BTreeMap::new(),
        loaded_as: None,
        load_statements: dump.rows.len() as u64,
        files_read: Vec::new(),
        other_inputs: Vec::new(),
        engine,
    }));
    Ok(0)
}

/// Statements of rows in pieces of about a mebibyte.
fn batches(rows: &[Placed]) -> Vec<Vec<Placed>> {
    let mut found: Vec<Vec<Placed>> = Vec::new();
    let mut bytes = BATCH_BYTES;
    for placed in rows {
        if bytes >= BATCH_BYTES {
            found.push(Vec::new());
            bytes = 0;
        }
        bytes += placed.sql.len();
        if let Some(last) = found.last_mut() {
            last.push(placed.clone());
        }
    }
    found
}

/// The beginning of a statement, for a message.
fn shown(sql: &[u8]) -> String {
    let text = String::from_utf8_lossy(&sql[..sql.len().min(200)]);
    let line = text.lines().next().unwrap_or_default();
    line.chars().take(80).collect()
}

/// The first words of a statement in capitals, those of its first executable comment included; names keep their backticks.
fn words_of(sql: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    gather(sql, &mut found);
    found
}

const WORDS_MOST: usize = 8;

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
                let inside = token
                    .text
                    .strip_prefix(b"/*M!")
                    .or_else(|| token.text.strip_prefix(b"/*!"))
                    .unwrap_or_default();
                let inside = inside.strip_suffix(b"*/").unwrap_or(inside);
                let digits = inside.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(inside.len());
                // To its own client it is more than SQL.
                if inside[digits..].starts_with(b"\\-") {
                    continue;
                }
                gather(&inside[digits..], found);
            }
            _ => {}
        }
    }
}

fn role_of(words: &[&str]) -> Role {
    match words {
        [] => Role::LeftOut,
        ["SET", rest @ ..] => {
            let of_server = |word: &&str| {
                matches!(
                    *word,
                    "GLOBAL"
                        | "PERSIST"
                        | "SQL_LOG_BIN"
                        | "@@SESSION.SQL_LOG_BIN"
                        | "@@GLOBAL.GTID_PURGED"
                        | "GTID_PURGED"
                ) || word.starts_with("@@GLOBAL.")
            };
            // Values that are kept to be put back begin with those of the session, and do no harm.
            if rest.first().is_some_and(of_server)
                || rest.iter().any(|word| word.ends_with("SQL_LOG_BIN") && !word.starts_with("@MYSQLDUMP"))
            {
                Role::LeftOut
            } else {
                Role::Setting
            }
        }
        ["LOCK" | "UNLOCK" | "USE" | "COMMIT" | "BEGIN" | "START", ..]
        | ["CREATE" | "DROP", "DATABASE" | "SCHEMA", ..]
        | ["CHANGE", "MASTER" | "REPLICATION", ..] => Role::LeftOut,
        // Keys of InnoDB cannot be disabled, and those of MyISAM are made with the rows.
        ["ALTER", "TABLE", _, "DISABLE" | "ENABLE", "KEYS", ..] => Role::LeftOut,
        ["INSERT" | "REPLACE", ..] => Role::Rows,
        ["CREATE" | "DROP", "TABLE", ..] => Role::Table,
        ["CREATE", "INDEX", ..] | ["CREATE", "UNIQUE", "INDEX", ..] => Role::Table,
        _ => Role::Last,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("/*!40101 SET NAMES utf8mb4 */", Role::Setting)]
    #[case("SET @OLD_X=@@X, FOREIGN_KEY_CHECKS=0", Role::Setting)]
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
    #[case("ALTER TABLE a ADD INDEX (b)", Role::Last)]
    #[case("UPDATE a SET b = 1", Role::Last)]
    fn each_statement_has_its_turn(#[case] sql: &str, #[case] role: Role) {
        let words = words_of(sql.as_bytes());
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        assert_eq!(role_of(&words), role, "{words:?}");
    }

    #[test]
    fn rows_stand_apart_from_tables_and_what_comes_last() {
        let text = b"SET NAMES utf8mb4;\nCREATE TABLE a (id INT);\nLOCK TABLES a WRITE;\nINSERT INTO a VALUES (1);\nINSERT INTO a VALUES (2);\nCREATE VIEW v AS SELECT 1;\n";
        let mut dump = Dump::default();
        dump.add("shop.sql", text).expect("a dump");
        let places = |list: &[Placed]| list.iter().map(|placed| placed.place.to_string()).collect::<Vec<_>>();
        assert_eq!(places(&dump.settings), ["shop.sql:1"]);
        assert_eq!(places(&dump.tables), ["shop.sql:2"]);
        assert_eq!(places(&dump.rows), ["shop.sql:4", "shop.sql:5"]);
        assert_eq!(places(&dump.last), ["shop.sql:6"]);
        assert_eq!(dump.left_out, 1);
    }

    #[test]
    fn a_file_that_ends_too_early_is_no_dump() {
        let refused =
            Dump::default().add("shop.sql", b"SELECT 1;\nINSERT INTO a VALUES ('x").expect_err("refused");
        assert!(refused.message.starts_with("shop.sql:2: "), "{}", refused.message);
    }
}
