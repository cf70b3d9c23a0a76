//! The loop of a worker: operations are started, handed over, collected, and made durable.

use crate::device::{Completion, Device};
use crate::error::StorageError;
use crate::pattern::{Pattern, Request};
use crate::watch::{OperationKind, TimedIo, Watch};
use crate::worker::operation_schedule::OperationSchedule;
use crate::worker::plan::{Limits, Syncs};
use crate::worker::sleep::sleep_ns;
use crate::worker::slots::Slots;
use crate::worker::stamped::Stamped;
use crate::worker::think::Thinking;
use crate::worker::{Worker, WorkerEnd};

/// How long a worker sleeps or waits before it looks up.
const NAP_NS: u64 = 20_000_000;

/// A worker at work: its device, what it may do next, and what is in flight.
pub(super) struct Drive<'a, D, W> {
    worker: &'a Worker<'a>,
    device: D,
    watch: &'a mut W,
    pattern: Pattern,
    slots: Slots,
    limits: Limits,
    syncs: Syncs,
    due: OperationSchedule,
    thinking: Thinking,
    /// The watch's clock when it was read last.
    now: u64,
    completions: Vec<Completion>,
    /// No operation starts any more.
    stopping: bool,
    /// The queue is being filled; a full one waits until it is as low as the job's batch says.
    refilling: bool,
    stamped: Option<Stamped<'a>>,
    /// The request drawn already for a block that is being written to.
    held: Option<Request>,
    /// The number of writes begun.
    sequence: u64,
    /// Syncs of files when the load was over.
    end_syncs: u64,
}

impl<'a, D: Device, W: Watch> Drive<'a, D, W> {
    pub(super) fn new(worker: &'a Worker<'a>, device: D, watch: &'a mut W, depth: u32, start: u64) -> Self {
        let (job, space) = (worker.job, worker.layout.space);
        let key = [worker.seed, worker.number, worker.clone.into()];
        Self {
            pattern: Pattern::new(&job.access, space, key, job.clones),
            slots: Slots::new(depth),
            limits: Limits::new(job, space),
            syncs: Syncs::new(job, space.files),
            due: OperationSchedule::new(worker.schedule.clone(), start),
            thinking: Thinking::new(job.think),
            now: start,
            completions: Vec::with_capacity(depth as usize),
            stopping: false,
            refilling: true,
            stamped: worker.ledger.map(|ledger| Stamped::new(job, space, ledger)),
            held: None,
            sequence: 0,
            end_syncs: 0,
            worker,
            device,
            watch,
        }
    }

    pub(super) fn run(mut self) -> Result<WorkerEnd, StorageError> {
        self.now = self.watch.now();
        self.watch.turn(self.now, 0, 0);
        loop {
            if !self.stopping {
                self.refill()?;
            }
            if D::QUEUED && self.slots.queued() > 0 {
                self.hand_over()?;
            }
            if self.slots.in_flight() > 0 {
                self.collect()?;
                if self.watch.give_up(self.now) {
                    break;
                }
            } else if self.syncs.due() {
                self.sync()?;
            } else if self.stopping {
                if self.worker.job.end_sync && self.syncs.mark_end() {
                    continue;
                }
                break;
            } else {
                self.pause();
            }
        }
        Ok(WorkerEnd {
            abandoned: self.slots.in_flight(),
            unserved: self.due.unserved(self.watch),
            end_syncs: self.end_syncs,
        })
    }

    /// Puts operations in line as long as there is room and one is wanted.
    #[inline]
    fn refill(&mut self) -> Result<(), StorageError> {
        let batch = self.worker.job.batch;
        if batch.low > 0 && !self.refilling {
            self.refilling = self.slots.in_flight() <= batch.low;
            if !self.refilling {
                return Ok(());
            }
        }
        while self.slots.has_room() {
            if self.watch.over(self.now) || self.limits.reached() {
                self.stopping = true;
                return Ok(());
            }
            if self.syncs.due() || self.thinking.pauses(self.now, self.slots.in_flight()) {
                return Ok(());
            }
            if let Some(stamped) = &self.stamped {
                let next = *self.held.get_or_insert_with(|| self.pattern.request());
                if stamped.waits(&next, self.sequence + 1) {
                    self.due.occupied();
                    return Ok(());
                }
            }
            let Some(scheduled) = self.due.take(self.now) else { return Ok(()) };
            self.start(scheduled)?;
            if !D::QUEUED {
                self.due.occupied();
                return Ok(());
            }
            if batch.submit > 0 && self.slots.queued() >= batch.submit {
                self.hand_over()?;
            }
        }
        // With no room left, whatever falls due meanwhile waits for a slot and not for the pacer.
        self.due.occupied();
        self.refilling = false;
        Ok(())
    }

    #[inline]
    fn start(&mut self, scheduled: u64) -> Result<(), StorageError> {
        let request = self.held.take().unwrap_or_else(|| self.pattern.request());
        if self.watch.counted() {
            self.limits.count(request.bytes);
        }
        self.thinking.started();
        let mut sequence = 0;
        if request.read {
            self.syncs.read();
        } else {
            self.sequence += 1;
            sequence = self.sequence;
            self.syncs.wrote(request.file);
        }
        let slot = self.slots.take(request, scheduled, self.now, self.due.prompt(), sequence);
        if let Some(stamped) = &mut self.stamped {
            let stamp = stamped.begin(&request, sequence);
            crate::stamp::write(self.device.buffer(slot, request.bytes as usize), stamp);
        }
        self.device.queue(slot, &request).map_err(|source| self.failed(slot, source))
    }

