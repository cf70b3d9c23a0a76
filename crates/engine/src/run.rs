//! Action `run`: spreads the connections over event loops, keeps the phases, collects the result.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use assay_pace::{Schedule, Share};
use assay_tally::Recorder;
use assay_workload::{Visitor, Workload};

use crate::clock::Clock;
use crate::collector::{Collector, Setup};
use crate::doubts::doubts;
use crate::emit::emit;
use crate::event::{Event, Hello, Phase, PhaseStart, Progress};
use crate::failure::Fatal;
use crate::job::{Job, Warmup};
use crate::login::Login;
use crate::preflight::{Needs, preflight};
use crate::reactor::{EventLoop, Reactor, Task};
use crate::session::StatementPlan;
use crate::shard::{Message, Shard, ShardPlan};
use crate::signal;
use crate::steady::is_level;
use crate::timeline::{Control, UNKNOWN};
use crate::worker::{Crew, work};

/// How often the collector looks up from its messages: at signals, and at the steadiness of the warm-up.
const LOOK_UP: Duration = Duration::from_millis(20);
/// Between the last login and the first operation.
const START_DELAY_NS: u64 = 2_000_000;

/// Carries the job out with the workload it names; returns the exit code.
pub struct Run {
    pub job: Job,
    pub clock: Clock,
}

impl Visitor for Run {
    type Output = Result<i32, Fatal>;

    fn visit<W: Workload>(self, workload: W) -> Self::Output {
        run(&self.job, self.clock, Arc::new(workload))
    }
}

fn run<W: Workload>(job: &Job, clock: Clock, workload: Arc<W>) -> Result<i32, Fatal> {
    let connections = job.load.connections;
    let threads = threads_for(job.engine.threads, connections);
    let login = Arc::new(Login::new(&job.target)?);
    let needs = Needs { connections, statements: workload.statements().len(), ps_mode: job.target.ps_mode };
    preflight(&login, &needs)?;

    emit(&Event::Hello(Hello {
        format: 1,
        version: env!("CARGO_PKG_VERSION").into(),
        build: if cfg!(debug_assertions) { "debug" } else { "release" }.into(),
        pid: std::process::id(),
        epoch_wall_ns: clock.epoch_wall_ns(),
        epoch_monotonic_ns: clock.epoch_monotonic_ns(),
        seed: job.seed,
        threads: threads as u32,
        connections,
        workload: W::NAME.into(),
    }));
    emit(&Event::Phase(PhaseStart { phase: Phase::Connect, start_ns: clock.now(), planned_ms: None }));

    let mut names = vec!["transaction".to_owned()];
    names.extend(workload.labels().iter().map(|label| (*label).to_owned()));
    let control = Arc::new(Control::default());
    let (messages, inbox) = channel();
    let mut spares = Vec::new();
    let mut loops = Vec::new();
    for index in 0..threads {
        let (spare, spare_inbox) = channel();
        spares.push(spare);
        let plan = shard_plan(job, names.len(), index, threads)?;
        let messages = messages.clone();
        let (job, control) = (job.clone(), control.clone());
        let (login, workload) = (login.clone(), workload.clone());
        let name = format!("event-loop-{index}");
        let spawned = thread::Builder::new().name(name).spawn(move || {
            event_loop(&job, clock, workload, login, plan, control, messages, spare_inbox);
        });
        loops.push(spawned.map_err(|error| Fatal::host(format!("cannot start a thread: {error}")))?);
    }
    drop(messages);

    let setup = Setup { names, shards: threads, open_loop: job.load.arrivals.is_some() };
    let mut conductor = Conductor {
        job,
        clock,
        control,
        inbox,
        collector: Collector::new(setup, spares),
        fatal: None,
        interrupted: false,
        announced: BTreeSet::new(),
    };
    conductor.conduct();
    for thread in loops {
        // A panic in an event loop has been printed; the result is missing its part, so say that the run is broken.
        if thread.join().is_err() {
            return Err(Fatal::host("an event loop of the engine panicked; please report this"));
        }
    }
    Ok(conductor.conclude(threads))
}

/// Event loops for so many connections: the server needs the machine too, so half of its cores at most unless asked.
fn threads_for(asked: u32, connections: u32) -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let wanted = if asked == 0 { (cores / 2).max(1) } else { asked as usize };
    wanted.min(connections as usize)
}

/// Exact share `index` of `of` parts of a total.
fn share(total: u64, index: usize, of: usize) -> u64 {
    let (index, of) = (index as u64, of as u64);
    total * (index + 1) / of - total * index / of
}

fn shard_plan(job: &Job, labels: usize, index: usize, shards: usize) -> Result<ShardPlan, Fatal> {
    let connections = u64::from(job.load.connections);
    let first_worker = (connections * index as u64 / shards as u64) as u32;
    let max = job.phases.max_transactions;
    let schedule = match &job.load.arrivals {
        None => None,
        Some(arrivals) => {
            let part = Share { index: index as u32, of: shards as u32 };
            let schedule = Schedule::new(arrivals, job.seed, part);
            Some(schedule.map_err(|error| Fatal::job(format!("load.arrivals: {error}")))?)
        }
    };
    Ok(ShardPlan {
        index,
        first_worker,
        workers: share(connections, index, shards) as u32,
        labels,
        interval_ns: job.phases.interval_ms * 1_000_000,
        drain_ns: job.phases.drain_ms * 1_000_000,
        budget: (max > 0).then(|| share(max, index, shards)),
        schedule,
        queue_limit: share(u64::from(job.load.queue_limit), index, shards) as usize,
    })
}

