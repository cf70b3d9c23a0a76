//! The watch of one worker: clock, phases, and a buffer of what happened.

use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use assay_storage::{OperationKind, TimedIo, Watch};

use crate::course::timeline::{Control, Stretch};
use crate::process::clock::{Clock, UNKNOWN};
use crate::process::usage::{micros, usage_of};
use crate::storage::lane::{Lane, Sums};
use crate::storage::message::{Closed, Message};
use crate::storage::samples::Samples;
use assay_format::event::{Phase, ThreadUse};

/// Operations that are kept before they go into the lane's histograms together: few enough to stay in the nearest cache.
const BUFFER: usize = 128;

/// The measured window of a worker: what it did there.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Window {
    pub operations: u64,
    /// Times of its operations inside the window, whole or cut by its ends.
    pub busy_ns: u64,
    /// The integral over time of the operations in flight, in nanoseconds, counted apart from their times.
    pub depth_ns: u64,
    pub cpu: ThreadUse,
    pub ended: u64,
    /// Bytes by whole interval: of reads, of writes.
    pub moved: [Samples; 2],
}

pub(super) struct WorkerWatch {
    pub worker: usize,
    clock: Clock,
    control: Arc<Control>,
    lane: Arc<Lane>,
    messages: Sender<Message>,
    interval_ns: u64,
    drain_ns: u64,
    /// The worker's own time limit, from the beginning of the window; 0: none.
    limit_ns: u64,
    stretch: Stretch,
    buffer: Vec<TimedIo>,
    sums: Sums,
    /// Bytes since the interval began: of reads, of writes.
    moved: [u64; 2],
    in_flight: u32,
    last: u64,
    window: Window,
    cpu_before: ThreadUse,
}

impl WorkerWatch {
    pub(super) fn new(
        worker: usize,
        clock: Clock,
        control: Arc<Control>,
        lane: Arc<Lane>,
        messages: Sender<Message>,
        (interval_ns, drain_ns, limit_ns): (u64, u64, u64),
    ) -> Self {
        Self {
            worker,
            clock,
            control,
            lane,
            messages,
            interval_ns,
            drain_ns,
            limit_ns,
            stretch: Stretch { phase: Phase::Connect, index: 0, start: 0, end: UNKNOWN },
            buffer: Vec::with_capacity(BUFFER),
            sums: Sums::default(),
            moved: [0; 2],
            in_flight: 0,
            last: 0,
            window: Window::default(),
            cpu_before: ThreadUse::default(),
        }
    }

    /// Ends the watch when the worker has ended: its last interval goes out as it is.
    pub(super) fn end(mut self) -> Window {
        if self.stretch.phase == Phase::Connect {
            return self.window;
        }
        let now = self.clock.now();
        self.rotate(now);
        if self.stretch.phase == Phase::Measure {
            self.leave_window();
        }
        self.close(Stretch { end: now, ..self.stretch });
        self.window.ended = now;
        self.window
    }

    fn leave_window(&mut self) {
        let used = thread_use();
        let before = self.cpu_before;
        self.window.cpu = ThreadUse {
            user_us: used.user_us - before.user_us,
            system_us: used.system_us - before.system_us,
            switches: used.switches - before.switches,
            major_faults: used.major_faults - before.major_faults,
            minor_faults: used.minor_faults - before.minor_faults,
        };
    }

    fn enter(&mut self, stretch: Stretch) {
        let before = self.stretch.phase;
        self.stretch = stretch;
        match (before, stretch.phase) {
            (Phase::Measure, Phase::Measure) => {}
            (_, Phase::Measure) => self.cpu_before = thread_use(),
            (Phase::Measure, _) => self.leave_window(),
            _ => {}
        }
    }

    /// Closes every interval that ended by `now`.
    #[cold]
    fn rotate(&mut self, now: u64) {
        loop {
            self.stretch.clip(self.control.edges());
            if now < self.stretch.end {
                return;
            }
            self.close(self.stretch);
            self.enter(self.stretch.next(self.control.edges(), self.interval_ns));
        }
    }

