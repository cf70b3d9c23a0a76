//! The doubt of growing tables: a load that adds many rows ends on other data than it began with.

use super::{Doubt, Facts, doubt};
use crate::say::counted::{counted, thousands};

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
    let gained = thousands(table.gained.unsigned_abs());
    let seconds = facts.load_s;
    let growth = match table.rows {
        0 => format!("was empty and gained {gained} rows in {seconds:.1} s"),
        rows => format!(
            "had about {} and gained {gained} in {seconds:.1} s, {:.1} %",
            counted(rows, "row"),
            table.gained as f64 / rows as f64 * 100.0
        ),
    };
    let message =
        format!("table {} {growth}: the end of the load works on other data than its beginning", table.name);
    Some(doubt("grows", message, share, LIMIT))
}
