//! Doubts: reasons to distrust a run that the engine itself can see.

use assay_format::event::Doubt;

use crate::say::counted::{counted, were};

pub fn doubt(kind: &str, message: String, value: f64, limit: f64) -> Doubt {
    Doubt { kind: kind.into(), message, value, limit }
}

/// Operations that never came to their end.
pub fn abandoned(operations: u64) -> Doubt {
    let (many, were) = (counted(operations, "operation"), were(operations));
    let message = format!("{many} {were} still running when the drain ended");
    doubt("abandoned", message, operations as f64, 0.0)
}

/// Parts of the load that did not come back when it was over; `names` says which.
pub fn hung(names: &str, count: usize) -> Doubt {
    let message = format!(
        "{names} hung: what it did after its last whole interval is not in the figures, and the load was not at rest when \
         it ended"
    );
    doubt("hung-workers", message, count as f64, 0.0)
}
