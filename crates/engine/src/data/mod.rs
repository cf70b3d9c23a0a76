//! Actions `prepare`, `check` and `cleanup`: the workload's tables, made, counted, dropped.

pub(crate) mod check;
pub(crate) mod dump;
mod generated;
pub(crate) mod loader;
pub(crate) mod pieces;
pub(crate) mod pool;
pub(crate) mod shared;
pub(crate) mod size;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use assay_wire::{Discard, Error};
use assay_workload::{Check, Dataset, Description, Notes, Table};

use crate::data::check::try_all;
use crate::data::loader::{Loader, Sent, chunks};
use crate::data::pool::{Shared, work_off};
use crate::data::shared::{rows_of, share_of_chunks};
use crate::ledger::{self, Entries, Promised};
use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::process::signal::INTERRUPTED;
use crate::process::usage::{engine_use, peak_resident_bytes};
use crate::say::counted::{counted, thousands};
use crate::say::doubts::doubt;
use crate::say::emit::emit;
use crate::server::ask::count_rows;
use crate::server::extent::{extents, refuse_larger};
use crate::server::login::{Login, Purpose};
use crate::server::notes::{NO_TABLE, learn, written};
use assay_format::event::{ActionResult, Event, Phase, PhaseStart, Progress};
use assay_format::job::{Action, Job, PrepareStep};

/// Carries the job out on the tables of its workload; returns the exit code.
///
/// # Errors
/// The job is wrong, the server refuses, or goes away.
pub(crate) fn work_on(job: &Job, clock: Clock, workload: &mut dyn Description) -> Result<i32, Fatal> {
    let purpose = Purpose { files: job.action == Action::Prepare, packets: false, own: true };
    let login = Login::new(&job.target, purpose)?;
    if job.action == Action::Check {
        learn(workload, &login)?;
    }
    let loaders = match job.engine.loaders {
        0 => std::thread::available_parallelism().map_or(2, usize::from).max(2),
        loaders => loaders as usize,
    };
    let ledger = match (&job.engine.ledger, job.action) {
        (Some(path), Action::Check) => ledger::promised(path, &job.workload.name, &workload.ledgers())?,
        _ => Promised::default(),
    };
    let work = Data { job, clock, login, loaders, data: workload.data() };
    let whole = match job.action {
        Action::Prepare => work.prepare()?,
        Action::Check => work.check(ledger)?,
        Action::Cleanup => work.cleanup()?,
        Action::Run | Action::Command => {
            return Err(Fatal::job(
                "cannot run as work on tables: the action must be prepare, check or \
            cleanup",
            ));
        }
    };
    Ok(if whole { 0 } else { INTERRUPTED })
}

type RowsByTable = BTreeMap<String, u64>;

struct Data<'a> {
    job: &'a Job,
    clock: Clock,
    login: Login,
    loaders: usize,
    data: &'a dyn Dataset,
}

