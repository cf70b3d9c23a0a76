//! The doubt `late-reading`: answers that wait in the generator before they are read make statements look longer than they
//! were.

use super::{Doubt, Facts, doubt, ms};

/// Share of the median service time of a statement that the 99th percentile of the wait may have.
const LIMIT: f64 = 0.05;

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let (late_ns, service_ns) = facts.reading?;
    let share = late_ns as f64 / service_ns.max(1) as f64;
    (share > LIMIT).then(|| {
        let message = format!(
            "1 % of the answers waited at least {:.3} ms in the load generator, behind others that came with them, {:.1} % \
             of a statement's median time: latencies include that wait. Give the generator dedicated processors, \
                 more event loops where some are free, or fewer connections",
            ms(late_ns),
            share * 100.0
        );
        doubt("late-reading", message, share, LIMIT)
    })
}
