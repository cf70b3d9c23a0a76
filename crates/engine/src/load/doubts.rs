//! Reasons to distrust a run that the engine itself can see.

use crate::load::discipline::Properties;
use crate::say::counted::{counted, thousands, were};
use crate::say::doubts::{abandoned, doubt};
use assay_format::event::{Doubt, RunResult};

/// Little's law may be off by this share before time counts as lost.
const LITTLE_LIMIT: f64 = 0.02;
/// Share of its cores above which the generator may be what was measured.
const BUSY_LIMIT: f64 = 0.8;
/// The slowest connection against the mean.
const STARVED_LIMIT: f64 = 0.5;
/// Transactions per connection below which fairness says nothing.
const FAIRNESS_FROM: f64 = 30.0;

/// A stall of an event loop that shows in somebody's time.
const STALL_LIMIT_NS: u64 = 50_000_000;
/// A generator that is this late at the 99th percentile measures itself.
const LATE_LIMIT_NS: u64 = 1_000_000;

/// What the doubts are drawn from, beside the result.
pub struct Facts {
    pub load: Properties,
    pub threads: usize,
    /// The warm-up found the throughput level; absent when it did not look.
    pub steady: Option<bool>,
    /// Statements whose connection broke, fell silent or was left, and connections opened again: over the whole load.
    pub unsure: u64,
    pub reconnects: u64,
    /// Open loop: 99th percentile of the pacer's lateness.
    pub late_p99_ns: u64,
    /// How many of how many parts of the tables were worked in, where connections have their own.
    pub reach: Option<(u64, u64)>,
    pub release_build: bool,
}

/// The doubts about a run.
pub fn doubts(result: &RunResult, facts: &Facts) -> Vec<Doubt> {
    let mut found = Vec::new();
    if !facts.release_build {
        let message = "the engine is a debug build; measure with a release build".to_owned();
        found.push(doubt("debug-build", message, 1.0, 0.0));
    }
    found.extend(about_the_generator(result, facts));
    found.extend(about_the_load(result, facts));
    found
}

/// Was it the generator that was measured?
fn about_the_generator(result: &RunResult, facts: &Facts) -> Vec<Doubt> {
    let mut found = Vec::new();
    found.extend(lost_time(result, facts));
    let busy = (result.window.engine.user_us + result.window.engine.system_us) as f64
        / 1e6
        / result.window.elapsed_s
        / facts.threads as f64;
    if busy > BUSY_LIMIT {
        let message = format!(
            "the load generator kept its {} {:.0} % busy: the limit may be the generator, not the server",
            counted(facts.threads as u64, "event loop"),
            busy * 100.0
        );
        found.push(doubt("generator-busy", message, busy, BUSY_LIMIT));
    }
    if result.server.loops.longest_stall_ns > STALL_LIMIT_NS {
        let (value, limit) = (ms(result.server.loops.longest_stall_ns), ms(STALL_LIMIT_NS));
        let message = format!(
            "the load generator stalled for {value:.0} ms with work pending: latencies at that moment are the generator's, \
             not the server's"
        );
        found.push(doubt("stalled-loop", message, value, limit));
    }
    if facts.late_p99_ns > LATE_LIMIT_NS {
        let (value, limit) = (ms(facts.late_p99_ns), ms(LATE_LIMIT_NS));
        let message = format!(
            "the load generator itself started 1 % of the arrivals at least {value:.1} ms late, although a connection was free"
        );
        found.push(doubt("late-pacing", message, value, limit));
    }
    found
}

/// Little's law: every connection has a transaction in flight, or thinks, or time was lost on the way.
fn lost_time(result: &RunResult, facts: &Facts) -> Option<Doubt> {
    let connections = result.window.connections.count as f64;
    let counts = &result.tallied.counts;
    if !facts.load.fills_connections
        || counts.transactions == 0
        || counts.failed + result.window.abandoned > 0
    {
        return None;
    }
    let rate = counts.transactions as f64 / result.window.elapsed_s;
    let thinking = rate * result.server.mean_think_ms.unwrap_or(0.0) / 1e3;
    let accounted = result.window.mean_in_flight + thinking;
    let gap = (accounted / connections - 1.0).abs();
    // Transactions are cut at the window's edges; pauses for thinking are not.
    let edges = if thinking > 0.0 { connections / counts.transactions as f64 } else { 0.0 };
    (gap > LITTLE_LIMIT + edges).then(|| {
        let message = format!(
            "Little's law: of {} {accounted:.2} are accounted for ({:.1} % off)",
            counted(result.window.connections.count, "connection"),
            gap * 100.0
        );
        doubt("littles-law", message, gap, LITTLE_LIMIT)
    })
}

