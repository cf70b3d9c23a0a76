//! The doubt of a tiny pool: values that find few of a table's rows test a cache, not the table.

use super::{Doubt, Facts, doubt};

/// Share of a table's rows that the drawn values must be able to find.
const LIMIT: f64 = 0.01;

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let tables = facts.account.as_ref()?.tables.iter();
    let (table, share) = tables
        .filter_map(|table| Some((table, table.reached.filter(|share| *share < LIMIT)?)))
        .min_by(|(_, one), (_, other)| one.total_cmp(other))?;
    let message = format!(
        "{} can find {:.2} % of the about {} rows of {}: the rest of the table lies idle",
        table.drawn_at,
        share * 100.0,
        table.rows,
        table.name
    );
    Some(doubt("tiny-pool", message, share, LIMIT))
}
