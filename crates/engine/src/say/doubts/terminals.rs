//! The doubt of the number of terminals: a workload's own pace is meant for one number and no other.

use super::{Doubt, Facts, doubt};
use crate::say::counted::{counted, thousands};

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let (terminals, meant) = facts.terminals.filter(|(terminals, meant)| terminals != meant)?;
    let message = format!(
        "the load has {} at the workload's own pace; tables of this size are meant for {}",
        counted(terminals, "terminal"),
        thousands(meant)
    );
    Some(doubt("terminals", message, terminals as f64, meant as f64))
}
