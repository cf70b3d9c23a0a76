//! What came of a storage run: the result by job, the disks beneath, the doubts.

use std::sync::Arc;

use assay_storage::{DiskCounts, Expected, Layout, Ledger, Made, Verify};
use assay_tally::Histogram;

use crate::process::failure::Fatal;
use crate::process::signal;
use crate::say::doubts::{abandoned, doubt};
use crate::say::emit::emit;
use crate::storage::collector::LaneTotal;
use crate::storage::conductor::Conductor;
use crate::storage::samples::Samples;
use crate::storage::{Place, verifying};
use assay_format::event::{
    Direction, DiskSide, DiskUse, Doubt, Event, JobResult, Phase, PhaseStart, RunResult, StorageResult,
    ThreadUse, Verified,
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
const SECTOR: u64 = 512;

impl Conductor<'_> {
    /// Says the result and the doubts; returns the exit code.
    pub fn conclude(
        mut self,
        places: &[Place],
        ledgers: &[Option<Arc<Ledger>>],
        layouts: &[Layout],
        made: &mut Made,
    ) -> Result<i32, Fatal> {
        let hung = self.hung_workers(places);
        if let Some((names, _)) = &hung {
            self.fatal.get_or_insert_with(|| hangs(names));
        }
        let complete = self.fatal.is_none() && !self.course.interrupted;
        let (verified, unread) =
            if complete { self.verify(places, ledgers, layouts) } else { (Vec::new(), None) };
        let Some(mut result) = self.collector.result(complete) else {
            return match self.fatal {
                Some(fatal) => Err(fatal),
                None if self.course.interrupted => Ok(signal::INTERRUPTED),
                None => {
                    Err(Fatal::job("the load ended before its measured window began: there is no result")
                        .hint("a longer runtime, higher limits, or a shorter warm-up (ramp_time)"))
                }
            };
        };
        let jobs = self.jobs(places, &result);
        let depth_ns: u64 = self.collector.windows().map(|(_, window)| window.depth_ns).sum();
        let mean_depth = depth_ns as f64 / 1e9 / result.elapsed_s;
        for found in self.doubts(places, &result, &jobs, mean_depth) {
            emit(&Event::Doubt(found));
        }
        if let Some((names, count)) = hung {
            let message = format!(
                "{names} hung in the kernel: what it did after its last whole interval is not in the figures, and the \
                 disk was not at rest"
            );
            emit(&Event::Doubt(doubt("hung-workers", message, count as f64, 0.0)));
        }
        let complaint = unread.or_else(|| verifying::complaint(&verified));
        if complaint.is_some() {
            // What is wrong is in these files: whoever looks for the cause needs them.
            let looked_at = self.job.storage.iter().filter(|job| job.verify != Verify::Off);
            let files: Vec<_> = looked_at.flat_map(|job| job.files.iter().chain(&job.ledger)).collect();
            made.keep(|path| files.iter().any(|file| *file == path));
        }
        result.storage = Some(Box::new(StorageResult { jobs, disks: self.disk_use(result.elapsed_s) }));
        emit(&Event::Result(Box::new(result)));
        match self.fatal.or(complaint) {
            Some(fatal) => Err(fatal),
            None if self.course.interrupted => Ok(signal::INTERRUPTED),
            None => Ok(0),
        }
    }

    /// The workers that hang in the kernel by name, and how many they are.
    fn hung_workers(&self, places: &[Place]) -> Option<(String, usize)> {
        let (first, count) = (*self.hung.first()?, self.hung.len());
        let place = &places[first];
        let job = &self.job.storage[place.job];
        let others = match count - 1 {
            0 => String::new(),
            1 => " and 1 other".to_owned(),
            more => format!(" and {more} others"),
        };
        Some((format!("worker {} of job {} (thread io-{first}){others}", place.clone, job.name), count))
    }

    /// Reads back what verifying jobs wrote; and why that ended early, where a file could not be read.
    fn verify(
        &mut self,
        places: &[Place],
        ledgers: &[Option<Arc<Ledger>>],
        layouts: &[Layout],
    ) -> (Vec<Verified>, Option<Fatal>) {
        let mut found = Vec::new();
        for (place, ledger) in places.iter().zip(ledgers) {
            let job = &self.job.storage[place.job];
            let Some(ledger) = ledger.as_ref().filter(|_| job.verify == Verify::After) else { continue };
            let start_ns = self.clock.now();
            emit(&Event::Phase(PhaseStart { phase: Phase::Check, start_ns, planned_ms: None }));
            let expected = Expected::new(&ledger.origin, &ledger.account(), false);
            match verifying::verify(job, &layouts[place.job], Some(&expected), None) {
                Ok(Some(one)) => found.push(one),
                Ok(None) => self.course.interrupted = true,
                Err(fatal) => return (found, Some(fatal)),
            }
        }
        (found, None)
    }

    fn jobs(&self, places: &[Place], result: &RunResult) -> Vec<JobResult> {
        let lanes = self.collector.totals.iter().enumerate();
        lanes.map(|(lane, total)| self.job_result(lane, total, places, result)).collect()
    }

    fn job_result(&self, lane: usize, total: &LaneTotal, places: &[Place], result: &RunResult) -> JobResult {
        let mine: Vec<(usize, &Place)> =
            places.iter().enumerate().filter(|(_, place)| place.lane == lane).collect();
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
            if let Some(end) = &self.collector.ends[worker] {
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

    fn disk_use(&self, elapsed_s: f64) -> Vec<DiskUse> {
        let (Some(before), Some(after)) = (&self.before, &self.after) else { return Vec::new() };
        let pairs = self.disks.iter().zip(before.iter().zip(after));
        pairs.map(|(disk, (before, after))| moved(&disk.name, before, after, elapsed_s)).collect()
    }

    fn doubts(
        &self,
        places: &[Place],
        result: &RunResult,
        jobs: &[JobResult],
        mean_depth: f64,
    ) -> Vec<Doubt> {
        let mut found = Vec::new();
        if cfg!(debug_assertions) {
            let message = "this engine is a debug build; measure with a release build".to_owned();
            found.push(doubt("debug-build", message, 1.0, 0.0));
        }
        let gap = (result.mean_in_flight / mean_depth.max(1e-9) - 1.0).abs();
        if result.counts.transactions > 0 && gap > LITTLE_LIMIT {
            let message = format!(
                "Little's law: {mean_depth:.2} operations were in flight, their times account for {:.2} ({:.1} % off)",
                result.mean_in_flight,
                gap * 100.0
            );
            found.push(doubt("littles-law", message, gap, LITTLE_LIMIT));
        }
        found.extend(self.depth_doubt(places, result, jobs));
        let cores = std::thread::available_parallelism().map_or(1, usize::from) as f64;
        let busy = (result.engine.user_us + result.engine.system_us) as f64 / 1e6 / result.elapsed_s / cores;
        if busy > BUSY_LIMIT {
            let message = format!(
                "the load kept all processors {:.0} % busy: they may be what was measured, not the disk",
                busy * 100.0
            );
            found.push(doubt("processors-busy", message, busy, BUSY_LIMIT));
        }
        let late = self.collector.totals.iter().filter_map(|total| total.recorder.lateness.as_ref());
        let late = late.map(|lateness| lateness.quantile_ns(0.99)).max().unwrap_or(0);
        if late > LATE_LIMIT_NS {
            let (value, limit) = (late as f64 / 1e6, LATE_LIMIT_NS as f64 / 1e6);
            let message = format!(
                "the generator itself started 1 % of the operations {value:.1} ms late or more, though it had room"
            );
            found.push(doubt("late-pacing", message, value, limit));
        }
        if self.course.steady == Some(false) {
            let message = "throughput was still changing when the longest warm-up ended".to_owned();
            found.push(doubt("not-steady", message, 0.0, 1.0));
        }
        if result.abandoned > 0 {
            found.push(abandoned(result.abandoned));
        }
        found
    }

    /// A closed loop that has nothing else to do keeps its depth, from the beginning of the window to each worker's end.
    fn depth_doubt(&self, places: &[Place], result: &RunResult, jobs: &[JobResult]) -> Option<Doubt> {
        let idle = |job: &assay_storage::StorageJob| {
            job.arrivals.is_some() || job.think.is_some() || job.sync.is_some() || job.batch.low > 0
        };
        if self.job.storage.iter().any(idle) {
            return None;
        }
        let mut wanted_ns = vec![0u64; jobs.len()];
        let mut reached_ns = vec![0u64; jobs.len()];
        for (worker, window) in self.collector.windows() {
            let place = &places[worker];
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

fn hangs(names: &str) -> Fatal {
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

fn moved(name: &str, before: &DiskCounts, after: &DiskCounts, elapsed_s: f64) -> DiskUse {
    let side = |operations: [u64; 2], merges: [u64; 2], sectors: [u64; 2], ms: [u64; 2]| DiskSide {
        operations: operations[1].saturating_sub(operations[0]),
        merges: merges[1].saturating_sub(merges[0]),
        bytes: sectors[1].saturating_sub(sectors[0]) * SECTOR,
        ms: ms[1].saturating_sub(ms[0]),
    };
    let busy_ms = after.busy_ms.saturating_sub(before.busy_ms);
    DiskUse {
        name: name.to_owned(),
        read: side(
            [before.reads, after.reads],
            [before.read_merges, after.read_merges],
            [before.read_sectors, after.read_sectors],
            [before.read_ms, after.read_ms],
        ),
        write: side(
            [before.writes, after.writes],
            [before.write_merges, after.write_merges],
            [before.write_sectors, after.write_sectors],
            [before.write_ms, after.write_ms],
        ),
        busy_ms,
        queue_ms: after.queue_ms.saturating_sub(before.queue_ms),
        utilisation: (busy_ms as f64 / 1e3 / elapsed_s.max(1e-9)).min(1.0),
    }
}

fn add_use(sum: &mut ThreadUse, part: &ThreadUse) {
    sum.user_us += part.user_us;
    sum.system_us += part.system_us;
    sum.switches += part.switches;
    sum.major_faults += part.major_faults;
    sum.minor_faults += part.minor_faults;
}
