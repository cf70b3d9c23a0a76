//! Action `run`: spreads the connections over event loops, keeps the phases, collects the result.

pub(crate) mod any_driver;
pub(crate) mod collector;
pub(crate) mod commits;
pub(crate) mod conclude;
pub(crate) mod connection;
pub(crate) mod crew;
pub(crate) mod discipline;
pub(crate) mod event_tallies;
pub(crate) mod failing;
pub(crate) mod fleet;
pub(crate) mod held;
pub(crate) mod message;
pub(crate) mod names;
pub(crate) mod opener;
pub(crate) mod own_file;
pub(crate) mod plan;
pub(crate) mod reconnect;
pub(crate) mod record;
pub(crate) mod report;
pub(crate) mod session;
pub(crate) mod shard;
pub(crate) mod terminal;
pub(crate) mod think;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use assay_workload::{Deferral, Ledger, Measure};

use crate::course::conductor::Conductor;
use crate::course::orders::Orders;
use crate::course::timeline::Control;
use crate::ledger::{Book, Page};
use crate::load::any_driver::{Drive, LoopPart, Speaks, event_loop};
use crate::load::collector::{Collector, Setup};
use crate::load::conclude::conclude;
use crate::load::fleet::{Loops, end_in_time};
use crate::load::held::HeldLoad;
use crate::load::message::Message;
use crate::load::names::Names;
use crate::load::plan::{LoadPlan, ShardPlan};
use crate::load::record::RecordFile;
use crate::load::report::Report;
use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::process::panics::caught;
use crate::say::emit::emit;
use crate::say::hello::hello;
use crate::server::ask::Inquiry;
use crate::server::extent::{extents, judge};
use crate::server::login::{Login, Purpose};
use crate::server::notes::learn;
use crate::server::preflight::{Needs, has_spare, preflight};
use crate::server::session::{in_force, is_on, refuse_unescaped};
use assay_format::event::{ErrorKind, Event, OwnMeasure, Phase, PhaseStart};
use assay_format::job::{Job, PsMode};

/// What a workload does around its load, in the thread that conducts it.
pub(crate) trait Around {
    /// Before any connection of the load is opened.
    ///
    /// # Errors
    /// There is no load.
    fn before(&mut self) -> Result<(), Fatal> {
        Ok(())
    }

    /// Hears a report of every interval of the measured window; absent where it does not want to.
    fn reports(&self) -> Option<Sender<Report>> {
        None
    }

    /// After the last connection was closed; `whole` is the measured window.
    ///
    /// # Errors
    /// The run has failed; what was measured is said nevertheless.
    fn after(&mut self, _whole: &Report) -> Result<(), Fatal> {
        Ok(())
    }

    /// After the result of a load that has succeeded was said.
    ///
    /// # Errors
    /// The job has failed, not its load.
    fn done(&mut self) -> Result<(), Fatal> {
        Ok(())
    }
}

/// Nothing.
impl Around for () {}

/// Carries the job out with its workload; returns the exit code.
///
/// # Errors
/// The job is wrong, the server refuses, or goes away.
pub(crate) fn run(
    job: Job,
    clock: Clock,
    mut workload: Box<dyn Drive>,
    orders: Orders,
    around: &mut dyn Around,
) -> Result<i32, Fatal> {
    let job = Arc::new(job);
    let threads = threads_for(&job, workload.computes());
    let own = Loops::of(&job, threads);
    let connections = own.count(job.load.connections.into()) as u32;
    let statements = workload.description().statements();
    let purpose = Purpose { files: false, packets: statements.packets(), own: workload.is_own() };
    let of_all = job.load.connections;
    let needs =
        Needs { connections, of_all, statements: statements.list().len(), ps_mode: job.target.ps_mode };
    let login = Arc::new(Login::new(&job.target, purpose)?);
    let mut inquiry = Inquiry::new(login.clone())?;
    let asks = is_asked(workload.speaks(), &mut inquiry, &needs)?;
    learn(workload.description_mut(), &login)?;
    let session = if asks { session_of(&job, &mut inquiry, &*workload)? } else { BTreeMap::new() };
    let undoes_on_timeout = is_on(&session, "innodb_rollback_on_timeout");
    let workload: Arc<dyn Drive> = workload.into();
    let described = workload.description();
    let ill_sized = judge(&extents(&login, described.data())?, described.resizes())?;
    let (deferral, ledgers) = (described.deferral(), Arc::<[Ledger]>::from(described.ledgers()));
    let load = LoadPlan::new(&job, described.pace().as_deref(), deferral.is_some())?;
    let names = Names::of(described, job.load.reconnect_each > 0)?;
    let (book, records) = files_of(&job, &ledgers, deferral.as_ref())?;

    let measures = described.measures().into_iter().map(own_measure).collect();
    hello(clock, job.seed, threads, connections, &job.workload.name, measures);
    around.before()?;
    emit(&Event::Phase(PhaseStart { phase: Phase::Connect, start_ns: clock.now(), planned_ms: None }));

    let control = Arc::new(Control::default());
    end_in_time(&job, &control, clock)?;
    let held = HeldLoad::of(&job);
    let (messages, inbox) = channel();
    let mut spares = Vec::new();
    let mut loops = Vec::new();
    for index in 0..threads {
        let (spare, spare_inbox) = channel();
        spares.push(spare);
        let mut plan = ShardPlan::new(&job, &load, &names, index, own);
        let discipline = (load.make)(&job, &load.properties, &plan.part)?;
        plan.ledger = book.as_ref().map(|_| Page::new(ledgers.clone()));
        let (ending, telling, workload) = (control.clone(), messages.clone(), workload.clone());
        let part = LoopPart {
            job: job.clone(),
            plan,
            discipline,
            clock,
            login: login.clone(),
            control: control.clone(),
            messages: messages.clone(),
            spare: spare_inbox,
            undoes_on_timeout,
        };
        let name = format!("event-loop-{index}");
        let spawned = thread::Builder::new().name(name).spawn(move || {
            if let Err(fatal) = caught(|| event_loop(workload, part)) {
                ending.abort();
                let _ = telling.send(Message::Fatal(fatal));
            }
        });
        loops.push(spawned.map_err(|error| Fatal::host(format!("cannot start a thread: {error}")))?);
    }
    drop(messages);

    let reach = described.reach(load.properties.terminals);
    let (facts, defers) = (described.facts(), deferral.is_some());
    let shape = load.shape(&names);
    let setup = Setup {
        names,
        workload: workload.clone(),
        facts,
        session,
        reach,
        connections,
        load: load.properties,
        shape,
        defers,
        records,
        book,
        inquiry: asks.then_some(inquiry),
        reports: around.reports(),
        held,
        alone: job.load.part.is_none(),
    };
    let collector = Collector::new(setup, spares);
    let mut conductor = Conductor::new(collector, threads, &job.phases, clock, control, inbox, orders);
    // An event loop that hangs is left behind: it ends with the process.
    if conductor.conduct() {
        for thread in loops {
            // A panic in it was caught, and is the job's error by now.
            let _ = thread.join();
        }
        // A server that has just failed is not asked once more.
        if conductor.fatal.is_none() {
            conductor.load.over();
        }
        // What was measured before an error is reported too.
        let window = conductor.accounts.window();
        if (window.is_some() || conductor.fatal.is_none())
            && let Err(fatal) = around.after(&conductor.load.report(window.unwrap_or_default()))
        {
            conductor.fatal.get_or_insert(fatal);
        }
    }
    match conclude(conductor, threads, ill_sized) {
        0 => around.done().map(|()| 0),
        failed => Ok(failed),
    }
}

