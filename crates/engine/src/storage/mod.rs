//! Action `storage`: lays out the files, spreads the jobs over threads, keeps the phases, says the result.

mod collector;
mod conclude;
mod counters;
mod lane;
mod ledgers;
mod message;
mod samples;
mod verifying;
mod watch;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use assay_format::job::{DiskAction, DiskJob};
use assay_pace::{Arrivals, Schedule, Share};
use assay_storage::{Flusher, Layout, Made, Opened, StorageError, StorageJob, Verify, Worker, run_worker};

use crate::course::conductor::Conductor;
use crate::course::orders::Orders;
use crate::course::timeline::Control;
use crate::process::clock::{Clock, ns};
use crate::process::descriptors::allow_descriptors;
use crate::process::failure::Fatal;
use crate::process::panics::caught;
use crate::process::signal;
use crate::process::usage::engine_use;
use crate::say::emit::emit;
use crate::say::hello::hello;
use crate::say::output::reader_gone;
use crate::storage::collector::Collector;
use crate::storage::conclude::Conclusion;
use crate::storage::counters::Counters;
use crate::storage::lane::Lane;
use crate::storage::message::{Message, WorkerEnd};
use crate::storage::watch::WorkerWatch;
use assay_format::event::{ActionResult, ErrorKind, Event, Phase, PhaseStart, Progress};

/// Bytes of a worker's stack: its data is elsewhere.
const STACK: usize = 256 * 1024;
const MIB: u64 = 1 << 20;

/// The place of a worker: its job, its clone of that, and the lane in which it reports.
struct Place {
    job: usize,
    clone: u32,
    lane: usize,
}

/// Carries the job out; returns the exit code.
pub(crate) fn run(job: DiskJob, clock: Clock, orders: Orders) -> Result<i32, Fatal> {
    let places = places(&job.storage);
    hello(clock, job.seed, places.len(), places.len() as u32, "storage", Vec::new());
    let mut made = Made::default();
    let laid_out = lay_out(&job, clock, &mut made);
    let job = Arc::new(job);
    let done = match laid_out {
        Err(StorageError::Interrupted) => {
            remove(&mut made, clock);
            return Ok(signal::INTERRUPTED);
        }
        Err(error) => Err(Fatal::storage(&error)),
        Ok(layouts) => match job.action {
            DiskAction::Layout => Ok(done(&job, &layouts, clock)),
            DiskAction::Storage if job.storage.iter().all(|one| one.verify == Verify::Only) => {
                verifying::only(&job, &layouts, clock)
            }
            DiskAction::Storage => load(&job, Arc::new(layouts), &places, (clock, orders), &mut made),
        },
    };
    // A broken run leaves nothing that it made; a whole one leaves what the next may use.
    let broken = !matches!(done, Ok(0 | signal::INTERRUPTED)) || reader_gone();
    if !broken {
        made.keep(|path| {
            let of = |one: &StorageJob| with_ledger(one).any(|file| file == path);
            job.storage.iter().any(|one| !one.remove && of(one))
        });
    } else {
        // A load with a ledger that a disk broke is what ledgers are for: what it kept is asked of these.
        let begun = |one: &&StorageJob| one.ledger.as_ref().is_some_and(|ledger| made.paths.contains(ledger));
        let asked: Vec<PathBuf> = job.storage.iter().filter(begun).flat_map(with_ledger).cloned().collect();
        made.keep(|path| asked.iter().any(|one| one == path));
    }
    remove(&mut made, clock);
    done
}

fn with_ledger(job: &StorageJob) -> impl Iterator<Item = &PathBuf> {
    job.files.iter().chain(&job.ledger)
}

/// Removes the files that the job made. One that stays all the same is said: a broken disk may not let go of it.
fn remove(made: &mut Made, clock: Clock) {
    for error in made.remove() {
        emit(&Event::Error(Fatal::storage(&error).notice(clock.now())));
    }
}

fn places(jobs: &[StorageJob]) -> Vec<Place> {
    let mut lanes: BTreeMap<u32, usize> = BTreeMap::new();
    let mut next = 0;
    let mut places = Vec::new();
    for (number, job) in jobs.iter().enumerate() {
        for clone in 0..job.clones {
            let lane = match job.group {
                Some(group) => *lanes.entry(group).or_insert(next),
                None => next,
            };
            next = next.max(lane + 1);
            places.push(Place { job: number, clone, lane });
        }
    }
    places
}

