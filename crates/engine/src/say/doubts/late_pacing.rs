//! The doubt of late pacing: a generator that starts operations late measures itself.

use super::limits::LATE_PACING_NS as LIMIT_NS;
use super::{Doubt, Facts, doubt, ms};

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    (facts.late_p99_ns > LIMIT_NS).then(|| {
        let (value, limit) = (ms(facts.late_p99_ns), ms(LIMIT_NS));
        let message = format!(
            "the load generator itself started 1 % of the arrivals at least {value:.1} ms late, although it had room"
        );
        doubt("late-pacing", message, value, limit)
    })
}
