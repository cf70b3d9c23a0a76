//! The accounts of a run by phase: what warm-up, measured window and drain came to, and what the engine used in them.

use assay_format::event::{Connections, EngineUse, Latency, Phase, WindowResult};
use assay_tally::Counts;

use crate::course::timeline::Stretch;
use crate::process::usage::{engine_use, peak_resident_bytes, since};
use crate::say::tallied::counts;

/// The sum of what all parts of a load (event loops, or I/O workers) report at their end about the measured window.
pub(crate) struct Worked {
    /// Operations that ended in the window, by connection, or by I/O worker.
    pub operations: Vec<u64>,
    /// Nanoseconds that operations took inside the window, over all connections or workers.
    pub busy_ns: u64,
    /// Operations that were still in flight when the drain ended, and never ended.
    pub abandoned: u64,
    pub latency: Latency,
}

#[derive(Default)]
pub(crate) struct Accounts {
    warmup_start: u64,
    warmup: Counts,
    drained: u64,
    measure: Option<(u64, u64)>,
    /// The process's use at the end of the last interval that was said.
    usage_before: EngineUse,
    /// The process's use where the measured window begins: the end of the last warm-up interval.
    usage_at_start: EngineUse,
    usage_at_end: EngineUse,
    /// Transactions per second of the finished warm-up intervals, oldest first.
    rates: Vec<(u64, f64)>,
}

impl Accounts {
    /// The load begins at `start`.
    pub(crate) fn begin(&mut self, start: u64, usage: EngineUse) {
        self.warmup_start = start;
        self.usage_before = usage.clone();
        self.usage_at_start = usage;
    }

    /// Enters an interval; `usage` is the process's at its end.
    pub(crate) fn enter(&mut self, stretch: &Stretch, counted: &Counts, usage: &EngineUse) {
        match stretch.phase {
            Phase::Measure => {
                let start = self.measure.map_or(stretch.start, |(start, _)| start);
                self.measure = Some((start, stretch.end));
                self.usage_at_end = usage.clone();
            }
            Phase::Drain => self.drained += counted.transactions,
            _ => {
                self.warmup.merge(counted);
                self.usage_at_start = usage.clone();
                let seconds = (stretch.end - stretch.start) as f64 / 1e9;
                if seconds > 0.0 {
                    self.rates.push((stretch.end, counted.transactions as f64 / seconds));
                }
            }
        }
    }

    /// The use of the process since the interval before the one that ended with `usage`.
    pub(crate) fn used(&mut self, usage: EngineUse) -> EngineUse {
        let used = since(&usage, &self.usage_before);
        self.usage_before = usage;
        used
    }

    /// Transactions per second of each finished warm-up interval, with the instant of its end, oldest first.
    pub(crate) fn rates(&self) -> &[(u64, f64)] {
        &self.rates
    }

    /// Start and end of the measured window as far as it is known; `None` when it never began.
    pub(crate) fn window(&self) -> Option<(u64, u64)> {
        self.measure.filter(|(start, end)| end > start)
    }

    /// The part of a result that every load has; `None` when the measured window never began. `complete`: nothing ended
    /// it early.
    pub(crate) fn result(&self, worked: &Worked, complete: bool) -> Option<WindowResult> {
        let (start, end) = self.window()?;
        let (total, peak) = (engine_use(), peak_resident_bytes());
        let length_ns = (end - start) as f64;
        Some(WindowResult {
            start_ns: start,
            end_ns: end,
            elapsed_s: length_ns / 1e9,
            connections: spread(&worked.operations),
            engine: EngineUse { rss_bytes: peak, ..since(&self.usage_at_end, &self.usage_at_start) },
            engine_total: EngineUse { rss_bytes: peak, ..total },
            warmup: counts(&self.warmup),
            warmup_s: (start - self.warmup_start) as f64 / 1e9,
            drained: self.drained,
            abandoned: worked.abandoned,
            mean_in_flight: worked.busy_ns as f64 / length_ns,
            latency: worked.latency,
            complete,
        })
    }
}

/// The spread of operations over connections or workers: the fewest, the mean and the most, the standard deviation.
pub(crate) fn spread(operations: &[u64]) -> Connections {
    let count = operations.len().max(1) as f64;
    let mean = operations.iter().sum::<u64>() as f64 / count;
    let squares: f64 = operations.iter().map(|number| (*number as f64 - mean).powi(2)).sum();
    Connections {
        count: operations.len() as u64,
        min: operations.iter().copied().min().unwrap_or(0),
        mean,
        max: operations.iter().copied().max().unwrap_or(0),
        stdev: Some((squares / count).sqrt()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(user_us: u64) -> EngineUse {
        EngineUse { user_us, ..EngineUse::default() }
    }

    fn enter(accounts: &mut Accounts, phase: Phase, start: u64, end: u64, transactions: u64) {
        let counted = Counts { transactions, ..Counts::default() };
        accounts.enter(&Stretch { phase, index: 0, start, end }, &counted, &used(end));
    }

    #[test]
    fn each_phase_has_its_own_account() {
        let mut accounts = Accounts::default();
        accounts.begin(100, used(90));
        let worked = Worked { operations: vec![3, 5], busy_ns: 600, abandoned: 1, latency: Latency::Service };
        assert!(accounts.result(&worked, true).is_none(), "no window yet");
        enter(&mut accounts, Phase::Warmup, 100, 200, 7);
        enter(&mut accounts, Phase::Warmup, 200, 300, 9);
        enter(&mut accounts, Phase::Measure, 300, 400, 4);
        enter(&mut accounts, Phase::Measure, 400, 600, 4);
        enter(&mut accounts, Phase::Drain, 600, 650, 2);
        let result = accounts.result(&worked, false).unwrap();
        assert_eq!((result.start_ns, result.end_ns, result.drained), (300, 600, 2));
        assert_eq!((result.warmup.transactions, result.warmup_s), (16, 200.0 / 1e9));
        assert_eq!((result.engine.user_us, result.mean_in_flight), (300, 2.0));
        assert_eq!((result.connections.min, result.connections.mean, result.connections.max), (3, 4.0, 5));
        assert!((result.connections.stdev.expect("a number") - 1.0).abs() < 1e-9);
        assert_eq!((result.abandoned, result.complete), (1, false));
        assert_eq!(accounts.rates(), [(200, 7e7), (300, 9e7)]);
    }

    #[test]
    fn an_interval_uses_what_came_since_the_one_before() {
        let mut accounts = Accounts::default();
        accounts.begin(0, used(5));
        assert_eq!([accounts.used(used(8)).user_us, accounts.used(used(20)).user_us], [3, 12]);
    }
}
