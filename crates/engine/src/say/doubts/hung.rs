//! The doubt of hung parts: event loops or I/O workers that did not come back when the load was over.

use super::{Doubt, Facts, doubt};

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let (names, count) = facts.hung.as_ref()?;
    let message = format!(
        "{names} hung: the figures lack what it did after its last complete interval, and the load was still \
        active at the end"
    );
    Some(doubt("hung-workers", message, *count as f64, 0.0))
}