    #[inline]
    fn hand_over(&mut self) -> Result<(), StorageError> {
        self.device.submit().map_err(|source| self.refused("hand over operations on", source))?;
        // The call may have waited for the disk: what comes next begins after it.
        self.now = self.watch.now();
        // What fell due within it waited for the call and not for the pacer.
        self.due.busy_until(self.now);
        let in_flight = self.slots.in_flight();
        let count = self.slots.handed_over(self.now);
        self.watch.submitted(count, in_flight);
        self.watch.turn(self.now, in_flight, in_flight);
        Ok(())
    }

    #[inline]
    fn collect(&mut self) -> Result<(), StorageError> {
        let batch = self.worker.job.batch;
        let in_flight = self.slots.in_flight();
        let min = batch.complete_min.clamp(1, in_flight);
        let max = match batch.complete_max {
            // Taking all there is would empty the device: it would stand still while they are handed over again.
            0 => (self.slots.depth() / 8).max(min),
            asked => asked.max(min),
        };
        let mut timeout = None;
        if self.stopping {
            timeout = Some(NAP_NS);
        } else if self.due.open() && self.slots.has_room() {
            timeout = Some(self.due.next().saturating_sub(self.now).clamp(1, NAP_NS));
        }
        self.completions.clear();
        let collected = self.device.collect(min, max, timeout, &mut self.completions);
        collected.map_err(|source| self.refused("collect operations on", source))?;
        self.now = self.watch.now();
        for index in 0..self.completions.len() {
            self.finish(self.completions[index])?;
        }
        if D::QUEUED && !self.completions.is_empty() {
            self.watch.collected(self.completions.len() as u32);
        }
        self.watch.turn(self.now, in_flight, self.slots.in_flight());
        Ok(())
    }

    #[inline]
    fn finish(&mut self, completion: Completion) -> Result<(), StorageError> {
        let slot = completion.slot;
        if completion.result < 0 {
            let source = std::io::Error::from_raw_os_error(-completion.result as i32);
            return Err(self.failed(slot, source));
        }
        let operation = self.slots.give_back(slot);
        let request = operation.request;
        if completion.result == 0 {
            let what = if request.read { "the file ended early" } else { "nothing was written" };
            return Err(self.failed(slot, std::io::Error::other(what)));
        }
        if let Some(stamped) = &mut self.stamped {
            if completion.result < i64::from(request.bytes) {
                let what = format!("only {} of {} bytes of a block", completion.result, request.bytes);
                return Err(self.failed(slot, std::io::Error::other(what)));
            }
            stamped.end(&request, operation.sequence);
        }
        self.watch.done(&TimedIo {
            kind: if request.read { OperationKind::Read } else { OperationKind::Write },
            scheduled: operation.scheduled,
            started: operation.started,
            submitted: operation.submitted,
            ended: self.now,
            bytes: completion.result as u32,
            short: completion.result < i64::from(request.bytes),
            prompt: operation.prompt,
        });
        Ok(())
    }

    /// Makes durable what is due, one file after the other.
    fn sync(&mut self) -> Result<(), StorageError> {
        let kind = self.syncs.kind();
        let limited = self.syncs.in_limit && !self.syncs.at_end();
        while let Some(file) = self.syncs.next() {
            if limited {
                if self.limits.reached() {
                    self.syncs.put_off(file);
                    return Ok(());
                }
                self.limits.count(0);
            }
            let started = self.now;
            if let Err(source) = self.device.sync(file, kind) {
                let path = &self.worker.layout.paths[file as usize];
                return Err(StorageError::io("fsync", path, source));
            }
            self.now = self.watch.now();
            if self.syncs.at_end() {
                self.end_syncs += 1;
            } else {
                self.watch.done(&TimedIo {
                    kind: OperationKind::Sync,
                    scheduled: started,
                    started,
                    submitted: started,
                    ended: self.now,
                    bytes: 0,
                    short: false,
                    prompt: false,
                });
            }
            self.watch.turn(self.now, 1, 0);
        }
        if let Some(stamped) = &self.stamped {
            stamped.synced(self.sequence);
        }
        // What fell due meanwhile waited for the disk and not for the pacer.
        self.due.busy_until(self.now);
        Ok(())
    }

    /// Nothing to do before the next instant.
    fn pause(&mut self) {
        let next = if self.due.open() { self.due.next() } else { self.thinking.until() };
        let until = next.min(self.now + NAP_NS);
        sleep_ns(until.saturating_sub(self.now));
        self.now = self.watch.now();
        self.watch.turn(self.now, 0, 0);
        self.stopping |= self.due.ended();
    }

    /// A call for many operations failed: it does not say for which.
    #[cold]
    fn refused(&self, doing: &'static str, source: std::io::Error) -> StorageError {
        let paths = &self.worker.layout.paths;
        let path = if paths.len() == 1 { &paths[0] } else { paths[0].parent().unwrap_or(&paths[0]) };
        StorageError::io(doing, path, source)
    }

    #[cold]
    fn failed(&self, slot: u32, source: std::io::Error) -> StorageError {
        let request = self.slots.request(slot);
        StorageError::Io {
            doing: if request.read { "read" } else { "write" },
            path: self.worker.layout.paths[request.file as usize].clone(),
            offset: Some(request.offset),
            source,
        }
    }
}
