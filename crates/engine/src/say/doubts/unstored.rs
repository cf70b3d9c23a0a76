//! The doubt of INSERTs that store nothing: they succeed, are counted, and are quicker than those that do.

use super::{Doubt, Facts, doubt};
use crate::say::counted::counted;

/// Share of the transactions from which on it is said.
const LIMIT: f64 = 0.01;

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let (unstored, transactions) = facts.unstored?;
    if unstored as f64 <= transactions as f64 * LIMIT {
        return None;
    }
    let message = format!(
        "{} stored no row (duplicate keys under IGNORE, or nothing to insert) in a load of {}: they are counted, and the \
         server has kept nothing of them",
        counted(unstored, "INSERT"),
        counted(transactions, "transaction"),
    );
    Some(doubt("unstored", message, unstored as f64, transactions as f64))
}