/// Did the load do what it was meant to?
fn about_the_load(result: &RunResult, facts: &Facts) -> Vec<Doubt> {
    let mut found = Vec::new();
    let connections = &result.window.connections;
    let served = result.server.terminals.as_ref().unwrap_or(connections);
    if facts.load.serves_alike && served.mean >= FAIRNESS_FROM {
        let share = served.min as f64 / served.mean;
        if share < STARVED_LIMIT {
            let starved = |who| {
                format!(
                    "a {who} was starved: {} where the mean is {:.0}",
                    counted(served.min, "transaction"),
                    served.mean
                )
            };
            found.push(match &result.server.terminals {
                Some(_) => doubt("starved-terminal", starved("terminal"), share, STARVED_LIMIT),
                None => doubt("starved-connection", starved("connection"), share, STARVED_LIMIT),
            });
        }
    }
    let terminals = u64::from(facts.load.terminals);
    if let Some(meant) = facts.load.meant.filter(|meant| *meant != terminals) {
        let message = format!(
            "the load has {} at the workload's own pace, which is meant for {} on these tables",
            counted(terminals, "terminal"),
            thousands(meant)
        );
        found.push(doubt("terminals", message, terminals as f64, meant as f64));
    }
    if let Some(deferred) =
        result.server.deferred.as_ref().filter(|deferred| deferred.unfinished + deferred.failed > 0)
    {
        let (unfinished, failed) = (deferred.unfinished, deferred.failed);
        let message = format!(
            "of the work that {} left for later, {unfinished} was not done when the drain ended and {failed} was given up: \
             throughput counts its transactions all the same",
            counted(deferred.queued, "transaction")
        );
        found.push(doubt("deferred-unfinished", message, (unfinished + failed) as f64, 0.0));
    }
    if let Some((reached, parts)) = facts.reach.filter(|(reached, parts)| reached < parts) {
        let message = format!(
            "the terminals worked in {reached} of {} of the tables: the others lay idle, and the load is that of a smaller dataset",
            counted(parts, "part")
        );
        found.push(doubt("idle-data", message, reached as f64, parts as f64));
    }
    if facts.steady == Some(false) {
        let message = "throughput was still changing when the longest warm-up ended".to_owned();
        found.push(doubt("not-steady", message, 0.0, 1.0));
    }
    if result.server.loops.carried_over > connections.count {
        // Fewer are one round of work, as any busy moment leaves them.
        let message = format!(
            "{} from the warm-up {} still queued when the window began, and served first in it",
            counted(result.server.loops.carried_over, "arrival"),
            were(result.server.loops.carried_over)
        );
        found.push(doubt(
            "carried-over",
            message,
            result.server.loops.carried_over as f64,
            connections.count as f64,
        ));
    }
    if result.tallied.counts.transactions == 0 {
        let message =
            "no transaction ended in the measured window: there is nothing that its figures could say"
                .to_owned();
        found.push(doubt("no-transactions", message, 0.0, 1.0));
    }
    if result.tallied.counts.dropped > 0 {
        let dropped = result.tallied.counts.dropped;
        let arrivals = result.tallied.pacing.as_ref().map_or(dropped, |pacing| pacing.arrivals).max(dropped);
        let share = dropped as f64 / arrivals as f64;
        let message = format!(
            "{} of {} ({:.1} %) {} dropped: the server does not keep up with the rate, and response times are those of \
             the others alone",
            thousands(dropped),
            counted(arrivals, "arrival"),
            share * 100.0,
            were(dropped)
        );
        found.push(doubt("dropped", message, share, 0.0));
    }
    if result.window.abandoned > 0 {
        found.push(abandoned(result.window.abandoned));
    }
    found
}

fn ms(ns: u64) -> f64 {
    ns as f64 / 1e6
}
