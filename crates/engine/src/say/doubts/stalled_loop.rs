//! The doubt of a stalled event loop: its stall shows in some operation's time.

use super::{Doubt, Facts, doubt, ms};

const LIMIT_NS: u64 = 50_000_000;

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    (facts.longest_stall_ns > LIMIT_NS).then(|| {
        let (value, limit) = (ms(facts.longest_stall_ns), ms(LIMIT_NS));
        let message = format!(
            "the load generator stalled for {value:.0} ms with work pending: latencies at that moment are the \
             generator's, not the server's"
        );
        doubt("stalled-loop", message, value, limit)
    })
}