/// The files that a load writes beside its events.
///
/// # Errors
/// One cannot be created, or is not this load's.
fn files_of(
    job: &Job,
    ledgers: &Arc<[Ledger]>,
    deferral: Option<&Deferral>,
) -> Result<(Option<Book>, Option<RecordFile>), Fatal> {
    // First what may refuse its file, then what begins it anew.
    let open = |path: &PathBuf| Book::create(path, &job.workload.name, ledgers);
    let create = |path: &PathBuf| RecordFile::create(path, deferral);
    let book = job.engine.ledger.as_ref().map(open).transpose()?;
    Ok((book, job.load.deferred_file.as_ref().map(create).transpose()?))
}

/// The session that the load's connections have. The questions keep their connection where the server has one to spare.
///
/// # Errors
/// The statements of the load mean something else in it, or the account may not have so many connections.
fn session_of(
    job: &Job,
    inquiry: &mut Inquiry<Arc<Login>>,
    workload: &dyn Drive,
) -> Result<BTreeMap<String, String>, Fatal> {
    let statements = workload.description().statements();
    let session = in_force(inquiry, statements.setup())?;
    let texts = job.target.ps_mode == PsMode::Disable || statements.packets();
    refuse_unescaped(&session, workload.is_own() && texts)?;
    if !has_spare(&session, job.load.connections)? {
        inquiry.close();
    }
    Ok(session)
}

/// Checks the server before the load, and returns whether there is one.
///
/// # Errors
/// The server does not suit the load, or one that the load needs cannot be reached.
fn is_asked(speaks: Speaks, inquiry: &mut Inquiry<Arc<Login>>, needs: &Needs) -> Result<bool, Fatal> {
    match speaks {
        Speaks::Never => Ok(false),
        Speaks::Always => preflight(inquiry, needs).map(|()| true),
        Speaks::Perhaps => match preflight(inquiry, needs) {
            Err(fatal) if fatal.kind == ErrorKind::Connect && !fatal.interrupted => Ok(false),
            checked => checked.map(|()| true),
        },
    }
}

/// A measure of the workload's as the first event tells it.
fn own_measure(Measure { name, unit, kind, per_s, whole }: Measure) -> OwnMeasure {
    OwnMeasure { name: name.into(), unit: unit.into(), kind: kind.into(), per_s, whole }
}

/// Event loops for so many connections: half of the cores, for the server needs the machine too, and some connections
/// for each. A closed loop that `computes` has one for each core: while a single one computes, the kernel leaves cores
/// idle that the server's threads could have.
fn threads_for(job: &Job, computes: bool) -> usize {
    const CONNECTIONS_EACH: usize = 8;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let connections = job.load.connections as usize;
    match job.engine.threads as usize {
        // Numbered among those of a fleet, and checked with the job.
        asked if job.load.part.is_some() => asked,
        0 => {
            let most = if computes && job.load.arrivals.is_none() { cores } else { cores / 2 };
            most.clamp(1, connections.div_ceil(CONNECTIONS_EACH))
        }
        asked => asked.min(connections),
    }
}
