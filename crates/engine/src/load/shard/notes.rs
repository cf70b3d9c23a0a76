//! What connections report as they go: into the tally of the interval, and of the window.

use assay_tally::Times;
use assay_wire::Outcome;
use assay_workload::{KindId, Operation};

use super::{Shard, TRANSACTION};
use crate::load::discipline::Work;
use crate::load::message::{DeferredCounts, Message};
use crate::load::record::line;
use crate::process::failure::Fatal;
use crate::reactor::TaskId;
use assay_format::event::Phase;

/// Errors of one code that the time line hears of, by event loop.
const NOTICES: u32 = 3;

impl Shard {
    /// Notes a transaction that succeeded. `retry_ns`: the time of its tries that did not.
    #[inline]
    pub fn note_transaction(&self, task: TaskId, times: &Times, operation: &Operation, retry_ns: u64) {
        self.rotate(times.ended);
        let mut recorder = self.recorder.borrow_mut();
        recorder.counts.transactions += 1;
        recorder.record(TRANSACTION, times);
        drop(recorder);
        self.note_operation(times, operation, retry_ns);
        if self.stretch.get().phase == Phase::Measure {
            let cell = &self.operations[task as usize];
            cell.set(cell.get() + 1);
        }
        let from = times.started.max(self.control.measure_start());
        let until = times.ended.min(self.control.measure_end());
        self.busy_ns.set(self.busy_ns.get() + until.saturating_sub(from));
        self.note_in_window(TRANSACTION, times);
        if let Some(entry) = &operation.entry
            && let Some(ledger) = &self.ledger
            && ledger.borrow_mut().add(entry)
        {
            self.send_ledger();
        }
    }

    /// Hands on what was written down since the last time.
    pub(super) fn send_ledger(&self) {
        if let Some(page) = self.ledger.as_ref().and_then(|ledger| ledger.borrow_mut().take()) {
            self.send(Message::Own(page));
        }
    }

    /// What an operation counts itself, and what it is a kind of.
    #[inline]
    fn note_operation(&self, times: &Times, operation: &Operation, retry_ns: u64) {
        let mut recorder = self.recorder.borrow_mut();
        for (mine, theirs) in recorder.counters.iter_mut().zip(operation.counts) {
            *mine += u64::from(theirs);
        }
        if let Some(KindId(kind)) = operation.kind {
            let label = self.plan.shape.first_kind + usize::from(kind);
            recorder.record(label, times);
            let began = times.scheduled >= self.control.measure_start();
            let inside = began && self.stretch.get().phase == Phase::Measure;
            let counts = &mut recorder.kinds[usize::from(kind)];
            counts.inside += u64::from(inside);
            counts.retry_ns += retry_ns;
            drop(recorder);
            self.note_in_window(label, times);
        }
    }

    /// An operation has left work for later.
    pub fn defer(&self, instant: u64, operation: &Operation) {
        let left = (operation.terminal, operation.number);
        self.discipline.borrow_mut().defer(instant, left, |task| self.reactor.wake(task));
        let deferred = self.deferred.get();
        self.deferred.set(DeferredCounts { queued: deferred.queued + 1, ..deferred });
    }

    /// Work that was left for later is done: it is no transaction of its own. `record`: what the workload says of it.
    pub fn note_deferred(&self, times: &Times, operation: &Operation, retry_ns: u64, record: &str) {
        self.rotate(times.ended);
        self.note_operation(times, operation, retry_ns);
        let deferred = self.deferred.get();
        self.deferred.set(DeferredCounts { completed: deferred.completed + 1, ..deferred });
        if self.plan.records {
            let who = (operation.terminal, operation.number);
            line(&mut self.records.borrow_mut(), self.reactor.clock, times, who, record);
        }
    }

    pub fn note_deferred_failed(&self) {
        let deferred = self.deferred.get();
        self.deferred.set(DeferredCounts { failed: deferred.failed + 1, ..deferred });
    }

    /// A terminal, served by connection `task` until now, wants its next operation at `due`.
    #[inline]
    pub fn wants(&self, task: TaskId, terminal: u32, due: u64) {
        if self.discipline.borrow_mut().wants(terminal, due) && due < self.expected.get() {
            // The loop did not know of it when it chose how long to sleep: something to do keeps it from that.
            self.reactor.wake(task);
        }
    }

    /// A terminal that shares connections was served.
    #[inline]
    pub fn note_served(&self, terminal: u32) {
        if self.stretch.get().phase == Phase::Measure {
            let cell = &self.by_terminal[terminal as usize];
            cell.set(cell.get() + 1);
        }
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
        if self.plan.load.keeps_schedule
            && times.scheduled >= self.control.measure_start()
            && times.scheduled < self.control.measure_end()
            && let Some(window) = self.window.borrow_mut().as_mut()
        {
            window.record(label, times);
        }
    }

