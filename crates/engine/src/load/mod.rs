//! Action `run`: spreads the connections over event loops, keeps the phases, collects the result.

pub mod collector;
pub mod conclude;
pub mod conservation;
pub mod discipline;
pub mod doubts;
pub mod message;
pub mod names;
pub mod plan;
pub mod reconnect;
pub mod record;
pub mod session;
pub mod shard;
pub mod terminal;
pub mod think;
pub mod told;
pub mod worker;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use assay_tally::Recorder;
use assay_workload::{Visitor, Workload};

use crate::course::conductor::Conductor;
use crate::course::timeline::Control;
use crate::job::reactions::Reactions;
use crate::ledger::{Book, Page};
use crate::load::collector::{Collector, Setup};
use crate::load::conclude::conclude;
use crate::load::discipline::AnyDiscipline;
use crate::load::message::Message;
use crate::load::names::Names;
use crate::load::plan::{LoadPlan, ShardPlan, timeout_ms};
use crate::load::record::RecordFile;
use crate::load::session::StatementPlan;
use crate::load::shard::Shard;
use crate::load::terminal::Terminals;
use crate::load::worker::{Crew, work};
use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::process::panics::caught;
use crate::reactor::{EventLoop, Reactor, Task};
use crate::say::emit::emit;
use crate::say::hello::hello;
use crate::server::extent::{extents, judge};
use crate::server::login::{Login, Purpose};
use crate::server::notes::learn;
use crate::server::preflight::{Needs, preflight};
use assay_format::event::{Event, Phase, PhaseStart};
use assay_format::job::Job;

/// Carries the job out with the workload it names; returns the exit code.
pub struct Run {
    pub job: Job,
    pub clock: Clock,
}

impl Visitor for Run {
    type Output = Result<i32, Fatal>;

    fn visit<W: Workload>(self, workload: W) -> Self::Output {
        run(&Arc::new(self.job), self.clock, workload)
    }
}

fn run<W: Workload>(job: &Arc<Job>, clock: Clock, mut workload: W) -> Result<i32, Fatal> {
    let connections = job.load.connections;
    let threads = threads_for(job);
    let login = Arc::new(Login::new(&job.target, Purpose { files: false, packets: W::PACKETS })?);
    let needs = Needs { connections, statements: workload.statements().len(), ps_mode: job.target.ps_mode };
    preflight(&login, &needs)?;
    learn(&mut workload, &login)?;
    let ill_sized = judge(&extents(&login, workload.data())?, workload.resizes())?;
    let workload = Arc::new(workload);
    let load = LoadPlan::new(job, &*workload)?;
    let create = |path: &PathBuf| RecordFile::create(path, W::RECORD, workload.defers());
    // First what may refuse its file, then what begins it anew.
    let book = job.engine.ledger.as_ref().map(|path| Book::create(path, W::NAME, W::LEDGERS)).transpose()?;
    let records = job.load.deferred_file.as_ref().map(create).transpose()?;

    hello(clock, job.seed, threads, connections, W::NAME);
    emit(&Event::Phase(PhaseStart { phase: Phase::Connect, start_ns: clock.now(), planned_ms: None }));

    let names = Names::of(&*workload, job.load.reconnect_each > 0);
    let facts = workload.facts().into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let control = Arc::new(Control::default());
    let (messages, inbox) = channel();
    let mut spares = Vec::new();
    let mut loops = Vec::new();
    for index in 0..threads {
        let (spare, spare_inbox) = channel();
        spares.push(spare);
        let mut plan = ShardPlan::new(job, &load, &names, index, threads);
        let discipline = (load.make)(job, &load.properties, &plan.part)?;
        plan.ledger = book.as_ref().map(|_| Page::new(W::LEDGERS));
        let messages = messages.clone();
        let (job, control) = (job.clone(), control.clone());
        let (login, workload) = (login.clone(), workload.clone());
        let name = format!("event-loop-{index}");
        let spawned = thread::Builder::new().name(name).spawn(move || {
            let (ending, telling) = (control.clone(), messages.clone());
            let body = || {
                event_loop(&job, clock, workload, login, plan, discipline, control, messages, spare_inbox);
            };
            if let Err(fatal) = caught(body) {
                ending.abort();
                let _ = telling.send(Message::Fatal(fatal));
            }
        });
        loops.push(spawned.map_err(|error| Fatal::host(format!("cannot start a thread: {error}")))?);
    }
    drop(messages);

    let reach = workload.reach(load.properties.terminals);
    let defers = workload.defers();
    let shape = load.shape(&names);
    let setup = Setup {
        names,
        facts,
        reach,
        shards: threads,
        connections,
        load: load.properties,
        shape,
        defers,
        records,
        book,
        login: login.clone(),
    };
    let collector = Collector::new(setup, spares);
    let mut conductor = Conductor::new(collector, threads, &job.phases, clock, control, inbox);
    // An event loop that hangs is left behind: it ends with the process.
    if conductor.conduct() {
        for thread in loops {
            // A panic in it was caught, and is the job's error by now.
            let _ = thread.join();
        }
    }
    Ok(conclude(conductor, &login, threads, ill_sized))
}

