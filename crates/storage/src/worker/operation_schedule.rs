//! The instant at which the next operation of an open loop falls due.

use assay_pace::Schedule;

use crate::watch::Watch;

/// The schedule of one worker's operations; a closed loop has none, and its operations are due at once.
#[derive(Debug, Clone)]
pub(crate) struct OperationSchedule {
    schedule: Option<Schedule>,
    /// Zero of the schedule on the worker's clock.
    origin: u64,
    /// The next instant of the schedule on the worker's clock; `u64::MAX` after the last one.
    next: u64,
    prompt: bool,
}

impl OperationSchedule {
    pub(crate) fn new(schedule: Option<Schedule>, origin: u64) -> Self {
        let mut due = Self { schedule, origin, next: 0, prompt: true };
        due.advance();
        due
    }

    #[inline]
    fn advance(&mut self) {
        if let Some(schedule) = &mut self.schedule {
            self.next = schedule.next().map_or(u64::MAX, |instant| self.origin + instant);
        }
    }

    /// Whether there is a schedule: an open loop.
    #[inline]
    pub(crate) fn open(&self) -> bool {
        self.schedule.is_some()
    }

    /// The next instant of the schedule, 0 in a closed loop.
    #[inline]
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    /// The instant an operation that starts now was due at; `None` while none is due.
    #[inline]
    pub(crate) fn take(&mut self, now: u64) -> Option<u64> {
        if self.schedule.is_none() {
            return Some(now);
        }
        if self.next > now {
            self.prompt = true;
            return None;
        }
        let scheduled = self.next;
        self.advance();
        Some(scheduled)
    }

    /// Whether the worker was waiting for the instant when it came: only then is a late start the pacer's.
    #[inline]
    pub(crate) fn prompt(&self) -> bool {
        self.prompt
    }

    /// The worker is not waiting for the next instant: a slot or a block is in use.
    #[inline]
    pub(crate) fn occupied(&mut self) {
        self.prompt = false;
    }

    /// The worker was busy up to `now`: an instant that passed meanwhile waited for the disk.
    #[inline]
    pub(crate) fn busy_until(&mut self, now: u64) {
        self.prompt &= self.next > now;
    }

    /// Whether the schedule has come to its end.
    pub(crate) fn ended(&self) -> bool {
        self.schedule.is_some() && self.next == u64::MAX
    }

    /// The number of operations that fell due and were never started, as far as `watch` wants them.
    pub(crate) fn unserved<W: Watch>(mut self, watch: &W) -> u64 {
        let mut unserved = 0;
        while self.schedule.is_some() && self.next != u64::MAX && watch.wanted(self.next) {
            unserved += 1;
            self.advance();
        }
        unserved
    }
}
