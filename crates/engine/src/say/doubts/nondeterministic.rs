//! The doubt of a stream that depends on data: what is saved from an answer decides what is sent next, so that treatments may
//! send different statements.

use super::{Doubt, Facts, doubt};

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let place = facts.account.as_ref()?.saves.as_ref()?;
    let message =
        format!("{place}: @save: what is sent after it depends on the answers, and so on the server");
    Some(doubt("nondeterministic", message, 1.0, 0.0))
}
