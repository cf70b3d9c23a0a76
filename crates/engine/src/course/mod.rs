//! The course of a run: its phases are laid on the time line, announced, and ended by time, steadiness or a signal.

pub mod accounts;
pub mod conductor;
pub mod input;
pub mod intervals;
pub mod steady;
#[cfg(test)]
mod tests;
pub mod timeline;
pub mod watchdog;

use std::sync::Arc;
use std::time::Duration;

use crate::course::steady::is_level;
use crate::course::timeline::Control;
use crate::process::clock::{Clock, UNKNOWN, ns};
use crate::process::signal;
use crate::say::emit::emit;
use assay_format::event::{Event, Phase, PhaseStart};
use assay_format::job::{Phases, Warmup};

/// Nanoseconds after which a conductor without messages looks up: at signals, and at what hangs. Each time costs a
/// wake-up, on processors that the load may want.
const LOOK_UP_NS: u64 = 100_000_000;
/// Nanoseconds between the readiness of the last part and the start of the load.
const START_DELAY_NS: u64 = 2_000_000;

pub struct Course<'a> {
    phases: &'a Phases,
    clock: Clock,
    pub control: Arc<Control>,
    pub interrupted: bool,
    /// Whether throughput had become level in the warm-up; `None` where the warm-up does not wait for that.
    pub steady: Option<bool>,
}

impl<'a> Course<'a> {
    pub fn new(phases: &'a Phases, clock: Clock, control: Arc<Control>) -> Self {
        Self { phases, clock, control, interrupted: false, steady: None }
    }

    /// Begins the load, and with it the time line, now that all workers are ready. `prepare` hears when, before the
    /// workers do.
    ///
    /// The workers hear of the start at once: nothing that takes its time, such as a reader of the events, comes between
    /// choosing the instant and saying it to them.
    pub fn begin(&mut self, prepare: impl FnOnce(u64)) {
        let start = self.clock.now() + START_DELAY_NS;
        prepare(start);
        let window = match self.phases.warmup {
            Warmup::None => Some(start),
            Warmup::Fixed { duration_ms } => Some(start.saturating_add(ns(duration_ms))),
            Warmup::UntilSteady { .. } => None,
        };
        if let Some(window) = window {
            self.control.place_window(window, self.length_ns());
        }
        self.control.begin(start);
        match self.phases.warmup {
            Warmup::None => {}
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
    pub fn patience(&self) -> Duration {
        let now = self.clock.now();
        let edges = [self.control.measure_start(), self.control.measure_end()];
        let ahead = edges.into_iter().filter_map(|edge| edge.checked_sub(now)).filter(|ns| *ns > 0);
        Duration::from_nanos(ahead.fold(LOOK_UP_NS, u64::min))
    }

    /// Obeys a signal, and places the window when the warm-up has become level. `rates` are those of the warm-up.
    pub fn look_up(&mut self, rates: &[(u64, f64)]) {
        let (start, now) = (self.control.start(), self.clock.now());
        if signal::received() && !self.interrupted {
            self.interrupted = true;
            self.control.end_by(now);
            if start == UNKNOWN {
                self.control.abort();
            }
        }
        let Warmup::UntilSteady { window_ms, tolerance, cap_ms } = self.phases.warmup else { return };
        if start == UNKNOWN || self.control.measure_start() != UNKNOWN || self.interrupted {
            return;
        }
        let level = is_level(rates, ns(window_ms), tolerance);
        if level || now >= start.saturating_add(ns(cap_ms)) {
            // On the interval grid, and far enough ahead that every worker hears of it before.
            let interval = ns(self.phases.interval_ms);
            let passed = now.saturating_sub(start) / interval;
            let window = start.saturating_add((passed + 2).saturating_mul(interval));
            self.control.place_window(window, self.length_ns());
            self.announce_window(window);
            self.steady = Some(level);
        }
    }
}

fn announce(phase: Phase, start_ns: u64, planned_ms: Option<u64>) {
    emit(&Event::Phase(PhaseStart { phase, start_ns, planned_ms }));
}