/// Event loops for so many connections: half of the cores, for the server needs the machine too, and some connections
/// for each.
fn threads_for(job: &Job) -> usize {
    const CONNECTIONS_EACH: usize = 8;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let connections = job.load.connections as usize;
    match job.engine.threads as usize {
        0 => (cores / 2).clamp(1, connections.div_ceil(CONNECTIONS_EACH)),
        asked => asked.min(connections),
    }
}

/// Lets the server's threads go on when an answer wakes this one (SCHED_BATCH): woken for every single answer, an event
/// loop that shares its cores with the server would sleep and wake for each operation. Where a core is free, or nobody
/// else wants this one, it changes nothing. Not for a load that waits for an instant
/// without a connection.
fn give_way() {
    let parameters = libc::sched_param { sched_priority: 0 };
    // Refused where a container forbids it: then the loop is woken more often, and nothing else differs.
    // SAFETY: 0 is the calling thread, and `parameters` outlives the call.
    unsafe { libc::sched_setscheduler(0, libc::SCHED_BATCH, &raw const parameters) };
}

#[expect(clippy::too_many_arguments, reason = "everything that moves into the thread, once")]
fn event_loop<W: Workload>(
    job: &Job,
    clock: Clock,
    workload: Arc<W>,
    login: Arc<Login>,
    plan: ShardPlan,
    mut discipline: AnyDiscipline,
    control: Arc<Control>,
    messages: Sender<Message>,
    spare: Receiver<Box<Recorder>>,
) {
    let (tasks, load) = (plan.part.connections, plan.load);
    if load.gives_way {
        give_way();
    }
    let reactor = match Reactor::new(tasks as usize, clock) {
        Ok(reactor) => reactor,
        Err(error) => {
            control.abort();
            let fatal = Fatal::host(format!("cannot make an event loop: {error}"));
            let _ = messages.send(Message::Fatal(fatal));
            return;
        }
    };
    let terminals = load.shared.then(|| {
        let share = (plan.first_terminal, plan.part.terminals, load.terminals);
        Terminals::new(&*workload, share, job.load.think, job.seed, |terminal, pause_ns| {
            discipline.wants(terminal, pause_ns);
        })
    });
    let shard = Shard::new(plan, discipline, reactor.clone(), control, messages, spare);
    let crew = std::rc::Rc::new(Crew {
        plan: std::rc::Rc::new(StatementPlan::new(workload.session(), workload.statements())),
        workload,
        login,
        shard: shard.clone(),
        policy: job.errors.clone(),
        reactions: Reactions::new(&job.errors),
        timeout_ms: timeout_ms(job).unwrap_or(0),
        ps_mode: job.target.ps_mode,
        times: load.times,
        think: job.load.think,
        reconnect_each: job.load.reconnect_each.into(),
        seed: job.seed,
        workers: load.terminals,
        terminals,
    });
    let work = (0..tasks).map(|task| Box::pin(work(crew.clone(), task)) as Task).collect();
    EventLoop::new(reactor, work).run(|now| shard.turn(now));
    shard.end();
}
