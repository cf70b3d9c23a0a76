//! The doubt of abandoned operations: of those that never came to their end, times are lower bounds.

use super::{Doubt, Facts, doubt};
use crate::say::counted::{counted, were};

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let operations = facts.abandoned;
    (operations > 0).then(|| {
        let (many, were) = (counted(operations, "operation"), were(operations));
        let message = format!(
            "{many} {were} still running when the drain ended: percentiles count each as at least as long as it had taken"
        );
        doubt("abandoned", message, operations as f64, 0.0)
    })
}
