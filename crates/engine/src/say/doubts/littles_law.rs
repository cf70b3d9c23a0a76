//! Little's law: every connection, and every place of a depth, has an operation in flight, or time was lost on the way.

use super::limits::LITTLES_LAW as LIMIT;
use super::{Doubt, Facts, doubt};
use crate::say::counted::counted;

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let in_flight = facts.in_flight?;
    let gap = (in_flight.accounted / in_flight.expected.max(1e-9) - 1.0).abs();
    (gap > LIMIT + in_flight.edges).then(|| {
        let expected = if in_flight.expected.fract() == 0.0 {
            counted(in_flight.expected as u64, in_flight.what)
        } else {
            format!("{:.2} {}s", in_flight.expected, in_flight.what)
        };
        let message = format!(
            "Little's law accounts for {:.2} of {expected} ({:.1} % off)",
            in_flight.accounted,
            gap * 100.0
        );
        doubt("littles-law", message, gap, LIMIT)
    })
}
