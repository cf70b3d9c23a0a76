//! The doubt of growing tables: a load that adds many rows ends on other data than it began with.

use super::{Doubt, Facts, doubt};

/// Share of a table's rows that may be added in a minute.
const LIMIT: f64 = 0.01;

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let minutes = facts.load_s / 60.0;
    let share = |rows: u64, gained: i64| gained as f64 / rows.max(1) as f64 / minutes;
    let tables = facts.account.as_ref().filter(|_| minutes > 0.0)?.tables.iter();
    let (table, share) = tables
        .map(|table| (table, share(table.rows, table.gained)))
        .filter(|(_, share)| *share > LIMIT)
        .max_by(|(_, one), (_, other)| one.total_cmp(other))?;
    let message = format!(
        "table {} had about {} rows and gained {}, {:.1} % of them in a minute: the end of the load works on other data than its \
        beginning",
        table.name,
        table.rows,
        table.gained,
        share * 100.0
    );
    Some(doubt("grows", message, share, LIMIT))
}
