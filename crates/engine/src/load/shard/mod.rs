//! What the connections of one event loop share: the tally, the time line, the gate at the start, the arrivals.

mod notes;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::task::Poll;

use assay_tally::Recorder;

use crate::course::timeline::{Control, Stretch};
use crate::ledger::Page;
use crate::load::discipline::{AnyDiscipline, Wanted, Work};
use crate::load::message::{DeferredCounts, Message, ShardEnd, Slice};
use crate::load::plan::ShardPlan;
use crate::process::clock::UNKNOWN;
use crate::process::failure::Fatal;
use crate::process::usage::engine_use;
use crate::reactor::deadline::Deadlines;
use crate::reactor::{Next, Reactor, TaskId};
use assay_format::event::{LoopTotals, Phase};

/// Histogram number of the whole transaction; statement labels follow.
pub const TRANSACTION: usize = 0;

/// How long a loop may sleep before it looks at the control again.
const NAP_NS: u64 = 20_000_000;
/// The same before the start, when everybody waits for the last login.
const GATE_NAP_NS: u64 = 1_000_000;

/// Shared by the tasks of one event loop; never crosses threads.
pub struct Shard {
    pub reactor: Rc<Reactor>,
    pub control: Arc<Control>,
    plan: ShardPlan,
    messages: Sender<Message>,
    spare: Receiver<Box<Recorder>>,
    stretch: Cell<Stretch>,
    started: Cell<bool>,
    recorder: RefCell<Box<Recorder>>,
    window: RefCell<Option<Box<Recorder>>>,
    discipline: RefCell<AnyDiscipline>,
    budget: Cell<u64>,
    in_flight: Cell<u64>,
    operations: Box<[Cell<u64>]>,
    by_terminal: Box<[Cell<u64>]>,
    deferred: Cell<DeferredCounts>,
    /// Lines about work that was left for later.
    records: RefCell<String>,
    deadlines: Option<Deadlines>,
    /// The window is over: whoever pauses goes home.
    over: Cell<bool>,
    busy_ns: Cell<u64>,
    totals: Cell<LoopTotals>,
    unsure: Cell<u64>,
    /// When the loop meant to have its next turn.
    expected: Cell<u64>,
    noticed: RefCell<BTreeMap<Option<u16>, u32>>,
    ledger: Option<RefCell<Page>>,
}

