//! The doubt of unfinished deferred work: work that was left for later and never done makes throughput look better than
//! it was.

use super::{Doubt, Facts, doubt};
use crate::say::counted::counted;

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let deferred = facts.deferred.as_ref().filter(|deferred| deferred.unfinished + deferred.failed > 0)?;
    let (unfinished, failed) = (deferred.unfinished, deferred.failed);
    let message = format!(
        "of the work that {} deferred, {unfinished} was not done when the drain ended and {failed} was given up: \
         throughput counts its transactions all the same",
        counted(deferred.queued, "transaction")
    );
    Some(doubt("deferred-unfinished", message, (unfinished + failed) as f64, 0.0))
}
