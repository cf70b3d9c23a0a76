//! Files that make tables, as dump programs and people write them: the tables first, then their rows over several
//! connections, then what needs the rows. Files are read twice and never held whole: first to learn whether the order of
//! their statements matters, then to send them.

mod ahead;
mod batch;
mod carry;
mod cut;
mod databases;
mod extents;
mod facts;
mod functions;
mod indexes;
mod objects;
mod order;
mod queue;
mod read;
mod refused;
mod rewrite;
mod roles;
mod rows;
mod scan;
mod seen;
mod send;
mod session;
mod settings;
pub(crate) mod source;
mod utf16;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

use crate::data::dump::indexes::{Needed, postponed};
use crate::data::dump::read::{Input, Reached, inputs_of};
use crate::data::dump::rewrite::Rewriting;
use crate::data::dump::scan::{Placed, Scan};
use crate::data::dump::send::{Sender, Sent};
use crate::data::generated::Generated;
use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::process::poison::unpoisoned;
use crate::process::signal::INTERRUPTED;
use crate::process::usage::{engine_use, peak_resident_bytes};
use crate::say::counted::counted;
use crate::say::emit::emit;
use crate::server::ask::ask;
use crate::server::login::{Login, Purpose};
use assay_format::event::{ActionResult, Event, Phase, PhaseStart, Progress, ScriptOutput};
use assay_format::job::{Dump, Job};

/// Connections that load rows, at least and at most, where the job names no number.
const CONNECTIONS: (usize, usize) = (2, 8);
/// Nanoseconds between two reports of how far the files are read.
const REPORT_NS: u64 = 500_000_000;

/// Files that make tables, and how.
#[derive(Default)]
pub(crate) struct Wanted {
    inputs: Vec<Input>,
    dump: Dump,
    generated: Option<Generated>,
    /// Whether the tables go into the database that the files name, and not into the target's.
    named: bool,
}

impl Wanted {
    /// The files of a job's dump, or its tables to be generated.
    ///
    /// # Errors
    /// No rows can be made of the job's statistics.
    pub(crate) fn of(dump: &Dump) -> Result<Self, Fatal> {
        let Some(profile) = &dump.generated else {
            return Ok(Self { inputs: inputs_of(dump), dump: dump.clone(), generated: None, named: true });
        };
        let generated = Generated::new(profile)?;
        let mut wanted = Self::of_texts(generated.texts());
        (wanted.dump, wanted.generated, wanted.named) = (dump.clone(), Some(generated), true);
        Ok(wanted)
    }

    /// Texts in memory, each after its name.
    pub(crate) fn of_texts(files: Vec<(String, Vec<u8>)>) -> Self {
        let inputs = files.into_iter().map(|(name, text)| Input::Text { name, text }).collect();
        Self { inputs, ..Self::default() }
    }
}

/// Carries out `prepare` of a job whose tables are in files; returns the exit code.
///
/// # Errors
/// The files cannot be read, or the server refuses a statement of theirs.
pub(crate) fn prepare(job: &Job, clock: Clock, wanted: Wanted) -> Result<i32, Fatal> {
    let Wanted { inputs, dump, generated, named } = &wanted;
    if inputs.is_empty() {
        return Err(Fatal::job(format!("{} names no file that makes its tables", job.workload.name))
            .hint("write -- @data FILE.sql in it, or load the tables before"));
    }
    let total = inputs.iter().map(Input::bytes).sum();
    let reached = Reached::default();
    let mut reporter = Reporter { clock, total, unit: "bytes", told: 0, phase: Phase::Check };
    reporter.begin(Phase::Check);
    let rewriting = Rewriting::new(&dump.collations);
    let mut scan =
        Scan::of(inputs, dump.database.as_deref(), rewriting, &reached, &mut || reporter.tell(&reached))?;
    reached.seen.require_unchanged()?;
    if crate::process::signal::received() {
        return Ok(INTERRUPTED);
    }
    if dump.indexes_after {
        if let Some(why) = &scan.ordered {
            let message =
                format!("indexes cannot be made after the rows, for the order of the files matters: {why}");
            return Err(Fatal::job(message).hint("leave indexes = \"after\" out of [dataset]"));
        }
        postpone(&mut scan);
    }
    let files = scan.sends_files || inputs.iter().any(|input| matches!(input, Input::Rows { .. }));
    let purpose = Purpose { files, ..Purpose::default() };
    let mut target = job.target.clone();
    if let Some(database) = scan.database.as_deref().filter(|_| *named) {
        database.clone_into(&mut target.database);
    }
    let sent = Sent { database: target.database.clone(), ..Sent::default() };
    let connections = match job.engine.loaders {
        0 => std::thread::available_parallelism().map_or(2, usize::from).clamp(CONNECTIONS.0, CONNECTIONS.1),
        loaders => loaders as usize,
    };
    if let Some(generated) = generated {
        (reporter.total, reporter.unit) = (generated.rows(), "rows");
    }
    reporter.begin(Phase::Load);
    let reading = Reached { seen: reached.seen.clone(), ..Reached::default() };
    let wanted = dump.database.as_deref();
    if target.database != job.target.database {
        let login = Login::new(&job.target, purpose)?;
        let making = scan.take_making(&target.database);
        let sender = Sender { login: &login, clock, inputs, wanted, sent: &sent, packet: usize::MAX };
        if !sender.in_order(&[making], || ())? {
            return Ok(INTERRUPTED);
        }
    }
    let login = Login::new(&target, purpose)?;
    let packet = packet_of(&login)?;
    if scan.longest_rows > packet {
        // What is cut is read in order.
        scan.extents.give_up();
    }
    let sender = Sender { login: &login, clock, inputs, wanted, sent: &sent, packet };
    let whole = if scan.ordered.is_some() {
        let rewriting = Mutex::new(Rewriting::new(&dump.collations).in_one_session());
        let whole = sender
            .as_it_stands(dump.structure_only, &rewriting, &reading, &mut || reporter.tell(&reading))?;
        scan.rewriting = unpoisoned(rewriting.into_inner());
        whole
    } else {
        sender.in_order(&scan.tables, &mut || reporter.tell(&reading))?
            && (dump.structure_only
                || match generated {
                    Some(generated) => {
                        generated.send(&login, clock, connections, |rows| reporter.progress(rows))?
                    }
                    None => {
                        let report = || reporter.tell(&reading);
                        let extents = std::mem::take(&mut scan.extents);
                        match extents.shares(connections) {
                            Some(shares) => {
                                sender.shared_out(connections, &scan.head, &shares, &reading, report)?
                            }
                            None => {
                                scan.rows == 0 || sender.rows(connections, &scan.head, &reading, report)?
                            }
                        }
                    }
                })
            && sender.apart(connections, &scan.head, &scan.postponed, || reporter.tell(&reading))?
            && sender.in_order(&scan.last, &mut || reporter.tell(&reading))?
    };
    if !whole {
        return Ok(INTERRUPTED);
    }
    reading.seen.require_unchanged()?;
    reporter.tell_end();
    emit(&Event::Done(done(
        &scan,
        &sent,
        &reached,
        generated.as_ref().filter(|_| !dump.structure_only),
        clock,
    )));
    Ok(0)
}

