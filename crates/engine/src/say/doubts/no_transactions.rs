//! The doubt of an empty window: one in which nothing ended says nothing.

use super::{Doubt, Facts, doubt};

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let message = "no transaction ended in the measured window: its figures mean nothing";
    (facts.transactions == Some(0)).then(|| doubt("no-transactions", message.into(), 0.0, 1.0))
}
