//! The edges of an event loop's intervals: each interval is closed at its end, and its tally goes to the conductor.

use std::cell::Cell;

use assay_format::event::Phase;
use assay_tally::Recorder;

use super::Shard;
use crate::course::timeline::Stretch;
use crate::load::message::{DeferredCounts, Message, ShardEnd, Slice};
use crate::process::usage::engine_use;

impl Shard {
    /// Reads the end of the window from the control of all loops: it may have come closer.
    pub(super) fn look(&self) {
        let end = self.control.measure_end();
        self.measure_end.set(end);
        if end < self.next_edge.get() && self.phase.get() != Phase::Drain {
            self.next_edge.set(end);
        }
    }

    /// Closes every interval that ended by `now`.
    #[inline]
    pub(super) fn rotate(&self, now: u64) {
        if now >= self.next_edge.get() {
            self.rotate_slowly(now);
        }
    }

    #[cold]
    fn rotate_slowly(&self, now: u64) {
        loop {
            let Some(stretch) = self.tally.borrow_mut().over(now, self.control.edges()) else { break };
            // Every arrival belongs to the interval in which its instant lies.
            self.admit(stretch.end);
            let fresh = self.spare.try_recv().unwrap_or_else(|_| Box::new(Recorder::new(self.plan.shape)));
            let recorder = self.tally.borrow_mut().close(fresh, self.control.edges(), self.plan.interval_ns);
            self.hand_on(stretch, recorder);
            let before = self.phase.get();
            self.enter();
            let opens = self.phase.get() == Phase::Measure && before != Phase::Measure;
            if opens && self.plan.load.keeps_schedule {
                self.count(|totals| totals.carried_over = self.queued());
            }
        }
        self.enter();
    }

    /// Takes over the edges of the interval that has begun, or whose end has moved.
    pub(super) fn enter(&self) {
        let stretch = self.tally.borrow().stretch();
        self.phase.set(stretch.phase);
        self.next_edge.set(stretch.end);
        self.measure_end.set(self.control.measure_end());
    }

    fn hand_on(&self, stretch: Stretch, recorder: Box<Recorder>) {
        self.send_ledger();
        self.send(Message::Slice(Box::new(Slice {
            shard: self.plan.index,
            stretch,
            in_flight: self.in_flight.get(),
            queued: self.queued(),
            recorder,
            records: self.records.take(),
            totals: self.totals(),
            usage: (self.plan.index == 0).then(engine_use),
        })));
    }

    /// Ends the event loop: the last interval goes out as it is, and the loop's last report after it.
    pub(crate) fn end(&self) {
        let now = self.reactor.clock.now();
        let since = |start| self.discipline.borrow().unserved_since(start);
        let unserved = since(self.control.measure_start());
        let longest = self.discipline.borrow().longest_deferred();
        if self.gate.get().has_opened() {
            self.look();
            self.rotate(now);
            self.tally.borrow_mut().counts().unserved += since(0);
            let (stretch, recorder) = self.tally.borrow_mut().cut(now, self.control.edges());
            self.hand_on(stretch, recorder);
        }
        self.send_ledger();
        let totals = self.tally.borrow_mut().totals();
        self.send(Message::End(ShardEnd {
            shard: self.plan.index,
            operations: totals.operations,
            by_terminal: self.by_terminal.iter().map(Cell::get).collect(),
            deferred: DeferredCounts { longest, ..self.deferred.get() },
            abandoned: self.in_flight.get(),
            unended: self.take_unended(),
            ended: now,
            busy_ns: totals.busy_ns,
            totals: self.totals(),
            unsure: self.conservation.get().unsure,
            unserved,
            window: totals.window,
        }));
    }
}
