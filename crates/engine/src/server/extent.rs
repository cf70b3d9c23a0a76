//! How far the rows of the tables go, beside how far the options say: statements about rows that are not there hit nothing,
//! and are quicker than any that do.

use assay_wire::{Row, Rows};
use assay_workload::{Dataset, Table};

use crate::process::failure::Fatal;
use crate::say::doubts::doubt;
use crate::server::ask::ask_rows;
use crate::server::login::Login;
use assay_format::event::Doubt;

/// Tables that are looked at, spread over all of them.
const LOOKED_AT: usize = 64;
/// Share of the rows by which the last one may be before or behind its place: holes that deletes have left, a few inserts.
const SLACK: f64 = 0.01;

/// The extents that were found: each table that was looked at, with the largest row number in it (0 for none).
pub(crate) type Extents<'a> = Vec<(&'a Table, u64)>;

/// Looks how far the tables go. Nothing where they are not numbered, or the server does not say: a table that is missing is
/// said by the load itself.
pub(crate) fn extents<'a>(login: &Login, data: &'a dyn Dataset) -> Result<Extents<'a>, Fatal> {
    let Some(column) = data.numbered_by() else { return Ok(Vec::new()) };
    let tables: Vec<&Table> = data.tables().iter().filter(|table| table.rows > 0).collect();
    let step = tables.len().div_ceil(LOOKED_AT).max(1);
    let chosen: Vec<&Table> = tables.into_iter().step_by(step).collect();
    if chosen.is_empty() {
        return Ok(Vec::new());
    }
    let last = |table: &&Table| format!(", (SELECT MAX({column}) FROM {})", table.name);
    let sql = format!("SELECT @@max_connections{}", chosen.iter().map(last).collect::<String>());
    let mut ends = Ends::default();
    match ask_rows(login, &sql, Some(login.timeout_ns()), &mut ends) {
        Err(fatal) if fatal.interrupted => Err(fatal),
        Err(_) => Ok(Vec::new()),
        Ok(()) => {
            let numbers = ends.0.into_iter().skip(1);
            Ok(chosen.into_iter().zip(numbers).filter_map(|(table, last)| Some((table, last?))).collect())
        }
    }
}

/// The numbers of a row: 0 for NULL, as an empty table answers, `None` for what is no number.
#[derive(Default)]
struct Ends(Vec<Option<u64>>);

impl Rows for Ends {
    fn row(&mut self, row: &Row<'_>) {
        let end = |column| match row.bytes(column) {
            None => Some(0),
            // Ids may be negative: those are behind all that a load draws.
            Some(_) => row.int(column).map(|number| u64::try_from(number).unwrap_or(0)),
        };
        self.0 = (0..row.len()).map(end).collect();
    }
}

/// The judgement before a load on tables of these extents: nothing to say, a doubt, or an error.
///
/// # Errors
/// A table ends far before the row numbers that the load draws.
pub(crate) fn judge(extents: &Extents<'_>, resizes: bool) -> Result<Option<Doubt>, Fatal> {
    let slack = |table: &Table| (table.rows as f64 * SLACK) as u64;
    if let Some((table, last)) = extents.iter().find(|(table, last)| last + slack(table) < table.rows) {
        let (name, rows) = (&table.name, table.rows);
        let message = match last {
            0 => format!("{name} is empty, but the load is for {rows} rows (table_size)"),
            _ => {
                format!(
                    "the rows of {name} go up to id {last}, but the load draws ids up to {rows} (table_size)"
                )
            }
        };
        if resizes {
            return Ok(Some(doubt("table-size", message, *last as f64, rows as f64)));
        }
        let hint = match last {
            0 => "run prepare first, with the same table_size".to_owned(),
            _ => format!(
                "give the size of the tables (--table-size {last}), or run cleanup and prepare for {rows}"
            ),
        };
        return Err(
            Fatal::job(format!("{message}: statements on the missing ids would find nothing")).hint(hint)
        );
    }
    let beyond = extents.iter().find(|(table, last)| !resizes && *last > table.rows + slack(table));
    Ok(beyond.map(|(table, last)| {
        let message = format!(
            "the rows of {} go up to id {last}, but the load uses only the first {} (table_size): it is the load \
            of a smaller table",
            table.name, table.rows
        );
        doubt("table-size", message, *last as f64, table.rows as f64)
    }))
}

/// Refuses to go on with a broken load whose tables were for more rows.
///
/// # Errors
/// A table has rows beyond those that are asked for.
pub(crate) fn refuse_larger(extents: &Extents<'_>) -> Result<(), Fatal> {
    let Some((table, last)) = extents.iter().find(|(table, last)| *last > table.rows) else { return Ok(()) };
    let message = format!(
        "the rows of {} go up to id {last}: it was made with a table_size other than {}",
        table.name, table.rows
    );
    Err(Fatal::job(message).hint("give the options of the existing tables, or run cleanup and prepare"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: u64) -> Table {
        Table {
            name: "sbtest1".into(),
            create: String::new(),
            columns: "id".into(),
            rows,
            row_bytes: 1,
            chunk_rows: 1,
            count_chunk: String::new(),
            after: Vec::new(),
        }
    }

    #[test]
    fn a_table_that_ends_early_is_refused_and_a_longer_one_doubted() {
        let table = table(10_000);
        let judged = |last, resizes| judge(&vec![(&table, last)], resizes);
        for (last, words) in [(0, "is empty"), (250, "go up to id 250"), (9_899, "go up to id 9899")] {
            let refused = judged(last, false).unwrap_err();
            assert!(refused.message.contains(words), "{}", refused.message);
            assert_eq!(refused.exit_code(), 2);
            assert!(judged(last, true).unwrap().is_some(), "its own work, all the same worth a word");
        }
        for last in [9_900, 10_000, 10_100] {
            assert!(judged(last, false).unwrap().is_none(), "{last}");
        }
        assert_eq!(judged(10_101, false).unwrap().unwrap().kind, "table-size");
        assert!(judged(10_101, true).unwrap().is_none());
    }

    #[test]
    fn a_broken_load_goes_on_with_its_own_size_only() {
        let table = table(2_000);
        assert!(refuse_larger(&vec![(&table, 1_200)]).is_ok());
        assert!(refuse_larger(&vec![(&table, 430_000)]).unwrap_err().message.contains("430000"));
    }
}
