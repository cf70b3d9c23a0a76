//! What the connections of one event loop share: the tally, the time line, the gate at the start, the arrivals.

mod budget;
mod conservation;
mod edges;
mod first;
mod gate;
mod tally;
mod tallying;
mod unended;

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::task::Poll;

use assay_tally::{Recorder, UnendedOperation};

use self::budget::Budget;
use self::conservation::Conservation;
use self::gate::Gate;
use self::tally::Tally;
use crate::course::timeline::Control;
use crate::ledger::Page;
use crate::load::discipline::{AnyDiscipline, Wanted, Work};
use crate::load::message::{DeferredCounts, Message};
use crate::load::plan::ShardPlan;
use crate::process::clock::UNKNOWN;
use crate::process::failure::Fatal;
use crate::process::priority::Urgent;
use crate::reactor::deadline::Deadlines;
use crate::reactor::{Next, Reactor, TaskId};
use crate::say::notices::Notices;
use assay_format::event::{LoopTotals, Phase};

/// Nanoseconds that a loop may sleep before it looks at the control again.
const NAP_NS: u64 = 20_000_000;
/// Nanoseconds that a loop may sleep before the start, when everybody waits for the last login.
const GATE_NAP_NS: u64 = 1_000_000;

/// The shard: state that the tasks of one event loop share; it never crosses threads.
pub(crate) struct Shard {
    pub reactor: Rc<Reactor>,
    pub control: Arc<Control>,
    plan: ShardPlan,
    messages: Sender<Message>,
    spare: Receiver<Box<Recorder>>,
    tally: RefCell<Tally>,
    /// Phase of the interval that is going on, and its end.
    phase: Cell<Phase>,
    next_edge: Cell<u64>,
    /// End of the measured window, as it was known when the control was last read: at least once a turn.
    measure_end: Cell<u64>,
    gate: Cell<Gate>,
    /// Connections that wait at the gate and were not announced yet.
    ready: Cell<u32>,
    discipline: RefCell<AnyDiscipline>,
    budget: Cell<Budget>,
    in_flight: Cell<u64>,
    /// Transactions whose connections were cut off.
    unended: RefCell<Vec<UnendedOperation>>,
    by_terminal: Box<[Cell<u64>]>,
    deferred: Cell<DeferredCounts>,
    /// Lines about work that was left for later.
    records: RefCell<String>,
    deadlines: Option<Deadlines>,
    conservation: Cell<Conservation>,
    totals: Cell<LoopTotals>,
    /// The instant at which the loop meant to have its next turn.
    expected: Cell<u64>,
    notices: RefCell<Notices>,
    ledger: Option<RefCell<Page>>,
    /// Whether the first operation is to be told, and has not begun.
    unstarted: Cell<bool>,
    awaits_start: Cell<bool>,
    /// The priority of this thread while it waits for the start, until the first operation.
    urgent: Cell<Option<Urgent>>,
}

impl Shard {
    pub(crate) fn new(
        mut plan: ShardPlan,
        discipline: AnyDiscipline,
        reactor: Rc<Reactor>,
        control: Arc<Control>,
        messages: Sender<Message>,
        spare: Receiver<Box<Recorder>>,
    ) -> Rc<Self> {
        let (connections, load) = (plan.part.connections, plan.load);
        let by_terminal = if load.shared { plan.part.terminals } else { 0 };
        let tally = Tally::new(plan.shape, connections, load.keeps_schedule);
        Rc::new(Self {
            reactor,
            control,
            messages,
            spare,
            phase: Cell::new(tally.stretch().phase),
            next_edge: Cell::new(tally.stretch().end),
            tally: RefCell::new(tally),
            measure_end: Cell::new(UNKNOWN),
            ready: Cell::new(0),
            gate: Cell::new(Gate::Waiting),
            discipline: RefCell::new(discipline),
            budget: Cell::new(Budget::new(plan.budget)),
            in_flight: Cell::new(0),
            unended: RefCell::default(),
            by_terminal: vec![Cell::new(0); by_terminal as usize].into_boxed_slice(),
            deferred: Cell::default(),
            records: RefCell::default(),
            deadlines: plan.timeout_ns.map(|limit| Deadlines::new(limit, connections)),
            conservation: Cell::default(),
            totals: Cell::default(),
            expected: Cell::new(UNKNOWN),
            notices: RefCell::default(),
            ledger: plan.ledger.take().map(RefCell::new),
            unstarted: Cell::new(plan.held),
            awaits_start: Cell::new(false),
            urgent: Cell::new(None),
            plan,
        })
    }

