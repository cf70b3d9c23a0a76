//! One thread of the load: its events one after the other, by the clock and the phases.
//!
//! The clock is read once an event: the end of one is the beginning of the next. What the thread notes of an event is so
//! part of the time of the one after it, some nanoseconds.

use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use assay_format::event::Phase;
use assay_machine::{OnWork, Work};
use assay_tally::{Recorder, Scheduled, Shape, Times};

use crate::course::timeline::{Control, Stretch};
use crate::machine::limits::Limits;
use crate::machine::message::{Closed, Done, Message, ThreadEnd};
use crate::machine::queue::Queue;
use crate::process::clock::{Clock, UNKNOWN};
use crate::process::poison::unpoisoned;

/// How long a thread sleeps before it looks up.
const NAP_NS: u64 = 20_000_000;

/// Empty recorders, to be used anew: their memory is the kernel's to give, which costs more than to clear them.
pub(super) type Spares = Arc<Mutex<Vec<Recorder>>>;

/// A recorder of whole events.
pub(super) fn recorder(open_loop: bool) -> Recorder {
    Recorder::new(Shape::of_labels(1, if open_loop { Scheduled::All } else { Scheduled::Nothing }))
}

/// Sleeps of this thread end at their instant and not up to 50 µs later, as threads' sleeps do otherwise.
fn wake_exactly() {
    // SAFETY: no pointers. Refused, it changes nothing.
    unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, 1) };
}

/// What a thread needs of the load around it.
pub(super) struct Around {
    pub thread: usize,
    pub clock: Clock,
    pub control: Arc<Control>,
    pub messages: Sender<Message>,
    pub spares: Spares,
    pub interval_ns: u64,
    pub limits: Limits,
    /// Open loop: the line in which events wait.
    pub queue: Option<Arc<Queue>>,
}

/// A thread at work.
pub(super) struct Drive {
    around: Around,
    stretch: Stretch,
    recorder: Recorder,
    wanted: Option<Box<Recorder>>,
    started: u64,
    unserved: u64,
    done: Done,
    /// The clock when it was read last.
    now: u64,
}

impl OnWork for Drive {
    type Output = ThreadEnd;

    fn carry_out<W: Work>(mut self, mut work: W) -> ThreadEnd {
        if self.gate() {
            loop {
                self.keep_up(0);
                if self.is_over() || !self.may_begin() {
                    break;
                }
                let Some((scheduled, prompt)) = self.arrival() else { break };
                let started = self.now;
                self.started += 1;
                work.event();
                self.now = self.around.clock.now();
                self.note(&Times { scheduled, started, ended: self.now }, prompt);
            }
        }
        self.end()
    }
}

impl Drive {
    pub(super) fn new(around: Around) -> Self {
        let open_loop = around.queue.is_some();
        Self {
            stretch: Stretch { phase: Phase::Connect, index: 0, start: 0, end: UNKNOWN },
            recorder: recorder(open_loop),
            wanted: open_loop.then(|| Box::new(recorder(true))),
            started: 0,
            unserved: 0,
            done: Done::default(),
            now: 0,
            around,
        }
    }

    /// Waits for the start of the load; false when there is none.
    fn gate(&mut self) -> bool {
        let Around { clock, control, messages, interval_ns, .. } = &self.around;
        let _ = messages.send(Message::Ready(1));
        let Some(start) = control.wait_for_start() else { return false };
        std::thread::sleep(Duration::from_nanos(start.saturating_sub(clock.now())));
        if control.aborted() {
            return false;
        }
        if let Some(queue) = &self.around.queue {
            wake_exactly();
            queue.begin(start);
        }
        self.stretch = Stretch::first(control.edges(), *interval_ns);
        self.now = clock.now();
        true
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.now >= self.around.control.measure_end() || self.around.control.aborted()
    }

    /// Takes an event where events are limited: those of the warm-up are not counted.
    #[inline]
    fn may_begin(&mut self) -> bool {
        self.stretch.phase == Phase::Warmup || self.around.limits.take()
    }

    /// The instant at which the next event is wanted, once it has come, and whether the thread was waiting for it; `None`
    /// when there is no event any more.
    #[inline]
    fn arrival(&mut self) -> Option<(u64, bool)> {
        match &self.around.queue {
            None => Some((self.now, false)),
            Some(queue) => {
                let scheduled = queue.take()?;
                self.wait_until(scheduled)
            }
        }
    }

    fn wait_until(&mut self, scheduled: u64) -> Option<(u64, bool)> {
        let prompt = scheduled > self.now;
        while scheduled > self.now {
            std::thread::sleep(Duration::from_nanos((scheduled - self.now).min(NAP_NS)));
            self.now = self.around.clock.now();
            self.keep_up(0);
            if self.is_over() {
                self.unserved += u64::from(self.around.control.edges().measures(scheduled));
                return None;
            }
        }
        Some((scheduled, prompt))
    }

    /// Closes the intervals that have ended, of which `in_flight` events were going on.
    #[inline]
    fn keep_up(&mut self, in_flight: u64) {
        if self.now >= self.stretch.end || self.around.control.measure_end() < self.stretch.end {
            self.rotate(in_flight);
        }
    }

    #[cold]
    fn rotate(&mut self, in_flight: u64) {
        loop {
            let edges = self.around.control.edges();
            self.stretch.clip(edges);
            if self.now < self.stretch.end {
                return;
            }
            self.close(self.stretch, in_flight);
            self.stretch = self.stretch.next(self.around.control.edges(), self.around.interval_ns);
        }
    }

    fn close(&mut self, stretch: Stretch, in_flight: u64) {
        let open_loop = self.around.queue.is_some();
        let fresh = unpoisoned(self.around.spares.lock()).pop().unwrap_or_else(|| recorder(open_loop));
        let closed = Closed {
            thread: self.around.thread,
            stretch,
            recorder: std::mem::replace(&mut self.recorder, fresh),
            started: std::mem::take(&mut self.started),
            in_flight,
            done: self.done,
        };
        // The main thread outlives the others unless the process is ending anyway.
        let _ = self.around.messages.send(Message::Slice(Box::new(closed)));
    }

    #[inline]
    fn note(&mut self, times: &Times, prompt: bool) {
        self.keep_up(1);
        self.recorder.counts.transactions += 1;
        self.recorder.record(0, times);
        if prompt {
            self.recorder.record_lateness(times.wait());
        }
        let edges = self.around.control.edges();
        self.done.measured_ns += edges.measured_ns(times.started, times.ended);
        if self.stretch.phase == Phase::Warmup {
            return;
        }
        self.done.measured += u64::from(self.stretch.phase == Phase::Measure);
        let latency = times.response();
        self.done.events += 1;
        self.done.busy_ns += times.service();
        self.done.min_ns = self.done.min_ns.min(latency);
        self.done.max_ns = self.done.max_ns.max(latency);
        self.done.sum_ns += latency;
        self.done.ended = times.ended;
        if let Some(wanted) = self.wanted.as_mut().filter(|_| edges.measures(times.scheduled)) {
            wanted.record(0, times);
        }
    }

    fn end(mut self) -> ThreadEnd {
        if self.stretch.phase != Phase::Connect {
            self.keep_up(0);
            self.close(Stretch { end: self.now, ..self.stretch }, 0);
        }
        let Self { around, wanted, unserved, done, .. } = self;
        ThreadEnd { thread: around.thread, done, wanted, abandoned: 0, unserved }
    }
}
