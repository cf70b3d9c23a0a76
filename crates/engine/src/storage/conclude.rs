//! What came of a storage run: the result by job, the disks beneath, the doubts.

use std::sync::Arc;

use assay_storage::{Expected, Layout, Ledger, Made, Verify};
use assay_tally::Histogram;

use crate::course::conductor::Conductor;
use crate::process::failure::Fatal;
use crate::process::signal;
use crate::say::counted::counted;
use crate::say::doubts::{abandoned, doubt, hung};
use crate::say::emit::emit;
use crate::storage::collector::{Collector, LaneTotal};
use crate::storage::samples::Samples;
use crate::storage::{DiskJob, Place, verifying};
use assay_format::event::{
    Direction, Doubt, Event, JobResult, Phase, PhaseStart, RunResult, ServerResult, StorageResult, ThreadUse,
    Verified, WindowResult,
};

/// Little's law may be off by this share before time counts as lost.
const LITTLE_LIMIT: f64 = 0.02;
/// Share of the depth asked for below which it was not reached.
const DEPTH_LIMIT: f64 = 0.95;
/// Operations for each one in flight below which filling and emptying the queue shows.
const ENOUGH: u64 = 100;
/// Share of all processors above which they may be what was measured.
const BUSY_LIMIT: f64 = 0.9;
const LATE_LIMIT_NS: u64 = 1_000_000;

/// What a load on disks ended as.
pub struct Conclusion<'a> {
    pub conductor: Conductor<'a, Collector>,
    pub job: &'a DiskJob,
    pub places: &'a [Place],
    pub ledgers: &'a [Option<Arc<Ledger>>],
    pub layouts: &'a [Layout],
}

impl Conclusion<'_> {
    /// Says the result and the doubts; returns the exit code.
    pub fn say(mut self, made: &mut Made) -> Result<i32, Fatal> {
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
                        .hint("a longer runtime, higher limits, or a shorter warm-up (ramp_time)"))
                }
            };
        };
        let jobs = self.jobs(&window);
        let disks = self.conductor.load.disks.moved(window.elapsed_s);
        let mut result = RunResult { window, tallied, server: ServerResult::default(), storage: None };
        let depth_ns: u64 = self.conductor.load.windows().map(|(_, window)| window.depth_ns).sum();
        let mean_depth = depth_ns as f64 / 1e9 / result.window.elapsed_s;
        let hung = hangs.map(|names| hung(&names, self.conductor.hung.len()));
        for found in self.doubts(&result, &jobs, mean_depth).into_iter().chain(hung) {
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

    fn doubts(&self, result: &RunResult, jobs: &[JobResult], mean_depth: f64) -> Vec<Doubt> {
        let mut found = Vec::new();
        if cfg!(debug_assertions) {
            let message = "this engine is a debug build; measure with a release build".to_owned();
            found.push(doubt("debug-build", message, 1.0, 0.0));
        }
        let gap = (result.window.mean_in_flight / mean_depth.max(1e-9) - 1.0).abs();
        if result.tallied.counts.transactions > 0 && gap > LITTLE_LIMIT {
            let message = format!(
                "Little's law: {mean_depth:.2} operations were in flight, their times account for {:.2} ({:.1} % off)",
                result.window.mean_in_flight,
                gap * 100.0
            );
            found.push(doubt("littles-law", message, gap, LITTLE_LIMIT));
        }
        found.extend(self.depth_doubt(&result.window, jobs));
        let cores = std::thread::available_parallelism().map_or(1, usize::from) as f64;
        let busy = (result.window.engine.user_us + result.window.engine.system_us) as f64
            / 1e6
            / result.window.elapsed_s
            / cores;
        if busy > BUSY_LIMIT {
            let message = format!(
                "the load kept all processors {:.0} % busy: they may be what was measured, not the disk",
                busy * 100.0
            );
            found.push(doubt("processors-busy", message, busy, BUSY_LIMIT));
        }
        let late = self.conductor.load.totals.iter().filter_map(|total| total.recorder.lateness.as_ref());
        let late = late.map(|lateness| lateness.quantile_ns(0.99)).max().unwrap_or(0);
        if late > LATE_LIMIT_NS {
            let (value, limit) = (late as f64 / 1e6, LATE_LIMIT_NS as f64 / 1e6);
            let message = format!(
                "the generator itself started 1 % of the operations {value:.1} ms late or more, though it had room"
            );
            found.push(doubt("late-pacing", message, value, limit));
        }
        if self.conductor.course.steady == Some(false) {
            let message = "throughput was still changing when the longest warm-up ended".to_owned();
            found.push(doubt("not-steady", message, 0.0, 1.0));
        }
        if result.window.abandoned > 0 {
            found.push(abandoned(result.window.abandoned));
        }
        found
    }

    /// A closed loop that has nothing else to do keeps its depth, from the beginning of the window to each worker's end.
    fn depth_doubt(&self, result: &WindowResult, jobs: &[JobResult]) -> Option<Doubt> {
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
        (share(lane) < DEPTH_LIMIT).then(|| {
            let message = format!(
                "{}: {:.0} % of the depth of {} was reached: time is lost between operations",
                job.name,
                100.0 * share(lane),
                job.depth
            );
            doubt("depth-not-reached", message, share(lane), DEPTH_LIMIT)
        })
    }
}

fn never_came_back(names: &str) -> Fatal {
    let message = format!("{names} did not come back from the kernel when the load was over");
    Fatal::host(message)
        .hint("look at the disk and at the kernel's log (dmesg); the files are left as they are")
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