#[expect(clippy::too_many_arguments, reason = "everything that moves into the thread, once")]
fn event_loop<W: Workload>(
    job: &Job,
    clock: Clock,
    workload: Arc<W>,
    login: Arc<Login>,
    plan: ShardPlan,
    control: Arc<Control>,
    messages: Sender<Message>,
    spare: Receiver<Box<Recorder>>,
) {
    let tasks = plan.workers;
    let reactor = match Reactor::new(tasks as usize, clock) {
        Ok(reactor) => reactor,
        Err(error) => {
            control.abort();
            let fatal = Fatal::host(format!("cannot make an event loop: {error}"));
            let _ = messages.send(Message::Fatal(fatal));
            return;
        }
    };
    let shard = Shard::new(plan, reactor.clone(), control, messages, spare);
    let crew = std::rc::Rc::new(Crew {
        plan: std::rc::Rc::new(StatementPlan::new(workload.statements())),
        workload,
        login,
        shard: shard.clone(),
        policy: job.errors.clone(),
        ps_mode: job.target.ps_mode,
        open_loop: job.load.arrivals.is_some(),
        seed: job.seed,
        workers: job.load.connections,
    });
    let work = (0..tasks).map(|task| Box::pin(work(crew.clone(), task)) as Task).collect();
    let abandoned = EventLoop::new(reactor, work).run(|now| shard.turn(now));
    shard.end(abandoned);
}

/// Keeps the phases of a run.
struct Conductor<'a> {
    job: &'a Job,
    clock: Clock,
    control: Arc<Control>,
    inbox: Receiver<Message>,
    collector: Collector,
    fatal: Option<Fatal>,
    interrupted: bool,
    /// Phases that were announced.
    announced: BTreeSet<u64>,
}

impl Conductor<'_> {
    fn conduct(&mut self) {
        let total = u64::from(self.job.load.connections);
        let mut connected = 0;
        let mut told = self.clock.now();
        loop {
            match self.inbox.recv_timeout(LOOK_UP) {
                Ok(Message::Connected) => {
                    connected += 1;
                    if connected == total {
                        self.begin();
                    } else if self.clock.now() - told > 1_000_000_000 {
                        told = self.clock.now();
                        emit(&Event::Progress(Progress {
                            phase: Phase::Connect,
                            done: connected,
                            total,
                            unit: "connections".into(),
                            elapsed_s: told as f64 / 1e9,
                        }));
                    }
                }
                Ok(Message::Slice(slice)) => self.collector.slice(*slice),
                Ok(Message::Fatal(fatal)) => {
                    // The first is the cause; the others are its echo on other connections.
                    self.fatal.get_or_insert(fatal);
                }
                Ok(Message::End(end)) => self.collector.end(end),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if self.collector.all_ended() {
                return;
            }
            self.look_up();
        }
    }

    /// All connections are ready: the load begins, and with it the time line.
    fn begin(&mut self) {
        let phases = &self.job.phases;
        let start = self.clock.now() + START_DELAY_NS;
        match phases.warmup {
            Warmup::None => self.place_window(start),
            Warmup::Fixed { duration_ms } => {
                self.announce(Phase::Warmup, start, Some(duration_ms));
                self.place_window(start + duration_ms * 1_000_000);
            }
            Warmup::UntilSteady { cap_ms, .. } => self.announce(Phase::Warmup, start, Some(cap_ms)),
        }
        self.collector.begin(start);
        self.control.begin(start);
    }

    fn place_window(&mut self, start: u64) {
        let length = self.job.phases.measure_ms;
        self.control.place_window(start, (length > 0).then_some(length * 1_000_000));
        self.announce(Phase::Measure, start, (length > 0).then_some(length));
    }

    fn announce(&mut self, phase: Phase, start: u64, planned_ms: Option<u64>) {
        if self.announced.insert(start) {
            emit(&Event::Phase(PhaseStart { phase, start_ns: start, planned_ms }));
        }
    }

    fn look_up(&mut self) {
        if signal::received() && !self.interrupted {
            self.interrupted = true;
            self.control.end_by(self.clock.now());
            if self.control.start() == UNKNOWN {
                self.control.abort();
            }
        }
        let Warmup::UntilSteady { window_ms, tolerance, cap_ms } = self.job.phases.warmup else { return };
        let (start, now) = (self.control.start(), self.clock.now());
        if start == UNKNOWN || self.control.measure_start() != UNKNOWN || self.interrupted {
            return;
        }
        let level = is_level(&self.collector.warmup_rates, window_ms * 1_000_000, tolerance);
        if level || now >= start + cap_ms * 1_000_000 {
            // On the interval grid, and far enough ahead that every event loop hears of it before.
            let interval = self.job.phases.interval_ms * 1_000_000;
            let passed = (now - start) / interval;
            self.place_window(start + (passed + 2) * interval);
            self.collector.steady = Some(level);
        }
    }

    /// Says the result and the doubts; returns the exit code.
    fn conclude(mut self, threads: usize) -> i32 {
        let complete = self.fatal.is_none() && !self.interrupted;
        if let Some(fatal) = &self.fatal {
            emit(&Event::Error(fatal.event(self.clock.now())));
        }
        if let Some(result) = self.collector.result(complete) {
            let facts = self.collector.facts(self.job, threads);
            for doubt in doubts(&result, &facts) {
                emit(&Event::Doubt(doubt));
            }
            emit(&Event::Result(Box::new(result)));
        }
        match (&self.fatal, self.interrupted) {
            (Some(fatal), _) => fatal.exit_code(),
            (None, true) => signal::INTERRUPTED,
            (None, false) => 0,
        }
    }
}
