//! What connections report as they go: into the tally of the interval, and of the window.

use std::cell::RefMut;

use assay_tally::{Counts, Times};
use assay_wire::Outcome;
use assay_workload::{KindId, Operation};

use super::Shard;
use super::tally::{EndedOperation, Tally, What};
use crate::load::commits::Settled;
use crate::load::discipline::Work;
use crate::load::message::{DeferredCounts, Message, ServerMessage};
use crate::load::record::line;
use crate::process::failure::Fatal;
use crate::reactor::TaskId;
use assay_format::event::Phase;

impl Shard {
    /// The tally, in the interval that `now` lies in: which that is must be known to the instant.
    #[inline]
    fn tally_at(&self, now: u64) -> RefMut<'_, Tally> {
        self.look();
        self.rotate(now);
        self.tally.borrow_mut()
    }

    /// Notes a transaction that succeeded. `retry_ns`: the time of its tries that did not.
    #[inline]
    pub(crate) fn note_transaction(&self, task: TaskId, times: &Times, operation: &Operation, retry_ns: u64) {
        self.note_operation(What::Transaction, task, times, operation, retry_ns);
        if let Some(entry) = &operation.entry
            && let Some(ledger) = &self.ledger
            && ledger.borrow_mut().add(entry)
        {
            self.send_ledger();
        }
    }

    /// Sends the conductor the ledger lines that were written since the last time.
    pub(super) fn send_ledger(&self) {
        if let Some(page) = self.ledger.as_ref().and_then(|ledger| ledger.borrow_mut().take()) {
            self.send(Message::Own(ServerMessage::Ledger(page)));
        }
    }

    #[inline]
    fn note_operation(&self, what: What, task: TaskId, times: &Times, operation: &Operation, retry_ns: u64) {
        let mut tally = self.tally_at(times.ended);
        tally.add(operation, retry_ns);
        let kind = tally.label_of(operation.kind);
        tally.push(EndedOperation::operation(what, task, kind, *times));
    }

    /// Notes that an operation has left work for later, and queues it.
    pub(crate) fn defer(&self, instant: u64, operation: &Operation) {
        let left = (operation.terminal, operation.number);
        self.discipline.borrow_mut().defer(instant, left, |task| self.reactor.wake(task));
        let deferred = self.deferred.get();
        self.deferred.set(DeferredCounts { queued: deferred.queued + 1, ..deferred });
    }

    /// Notes that work that was left for later is done: it is no transaction of its own. `record`: what the workload
    /// says of it.
    pub(crate) fn note_deferred(&self, times: &Times, operation: &Operation, retry_ns: u64, record: &str) {
        self.note_operation(What::Deferred, 0, times, operation, retry_ns);
        let deferred = self.deferred.get();
        self.deferred.set(DeferredCounts { completed: deferred.completed + 1, ..deferred });
        if self.plan.records {
            let who = (operation.terminal, operation.number);
            line(&mut self.records.borrow_mut(), self.reactor.clock, times, who, record);
        }
    }

    pub(crate) fn note_deferred_failed(&self) {
        let deferred = self.deferred.get();
        self.deferred.set(DeferredCounts { failed: deferred.failed + 1, ..deferred });
    }

    /// Notes that a terminal, served by connection `task` until now, wants its next operation at `due`.
    #[inline]
    pub(crate) fn wants(&self, task: TaskId, terminal: u32, due: u64) {
        if self.discipline.borrow_mut().wants(terminal, due) && due < self.expected.get() {
            // The loop did not know of it when it chose how long to sleep: something to do keeps it from that.
            self.reactor.wake(task);
        }
    }

    /// Notes that a terminal that shares connections was served.
    #[inline]
    pub(crate) fn note_served(&self, terminal: u32) {
        if self.phase.get() == Phase::Measure {
            let cell = &self.by_terminal[terminal as usize];
            cell.set(cell.get() + 1);
        }
    }

    /// Notes a statement that succeeded, under its label.
    #[inline]
    pub(crate) fn note_statement(&self, label: usize, times: &Times, outcome: &Outcome) {
        let waited_ns = self.reactor.waited_ns();
        self.tally_at(times.ended).push(EndedOperation::statement(
            What::of(outcome),
            label,
            *times,
            waited_ns,
        ));
    }

    /// Notes that `statements` statements go out.
    #[inline]
    pub(crate) fn note_sent(&self, statements: u32) {
        self.conservation.set(self.conservation.get().sent(statements.into()));
    }

    /// Notes that statements of those sent may not be executed, because one before them in their packet may fail.
    #[inline]
    pub(crate) fn note_unsure(&self, statements: u64) {
        self.conservation.set(self.conservation.get().unsure(statements));
    }

    /// Notes that statements that were unsure have been executed.
    #[inline]
    pub(crate) fn note_sure(&self, statements: u64) {
        self.conservation.set(self.conservation.get().sure(statements));
    }

    /// Notes that statements go out that set a fresh connection up: those before the start are not compared with the
    /// server's count.
    pub(crate) fn note_setup(&self, statements: u32) {
        self.note_sent(if self.gate.get().has_opened() { statements } else { 0 });
    }

    /// Notes that an operation starts.
    #[inline]
    pub(crate) fn note_start(&self, work: &Work, started: u64) {
        if work.prompt {
            self.tally.borrow_mut().late(started.saturating_sub(work.scheduled));
        }
    }

    /// Counts what a workload counts itself, beside the statements that it sends.
    pub(crate) fn note_counted(&self, count: impl FnOnce(&mut Counts)) {
        count(self.tally.borrow_mut().counts());
    }

    pub(crate) fn note_thinking(&self, ns: u64) {
        self.tally.borrow_mut().counts().thinking_ns += ns;
    }

    /// Notes that a terminal begins to think about an operation of this kind.
    pub(crate) fn note_think_time(&self, about: Option<KindId>, ns: u64) {
        self.tally.borrow_mut().think(about, ns);
    }

    /// Notes that a connection was closed and opened again on purpose; the last label is its own.
    pub(crate) fn note_connect(&self, began: u64, ended: u64) {
        self.tally_at(ended).push(EndedOperation::renewal(self.plan.shape.labels - 1, began, ended));
    }

    /// Notes that a statement failed; `code` is 0 for a lost connection.
    pub(crate) fn note_error(&self, code: u16) {
        self.tally.borrow_mut().counts().error(code);
    }

    /// Notes that a try of a transaction of this kind failed.
    pub(crate) fn note_kind_error(&self, kind: Option<KindId>, code: u16) {
        if let Some(kind) = self.tally.borrow_mut().kind(kind) {
            kind.error(code);
        }
    }

    pub(crate) fn note_timeout(&self, kind: Option<KindId>) {
        let mut tally = self.tally.borrow_mut();
        tally.counts().timeouts += 1;
        if let Some(kind) = tally.kind(kind) {
            kind.timeouts += 1;
        }
    }

    /// Puts an error that the run survives on the time line, the first few of each code.
    pub(crate) fn notice(&self, fatal: &Fatal) {
        self.notice_of(fatal.code, || fatal.clone());
    }

    /// Sends an error with this code as a [`notice`](Self::notice), and makes its words only where it is news.
    pub(crate) fn notice_of(&self, code: Option<u16>, words: impl FnOnce() -> Fatal) {
        if self.notices.borrow_mut().is_news(code) {
            self.send(Message::Notice(words().notice(self.reactor.clock.now())));
        }
    }

    /// Notes a retry of an operation. `deferred`: it was left for later, and is no transaction.
    pub(crate) fn note_retry(&self, kind: Option<KindId>, deferred: bool) {
        let mut tally = self.tally.borrow_mut();
        tally.counts().retries += u64::from(!deferred);
        if let Some(kind) = tally.kind(kind) {
            kind.retries += 1;
        }
    }

    /// Notes that an operation was given up, `ns` after its start. `deferred`: it was left for later, and is no
    /// transaction.
    pub(crate) fn note_failed(&self, kind: Option<KindId>, ns: u64, deferred: bool) {
        let mut tally = self.tally.borrow_mut();
        tally.counts().failed += u64::from(!deferred);
        if let Some(kind) = tally.kind(kind) {
            kind.failed += 1;
            kind.failed_ns += ns;
        }
    }

    /// Notes that an operation has ended inside an open transaction.
    #[cold]
    pub(crate) fn note_ended_open(&self) {
        self.count(|totals| {
            totals.ended_open += 1;
            totals.uncommitted += 1;
        });
    }

    /// Notes what a statement has settled of operations that ended inside an open transaction.
    #[inline]
    pub(crate) fn note_settled(&self, settled: Settled) {
        if let Settled::Kept(operations) = settled {
            self.count(|totals| totals.uncommitted -= operations);
        }
    }

    /// Notes that a statement that is there to store rows has stored none.
    #[cold]
    pub(crate) fn note_unstored(&self) {
        self.count(|totals| totals.unstored += 1);
    }

    /// Notes that the server could not prepare a statement, which goes as text.
    #[cold]
    pub(crate) fn note_unprepared(&self) {
        self.count(|totals| totals.unprepared += 1);
    }

    /// Notes that a connection is closed inside an open transaction.
    pub(crate) fn note_left_open(&self) {
        self.count(|totals| totals.left_open += 1);
    }

    pub(crate) fn note_reconnect(&self) {
        self.tally.borrow_mut().counts().reconnects += 1;
    }
}
