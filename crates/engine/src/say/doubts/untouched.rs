//! The doubt of untouched tables: a load that leaves tables alone is a load on a smaller schema.

use super::{Doubt, Facts, doubt};
use crate::say::counted::counted;

/// Names that are said.
const SHOWN: usize = 5;

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let tables = facts.account.as_ref()?.untouched.as_ref().filter(|tables| !tables.is_empty())?;
    let (names, rest) = tables.split_at(tables.len().min(SHOWN));
    let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
    let message =
        format!("no statement names {}: {}{more}", counted(tables.len() as u64, "table"), names.join(", "));
    Some(doubt("untouched", message, tables.len() as f64, 0.0))
}