    /// So many statements go out.
    #[inline]
    pub fn note_sent(&self, statements: u32) {
        self.count(|totals| totals.sent_statements += u64::from(statements));
    }

    /// Of what went out, so many statements may not have come to their turn.
    #[inline]
    pub fn note_unsure(&self, statements: u64) {
        self.unsure.set(self.unsure.get() + statements);
    }

    /// They have.
    #[inline]
    pub fn note_sure(&self, statements: u64) {
        self.unsure.set(self.unsure.get() - statements);
    }

    /// A statement goes out that sets a fresh connection up: those before the start are not compared with the server's count.
    pub fn note_setup(&self) {
        self.count(|totals| totals.sent_statements += u64::from(self.started.get()));
    }

    /// An operation starts.
    #[inline]
    pub fn note_start(&self, work: &Work, started: u64) {
        if work.prompt {
            self.recorder.borrow_mut().record_lateness(started.saturating_sub(work.scheduled));
        }
    }

    pub fn note_thinking(&self, ns: u64) {
        self.recorder.borrow_mut().counts.thinking_ns += ns;
    }

    /// A terminal begins to think about an operation of this kind.
    pub fn note_think_time(&self, about: Option<KindId>, ns: u64) {
        if let Some(KindId(kind)) = about
            && let Some(histogram) = self.recorder.borrow_mut().thinks.get_mut(usize::from(kind))
        {
            histogram.record(ns);
        }
    }

    /// A connection was closed and opened again on purpose; the last label is its own.
    pub fn note_connect(&self, began: u64, ended: u64) {
        self.rotate(ended);
        let mut recorder = self.recorder.borrow_mut();
        let times = Times { scheduled: began, started: began, ended };
        recorder.record(self.plan.shape.labels - 1, &times);
        // For Little's law: the connection had no transaction meanwhile.
        recorder.counts.thinking_ns += ended - began;
        recorder.counts.renewals += 1;
        drop(recorder);
        self.note_in_window(self.plan.shape.labels - 1, &times);
    }

    /// A statement failed; `code` is 0 for a lost connection.
    pub fn note_error(&self, code: u16) {
        self.recorder.borrow_mut().counts.error(code);
    }

    /// A try of a transaction of this kind failed.
    pub fn note_kind_error(&self, kind: Option<KindId>, code: u16) {
        if let Some(KindId(kind)) = kind {
            self.recorder.borrow_mut().kinds[usize::from(kind)].error(code);
        }
    }

    pub fn note_timeout(&self, kind: Option<KindId>) {
        let mut recorder = self.recorder.borrow_mut();
        recorder.counts.timeouts += 1;
        if let Some(KindId(kind)) = kind {
            recorder.kinds[usize::from(kind)].timeouts += 1;
        }
    }

    /// Puts an error that the run survives on the time line, the first few of each code.
    pub fn notice(&self, fatal: &Fatal) {
        self.notice_of(fatal.code, || fatal.clone());
    }

    /// As [`notice`](Self::notice), of an error with this code that is put into words only where it is said.
    pub fn notice_of(&self, code: Option<u16>, words: impl FnOnce() -> Fatal) {
        let mut noticed = self.noticed.borrow_mut();
        let count = noticed.entry(code).or_default();
        if *count < NOTICES {
            *count += 1;
            self.send(Message::Notice(words().notice(self.reactor.clock.now())));
        }
    }

    /// An operation is tried again. `deferred`: it was left for later, and is no transaction.
    pub fn note_retry(&self, kind: Option<KindId>, deferred: bool) {
        let mut recorder = self.recorder.borrow_mut();
        recorder.counts.retries += u64::from(!deferred);
        if let Some(KindId(kind)) = kind {
            recorder.kinds[usize::from(kind)].retries += 1;
        }
    }

    /// An operation was given up, `ns` after its start. `deferred`: it was left for later, and is no transaction.
    pub fn note_failed(&self, kind: Option<KindId>, ns: u64, deferred: bool) {
        let mut recorder = self.recorder.borrow_mut();
        recorder.counts.failed += u64::from(!deferred);
        if let Some(KindId(kind)) = kind {
            let counts = &mut recorder.kinds[usize::from(kind)];
            counts.failed += 1;
            counts.failed_ns += ns;
        }
    }

    pub fn note_reconnect(&self) {
        self.recorder.borrow_mut().counts.reconnects += 1;
    }
}