impl Data<'_> {
    fn prepare(&self) -> Result<bool, Fatal> {
        let tables = self.data.tables();
        let planned = |(table, plan): (usize, &Table)| {
            let rows = self.data.rows_in(table, 1, plan.rows);
            (plan.name.clone(), rows)
        };
        let planned: RowsByTable = tables.iter().enumerate().map(planned).collect();
        // Several generators take a step each; one alone takes them all.
        let step = self.job.engine.prepare_step;
        let takes = |one: PrepareStep| step.is_none_or(|asked| asked == one);
        let loader = Loader::new(self.data, self.job, self.loaders, &self.login)?;
        let loader = &loader;
        let resume = self.job.engine.resume;
        let notes = self.data.notes();
        if resume
            && let Some(notes) = &notes
            && written(&self.login, notes)?
        {
            // Rows that a load has changed since must not be taken for rows that are missing: none is looked at.
            self.done("prepare", RowsByTable::new(), Sent::default());
            return Ok(true);
        }
        if resume {
            refuse_larger(&extents(&self.login, self.data)?)?;
        }
        let create = |sql: &str| {
            if resume {
                sql.replacen("CREATE TABLE ", "CREATE TABLE IF NOT EXISTS ", 1)
            } else {
                sql.to_owned()
            }
        };
        let after = || tables.iter().flat_map(|table| table.after.clone()).collect();
        let index_first = self.job.engine.index_first;
        if takes(PrepareStep::Tables) {
            let creates = tables.iter().map(|table| create(&table.create)).collect();
            if self.statements(Phase::Load, 1, creates)?.is_none() {
                return Ok(false);
            }
            if index_first && self.statements(Phase::Index, self.loaders, after())?.is_none() {
                return Ok(false);
            }
        }
        let mut rows = RowsByTable::new();
        if takes(PrepareStep::Rows) {
            let own = share_of_chunks(chunks(tables), self.job);
            rows = rows_of(self.data, &own);
            let total: u64 = rows.values().sum();
            let loaded = work_off(
                &self.login,
                self.clock,
                self.loaders,
                own,
                |shared, connection, chunk| loader.load(shared, connection, chunk),
                |done| self.progress(Phase::Load, done, total, "rows"),
            )?;
            if !loaded {
                return Ok(false);
            }
            self.progress(Phase::Load, total, total, "rows");
        }
        if takes(PrepareStep::Finish) {
            if !index_first && self.statements(Phase::Index, self.loaders, after())?.is_none() {
                return Ok(false);
            }
            let last = self.data.finally().into_iter().chain(notes.as_ref().map(Notes::statement));
            if self.statements(Phase::Index, 1, last.collect())?.is_none() {
                return Ok(false);
            }
            // Whoever finishes says what all have loaded.
            rows = planned;
            if let Some(notes) = notes {
                rows.insert(notes.table.to_string(), notes.rows.len() as u64);
            }
        }
        self.done("prepare", rows, loader.sent());
        Ok(true)
    }

    fn check(&self, ledger: Promised) -> Result<bool, Fatal> {
        self.phase(Phase::Check);
        let mut checks = self.data.checks();
        checks.extend(ledger.checks);
        if !checks.is_empty() {
            return self.conditions(checks, &ledger.entries);
        }
        let mut rows = RowsByTable::new();
        for table in self.data.tables() {
            let found = count_rows(&self.login, &table.name)?;
            if found != table.rows {
                let message = format!(
                    "{} holds {}; freshly prepared it has {}",
                    table.name,
                    counted(found, "row"),
                    thousands(table.rows)
                );
                emit(&Event::Doubt(doubt("row-count", message, found as f64, table.rows as f64)));
            }
            rows.insert(table.name.clone(), found);
        }
        self.done("check", rows, Sent::default());
        Ok(true)
    }

    /// Tries the data set's own conditions, then counts the tables.
    fn conditions(&self, checks: Vec<Check>, promised: &Entries) -> Result<bool, Fatal> {
        let total = checks.len() as u64;
        let report = |done| self.progress(Phase::Check, done, total, "checks");
        let whole = try_all(&self.login, self.clock, self.loaders, checks, promised, report)?;
        if whole {
            let mut rows = RowsByTable::new();
            let notes = self.data.notes().map(|notes| notes.table);
            for table in self.data.tables() {
                let found = match count_rows(&self.login, &table.name) {
                    Ok(found) => found,
                    // Another tool may have made the tables: the workload takes them or has refused them by now.
                    Err(fatal)
                        if fatal.code == Some(NO_TABLE) && notes.as_deref() == Some(table.name.as_str()) =>
                    {
                        0
                    }
                    Err(fatal) => return Err(fatal),
                };
                rows.insert(table.name.clone(), found);
            }
            self.done("check", rows, Sent::default());
        }
        Ok(whole)
    }

    fn cleanup(&self) -> Result<bool, Fatal> {
        let tables = self.data.tables().iter().rev();
        let drops = tables.map(|table| format!("DROP TABLE IF EXISTS {}", table.name)).collect();
        let connections = if self.data.linked() { 1 } else { self.loaders };
        // A table that was not there is dropped with a warning.
        let Some(dropped) = self.statements(Phase::Cleanup, connections, drops)? else { return Ok(false) };
        self.done_with("cleanup", dropped, RowsByTable::new(), Sent::default());
        Ok(true)
    }

    /// Sends a list of statements, several at a time. Returns how many were answered without a warning; `None`: a
    /// signal ended it early.
    fn statements(&self, phase: Phase, connections: usize, list: Vec<String>) -> Result<Option<u64>, Fatal> {
        self.phase(phase);
        let clean = AtomicU64::new(0);
        let total = list.len() as u64;
        let unit = if phase == Phase::Index { "indexes" } else { "tables" };
        let resume = self.job.engine.resume;
        let whole = work_off(
            &self.login,
            self.clock,
            connections,
            list,
            |shared: Arc<Shared<String>>, mut connection, sql| {
                let clean = &clean;
                async move {
                    match connection.query(sql.as_bytes(), &mut Discard).await {
                        Ok(outcome) => {
                            clean.fetch_add(u64::from(outcome.warnings == 0), Ordering::Relaxed);
                        }
                        // A load that was broken off has made this index already, and goes on here.
                        Err(error) if resume && is_there(&error) => {}
                        Err(error) => return Err(Fatal::statement(first_line(&sql), &error)),
                    }
                    shared.add_done(1);
                    Ok(connection)
                }
            },
            |done| self.progress(phase, done, total, unit),
        )?;
        Ok(whole.then(|| clean.into_inner()))
    }

    fn phase(&self, phase: Phase) {
        emit(&Event::Phase(PhaseStart { phase, start_ns: self.clock.now(), planned_ms: None }));
    }

    fn progress(&self, phase: Phase, done: u64, total: u64, unit: &str) {
        let elapsed_s = self.clock.now() as f64 / 1e9;
        emit(&Event::Progress(Progress { phase, done, total, unit: unit.into(), elapsed_s }));
    }

    fn done(&self, action: &str, rows: RowsByTable, sent: Sent) {
        self.done_with(action, self.data.tables().len() as u64, rows, sent);
    }

    fn done_with(&self, action: &str, tables: u64, rows: RowsByTable, sent: Sent) {
        let mut engine = engine_use();
        engine.rss_bytes = peak_resident_bytes();
        emit(&Event::Done(ActionResult {
            rows: rows.values().sum(),
            tables,
            rows_by_table: rows,
            loaded_as: sent.way,
            load_statements: sent.statements,
            ..ActionResult::new(action, self.clock.now() as f64 / 1e9, engine)
        }));
    }
}

/// Whether an error says that the index or the foreign key is there already: ER_DUP_KEYNAME, ER_FK_DUP_NAME, or the
/// engine's own word for it.
fn is_there(error: &Error) -> bool {
    match error {
        Error::Server(server) => matches!(server.code, 1061 | 1826) || server.message.contains("errno: 121"),
        _ => false,
    }
}

fn first_line(sql: &str) -> &str {
    sql.lines().next().unwrap_or(sql)
}
