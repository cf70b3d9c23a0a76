//! Actions `prepare`, `check` and `cleanup`: the workload's tables, made, counted, dropped.

use std::rc::Rc;

use assay_wire::{Connection, Discard, Param, Template};
use assay_workload::{Dataset, Rng, Table, Visitor, Workload};

use crate::ask::{Numbers, ask};
use crate::clock::Clock;
use crate::doubts::doubt;
use crate::emit::emit;
use crate::event::{Done, Event, Phase, PhaseStart, Progress};
use crate::failure::Fatal;
use crate::job::{Action, Job};
use crate::login::Login;
use crate::pool::{Shared, work_off};
use crate::signal::INTERRUPTED;
use crate::socket::Socket;
use crate::usage::{engine_use, peak_resident_bytes};

/// Longest INSERT sent, unless the server takes less.
const STATEMENT_BYTES: usize = 1 << 20;
/// Room for one row and the statement's head below the server's limit.
const STATEMENT_ROOM: usize = 16 << 10;

/// Carries the job out with the workload it names; returns the exit code.
pub struct DataWork {
    pub job: Job,
    pub clock: Clock,
}

impl Visitor for DataWork {
    type Output = Result<i32, Fatal>;

    fn visit<W: Workload>(self, workload: W) -> Self::Output {
        let login = Login::new(&self.job.target)?;
        let loaders = match self.job.engine.loaders {
            0 => std::thread::available_parallelism().map_or(2, usize::from).max(2),
            loaders => loaders as usize,
        };
        let work = Data { job: &self.job, clock: self.clock, login, loaders, data: workload.data() };
        let whole = match self.job.action {
            Action::Prepare => work.prepare()?,
            Action::Check => work.check()?,
            Action::Cleanup => work.cleanup()?,
            Action::Run => return Err(Fatal::job("run is not data work")),
        };
        Ok(if whole { 0 } else { INTERRUPTED })
    }
}

struct Data<'a> {
    job: &'a Job,
    clock: Clock,
    login: Login,
    loaders: usize,
    data: &'a dyn Dataset,
}

/// Consecutive rows of one table, loaded in one transaction: there as a whole, or not at all.
#[derive(Debug, Clone, Copy)]
struct Chunk {
    table: usize,
    number: u64,
    first: u64,
    last: u64,
}

impl Data<'_> {
    fn prepare(&self) -> Result<bool, Fatal> {
        let tables = self.data.tables();
        let total: u64 = tables.iter().map(|table| table.rows).sum();
        let resume = self.job.engine.resume;
        let create = |sql: &str| {
            if resume {
                sql.replacen("CREATE TABLE ", "CREATE TABLE IF NOT EXISTS ", 1)
            } else {
                sql.to_owned()
            }
        };
        let creates = tables.iter().map(|table| create(&table.create)).collect();
        if !self.statements(Phase::Load, 1, creates)? {
            return Ok(false);
        }

        let limit = ask(&self.login, "SELECT @@max_allowed_packet", Some(self.login.timeout_ns()))?;
        let packet = limit.first().map_or(STATEMENT_BYTES, |bytes| *bytes as usize);
        let statement_bytes = STATEMENT_BYTES.min(packet.saturating_sub(STATEMENT_ROOM)).max(1);
        let seed = self.job.seed;
        let data = self.data;
        let loaded = work_off(
            &self.login,
            self.clock,
            self.loaders,
            chunks(tables),
            |shared, connection, chunk| load(shared, connection, chunk, data, seed, statement_bytes, resume),
            |done| self.progress(Phase::Load, done, total, "rows"),
        )?;
        if !loaded {
            return Ok(false);
        }
        self.progress(Phase::Load, total, total, "rows");
        let after = tables.iter().flat_map(|table| table.after.clone()).collect();
        if !self.statements(Phase::Index, self.loaders, after)? {
            return Ok(false);
        }
        self.done("prepare", total);
        Ok(true)
    }

    fn check(&self) -> Result<bool, Fatal> {
        self.phase(Phase::Check);
        let mut rows = 0;
        for table in self.data.tables() {
            let count = ask(&self.login, &format!("SELECT COUNT(*) FROM {}", table.name), None)?;
            let found = count.first().copied().unwrap_or(0) as u64;
            if found != table.rows {
                let message = format!("{} holds {found} rows, a fresh one {}", table.name, table.rows);
                emit(&Event::Doubt(doubt("row-count", message, found as f64, table.rows as f64)));
            }
            rows += found;
        }
        self.done("check", rows);
        Ok(true)
    }

    fn cleanup(&self) -> Result<bool, Fatal> {
        let drops =
            self.data.tables().iter().map(|table| format!("DROP TABLE IF EXISTS {}", table.name)).collect();
        let whole = self.statements(Phase::Cleanup, self.loaders, drops)?;
        if whole {
            self.done("cleanup", 0);
        }
        Ok(whole)
    }

    /// Sends a list of statements, several at a time.
    fn statements(&self, phase: Phase, connections: usize, list: Vec<String>) -> Result<bool, Fatal> {
        self.phase(phase);
        let total = list.len() as u64;
        let unit = if phase == Phase::Index { "indexes" } else { "tables" };
        let resume = self.job.engine.resume;
        work_off(
            &self.login,
            self.clock,
            connections,
            list,
            |shared: Rc<Shared<String>>, mut connection, sql| async move {
                match connection.query(sql.as_bytes(), &mut Discard).await {
                    Ok(_) => {}
                    // ER_DUP_KEYNAME: the broken load had come this far.
                    Err(error) if resume && error.code() == Some(1061) => {}
                    Err(error) => return Err(Fatal::statement(first_line(&sql), &error)),
                }
                shared.add_done(1);
                Ok(connection)
            },
            |done| self.progress(phase, done, total, unit),
        )
    }

    fn phase(&self, phase: Phase) {
        emit(&Event::Phase(PhaseStart { phase, start_ns: self.clock.now(), planned_ms: None }));
    }

    fn progress(&self, phase: Phase, done: u64, total: u64, unit: &str) {
        let elapsed_s = self.clock.now() as f64 / 1e9;
        emit(&Event::Progress(Progress { phase, done, total, unit: unit.into(), elapsed_s }));
    }

    fn done(&self, action: &str, rows: u64) {
        let mut engine = engine_use();
        engine.rss_bytes = peak_resident_bytes();
        emit(&Event::Done(Done {
            action: action.into(),
            elapsed_s: self.clock.now() as f64 / 1e9,
            rows,
            tables: self.data.tables().len() as u64,
            engine,
        }));
    }
}

