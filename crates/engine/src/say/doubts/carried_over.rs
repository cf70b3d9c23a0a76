//! The doubt of a backlog from the warm-up: arrivals that are carried over into the window are not its own.

use super::{Doubt, Facts, doubt};
use crate::say::counted::{counted, were};

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    // Fewer than connections are one round of work, as any busy moment leaves them.
    let (queued, connections) = facts.carried_over.filter(|(queued, connections)| queued > connections)?;
    let message = format!(
        "{} from the warm-up {} still queued when the window began, and served first in it",
        counted(queued, "arrival"),
        were(queued)
    );
    Some(doubt("carried-over", message, queued as f64, connections as f64))
}
