//! Commands of a script: prepare, cleanup, and its own; by the main state, or by one state for each thread.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;

use assay_format::event::{ActionResult, ErrorKind, Event, Phase, PhaseStart};
use assay_format::job::{Action, Job};
use assay_script::{Call, Origin, Script, ScriptError};

use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::process::panics::caught;
use crate::process::poison::unpoisoned;
use crate::process::signal::{self, INTERRUPTED};
use crate::process::usage::{engine_use, peak_resident_bytes};
use crate::reactor::{Reactor, Task};
use crate::say::emit::emit;
use crate::say::hello::hello;
use crate::say::output;
use crate::script::alone::{Alone, run_tasks, watch_alone};
use crate::script::failed;
use crate::script::link::Servers;
use crate::script::origin::command;

/// Carries out the command of a job; returns the exit code.
///
/// # Errors
/// The script fails, or there is no server.
pub(super) fn carry_out(
    job: &Job,
    clock: Clock,
    origin: &Arc<Origin>,
    servers: Option<Arc<Servers>>,
) -> Result<i32, Fatal> {
    let name = command(job).unwrap_or_default();
    hello(clock, job.seed, 1, job.load.connections, &job.workload.name, Vec::new());
    let work = Work {
        origin: origin.clone(),
        servers,
        clock,
        name,
        failure: Mutex::default(),
        stop: AtomicBool::new(false),
    };
    let carried_out = match work.by_main() {
        Ok(ByMain::Done) => Ok(true),
        Ok(ByMain::LeftTo(threads)) => work.by_threads(threads),
        Ok(ByMain::Interrupted) => Ok(false),
        Err(fatal) => Err(fatal),
    };
    // What a check finds is wrong with the tables, not with the job.
    let whole = carried_out.map_err(|fatal| match job.action {
        Action::Check if fatal.kind == ErrorKind::Job => Fatal { kind: ErrorKind::Data, ..fatal },
        _ => fatal,
    })?;
    if !whole {
        return Ok(INTERRUPTED);
    }
    let noted = work.origin.inputs.noted();
    let mut engine = engine_use();
    engine.rss_bytes = peak_resident_bytes();
    emit(&Event::Done(ActionResult {
        files_read: noted.files.into_iter().collect(),
        other_inputs: noted.others.into_iter().collect(),
        ..ActionResult::new(work.name, clock.now() as f64 / 1e9, engine)
    }));
    Ok(0)
}

/// A command, as all its threads know it.
struct Work {
    origin: Arc<Origin>,
    servers: Option<Arc<Servers>>,
    clock: Clock,
    name: String,
    failure: Mutex<Option<Fatal>>,
    stop: AtomicBool,
}

/// What became of a command in the main state.
enum ByMain {
    Done,
    /// The command runs in this number of script threads.
    LeftTo(u32),
    /// A signal ended it.
    Interrupted,
}

impl Work {
    /// Loads the script, and carries the command out unless it is for several threads.
    fn by_main(&self) -> Result<ByMain, Fatal> {
        let outcome = RefCell::new(None);
        let kept = &outcome;
        let body = |mut host: Alone| async move {
            let done: Result<_, ScriptError> = async {
                let mut script = Script::open(&self.origin, 0, &mut host).await?;
                if self.name.is_empty() {
                    script.leave(&mut host).await;
                    return Ok(ByMain::Done);
                }
                let threads = script.options().threads;
                if threads > 1 && script.is_parallel(&mut host, &self.name).await? {
                    script.leave(&mut host).await;
                    return Ok(ByMain::LeftTo(threads));
                }
                self.call(script, &mut host).await.map(|()| ByMain::Done)
            }
            .await;
            *kept.borrow_mut() = Some(done);
        };
        self.event_loop(1, |host, _| Box::pin(body(host)))?;
        outcome.into_inner().unwrap_or(Ok(ByMain::Interrupted)).map_err(|error| failed(&error))
    }

    /// Carries the command out by so many threads of the script; false where a signal ended it.
    fn by_threads(&self, threads: u32) -> Result<bool, Fatal> {
        emit(&Event::Phase(PhaseStart {
            phase: Phase::Connect,
            start_ns: self.clock.now(),
            planned_ms: None,
        }));
        let loops = thread::available_parallelism().map_or(1, usize::from).min(threads as usize) as u32;
        let (ended, endings) = channel();
        thread::scope(|scope| {
            for index in 0..loops {
                let (work, ended) = (self, ended.clone());
                let share = threads / loops + u32::from(index < threads % loops);
                let first = index * (threads / loops) + index.min(threads % loops);
                let body = move || {
                    let outcome = caught(|| {
                        work.event_loop(share, |host, task| Box::pin(work.live(host, first + task)))
                    });
                    let whole = outcome.and_then(|whole| whole).unwrap_or_else(|fatal| {
                        work.fail(fatal);
                        false
                    });
                    let _ = ended.send(whole);
                };
                if let Err(error) =
                    thread::Builder::new().name(format!("script-{index}")).spawn_scoped(scope, body)
                {
                    self.fail(Fatal::host(format!("cannot start a thread: {error}")));
                }
            }
            drop(ended);
        });
        let whole = endings.iter().all(|whole| whole);
        match unpoisoned(self.failure.lock()).take() {
            Some(fatal) => Err(fatal),
            None => Ok(whole),
        }
    }

    /// The life of one thread of the script.
    async fn live(&self, mut host: Alone, tid: u32) {
        let done: Result<(), ScriptError> = async {
            let script = Script::open(&self.origin, tid, &mut host).await?;
            self.call(script, &mut host).await
        }
        .await;
        // The other threads carry their parts out, as in sysbench: a table that two of them make exists.
        if let Err(error) = done {
            unpoisoned(self.failure.lock()).get_or_insert(failed(&error));
        }
    }

    async fn call(&self, mut script: Script<Alone>, host: &mut Alone) -> Result<(), ScriptError> {
        let called = script.call(host, Call::Command(&self.name)).await;
        script.leave(host).await;
        match called {
            Ok(true) => Ok(()),
            Ok(false) => Err(ScriptError { message: format!("its command {} has failed", self.name) }),
            Err(error) => Err(error),
        }
    }

    fn fail(&self, fatal: Fatal) {
        unpoisoned(self.failure.lock()).get_or_insert(fatal);
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Runs so many tasks in the calling thread; false where a signal or a failure ended them.
    fn event_loop<'a>(&'a self, tasks: u32, make: impl Fn(Alone, u32) -> Task<'a>) -> Result<bool, Fatal> {
        let reactor = Reactor::new(tasks as usize, self.clock)
            .map_err(|error| Fatal::host(format!("cannot make an event loop: {error}")))?;
        let computing = watch_alone();
        let host = |task| Alone::new(reactor.clone(), self.servers.clone(), task, computing.clone());
        let tasks = (0..tasks).map(|task| make(host(task), task)).collect();
        let whole = run_tasks(&reactor, tasks, || self.stop.load(Ordering::Relaxed));
        computing.end();
        Ok(whole)
    }
}

/// Ends the process with an error whose thread will never say anything again.
#[allow(clippy::exit, reason = "a thread that computes for ever cannot be joined")]
pub(super) fn end_without(fatal: &Fatal) {
    let clock = Clock::start();
    if !signal::interrupted() {
        emit(&Event::Error(fatal.event(clock.now())));
    }
    let _ = output::close();
    std::process::exit(if signal::interrupted() { INTERRUPTED } else { fatal.exit_code() });
}
