//! The course of a run: its phases are laid on the time line, announced, and ended by time, steadiness or a signal.

pub(crate) mod accounts;
pub(crate) mod conductor;
pub(crate) mod hard_end;
pub(crate) mod input;
pub(crate) mod intervals;
pub(crate) mod orders;
pub(crate) mod steady;
pub(crate) mod steady_answers;
#[cfg(test)]
mod tests;
pub(crate) mod timeline;
pub(crate) mod watchdog;

use std::sync::Arc;
use std::time::Duration;

use crate::course::orders::{Orders, refuse};
use crate::course::steady::Wait;
use crate::course::timeline::Control;
use crate::process::clock::{Clock, UNKNOWN, ns};
use crate::process::failure::Fatal;
use crate::process::signal;
use crate::say::emit::emit;
use assay_format::event::{Event, Phase, PhaseStart};
use assay_format::job::{Phases, Warmup};

/// Nanoseconds after which a conductor without messages looks up: at signals, and at what hangs. Each time costs a
/// wake-up, on processors that the load may want.
const LOOK_UP_NS: u64 = 100_000_000;
/// Nanoseconds between the readiness of the last part and the start of the load.
const START_DELAY_NS: u64 = 2_000_000;
/// How often a conductor looks for the command that says when the load begins, while it waits for nothing else.
const HELD_NS: u64 = 1_000_000;
/// How long before a told start the workers hear of it. Later than the command: they look for the instant often then, and a
/// load that is stopped before has nothing to end.
const LEAD_NS: u64 = 2 * LOOK_UP_NS;

pub(crate) struct Course<'a> {
    phases: &'a Phases,
    clock: Clock,
    pub control: Arc<Control>,
    pub interrupted: bool,
    /// Whether throughput had become level in the warm-up; `None` where the warm-up does not wait for that.
    pub steady: Option<bool>,
    /// The warm-up, where it waits for level throughput.
    wait: Option<Wait>,
    orders: Orders,
    /// Whether all workers are ready and wait for the command that says when the load begins.
    held: bool,
    /// The start that a command has told.
    told: Option<u64>,
    /// The error that ends the load, where a start was told that can no longer be kept.
    pub missed: Option<Fatal>,
}

impl<'a> Course<'a> {
    pub(crate) fn new(phases: &'a Phases, clock: Clock, control: Arc<Control>, orders: Orders) -> Self {
        Self {
            phases,
            clock,
            control,
            interrupted: false,
            steady: None,
            wait: Wait::of(phases),
            orders,
            held: false,
            told: None,
            missed: None,
        }
    }

    /// The start of a load whose workers are all ready: soon; none where a command is to tell it.
    ///
    /// The workers hear of the start at once: nothing that takes its time, such as a reader of the events, comes between
    /// choosing the instant and saying it to them.
    pub(crate) fn ready(&mut self) -> Option<u64> {
        self.held = self.phases.hold;
        (!self.held).then(|| self.clock.now() + START_DELAY_NS)
    }

    /// The told start, once, when it is so near that the workers are to hear of it.
    pub(crate) fn due(&mut self) -> Option<u64> {
        let near = self.clock.now().saturating_add(LEAD_NS);
        let start = self.told.filter(|start| self.held && !self.interrupted && *start <= near)?;
        self.held = false;
        Some(start)
    }

    /// Begins the load at `start`, and with it the time line. `prepare` hears when, before the workers do.
    pub(crate) fn begin(&mut self, start: u64, prepare: impl FnOnce(u64)) {
        prepare(start);
        let window = match self.phases.warmup {
            Warmup::None => Some(start),
            Warmup::Fixed { duration_ms } => Some(start.saturating_add(ns(duration_ms))),
            Warmup::UntilSteady { .. } | Warmup::UntilTold => None,
        };
        if let Some(window) = window {
            self.control.place_window(window, self.length_ns());
        }
        self.control.begin(start);
        match self.phases.warmup {
            Warmup::None => {}
            Warmup::UntilTold => announce(Phase::Warmup, start, None),
            Warmup::Fixed { duration_ms: planned } | Warmup::UntilSteady { cap_ms: planned, .. } => {
                announce(Phase::Warmup, start, Some(planned));
            }
        }
        if let Some(window) = window {
            self.announce_window(window);
        }
    }

    /// Length of the window, where time ends it.
    fn length_ns(&self) -> Option<u64> {
        Some(self.phases.measure_ms).filter(|length| *length > 0).map(ns)
    }

    fn announce_window(&self, start: u64) {
        announce(Phase::Measure, start, Some(self.phases.measure_ms).filter(|length| *length > 0));
    }

    /// The time that a conductor may wait for a message: never beyond an end of the window.
    pub(crate) fn patience(&self) -> Duration {
        if self.held && self.told.is_none() {
            return Duration::from_nanos(HELD_NS);
        }
        let now = self.clock.now();
        let edges = [self.control.measure_start(), self.control.measure_end()];
        let ahead = edges.into_iter().filter_map(|edge| edge.checked_sub(now)).filter(|ns| *ns > 0);
        Duration::from_nanos(ahead.fold(LOOK_UP_NS, u64::min))
    }

    /// Obeys a signal and what has been told, and places the window when the warm-up has become level. `rates` are those of the warm-up.
    pub(crate) fn look_up(&mut self, rates: &[(u64, f64)]) {
        let (start, now) = (self.control.start(), self.clock.now());
        if signal::received() && !self.interrupted {
            self.interrupted = true;
            self.control.end_by(now);
            // Nothing has begun: not even where the workers know when it would.
            if now < start {
                self.control.abort();
            }
        }
        while let Ok(order) = self.orders.try_recv() {
            if let Err(why) = self.obey(order, now) {
                refuse(&why, now);
            }
        }
        let Some(wait) = &mut self.wait else { return };
        if start == UNKNOWN || self.control.measure_start() != UNKNOWN || self.interrupted {
            return;
        }
        self.steady = wait.outcome(now.saturating_sub(start), rates);
        if self.steady.is_some() {
            self.place(self.earliest_window(now));
        }
    }

    /// The earliest window that can be placed at `now`: on the interval grid, at the end of the interval after the one that is
    /// going on, so that every worker hears of it before.
    fn earliest_window(&self, now: u64) -> u64 {
        let (start, interval) = (self.control.start(), ns(self.phases.interval_ms));
        let passed = now.saturating_sub(start) / interval;
        start.saturating_add((passed + 2).saturating_mul(interval))
    }

    fn place(&self, window: u64) {
        self.control.place_window(window, self.length_ns());
        self.announce_window(window);
    }
}

fn announce(phase: Phase, start_ns: u64, planned_ms: Option<u64>) {
    emit(&Event::Phase(PhaseStart { phase, start_ns, planned_ms }));
}
