//! A pace of the workload's own is meant for so many terminals and no others.

use super::{Doubt, Facts, doubt};
use crate::say::counted::{counted, thousands};

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let (terminals, meant) = facts.terminals.filter(|(terminals, meant)| terminals != meant)?;
    let message = format!(
        "the load has {} at the workload's own pace, which is meant for {} on these tables",
        counted(terminals, "terminal"),
        thousands(meant)
    );
    Some(doubt("terminals", message, terminals as f64, meant as f64))
}
