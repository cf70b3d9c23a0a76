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
