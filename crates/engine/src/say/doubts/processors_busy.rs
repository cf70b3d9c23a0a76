//! The doubt of busy processors: those that are busy nearly all the time may be what was measured, not the disk.

use super::{Doubt, Facts, doubt};

/// Share of all processors' time from which on they count as busy.
const LIMIT: f64 = 0.9;

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let busy = facts.processors_busy.filter(|busy| *busy > LIMIT)?;
    let message = format!(
        "the load kept all processors {:.0} % busy: they may be what was measured, not the disk",
        busy * 100.0
    );
    Some(doubt("processors-busy", message, busy, LIMIT))
}
