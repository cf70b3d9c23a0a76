//! The doubt of an unsteady warm-up: a window that begins while throughput still changes measures the change.

use super::{Doubt, Facts, doubt};

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let message =
        "the steady state was not reached: throughput was still changing when the longest warm-up ended";
    (facts.steady == Some(false)).then(|| doubt("not-steady", message.into(), 0.0, 1.0))
}
