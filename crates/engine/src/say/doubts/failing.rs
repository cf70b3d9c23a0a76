//! The doubt of failing transactions: a person's own that fail are an easier load than the one that was meant.

use super::{Doubt, Facts, doubt};
use crate::say::counted::counted;

/// Share of the executions of one kind that may fail.
const LIMIT: f64 = 0.01;

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let (name, failed, of) = facts.failing.as_ref()?;
    let share = *failed as f64 / (*of).max(1) as f64;
    if share <= LIMIT {
        return None;
    }
    let of = counted(*of, "execution");
    let message = format!("{:.1} % of {of} of {name} failed, after all of their tries", share * 100.0);
    Some(doubt("failing", message, share, LIMIT))
}
