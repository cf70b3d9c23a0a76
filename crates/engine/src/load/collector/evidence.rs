//! The figures that doubts about a run are drawn from.

use assay_format::event::{KindTally, RunResult, Tallied};
use assay_tally::Histogram;

use super::Collector;
use crate::load::event_tallies::reads_of;
use crate::load::names::WHOLE;
use crate::say::doubts::{Facts, InFlight, Served, Statements, Uncommitted};

impl Collector {
    /// The figures that doubts about the run are drawn from. `threads`: event loops; `elapsed_s`: between the two
    /// readings of the server's own count.
    pub(crate) fn facts(&self, result: &RunResult, threads: usize, elapsed_s: f64) -> Facts {
        let (load, window, server) = (&self.setup.load, &result.window, &result.server);
        let (counts, connections) = (&result.tallied.counts, &window.connections);
        let cpu_s = (window.engine.user_us + window.engine.system_us) as f64 / 1e6;
        let served = server.terminals.as_ref().unwrap_or(connections);
        let arrivals = result.tallied.pacing.as_ref().map_or(0, |pacing| pacing.arrivals);
        let quantile = |histogram: &Histogram| (!histogram.is_empty()).then(|| histogram.quantile_ns(0.99));
        let service_ns = self.statements().quantile_ns(0.5);
        Facts {
            debug_build: cfg!(debug_assertions),
            in_flight: self.in_flight(result),
            loops_busy: Some((cpu_s / window.elapsed_s / threads as f64, threads as u64)),
            longest_stall_ns: server.loops.longest_stall_ns,
            late_p99_ns: self.measured.lateness.as_deref().and_then(quantile).unwrap_or(0),
            reading: quantile(&self.measured.reading)
                .filter(|_| counts.transactions > 0)
                .map(|late| (late, service_ns)),
            served: (load.serves_alike && self.setup.alone).then_some(Served {
                terminals: server.terminals.is_some(),
                min: served.min,
                mean: served.mean,
            }),
            terminals: load.meant.map(|meant| (load.terminals.into(), meant)),
            deferred: server.deferred.clone(),
            reach: self.setup.reach,
            reads: reads_of(&counts.counters),
            failing: self.failing(&result.tallied),
            load_s: elapsed_s,
            account: self.account(),
            carried_over: Some((server.loops.carried_over, connections.count)),
            transactions: Some(counts.transactions),
            unstored: Some((server.loops.unstored, self.whole.transactions)),
            unprepared: server.loops.unprepared,
            uncommitted: Some(Uncommitted {
                operations: server.loops.uncommitted,
                of: self.whole.transactions,
                connections: server.loops.left_open,
            }),
            dropped: Some((counts.dropped, arrivals)),
            abandoned: window.abandoned,
            statements: server.server_questions.map(|counted| Statements {
                sent: server.loops.sent_statements,
                counted,
                // Lost connections and silent ones: what the server made of their last statement is not known.
                unsure: self.unsure
                    + self.whole.errors.get(&0).copied().unwrap_or(0)
                    + self.whole.timeouts
                    + self.abandoned,
                goodbyes: connections.count + self.whole.reconnects + self.whole.renewals,
                elapsed_s,
            }),
            ..Facts::default()
        }
    }

    /// The kind of a person's own transactions of which the largest share failed: its name, how many failed, and of how many.
    fn failing(&self, tallied: &Tallied) -> Option<(String, u64, u64)> {
        self.setup.workload.description().gives_up().then_some(())?;
        let kind = |(name, kind): (&String, &KindTally)| {
            let done = kind.times.as_ref().map_or(0, |times| times.count);
            (name.clone(), kind.failed, done + kind.failed)
        };
        let whole =
            (WHOLE.to_owned(), tallied.counts.failed, tallied.counts.transactions + tallied.counts.failed);
        let kinds = tallied.kinds.iter().map(kind).chain([whole]);
        let share = |(_, failed, of): &(String, u64, u64)| *failed as f64 / (*of).max(1) as f64;
        kinds.max_by(|one, other| share(one).total_cmp(&share(other)))
    }

    /// Service times of all statements, whatever their label.
    fn statements(&self) -> Histogram {
        let mut all = Histogram::default();
        for (_, number) in self.setup.names.statements() {
            all.merge(&self.measured.labels[number].service);
        }
        all
    }

    /// Every connection has a transaction in flight, or thinks; absent where failed ones took time that is in no account.
    fn in_flight(&self, result: &RunResult) -> Option<InFlight> {
        let (window, counts) = (&result.window, &result.tallied.counts);
        let whole = counts.transactions > 0 && counts.failed + window.abandoned == 0;
        let connections = window.connections.count as f64;
        let rate = counts.transactions as f64 / window.elapsed_s;
        let thinking = rate * result.server.mean_think_ms.unwrap_or(0.0) / 1e3;
        (self.setup.load.fills_connections && whole).then(|| InFlight {
            what: "connection",
            expected: connections,
            accounted: window.mean_in_flight + thinking,
            // Transactions are cut at the window's edges; pauses for thinking are not.
            edges: if thinking > 0.0 { connections / counts.transactions as f64 } else { 0.0 },
        })
    }
}
