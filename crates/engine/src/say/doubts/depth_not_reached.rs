//! The doubt of a queue depth that was not reached: a closed loop that has nothing else to do keeps its depth.

use super::{Doubt, Facts, doubt};

/// Share of the depth asked for below which it was not reached.
const LIMIT: f64 = 0.95;

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let depth = facts.depth.as_ref().filter(|depth| depth.reached < LIMIT)?;
    let message = format!(
        "{}: {:.0} % of the depth of {} was reached: time is lost between operations",
        depth.job,
        100.0 * depth.reached,
        depth.depth
    );
    Some(doubt("depth-not-reached", message, depth.reached, LIMIT))
}
