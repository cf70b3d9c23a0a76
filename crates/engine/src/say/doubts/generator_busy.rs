//! The doubt of a busy generator: one that is busy nearly all the time may be what was measured.

use super::limits::GENERATOR_BUSY as LIMIT;
use super::{Doubt, Facts, doubt};
use crate::say::counted::counted;

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let (busy, loops) = facts.loops_busy.filter(|(busy, _)| *busy > LIMIT)?;
    let message = format!(
        "the load generator used {:.2} processors for its {}: the limit may be the generator, not the server",
        busy * loops as f64,
        counted(loops, "event loop")
    );
    Some(doubt("generator-busy", message, busy, LIMIT))
}
