//! The doubt of dropped arrivals: they have no response time, and percentiles are lower bounds for that.

use super::{Doubt, Facts, doubt};
use crate::say::counted::{counted, thousands, were};

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let (dropped, arrivals) = facts.dropped.filter(|(dropped, _)| *dropped > 0)?;
    let arrivals = arrivals.max(dropped);
    let share = dropped as f64 / arrivals as f64;
    let message = format!(
        "{} of {} ({:.1} %) {} dropped: the server does not keep up with the rate. They have no response time, and \
         percentiles count them as slower than all others",
        thousands(dropped),
        counted(arrivals, "arrival"),
        share * 100.0,
        were(dropped)
    );
    Some(doubt("dropped", message, share, 0.0))
}