/// The chunks of all tables, those of different tables side by side so that loaders do not meet in one table.
fn chunks(tables: &[Table]) -> Vec<Chunk> {
    let mut chunks: Vec<Chunk> = Vec::new();
    for (table, plan) in tables.iter().enumerate() {
        let count = plan.rows.div_ceil(plan.chunk_rows.max(1));
        chunks.extend((0..count).map(|number| Chunk {
            table,
            number,
            first: number * plan.chunk_rows + 1,
            last: ((number + 1) * plan.chunk_rows).min(plan.rows),
        }));
    }
    chunks.sort_by_key(|chunk| (chunk.number, chunk.table));
    chunks
}

async fn load(
    shared: Rc<Shared<Chunk>>,
    mut connection: Connection<Socket>,
    chunk: Chunk,
    data: &dyn Dataset,
    seed: u64,
    statement_bytes: usize,
    resume: bool,
) -> Result<Connection<Socket>, Fatal> {
    let table = &data.tables()[chunk.table];
    let rows = chunk.last - chunk.first + 1;
    let failed = |error| Fatal::statement(&format!("cannot load {}", table.name), &error);
    if resume && present(&mut connection, table, chunk).await? == rows {
        shared.add_done(rows);
        return Ok(connection);
    }
    let mut rng = Rng::of_chunk(seed, chunk.table, chunk.number);
    let mut sql = Vec::with_capacity(statement_bytes + STATEMENT_ROOM);
    let mut number = chunk.first;
    connection.query(b"BEGIN", &mut Discard).await.map_err(failed)?;
    while number <= chunk.last {
        sql.clear();
        sql.extend_from_slice(table.insert.as_bytes());
        let first = number;
        while number <= chunk.last && (number == first || sql.len() < statement_bytes) {
            sql.push(if number == first { b' ' } else { b',' });
            data.row(chunk.table, number, &mut rng, &mut sql);
            number += 1;
        }
        connection.query(&sql, &mut Discard).await.map_err(failed)?;
        shared.add_done(number - first);
    }
    connection.query(b"COMMIT", &mut Discard).await.map_err(failed)?;
    Ok(connection)
}

/// Rows of a chunk that are there already.
async fn present(connection: &mut Connection<Socket>, table: &Table, chunk: Chunk) -> Result<u64, Fatal> {
    let mut sql = Vec::new();
    let bounds = [Param::UInt(chunk.first), Param::UInt(chunk.last)];
    let failed = |error| Fatal::statement(&format!("cannot count {}", table.name), &error);
    Template::new(&table.count_chunk).fill(&bounds, &mut sql).map_err(failed)?;
    let mut count = Numbers::default();
    connection.query(&sql, &mut count).await.map_err(failed)?;
    Ok(count.0.first().copied().unwrap_or(0) as u64)
}

fn first_line(sql: &str) -> &str {
    sql.lines().next().unwrap_or(sql)
}