    fn close(&mut self, stretch: Stretch) {
        self.flush();
        let moved = std::mem::take(&mut self.moved);
        // A last piece of an interval says nothing about a rate.
        if stretch.phase == Phase::Measure && stretch.end - stretch.start == self.interval_ns {
            self.window.moved.iter_mut().zip(moved).for_each(|(samples, bytes)| samples.add(bytes as f64));
        }
        let in_flight = self.in_flight.into();
        let closed = Closed { worker: self.worker, stretch, in_flight, window: self.window };
        // The main thread outlives the workers unless the process is ending anyway.
        let _ = self.messages.send(Message::Slice(Box::new(closed)));
    }

    fn flush(&mut self) {
        let window = (self.control.measure_start(), self.control.measure_end());
        self.lane.add(self.stretch, &self.buffer, &self.sums, window);
        self.buffer.clear();
        let sums = std::mem::take(&mut self.sums);
        self.moved.iter_mut().zip(sums.bytes).for_each(|(moved, bytes)| *moved += bytes);
    }
}

impl Watch for WorkerWatch {
    #[inline]
    fn now(&self) -> u64 {
        self.clock.now()
    }

    fn gate(&mut self) -> Option<u64> {
        let _ = self.messages.send(Message::Ready(1));
        let start = self.control.wait_for_start()?;
        let left = start.saturating_sub(self.clock.now());
        std::thread::sleep(Duration::from_nanos(left));
        if self.control.aborted() {
            return None;
        }
        self.enter(Stretch::first(self.control.edges(), self.interval_ns));
        self.last = start;
        Some(start)
    }

    #[inline]
    fn over(&self, now: u64) -> bool {
        now >= self.control.measure_end()
            || (self.limit_ns > 0 && now >= self.control.measure_start().saturating_add(self.limit_ns))
            || self.control.aborted()
    }

    #[inline]
    fn counted(&self) -> bool {
        self.stretch.phase != Phase::Warmup
    }

    fn wanted(&self, instant: u64) -> bool {
        (self.control.measure_start()..self.control.measure_end().min(self.last)).contains(&instant)
    }

    fn give_up(&self, now: u64) -> bool {
        self.control.aborted() || now >= self.control.measure_end().saturating_add(self.drain_ns)
    }

    #[inline]
    fn turn(&mut self, now: u64, was: u32, in_flight: u32) {
        let from = self.last.max(self.control.measure_start());
        let until = now.min(self.control.measure_end());
        self.window.depth_ns += until.saturating_sub(from) * u64::from(was);
        self.last = now;
        self.in_flight = in_flight;
        if now >= self.stretch.end || self.control.measure_end() < self.stretch.end {
            self.rotate(now);
        }
    }

    #[inline]
    fn done(&mut self, done: &TimedIo) {
        if done.ended >= self.stretch.end {
            self.rotate(done.ended);
        }
        let from = done.started.max(self.control.measure_start());
        let until = done.ended.min(self.control.measure_end());
        self.window.busy_ns += until.saturating_sub(from);
        if self.stretch.phase == Phase::Measure && done.kind != OperationKind::Sync {
            self.window.operations += 1;
        }
        self.sums.count(done);
        self.buffer.push(*done);
        if self.buffer.len() == BUFFER {
            self.flush();
        }
    }

    #[inline]
    fn submitted(&mut self, operations: u32, in_flight: u32) {
        let level = in_flight.max(1).ilog2().min(6);
        self.sums.depths[level as usize] += u64::from(operations);
        self.sums.submit_sizes[size_class(operations)] += 1;
    }

    #[inline]
    fn collected(&mut self, operations: u32) {
        self.sums.collect_sizes[size_class(operations)] += 1;
    }
}

/// The class of a call by the operations that it handed over: 0, up to 4, 8, 16, 32, 64, more.
fn size_class(operations: u32) -> usize {
    match operations {
        0 => 0,
        1..=4 => 1,
        5..=8 => 2,
        9..=16 => 3,
        17..=32 => 4,
        33..=64 => 5,
        _ => 6,
    }
}

/// The processor use of the calling thread since it began.
fn thread_use() -> ThreadUse {
    let usage = usage_of(libc::RUSAGE_THREAD);
    ThreadUse {
        user_us: micros(usage.ru_utime),
        system_us: micros(usage.ru_stime),
        switches: (usage.ru_nvcsw + usage.ru_nivcsw) as u64,
        major_faults: usage.ru_majflt as u64,
        minor_faults: usage.ru_minflt as u64,
    }
}