fn lay_out(job: &DiskJob, clock: Clock, made: &mut Made) -> Result<Vec<Layout>, StorageError> {
    Layout::room_for(&job.storage)?;
    let start = clock.now();
    let bytes = job.storage.iter().map(|one| one.file_bytes.saturating_mul(one.files.len() as u64));
    let total = bytes.fold(0, u64::saturating_add) / MIB;
    emit(&Event::Phase(PhaseStart { phase: Phase::Load, start_ns: start, planned_ms: None }));
    let (mut written, mut told) = (0, start);
    let mut progress = |bytes: u64| {
        written += bytes;
        let now = clock.now();
        if now - told > 500_000_000 {
            told = now;
            let (done, elapsed_s) = (written / MIB, (now - start) as f64 / 1e9);
            let unit = "MiB".into();
            emit(&Event::Progress(Progress { phase: Phase::Load, done, total, unit, elapsed_s }));
        }
        !signal::received()
    };
    job.storage.iter().map(|one| Layout::prepare(one, job.seed, made, &mut progress)).collect()
}

fn done(job: &DiskJob, layouts: &[Layout], clock: Clock) -> i32 {
    let bytes: u64 = layouts.iter().map(|layout| layout.space.total()).sum();
    emit(&Event::Done(ActionResult {
        rows: bytes,
        tables: job.storage.iter().map(|one| one.files.len() as u64).sum(),
        ..ActionResult::new("layout", clock.now() as f64 / 1e9, engine_use())
    }));
    0
}

