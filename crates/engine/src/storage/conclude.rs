//! What came of a storage run: the result by job, the disks beneath, the doubts.

use std::sync::Arc;

use assay_storage::{Expected, Layout, Ledger, Made, Verify};
use assay_tally::Histogram;

use crate::course::conductor::Conductor;
use crate::process::failure::Fatal;
use crate::process::signal;
use crate::say::counted::counted;
use crate::say::doubts::{Depth, Facts, InFlight, doubts};
use crate::say::emit::emit;
use crate::storage::collector::{Collector, LaneTotal};
use crate::storage::samples::Samples;
use crate::storage::{DiskJob, Place, verifying};
use assay_format::event::{
    Direction, Event, JobResult, Phase, PhaseStart, RunResult, ServerResult, StorageResult, ThreadUse,
    Verified, WindowResult,
};

/// Operations for each one in flight below which filling and emptying the queue shows.
const ENOUGH: u64 = 100;

/// The conclusion of a load on disks: all that its result and doubts are made of.
pub(super) struct Conclusion<'a> {
    pub conductor: Conductor<'a, Collector>,
    pub job: &'a DiskJob,
    pub places: &'a [Place],
    pub ledgers: &'a [Option<Arc<Ledger>>],
    pub layouts: &'a [Layout],
}

impl Conclusion<'_> {
    /// Says the result and the doubts; returns the exit code.
    pub(super) fn say(mut self, made: &mut Made) -> Result<i32, Fatal> {
        let hangs = self.hung_workers();
        if let Some(names) = &hangs {
            self.conductor.fatal.get_or_insert_with(|| never_came_back(names));
        }
        let complete = self.conductor.fatal.is_none() && !self.conductor.course.interrupted;
        let (verified, unread) = if complete { self.verify() } else { (Vec::new(), None) };
        let Conductor { load: collector, accounts, .. } = &mut self.conductor;
        let Some((window, tallied)) = collector.window(accounts, complete) else {
            return match self.conductor.fatal {
                Some(fatal) => Err(fatal),
                None if self.conductor.course.interrupted => Ok(signal::INTERRUPTED),
                None => {
                    Err(Fatal::job("the load ended before its measured window began: there is no result")
                        .hint("set a longer runtime, higher limits, or a shorter warm-up (ramp_time)"))
                }
            };
        };
        let jobs = self.jobs(&window);
        let disks = self.conductor.load.disks.moved(window.elapsed_s);
        let server = ServerResult::default();
        let mut result =
            RunResult { window, tallied, server, storage: None, machine: None, generators: Vec::new() };
        let hung = hangs.map(|names| (names, self.conductor.hung.len() as u64));
        for found in doubts(&Facts { hung, ..self.facts(&result, &jobs) }) {
            emit(&Event::Doubt(found));
        }
        let complaint = unread.or_else(|| verifying::complaint(&verified));
        if complaint.is_some() {
            // What is wrong is in these files: whoever looks for the cause needs them.
            let looked_at = self.job.storage.iter().filter(|job| job.verify != Verify::Off);
            let files: Vec<_> = looked_at.flat_map(|job| job.files.iter().chain(&job.ledger)).collect();
            made.keep(|path| files.iter().any(|file| *file == path));
        }
        result.storage = Some(Box::new(StorageResult { jobs, disks }));
        emit(&Event::Result(Box::new(result)));
        match self.conductor.fatal.or(complaint) {
            Some(fatal) => Err(fatal),
            None if self.conductor.course.interrupted => Ok(signal::INTERRUPTED),
            None => Ok(0),
        }
    }

    /// The workers that hang in the kernel by name.
    fn hung_workers(&self) -> Option<String> {
        let (first, count) = (*self.conductor.hung.first()?, self.conductor.hung.len());
        let place = &self.places[first];
        let job = &self.job.storage[place.job];
        let others = match count - 1 {
            0 => String::new(),
            more => format!(" and {}", counted(more as u64, "other")),
        };
        Some(format!("worker {} of job {} (thread io-{first}){others}", place.clone, job.name))
    }

    /// Reads back what verifying jobs wrote; and why that ended early, where a file could not be read.
    fn verify(&mut self) -> (Vec<Verified>, Option<Fatal>) {
        let mut found = Vec::new();
        for (place, ledger) in self.places.iter().zip(self.ledgers) {
            let job = &self.job.storage[place.job];
            let Some(ledger) = ledger.as_ref().filter(|_| job.verify == Verify::After) else { continue };
            let start_ns = self.conductor.clock.now();
            emit(&Event::Phase(PhaseStart { phase: Phase::Check, start_ns, planned_ms: None }));
            let expected = Expected::new(&ledger.origin, &ledger.account(), false);
            match verifying::verify(job, &self.layouts[place.job], Some(&expected), None) {
                Ok(Some(one)) => found.push(one),
                Ok(None) => self.conductor.course.interrupted = true,
                Err(fatal) => return (found, Some(fatal)),
            }
        }
        (found, None)
    }

    fn jobs(&self, window: &WindowResult) -> Vec<JobResult> {
        let lanes = self.conductor.load.totals.iter().enumerate();
        lanes.map(|(lane, total)| self.job_result(lane, total, window)).collect()
    }

    fn job_result(&self, lane: usize, total: &LaneTotal, result: &WindowResult) -> JobResult {
        let mine: Vec<(usize, &Place)> =
            self.places.iter().enumerate().filter(|(_, place)| place.lane == lane).collect();
        let mut found = JobResult { interval_ms: self.job.phases.interval_ms, ..JobResult::default() };
        if let Some((_, place)) = mine.first() {
            let job = &self.job.storage[place.job];
            (found.name, found.group) = (job.name.clone(), job.group);
        }
        found.workers = mine.len() as u32;
        let (mut depth_ns, mut last, mut queued) = (0, result.start_ns, true);
        let mut moved = [Samples::default(); 2];
        for (worker, place) in mine {
            let job = &self.job.storage[place.job];
            queued &= job.io.kind.queued();
            found.depth += u64::from(job.slots());
            if let Some(end) = &self.conductor.load.ends[worker] {
                depth_ns += end.window.depth_ns;
                add_use(&mut found.cpu, &end.window.cpu);
                moved.iter_mut().zip(&end.window.moved).for_each(|(all, mine)| all.merge(mine));
                found.worker_operations.push(end.window.operations);
                found.end_syncs += end.end_syncs;
                last = last.max(end.window.ended.min(result.end_ns));
            }
        }
        found.elapsed_s = (last - result.start_ns) as f64 / 1e9;
        found.mean_depth = depth_ns as f64 / 1e9 / found.elapsed_s.max(1e-9);
        found.read = direction(total, 0, &moved);
        found.write = direction(total, 1, &moved);
        let sync = &total.recorder.labels[3].service;
        (found.syncs, found.sync) = (sync.count(), encoded(sync));
        found.depths = total.sums.depths;
        found.submit_sizes = total.sums.submit_sizes;
        found.collect_sizes = total.sums.collect_sizes;
        if !queued {
            found.depths[0] += found.read.operations + found.write.operations;
        }
        found
    }

    /// The figures that doubts about the run are drawn from.
    fn facts(&self, result: &RunResult, jobs: &[JobResult]) -> Facts {
        let (window, load) = (&result.window, &self.conductor.load);
        let depth_ns: u64 = load.windows().map(|(_, window)| window.depth_ns).sum();
        let expected = depth_ns as f64 / 1e9 / window.elapsed_s;
        let cores = std::thread::available_parallelism().map_or(1, usize::from) as f64;
        let cpu_s = (window.engine.user_us + window.engine.system_us) as f64 / 1e6;
        let late = load.totals.iter().filter_map(|total| total.recorder.lateness.as_ref());
        Facts {
            debug_build: cfg!(debug_assertions),
            steady: self.conductor.course.steady,
            in_flight: (result.tallied.counts.transactions > 0).then_some(InFlight {
                what: "operation in flight",
                expected,
                accounted: window.mean_in_flight,
                edges: 0.0,
            }),
            processors_busy: Some(cpu_s / window.elapsed_s / cores),
            late_p99_ns: late.map(|lateness| lateness.quantile_ns(0.99)).max().unwrap_or(0),
            abandoned: window.abandoned,
            depth: self.least_depth(window, jobs),
            ..Facts::default()
        }
    }

    /// The job that reached its depth least, from the beginning of the window to each worker's end; absent where a job has
    /// something else to do.
    fn least_depth(&self, result: &WindowResult, jobs: &[JobResult]) -> Option<Depth> {
        let idle = |job: &assay_storage::StorageJob| {
            job.arrivals.is_some() || job.think.is_some() || job.sync.is_some() || job.batch.low > 0
        };
        if self.job.storage.iter().any(idle) {
            return None;
        }
        let mut wanted_ns = vec![0u64; jobs.len()];
        let mut reached_ns = vec![0u64; jobs.len()];
        for (worker, window) in self.conductor.load.windows() {
            let place = &self.places[worker];
            let job = &self.job.storage[place.job];
            let depth = job.slots();
            let active = window.ended.min(result.end_ns).saturating_sub(result.start_ns);
            wanted_ns[place.lane] += active * u64::from(depth);
            reached_ns[place.lane] += window.depth_ns;
        }
        let share = |lane: usize| reached_ns[lane] as f64 / wanted_ns[lane].max(1) as f64;
        let many = |job: &JobResult| job.read.operations + job.write.operations > ENOUGH * job.depth;
        let (lane, job) = jobs
            .iter()
            .enumerate()
            .filter(|(_, job)| many(job))
            .min_by(|left, right| share(left.0).total_cmp(&share(right.0)))?;
        Some(Depth { job: job.name.clone(), depth: job.depth, reached: share(lane) })
    }
}

