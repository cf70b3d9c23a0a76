//! Files of SQL that make tables, as `mysqldump` and people write them: the tables first, then their rows over several
//! connections, then what needs the rows.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use assay_sql::{Lines, Piece, Pieces};
use assay_wire::{Connection, Discard};

use crate::data::dump_roles::{Role, has_word, role_of, words_of};
use crate::data::pool::{Shared, work_off};
use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::process::signal::INTERRUPTED;
use crate::process::usage::{engine_use, peak_resident_bytes};
use crate::reactor::socket::Socket;
use crate::say::counted::counted;
use crate::say::emit::emit;
use crate::server::login::{Login, Purpose};
use assay_format::event::{ActionResult, Event, Phase, PhaseStart, Progress, ScriptOutput};
use assay_format::job::Job;

/// Bytes of rows that a connection takes at a time.
const BATCH_BYTES: usize = 1 << 20;

/// A statement of a dump with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Placed {
    sql: Arc<[u8]>,
    place: Arc<str>,
}

/// The statements of files, in the order of the files.
#[derive(Debug, Default)]
struct Dump {
    statements: Vec<(Role, Placed)>,
    /// How many statements were left out.
    left_out: u64,
    databases: Vec<String>,
    /// Names of tables that were made so far.
    made: BTreeSet<String>,
    /// Whether rows refer to rows that must be there before.
    refers: bool,
    /// Whether a statement asks what the one before it has done on its connection.
    asks_back: bool,
}

/// How a dump is sent: its parts one after the other, the batches of the second over several connections.
#[derive(Debug, Default)]
struct Plan {
    /// What every connection sends first.
    settings: Vec<Placed>,
    tables: Vec<Placed>,
    rows: Vec<Placed>,
    last: Vec<Placed>,
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
                    let words = words_of(sql);
                    let words: Vec<&str> = words.iter().map(String::as_str).collect();
                    if let ["USE", database, ..] = words[..] {
                        let database = database.trim_matches('`').to_owned();
                        if !self.databases.contains(&database) {
                            self.databases.push(database);
                        }
                    }
                    match self.role_of(&words, sql) {
                        Role::LeftOut => self.left_out += 1,
                        role => {
                            let place = format!("{name}:{}", lines.place(at).line).into();
                            self.statements.push((role, Placed { sql: sql.into(), place }));
                        }
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

    /// What a statement is for, after those before it.
    fn role_of(&mut self, words: &[&str], sql: &[u8]) -> Role {
        let role = role_of(words, sql);
        self.asks_back |= role != Role::Last && has_word(sql, &["LAST_INSERT_ID", "ROW_COUNT", "FOUND_ROWS"]);
        if role == Role::Table {
            self.refers |= has_word(sql, &["REFERENCES"]);
            let name = words.iter().skip(2).find(|word| !["IF", "NOT", "EXISTS"].contains(word));
            let name = name.map_or_else(String::new, |name| name.trim_matches('`').to_lowercase());
            if words[0] == "CREATE" {
                self.made.insert(name);
            } else if self.made.contains(&name) {
                // The rows before it are of another table than those after it.
                return Role::Other;
            }
        }
        role
    }

    /// Tables first, then all rows, then what is left, where that changes nothing: no row depends on a statement between the
    /// first table and the last row, or on another row. Else everything as it stands, over one connection.
    fn plan(&self) -> Plan {
        let roles = || self.statements.iter().map(|(role, _)| *role);
        let sets = |role: Role| matches!(role, Role::Setting | Role::SettingOfTable);
        let head = roles().position(|role| !sets(role)).unwrap_or(self.statements.len());
        let end = roles().rposition(|role| role == Role::Rows).unwrap_or(head);
        let unchecked =
            self.statements[..head].iter().any(|(_, set)| has_word(&set.sql, &["FOREIGN_KEY_CHECKS"]));
        let apart = !self.asks_back
            && (unchecked || !self.refers)
            && roles().take(end).skip(head).all(|role| !matches!(role, Role::Other | Role::Setting));
        let mut plan = Plan::default();
        for (number, (role, placed)) in self.statements.iter().enumerate() {
            let part = match role {
                _ if number < head => &mut plan.settings,
                _ if !apart => &mut plan.tables,
                Role::Rows => &mut plan.rows,
                Role::Table => &mut plan.tables,
                Role::SettingOfTable if number < end => &mut plan.tables,
                _ => &mut plan.last,
            };
            part.push(placed.clone());
        }
        plan
    }

    /// Sends all of it over as many connections; `report` hears the statements that are done, and of how many.
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
        let Plan { settings, tables, rows, last } = self.plan();
        let total = (tables.len() + rows.len() + last.len()) as u64;
        let mut before = 0;
        for pieces in [vec![tables], batches(&rows), vec![last]] {
            let pieces: Vec<Vec<Placed>> = pieces.into_iter().filter(|batch| !batch.is_empty()).collect();
            let count: usize = pieces.iter().map(Vec::len).sum();
            let settings = &settings;
            let send = |shared: Arc<Shared<Vec<Placed>>>,
                        mut connection: Connection<Socket>,
                        batch: Vec<Placed>| async move {
                for placed in settings {
                    send(&mut connection, placed).await?;
                }
                for placed in &batch {
                    send(&mut connection, placed).await?;
                    shared.add_done(1);
                }
                Ok(connection)
            };
            if !work_off(login, clock, connections, pieces, send, |done| report(before + done, total))? {
                return Ok(false);
            }
            before += count as u64;
        }
        report(total, total);
        Ok(true)
    }
}

