//! The doubt of idle data: tables of which a part lay idle are a smaller dataset.

use super::{Doubt, Facts, doubt};
use crate::say::counted::counted;

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let (reached, parts) = facts.reach.filter(|(reached, parts)| reached < parts)?;
    let message = format!(
        "the terminals used {reached} of {} of the tables: the load is that of a smaller dataset",
        counted(parts, "part")
    );
    Some(doubt("idle-data", message, reached as f64, parts as f64))
}