impl Shard {
    pub fn new(
        mut plan: ShardPlan,
        discipline: AnyDiscipline,
        reactor: Rc<Reactor>,
        control: Arc<Control>,
        messages: Sender<Message>,
        spare: Receiver<Box<Recorder>>,
    ) -> Rc<Self> {
        let (connections, load) = (plan.part.connections, plan.load);
        let by_terminal = if load.shared { plan.part.terminals } else { 0 };
        let waiting = Stretch { phase: Phase::Connect, index: 0, start: 0, end: UNKNOWN };
        Rc::new(Self {
            reactor,
            control,
            messages,
            spare,
            stretch: Cell::new(waiting),
            started: Cell::new(false),
            recorder: RefCell::new(Box::new(Recorder::new(plan.shape))),
            window: RefCell::new(load.keeps_schedule.then(|| Box::new(Recorder::new(plan.shape)))),
            discipline: RefCell::new(discipline),
            budget: Cell::new(plan.budget.unwrap_or(u64::MAX)),
            in_flight: Cell::new(0),
            operations: vec![Cell::new(0); connections as usize].into_boxed_slice(),
            by_terminal: vec![Cell::new(0); by_terminal as usize].into_boxed_slice(),
            deferred: Cell::default(),
            records: RefCell::default(),
            deadlines: plan.timeout_ns.map(|limit| Deadlines::new(limit, connections)),
            over: Cell::new(false),
            busy_ns: Cell::new(0),
            totals: Cell::default(),
            unsure: Cell::new(0),
            expected: Cell::new(UNKNOWN),
            noticed: RefCell::default(),
            ledger: plan.ledger.take().map(RefCell::new),
            plan,
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
        self.note_stall(now);
        self.rotate(now);
        let end = self.control.measure_end();
        if now >= end {
            if now >= end.saturating_add(self.plan.drain_ns) {
                return Next::Stop;
            }
            self.close_load();
        }
        self.admit(end.min(now + 1));
        if self.discipline.borrow().is_exhausted() {
            self.close_load();
        }
        let mut wanted = self.stretch.get().end.min(now + NAP_NS).min(self.discipline.borrow().wanted());
        if let Some(deadlines) = &self.deadlines {
            wanted = wanted.min(deadlines.sweep(now, |task| self.reactor.wake(task)));
        }
        self.expected.set(wanted);
        Next::At(wanted)
    }

    fn note_stall(&self, now: u64) {
        if self.stretch.get().phase == Phase::Measure {
            let late = now.saturating_sub(self.expected.get());
            self.count(|totals| totals.longest_stall_ns = totals.longest_stall_ns.max(late));
        }
    }

    /// The load is over: those who wait for an arrival, think, or pause before a reconnect are told.
    fn close_load(&self) {
        if self.over.replace(true) {
            return;
        }
        self.discipline.borrow_mut().close(|task| self.reactor.wake(task));
        self.wake_all();
    }

    /// A task that has nothing to do just finds it so.
    fn wake_all(&self) {
        (0..self.plan.part.connections).for_each(|task| self.reactor.wake(task));
    }

    #[inline]
    fn admit(&self, limit: u64) {
        let admitted = self.discipline.borrow_mut().admit(limit, |task| self.reactor.wake(task));
        if admitted.count > 0 {
            let counts = &mut self.recorder.borrow_mut().counts;
            counts.arrivals += admitted.count;
            counts.queue_full += admitted.dropped;
        }
    }

    fn open_gate(&self, start: u64) {
        self.started.set(true);
        // What terminals sent to begin with is no part of the load.
        self.recorder.borrow_mut().clear();
        self.count(|totals| totals.sent_statements = 0);
        self.unsure.set(0);
        self.stretch.set(Stretch::first(&self.control, self.plan.interval_ns));
        self.discipline.borrow_mut().begin(start);
        self.wake_all();
    }

    /// Says that a connection is ready, then waits for all the others.
    pub fn gate(&self) -> impl Future<Output = ()> + '_ {
        self.send(Message::Ready);
        std::future::poll_fn(|_| if self.started.get() { Poll::Ready(()) } else { Poll::Pending })
    }

    /// What a connection is to do next, or `None` when the load is over. `now` is the end of what it did last.
    #[inline]
    pub async fn next(&self, task: TaskId, now: u64) -> Option<Work> {
        let end = self.control.measure_end();
        if self.plan.load.by_instants {
            // What came due while this connection was busy is ahead of it in the queue, not late.
            self.rotate(now);
            self.admit(end.min(now + 1));
        }
        if now >= end {
            self.close_load();
        }
        let work = loop {
            let next = std::future::poll_fn(|_| self.discipline.borrow_mut().next(task, now));
            let work = next.await?;
            if matches!(work.wanted, Wanted::Deferred { .. }) || self.spend_budget() {
                break work;
            }
            self.discipline.borrow_mut().cut(|task| self.reactor.wake(task));
        };
        self.in_flight.set(self.in_flight.get() + 1);
        Some(work)
    }

    /// Pauses until `instant`; false when the load is over before.
    pub async fn pause(&self, task: TaskId, instant: u64) -> bool {
        let mut sleep = pin!(self.reactor.sleep_until(task, instant));
        let over = || self.over.get() || self.reactor.clock.now() >= self.control.measure_end();
        std::future::poll_fn(
            |cx| if over() { Poll::Ready(false) } else { sleep.as_mut().poll(cx).map(|()| true) },
        )
        .await
    }

    /// Runs a try of an operation no longer than it may take; `None` when it was not done by then. The future stays
    /// where it is: one that is handed on by value is kept twice.
    #[inline]
    pub async fn limited<F: Future>(&self, task: TaskId, mut future: Pin<&mut F>) -> Option<F::Output> {
        if let Some(deadlines) = &self.deadlines {
            deadlines.begin(task, self.reactor.clock.now());
        }
        let outcome = std::future::poll_fn(|cx| match future.as_mut().poll(cx) {
            Poll::Ready(output) => Poll::Ready(Some(output)),
            Poll::Pending if self.deadlines.as_ref().is_some_and(|deadlines| deadlines.passed(task)) => {
                Poll::Ready(None)
            }
            Poll::Pending => Poll::Pending,
        });
        let outcome = outcome.await;
        if let Some(deadlines) = &self.deadlines {
            deadlines.end(task);
        }
        outcome
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
            // Every arrival belongs to the interval in which its instant lies.
            self.admit(stretch.end);
            self.close(stretch);
            let next = stretch.next(&self.control, self.plan.interval_ns);
            let opens = next.phase == Phase::Measure && stretch.phase != Phase::Measure;
            if opens && self.plan.load.keeps_schedule {
                self.count(|totals| totals.carried_over = self.queued());
            }
            self.stretch.set(next);
        }
    }

    fn queued(&self) -> u64 {
        self.discipline.borrow().queued()
    }

    fn close(&self, stretch: Stretch) {
        let fresh = self.spare.try_recv().unwrap_or_else(|_| Box::new(Recorder::new(self.plan.shape)));
        let recorder = self.recorder.replace(fresh);
        self.send_ledger();
        self.send(Message::Slice(Box::new(Slice {
            shard: self.plan.index,
            stretch,
            in_flight: self.in_flight.get(),
            queued: self.queued(),
            recorder,
            records: self.records.take(),
            totals: self.totals.get(),
            usage: (self.plan.index == 0).then(engine_use),
        })));
    }

    /// The event loop is over: the last interval goes out as it is.
    pub fn end(&self) {
        let now = self.reactor.clock.now();
        let since = |start| self.discipline.borrow().unserved_since(start);
        let unserved = since(self.control.measure_start());
        let longest = self.discipline.borrow().longest_deferred();
        if self.started.get() {
            self.rotate(now);
            self.recorder.borrow_mut().counts.unserved += since(0);
            self.close(Stretch { end: now, ..self.stretch.get() });
        }
        self.send_ledger();
        self.send(Message::End(ShardEnd {
            shard: self.plan.index,
            operations: self.operations.iter().map(Cell::get).collect(),
            by_terminal: self.by_terminal.iter().map(Cell::get).collect(),
            deferred: DeferredCounts { longest, ..self.deferred.get() },
            abandoned: self.in_flight.get(),
            busy_ns: self.busy_ns.get(),
            totals: self.totals.get(),
            unsure: self.unsure.get(),
            unserved,
            window: self.window.take(),
        }));
    }

    /// Number of a task's connection in the whole run.
    pub fn worker(&self, task: TaskId) -> u32 {
        self.plan.first_worker + task
    }

    /// Counts something in what the loop totals from the start of the load to its end.
    #[inline]
    fn count(&self, change: impl FnOnce(&mut LoopTotals)) {
        let mut totals = self.totals.get();
        change(&mut totals);
        self.totals.set(totals);
    }

    fn send(&self, message: Message) {
        // The collector outlives the event loops unless the process is ending anyway.
        let _ = self.messages.send(message);
    }
}