fn never_came_back(names: &str) -> Fatal {
    let message = format!("{names} did not return from the kernel at the end of the load");
    Fatal::host(message).hint("check the disk and the kernel's log (dmesg); the files are left as they are")
}

fn direction(total: &LaneTotal, number: usize, moved: &[Samples; 2]) -> Direction {
    let label = |index: usize| &total.recorder.labels[index];
    Direction {
        operations: total.sums.operations[number],
        bytes: total.sums.bytes[number],
        short: total.sums.short[number],
        total: encoded(label(1 + number).response()),
        submit: encoded(&label(4 + 2 * number).service),
        completion: encoded(&label(5 + 2 * number).service),
        series_bytes: total.series.iter().map(|(bytes, _)| bytes[number]).collect(),
        series_operations: total.series.iter().map(|(_, operations)| operations[number]).collect(),
        worker_bytes: moved[number].spread(),
    }
}

fn encoded(histogram: &Histogram) -> Option<String> {
    (!histogram.is_empty()).then(|| histogram.encode())
}

fn add_use(sum: &mut ThreadUse, part: &ThreadUse) {
    sum.user_us += part.user_us;
    sum.system_us += part.system_us;
    sum.switches += part.switches;
    sum.major_faults += part.major_faults;
    sum.minor_faults += part.minor_faults;
}