    /// One turn of the event loop's owner: keeps the time line and hands out arrivals.
    pub(crate) fn turn(&self, now: u64) -> Next {
        if self.control.aborted() {
            return Next::Stop;
        }
        if self.gate.get() == Gate::Waiting {
            self.announce_ready();
            let start = self.control.start();
            if now < start {
                self.await_start();
                return Next::At(start.min(now + GATE_NAP_NS));
            }
            self.open_gate(start);
        }
        self.note_stall(now);
        self.look();
        self.rotate(now);
        self.tally.borrow_mut().settle(self.control.edges());
        let end = self.measure_end.get();
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
        let mut wanted = self.next_edge.get().min(now + NAP_NS).min(self.discipline.borrow().wanted());
        if let Some(deadlines) = &self.deadlines {
            wanted = wanted.min(deadlines.sweep(now, |task| self.reactor.wake(task)));
        }
        self.expected.set(wanted);
        Next::At(wanted)
    }

    fn note_stall(&self, now: u64) {
        if self.phase.get() == Phase::Measure {
            let late = now.saturating_sub(self.expected.get());
            self.count(|totals| totals.longest_stall_ns = totals.longest_stall_ns.max(late));
        }
    }

    /// Closes the load: tasks that wait for an arrival, think, or pause before a reconnect are told.
    fn close_load(&self) {
        if self.gate.replace(Gate::Closed).is_closed() {
            return;
        }
        self.discipline.borrow_mut().close(|task| self.reactor.wake(task));
        self.wake_all();
    }

    /// Wakes all tasks of the loop; one that has nothing to do just finds it so.
    fn wake_all(&self) {
        (0..self.plan.part.connections).for_each(|task| self.reactor.wake(task));
    }

    #[inline]
    fn admit(&self, limit: u64) {
        let admitted = self.discipline.borrow_mut().admit(limit, |task| self.reactor.wake(task));
        if admitted.count > 0 {
            let mut tally = self.tally.borrow_mut();
            let counts = tally.counts();
            counts.arrivals += admitted.count;
            counts.queue_full += admitted.dropped;
        }
    }

    fn open_gate(&self, start: u64) {
        self.gate.set(Gate::Open);
        // What terminals sent to begin with is no part of the load.
        self.conservation.set(Conservation::default());
        self.tally.borrow_mut().begin(self.control.edges(), self.plan.interval_ns);
        self.enter();
        self.discipline.borrow_mut().begin(start);
        self.wake_all();
    }

    /// Says which connections have become ready since the last turn, all in one message: each wakes the conductor's thread
    /// while the server is busy with logins.
    fn announce_ready(&self) {
        let ready = self.ready.take();
        if ready > 0 {
            self.send(Message::Ready(ready));
        }
    }

