//! What the connections of one event loop share: the tally, the time line, the gate at the start, the arrivals.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::task::Poll;

use assay_pace::Schedule;
use assay_tally::{Recorder, Times};
use assay_wire::Outcome;

use crate::arrivals::Dispatcher;
use crate::event::{EngineUse, Phase};
use crate::failure::Fatal;
use crate::reactor::{Next, Reactor, TaskId};
use crate::timeline::{Control, Stretch, UNKNOWN};
use crate::usage::engine_use;

/// Histogram number of the whole transaction; statement labels follow.
pub const TRANSACTION: usize = 0;

/// How long a loop may sleep before it looks at the control again.
const NAP_NS: u64 = 20_000_000;
/// The same before the start, when everybody waits for the last login.
const GATE_NAP_NS: u64 = 1_000_000;

/// One interval of one event loop.
pub struct Slice {
    pub shard: usize,
    pub stretch: Stretch,
    pub in_flight: u64,
    pub queued: u64,
    pub recorder: Box<Recorder>,
    /// Read at the boundary itself, by the first event loop alone.
    pub usage: Option<EngineUse>,
}

/// How an event loop ended.
pub struct ShardEnd {
    pub shard: usize,
    /// Transactions in the measured window, by connection.
    pub operations: Vec<u64>,
    pub abandoned: u64,
    /// Open loop: what was scheduled in the measured window, whenever it ended.
    pub window: Option<Box<Recorder>>,
}

/// What event loops tell the collector.
pub enum Message {
    /// One connection has logged in and prepared its statements.
    Connected,
    Slice(Box<Slice>),
    Fatal(Fatal),
    End(ShardEnd),
}

/// The plan that every event loop of a run gets.
pub struct ShardPlan {
    pub index: usize,
    /// First connection of this loop, how many it has.
    pub first_worker: u32,
    pub workers: u32,
    pub labels: usize,
    pub interval_ns: u64,
    pub drain_ns: u64,
    /// Transactions this loop may start in the measured window.
    pub budget: Option<u64>,
    pub schedule: Option<Schedule>,
    pub queue_limit: usize,
}

/// Shared by the tasks of one event loop; never crosses threads.
pub struct Shard {
    pub reactor: Rc<Reactor>,
    pub control: Arc<Control>,
    plan: ShardPlanFacts,
    messages: Sender<Message>,
    spare: Receiver<Box<Recorder>>,
    stretch: Cell<Stretch>,
    started: Cell<bool>,
    recorder: RefCell<Box<Recorder>>,
    window: RefCell<Option<Box<Recorder>>>,
    dispatcher: Option<RefCell<Dispatcher>>,
    budget: Cell<u64>,
    in_flight: Cell<u64>,
    operations: Box<[Cell<u64>]>,
}

/// The part of the plan that stays as it is.
struct ShardPlanFacts {
    index: usize,
    first_worker: u32,
    workers: u32,
    labels: usize,
    interval_ns: u64,
    drain_ns: u64,
}

impl Shard {
    pub fn new(
        plan: ShardPlan,
        reactor: Rc<Reactor>,
        control: Arc<Control>,
        messages: Sender<Message>,
        spare: Receiver<Box<Recorder>>,
    ) -> Rc<Self> {
        let open_loop = plan.schedule.is_some();
        let waiting = Stretch { phase: Phase::Connect, index: 0, start: 0, end: UNKNOWN };
        Rc::new(Self {
            reactor,
            control,
            messages,
            spare,
            stretch: Cell::new(waiting),
            started: Cell::new(false),
            recorder: RefCell::new(Box::new(Recorder::new(plan.labels, open_loop))),
            window: RefCell::new(open_loop.then(|| Box::new(Recorder::new(plan.labels, true)))),
            dispatcher: plan
                .schedule
                .map(|schedule| RefCell::new(Dispatcher::new(schedule, plan.queue_limit, plan.workers))),
            budget: Cell::new(plan.budget.unwrap_or(u64::MAX)),
            in_flight: Cell::new(0),
            operations: vec![Cell::new(0); plan.workers as usize].into_boxed_slice(),
            plan: ShardPlanFacts {
                index: plan.index,
                first_worker: plan.first_worker,
                workers: plan.workers,
                labels: plan.labels,
                interval_ns: plan.interval_ns,
                drain_ns: plan.drain_ns,
            },
        })
    }

    /// The owner of the event loop: keeps the time line and hands out arrivals.
    pub fn turn(&self, now: u64) -> Next {
        if self.control.aborted() {
            return Next::Stop;
        }
        if !self.started.get() {
            let start = self.control.start();
            if now < start {
                return Next::At(start.min(now + GATE_NAP_NS));
            }
            self.open_gate(start);
        }
        self.rotate(now);
        let end = self.control.measure_end();
        if now >= end.saturating_add(self.plan.drain_ns) {
            return Next::Stop;
        }
        let mut wanted = self.stretch.get().end.min(now + NAP_NS);
        if let Some(dispatcher) = &self.dispatcher {
            wanted = wanted.min(dispatcher.borrow_mut().turn(
                now,
                end,
                &self.reactor,
                &mut self.recorder.borrow_mut().counts,
            ));
        }
        Next::At(wanted)
    }

    fn open_gate(&self, start: u64) {
        self.started.set(true);
        self.stretch.set(Stretch::first(&self.control, self.plan.interval_ns));
        if let Some(dispatcher) = &self.dispatcher {
            dispatcher.borrow_mut().begin(start);
        }
        (0..self.plan.workers).for_each(|task| self.reactor.wake(task));
    }