fn load(
    job: &Arc<DiskJob>,
    layouts: Arc<Vec<Layout>>,
    places: &[Place],
    (clock, orders): (Clock, Orders),
    made: &mut Made,
) -> Result<i32, Fatal> {
    emit(&Event::Phase(PhaseStart { phase: Phase::Connect, start_ns: clock.now(), planned_ms: None }));
    let opened = Arc::new(open(&job.storage, places.len())?);
    let open_loop = job.storage.iter().any(|one| one.arrivals.is_some());
    let count = places.iter().map(|place| place.lane + 1).max().unwrap_or(0);
    let lanes: Vec<Arc<Lane>> = (0..count).map(|_| Arc::new(Lane::new(open_loop))).collect();
    let control = Arc::new(Control::default());
    let (messages, inbox) = channel();
    let ledgers = ledgers::open(job, &layouts, places, made)?;
    let flusher = ledgers::flusher(&ledgers)?;
    let interval_ns = ns(job.phases.interval_ms);
    let mut threads = Vec::new();
    for (worker, place) in places.iter().enumerate() {
        let one = &job.storage[place.job];
        let schedule = one.arrivals.as_ref().map(|arrivals| {
            let seed = job.seed ^ (worker as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let (arrivals, share) = spread(arrivals, worker as u32, places.len() as u32);
            Schedule::new(&arrivals, seed, share)
        });
        let schedule =
            schedule.transpose().map_err(|error| Fatal::job(format!("job {}: {error}", one.name)))?;
        let limits = (interval_ns, ns(job.phases.drain_ms), ns(one.limit_ms));
        let lane = lanes[place.lane].clone();
        let watch = WorkerWatch::new(worker, clock, control.clone(), lane, messages.clone(), limits);
        let stop = control.clone();
        let (job, layouts, control) = (job.clone(), layouts.clone(), control.clone());
        let opened = opened.clone();
        let (number, clone, messages) = (place.job, place.clone, messages.clone());
        let ledger = ledgers[worker].clone();
        let body = move || {
            let one = Worker {
                job: &job.storage[number],
                layout: &layouts[number],
                opened: &opened[number],
                seed: job.seed,
                number: number as u64,
                clone,
                schedule,
                ledger: ledger.as_deref(),
            };
            let number = watch.worker;
            if let Err(fatal) = caught(|| work(&one, watch, &control, &messages)) {
                control.abort();
                let _ = messages.send(Message::Fatal(fatal));
                let _ = messages.send(Message::End(Box::new(WorkerEnd::nothing(number))));
            }
        };
        let spawned = thread::Builder::new().name(format!("io-{worker}")).stack_size(STACK).spawn(body);
        threads.push(spawned.map_err(|error| {
            stop.abort();
            Fatal::host(format!("cannot start thread {worker} of {}: {error}", places.len()))
        })?);
    }
    drop(messages);
    let disks = Counters::of(&layouts);
    let collector = Collector::new(lanes, places.len(), open_loop, interval_ns, disks);
    let mut conductor = Conductor::new(collector, places.len(), &job.phases, clock, control, inbox, orders);
    // Workers that hang in the kernel are left behind, and whoever flushes beside them: the process ends with them.
    // Their files stay, for whoever removes one may hang as well.
    let ended = conductor.conduct();
    conductor.load.disks.end();
    if !ended {
        made.keep(|_| true);
    } else {
        for thread in threads {
            // A panic in it was caught, and is the job's error by now.
            let _ = thread.join();
        }
        if let Err(error) = flusher.map_or(Ok(()), Flusher::finish) {
            conductor.fatal.get_or_insert(Fatal::storage(&error));
        }
    }
    Conclusion { conductor, job, places, ledgers: &ledgers, layouts: &layouts }.say(made)
}

fn open(jobs: &[StorageJob], workers: usize) -> Result<Vec<Opened>, Fatal> {
    let files: u64 = jobs.iter().map(|one| one.files.len() as u64).sum();
    // Each worker may have a queue besides.
    allow_descriptors(files + workers as u64, "files")
        .map_err(|fatal| fatal.hint("raise the limit (ulimit -Hn), or use fewer files"))?;
    Opened::all(jobs).map_err(|error| Fatal::storage(&error))
}

/// The instants of one worker among others: even ones lie between those of the others, for all at the same nanosecond
/// would be a burst. Poisson's are apart by their seeds, recorded ones are as they were recorded.
fn spread(arrivals: &Arrivals, index: u32, of: u32) -> (Arrivals, Share) {
    let Some(together) = arrivals.times(of) else { return (arrivals.clone(), Share::WHOLE) };
    match Schedule::new(&together, 0, Share::WHOLE) {
        Ok(_) => (together, Share { index, of }),
        // Faster than a schedule can be, or wrong before: said by the worker's own.
        Err(_) => (arrivals.clone(), Share::WHOLE),
    }
}

fn work(worker: &Worker<'_>, mut watch: WorkerWatch, control: &Control, messages: &Sender<Message>) {
    let number = watch.worker;
    let outcome = run_worker(worker, &mut watch);
    let window = watch.end();
    let ended = outcome.unwrap_or_else(|error| {
        control.abort();
        let _ = messages.send(Message::Fatal(Fatal::storage(&error)));
        assay_storage::WorkerEnd::default()
    });
    let _ = messages.send(Message::End(Box::new(WorkerEnd {
        worker: number,
        window,
        abandoned: ended.abandoned,
        unserved: ended.unserved,
        end_syncs: ended.end_syncs,
    })));
}

impl Fatal {
    /// The fatal error of a file, a disk or a kernel that refused.
    pub(crate) fn storage(error: &StorageError) -> Self {
        let kind = match error {
            StorageError::Spec(_) => ErrorKind::Job,
            _ => ErrorKind::Host,
        };
        let fatal = Self::new(kind, error.to_string());
        match error.hint() {
            Some(hint) => fatal.hint(hint),
            None => fatal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_arrivals_of_workers_lie_between_each_other() {
        let instants = |worker| {
            let (arrivals, share) = spread(&Arrivals::Constant { rate: 1000.0 }, worker, 4);
            Schedule::new(&arrivals, 1, share).unwrap().take(100).collect::<Vec<_>>()
        };
        let mut all: Vec<u64> = (0..4).flat_map(instants).collect();
        assert!(instants(2).windows(2).all(|pair| (pair[1] - pair[0]).abs_diff(1_000_000) <= 1));
        all.sort_unstable();
        assert!(all.windows(2).all(|pair| (pair[1] - pair[0]).abs_diff(250_000) <= 1));
    }
}