    /// Notes that a connection is ready, then waits for all the others.
    pub(crate) fn gate(&self) -> impl Future<Output = ()> + '_ {
        self.ready.set(self.ready.get() + 1);
        std::future::poll_fn(|_| if self.gate.get().has_opened() { Poll::Ready(()) } else { Poll::Pending })
    }

    /// Gives a connection what it is to do next, or `None` when the load is over. `now` is the end of what it did last.
    #[inline]
    pub(crate) fn next(&self, task: TaskId, now: u64) -> impl Future<Output = Option<Work>> + '_ {
        // No async function, here and in `limited_from`: each would be one more state to enter at every poll.
        if self.plan.load.by_instants {
            // What came due while this connection was busy is ahead of it in the queue, not late.
            self.rotate(now);
            self.admit(self.measure_end.get().min(now + 1));
        }
        if now >= self.measure_end.get() {
            self.close_load();
        }
        std::future::poll_fn(move |_| {
            loop {
                let next = self.discipline.borrow_mut().next(task, now);
                let Poll::Ready(Some(work)) = next else { return next };
                if matches!(work.wanted, Wanted::Deferred { .. }) || self.spend_budget() {
                    self.in_flight.set(self.in_flight.get() + 1);
                    return next;
                }
                self.discipline.borrow_mut().cut(|task| self.reactor.wake(task));
            }
        })
    }

    /// Pauses until `instant`; false when the load is over before.
    pub(crate) async fn pause(&self, task: TaskId, instant: u64) -> bool {
        let mut sleep = pin!(self.reactor.sleep_until(task, instant));
        let over = || self.gate.get().is_closed() || self.reactor.clock.now() >= self.control.measure_end();
        std::future::poll_fn(
            |cx| if over() { Poll::Ready(false) } else { sleep.as_mut().poll(cx).map(|()| true) },
        )
        .await
    }

    /// Runs, from now on, a future that is no operation, no longer than an operation may take; see
    /// [`limited_from`](Self::limited_from).
    pub(crate) async fn limited<F: Future>(&self, task: TaskId, future: Pin<&mut F>) -> Option<F::Output> {
        let now = self.reactor.clock.now();
        self.limited_from(task, now, future).await
    }

    /// Runs a try of an operation that began at `began` no longer than it may take; `None` when it was not done by then.
    /// The future stays where it is: one that is handed on by value is kept twice.
    #[inline]
    pub(crate) fn limited_from<F: Future>(
        &self,
        task: TaskId,
        began: u64,
        mut future: Pin<&mut F>,
    ) -> impl Future<Output = Option<F::Output>> {
        let deadlines = self.deadlines.as_ref();
        if let Some(deadlines) = deadlines {
            deadlines.begin(task, began);
        }
        std::future::poll_fn(move |cx| {
            let outcome = match future.as_mut().poll(cx) {
                Poll::Ready(output) => Some(output),
                Poll::Pending if deadlines.is_some_and(|deadlines| deadlines.passed(task)) => None,
                Poll::Pending => return Poll::Pending,
            };
            if let Some(deadlines) = deadlines {
                deadlines.end(task);
            }
            Poll::Ready(outcome)
        })
    }

    #[inline]
    fn spend_budget(&self) -> bool {
        let mut budget = self.budget.get();
        let may = budget.spend(self.phase.get() != Phase::Warmup);
        self.budget.set(budget);
        may
    }

    /// Ends an operation that `next` began.
    #[inline]
    pub(crate) fn finish_operation(&self) {
        self.in_flight.set(self.in_flight.get() - 1);
    }

    /// Ends the job: every event loop stops.
    pub(crate) fn fail(&self, fatal: Fatal) {
        self.control.abort();
        self.fail_after(fatal);
    }

    /// Has the load end in an error, once it is over.
    pub(crate) fn fail_after(&self, fatal: Fatal) {
        self.send(Message::Fatal(fatal));
    }

    fn queued(&self) -> u64 {
        self.discipline.borrow().queued()
    }

    /// Number of a task's connection in the whole run.
    pub(crate) fn connection(&self, task: TaskId) -> u32 {
        self.plan.first_connection + task
    }

    /// The loop's totals from the start of the load up to now.
    fn totals(&self) -> LoopTotals {
        LoopTotals { sent_statements: self.conservation.get().sent, ..self.totals.get() }
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