async fn send(connection: &mut Connection<Socket>, placed: &Placed) -> Result<(), Fatal> {
    let sent = connection.query(&placed.sql, &mut Discard).await;
    let named = |error| Fatal::statement(&format!("{}: {}", placed.place, shown(&placed.sql)), &error);
    sent.map(drop).map_err(named)
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
    if dump.left_out > 0 {
        let left_out = counted(dump.left_out, "statement");
        let text = format!("left out of the files: {left_out} about locks, databases or replication\n");
        emit(&Event::Output(ScriptOutput { text, error: false }));
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
        load_statements: dump.statements.len() as u64,
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

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    /// Lines of a file by the part in which they are sent.
    fn lines_of(text: &str) -> [Vec<u32>; 4] {
        let mut dump = Dump::default();
        dump.add("shop.sql", text.as_bytes()).expect("a dump");
        let Plan { settings, tables, rows, last } = dump.plan();
        let line = |placed: &Placed| placed.place.rsplit(':').next()?.parse().ok();
        [settings, tables, rows, last].map(|part| part.iter().filter_map(line).collect())
    }

    #[test]
    fn rows_stand_apart_from_tables_and_what_comes_last() {
        let text = "SET NAMES utf8mb4;\nCREATE TABLE a (id INT);\nLOCK TABLES a WRITE;\nINSERT INTO a VALUES (1);\nINSERT INTO a VALUES (2);\nCREATE VIEW v AS SELECT 1;\n";
        assert_eq!(lines_of(text), [vec![1], vec![2], vec![4, 5], vec![6]]);
        let two = "SET @OLD_X=@@X;\nCREATE TABLE a (id INT);\nINSERT INTO a VALUES (1);\nSET character_set_client = utf8mb4;\nCREATE TABLE b (id INT);\nINSERT INTO b VALUES (2);\nSET X=@OLD_X;\n";
        assert_eq!(lines_of(two), [vec![1], vec![2, 4, 5], vec![3, 6], vec![7]]);
    }

    #[rstest]
    #[case(
        "CREATE TABLE a (id INT);\nINSERT INTO a VALUES (1);\nSET @i = LAST_INSERT_ID();\nINSERT INTO a VALUES (@i)"
    )]
    #[case("CREATE TABLE a (id INT);\nINSERT INTO a VALUES (1);\nDELETE FROM a;\nINSERT INTO a VALUES (2)")]
    #[case(
        "CREATE TABLE a (id INT);\nSET NAMES latin1;\nINSERT INTO a VALUES ('x');\nINSERT INTO a VALUES (2)"
    )]
    #[case(
        "CREATE TABLE a (id INT);\nINSERT INTO a VALUES (1);\nINSERT INTO a SELECT id FROM a;\nINSERT INTO a VALUES (2)"
    )]
    #[case(
        "CREATE TABLE a (id INT);\nINSERT INTO a VALUES (1);\nDROP TABLE a;\nCREATE TABLE a (x INT);\nINSERT INTO a VALUES (2)"
    )]
    #[case(
        "CREATE TABLE a (id INT);\nCREATE TABLE b (a INT REFERENCES a (id));\nINSERT INTO a VALUES (1);\nINSERT INTO b VALUES (1)"
    )]
    #[case(
        "CREATE TABLE a (id INT);\nINSERT INTO a VALUES (1);\nCREATE TABLE b AS SELECT * FROM a;\nINSERT INTO b VALUES (1)"
    )]
    fn what_depends_on_order_is_sent_as_it_stands(#[case] text: &str) {
        let [settings, tables, rows, last] = lines_of(text);
        let all: Vec<u32> = (1..=text.lines().count() as u32).collect();
        assert_eq!((settings, tables, rows, last), (Vec::new(), all, Vec::new(), Vec::new()));
    }

    #[test]
    fn a_file_that_ends_too_early_is_no_dump() {
        let refused =
            Dump::default().add("shop.sql", b"SELECT 1;\nINSERT INTO a VALUES ('x").expect_err("refused");
        assert!(refused.message.starts_with("shop.sql:2: "), "{}", refused.message);
    }
}