/// The longest statement that a server takes.
fn packet_of(login: &Login) -> Result<usize, Fatal> {
    let limit = ask(login, "SELECT @@max_allowed_packet", Some(login.timeout_ns()))?;
    Ok(limit.first().and_then(|bytes| usize::try_from(*bytes).ok()).unwrap_or(usize::MAX))
}

/// Puts the making of secondary indexes after the rows.
fn postpone(scan: &mut Scan) {
    let needed = Needed::of(scan.tables.iter().map(|table| table.sql.as_slice()));
    for table in &mut scan.tables {
        if let Some((without, statements)) = postponed(&table.sql, &needed) {
            table.sql = without;
            let letters = table.letters;
            let placed = |sql| Placed { sql, place: table.place.clone(), letters };
            scan.postponed.push(statements.into_iter().map(placed).collect());
        }
    }
}

fn done(
    scan: &Scan,
    sent: &Sent,
    reached: &Reached,
    generated: Option<&Generated>,
    clock: Clock,
) -> ActionResult {
    let mut notes = scan.notes();
    let mut statements = sent.statements.load(Ordering::Relaxed);
    if let Some(generated) = generated {
        notes.extend(generated.model.notes.iter().cloned());
        statements += generated.statements.load(Ordering::Relaxed);
    }
    let warnings = sent.warnings.load(Ordering::Relaxed);
    if let Some(place) = &*unpoisoned(sent.warned.lock()) {
        notes.push(format!(
            "the server took rows with {}, the first at {place}",
            counted(warnings, "warning")
        ));
    }
    notes.extend(unpoisoned(reached.notes.lock()).iter().cloned());
    let untried = unpoisoned(sent.untried.lock());
    if let Some(first) = untried.first() {
        let text = counted(untried.len() as u64, "statement");
        notes.push(format!("{text} could not be tried without the rows, the first at {first}"));
    }
    for note in &notes {
        emit(&Event::Output(ScriptOutput { text: format!("{note}\n"), error: false }));
    }
    // Where the order matters, or a statement may change rows, what is left the tables say.
    let rows: BTreeMap<String, u64> = if let Some(generated) = generated {
        generated.model.tables().iter().map(|table| (table.name.to_lowercase(), table.rows)).collect()
    } else if scan.ordered.is_none() && !scan.acts {
        let rows = unpoisoned(sent.rows.lock());
        rows.iter().map(|(table, rows)| (table.to_string(), *rows)).collect()
    } else {
        BTreeMap::new()
    };
    let named = unpoisoned(reached.named.lock());
    let mut engine = engine_use();
    engine.rss_bytes = peak_resident_bytes();
    ActionResult {
        rows: rows.values().sum(),
        tables: rows.len() as u64,
        rows_by_table: rows,
        database: Some(sent.database.clone()),
        load_statements: statements,
        files_read: named.iter().map(|path| path.display().to_string()).collect(),
        notes,
        untried: untried.len() as u64,
        ..ActionResult::new("prepare", clock.now() as f64 / 1e9, engine)
    }
}

/// Says how far files are read.
struct Reporter {
    clock: Clock,
    total: u64,
    unit: &'static str,
    told: u64,
    phase: Phase,
}

impl Reporter {
    fn begin(&mut self, phase: Phase) {
        (self.told, self.phase) = (self.clock.now(), phase);
        emit(&Event::Phase(PhaseStart { phase, start_ns: self.told, planned_ms: None }));
    }

    fn tell(&mut self, reached: &Reached) {
        let now = self.clock.now();
        if now >= self.told + REPORT_NS {
            self.told = now;
            self.progress(reached.bytes.load(Ordering::Relaxed).min(self.total));
        }
    }

    fn tell_end(&self) {
        self.progress(self.total);
    }

    fn progress(&self, done: u64) {
        emit(&Event::Progress(Progress {
            phase: self.phase,
            done,
            total: self.total,
            unit: self.unit.into(),
            elapsed_s: self.clock.now() as f64 / 1e9,
        }));
    }
}
