//! The doubt of work that was counted and not committed: the server has not kept it.

use super::{Doubt, Facts, doubt};
use crate::say::counted::{counted, thousands};

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let found = facts.uncommitted?;
    if found.operations + found.connections == 0 {
        return None;
    }
    let connections = match found.connections {
        0 => String::new(),
        count => format!("; {} ended inside one", counted(count, "connection")),
    };
    let message = format!(
        "{} of {} ended inside a transaction that was never committed{connections}: the server has not kept their work",
        thousands(found.operations),
        counted(found.of, "operation"),
    );
    Some(doubt("uncommitted", message, found.operations as f64, found.of as f64))
}
