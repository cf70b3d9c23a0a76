//! Reasons to distrust a run that the engine itself can see.

use crate::event::{Doubt, RunResult};

/// Little's law may be off by this share before time counts as lost.
const LITTLE_LIMIT: f64 = 0.02;
/// Share of its cores above which the generator may be what was measured.
const BUSY_LIMIT: f64 = 0.8;
/// The slowest connection against the mean.
const STARVED_LIMIT: f64 = 0.5;
/// Transactions per connection below which fairness says nothing.
const FAIRNESS_FROM: f64 = 30.0;

/// What the doubts are drawn from, beside the result.
pub struct Facts {
    pub closed_loop: bool,
    pub threads: usize,
    /// Mean time of a transaction, in seconds.
    pub mean_transaction_s: f64,
    /// The warm-up found the throughput level; absent when it did not look.
    pub steady: Option<bool>,
    pub release_build: bool,
}

pub fn doubt(kind: &str, message: String, value: f64, limit: f64) -> Doubt {
    Doubt { kind: kind.into(), message, value, limit }
}

/// The doubts about a run.
pub fn doubts(result: &RunResult, facts: &Facts) -> Vec<Doubt> {
    let mut found = Vec::new();
    let connections = &result.connections;
    if !facts.release_build {
        let message = "this engine is a debug build; measure with a release build".to_owned();
        found.push(doubt("debug-build", message, 1.0, 0.0));
    }
    if facts.closed_loop && result.counts.transactions > 0 && result.counts.failed == 0 {
        let rate = result.counts.transactions as f64 / result.elapsed_s;
        let in_flight = rate * facts.mean_transaction_s;
        let gap = (in_flight / connections.count as f64 - 1.0).abs();
        // Transactions cut by the window's edges, half of one per connection at each, are no lost time.
        let edges = connections.count as f64 / result.counts.transactions as f64;
        if gap > LITTLE_LIMIT + edges {
            let message = format!(
                "Little's law: {} connections, but rate × mean time is {in_flight:.2} ({:.1} % off)",
                connections.count,
                gap * 100.0
            );
            found.push(doubt("littles-law", message, gap, LITTLE_LIMIT));
        }
    }
    let busy = (result.engine.user_us + result.engine.system_us) as f64
        / 1e6
        / result.elapsed_s
        / facts.threads as f64;
    if busy > BUSY_LIMIT {
        let message = format!(
            "the generator kept its {} event loops {:.0} % busy: it may be what was measured",
            facts.threads,
            busy * 100.0
        );
        found.push(doubt("generator-busy", message, busy, BUSY_LIMIT));
    }
    if facts.closed_loop && connections.mean >= FAIRNESS_FROM {
        let share = connections.min as f64 / connections.mean;
        if share < STARVED_LIMIT {
            let message = format!(
                "a connection was starved: {} transactions where the mean is {:.0}",
                connections.min, connections.mean
            );
            found.push(doubt("starved-connection", message, share, STARVED_LIMIT));
        }
    }
    if facts.steady == Some(false) {
        let message = "throughput was not level when the longest warm-up was over".to_owned();
        found.push(doubt("not-steady", message, 0.0, 1.0));
    }
    if result.abandoned > 0 {
        let message = format!("{} operations were still running when the drain ended", result.abandoned);
        found.push(doubt("abandoned", message, result.abandoned as f64, 0.0));
    }
    found
}