    /// Says that a connection is ready, then waits for all the others.
    pub fn gate(&self) -> impl Future<Output = ()> + '_ {
        self.send(Message::Connected);
        std::future::poll_fn(|_| if self.started.get() { Poll::Ready(()) } else { Poll::Pending })
    }

    /// The next operation of a worker: the instant it was scheduled for, or `None` when the load is over.
    /// `now` is the end of the worker's last operation.
    #[inline]
    pub async fn next(&self, task: TaskId, now: u64) -> Option<u64> {
        if !self.spend_budget() {
            return None;
        }
        let scheduled = match &self.dispatcher {
            None if now >= self.control.measure_end() => return None,
            None => now,
            Some(dispatcher) => {
                let mut waiting = false;
                std::future::poll_fn(|_| dispatcher.borrow_mut().take(task, &mut waiting)).await?
            }
        };
        self.in_flight.set(self.in_flight.get() + 1);
        Some(scheduled)
    }

    #[inline]
    fn spend_budget(&self) -> bool {
        match self.budget.get() {
            u64::MAX => true,
            0 => false,
            left => {
                if self.stretch.get().phase != Phase::Warmup {
                    self.budget.set(left - 1);
                }
                true
            }
        }
    }

    /// Ends an operation that `next` began.
    #[inline]
    pub fn finish_operation(&self) {
        self.in_flight.set(self.in_flight.get() - 1);
    }

    /// Notes a transaction that succeeded.
    #[inline]
    pub fn note_transaction(&self, task: TaskId, times: &Times) {
        self.rotate(times.ended);
        let mut recorder = self.recorder.borrow_mut();
        recorder.counts.transactions += 1;
        recorder.record(TRANSACTION, times);
        drop(recorder);
        if self.stretch.get().phase == Phase::Measure {
            let cell = &self.operations[task as usize];
            cell.set(cell.get() + 1);
        }
        self.note_in_window(TRANSACTION, times);
    }

    /// Notes a statement that succeeded, under its label.
    #[inline]
    pub fn note_statement(&self, label: usize, times: &Times, outcome: &Outcome) {
        self.rotate(times.ended);
        let mut recorder = self.recorder.borrow_mut();
        let counts = &mut recorder.counts;
        // As sysbench counts: a result set is a read, changed rows are a write, anything else is other.
        if outcome.result_set {
            counts.reads += 1;
        } else if outcome.affected_rows > 0 {
            counts.writes += 1;
        } else {
            counts.other += 1;
        }
        recorder.record(label, times);
        drop(recorder);
        self.note_in_window(label, times);
    }

    #[inline]
    fn note_in_window(&self, label: usize, times: &Times) {
        if self.dispatcher.is_some()
            && times.scheduled >= self.control.measure_start()
            && times.scheduled < self.control.measure_end()
            && let Some(window) = self.window.borrow_mut().as_mut()
        {
            window.record(label, times);
        }
    }

    pub fn note_error(&self, code: u16) {
        self.recorder.borrow_mut().counts.error(code);
    }

    pub fn note_retry(&self) {
        self.recorder.borrow_mut().counts.retries += 1;
    }

    pub fn note_failed(&self) {
        self.recorder.borrow_mut().counts.failed += 1;
    }

    pub fn note_reconnect(&self) {
        self.recorder.borrow_mut().counts.reconnects += 1;
    }

    /// Ends the job: every event loop stops.
    pub fn fail(&self, fatal: Fatal) {
        self.control.abort();
        self.send(Message::Fatal(fatal));
    }

    /// Closes every interval that ended by `now`.
    #[inline]
    fn rotate(&self, now: u64) {
        if now >= self.stretch.get().end || self.control.measure_end() < self.stretch.get().end {
            self.rotate_slowly(now);
        }
    }

    #[cold]
    fn rotate_slowly(&self, now: u64) {
        loop {
            let mut stretch = self.stretch.get();
            stretch.clip(&self.control);
            self.stretch.set(stretch);
            if now < stretch.end {
                return;
            }
            self.close(stretch);
            self.stretch.set(stretch.next(&self.control, self.plan.interval_ns));
        }
    }

    fn close(&self, stretch: Stretch) {
        let fresh = self
            .spare
            .try_recv()
            .unwrap_or_else(|_| Box::new(Recorder::new(self.plan.labels, self.dispatcher.is_some())));
        let recorder = self.recorder.replace(fresh);
        self.send(Message::Slice(Box::new(Slice {
            shard: self.plan.index,
            stretch,
            in_flight: self.in_flight.get(),
            queued: self.dispatcher.as_ref().map_or(0, |dispatcher| dispatcher.borrow().queued()),
            recorder,
            usage: (self.plan.index == 0).then(engine_use),
        })));
    }

    /// The event loop is over: the last interval goes out as it is.
    pub fn end(&self, abandoned: usize) {
        let now = self.reactor.clock.now();
        if self.started.get() {
            self.rotate(now);
            self.close(Stretch { end: now, ..self.stretch.get() });
        }
        self.send(Message::End(ShardEnd {
            shard: self.plan.index,
            operations: self.operations.iter().map(Cell::get).collect(),
            abandoned: abandoned as u64,
            window: self.window.take(),
        }));
    }

    /// Number of a task's connection in the whole run.
    pub fn worker(&self, task: TaskId) -> u32 {
        self.plan.first_worker + task
    }

    fn send(&self, message: Message) {
        // The collector outlives the event loops unless the process is ending anyway.
        let _ = self.messages.send(message);
    }
}
