//! What connections report as they go: into the tally of the interval, and of the window.

use assay_tally::Times;
use assay_wire::Outcome;
use assay_workload::{KindId, Operation};

use super::{Shard, TRANSACTION};
use crate::arrivals::Arrival;
use crate::event::Phase;
use crate::failure::Fatal;
use crate::message::Message;
use crate::reactor::TaskId;

/// Errors of one code that the time line hears of, by event loop.
const NOTICES: u32 = 3;

impl Shard {
    /// Notes a transaction that succeeded.
    #[inline]
    pub fn note_transaction(&self, task: TaskId, times: &Times, operation: &Operation) {
        self.rotate(times.ended);
        let mut recorder = self.recorder.borrow_mut();
        recorder.counts.transactions += 1;
        recorder.record(TRANSACTION, times);
        for (mine, theirs) in recorder.counters.iter_mut().zip(operation.counts) {
            *mine += u64::from(theirs);
        }
        if let Some(KindId(kind)) = operation.kind {
            recorder.record(self.plan.first_kind + usize::from(kind), times);
            let began = times.started >= self.control.measure_start();
            let inside = began && self.stretch.get().phase == Phase::Measure;
            recorder.kinds[usize::from(kind)].inside += u64::from(inside);
        }
        drop(recorder);
        if let Some(KindId(kind)) = operation.kind {
            self.note_in_window(self.plan.first_kind + usize::from(kind), times);
        }
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
            self.send(Message::Ledger(page));
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
        if self.dispatcher.is_some()
            && times.scheduled >= self.control.measure_start()
            && times.scheduled < self.control.measure_end()
            && let Some(window) = self.window.borrow_mut().as_mut()
        {
            window.record(label, times);
        }
    }

    /// One statement goes out.
    #[inline]
    pub fn note_sent(&self) {
        self.sent.set(self.sent.get() + 1);
    }

    /// An operation starts that was wanted at `arrival`.
    #[inline]
    pub fn note_start(&self, arrival: &Arrival, started: u64) {
        if arrival.prompt {
            self.recorder.borrow_mut().record_lateness(started.saturating_sub(arrival.scheduled));
        }
    }

    pub fn note_thinking(&self, ns: u64) {
        self.recorder.borrow_mut().counts.thinking_ns += ns;
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

    pub fn note_timeout(&self) {
        self.recorder.borrow_mut().counts.timeouts += 1;
    }

    /// Puts an error that the run survives on the time line, the first few of each code.
    pub fn notice(&self, fatal: &Fatal) {
        let mut noticed = self.noticed.borrow_mut();
        let count = noticed.entry(fatal.code).or_default();
        if *count < NOTICES {
            *count += 1;
            self.send(Message::Notice(fatal.notice(self.reactor.clock.now())));
        }
    }

    pub fn note_retry(&self, kind: Option<KindId>) {
        let mut recorder = self.recorder.borrow_mut();
        recorder.counts.retries += 1;
        if let Some(KindId(kind)) = kind {
            recorder.kinds[usize::from(kind)].retries += 1;
        }
    }

    pub fn note_failed(&self, kind: Option<KindId>) {
        let mut recorder = self.recorder.borrow_mut();
        recorder.counts.failed += 1;
        if let Some(KindId(kind)) = kind {
            recorder.kinds[usize::from(kind)].failed += 1;
        }
    }

    pub fn note_reconnect(&self) {
        self.recorder.borrow_mut().counts.reconnects += 1;
    }
}
