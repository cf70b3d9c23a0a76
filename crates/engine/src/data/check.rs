//! Action `check` for data sets with conditions of their own: each is a query that finds what breaks it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use assay_wire::{Row, Rows};
use assay_workload::Check;

use crate::data::pool::{Shared, work_off};
use crate::ledger::Entries;
use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::process::poison::unpoisoned;
use crate::say::doubts::doubt;
use crate::say::emit::emit;
use crate::server::ask::has_rows;
use crate::server::login::Login;
use assay_format::event::{CheckOutcome, ErrorKind, Event};

/// The number of places that are named for each broken condition.
const PLACES: usize = 5;
/// The number of rows after which the query of a condition stops: a condition that broken needs no exact count.
const MOST: u64 = 1_000;

/// The rows of one query: how many, and where the first of them are.
#[derive(Default)]
struct Violations {
    count: u64,
    places: Vec<String>,
}

impl Rows for Violations {
    fn row(&mut self, row: &Row<'_>) {
        self.count += 1;
        if self.places.len() < PLACES {
            let value = |column| row.bytes(column).unwrap_or(std::borrow::Cow::Borrowed(b"NULL"));
            let names = row.columns().iter().map(|column| column.name().to_owned()).enumerate();
            let parts = names.map(|(at, name)| format!("{name} = {}", String::from_utf8_lossy(&value(at))));
            self.places.push(parts.collect::<Vec<_>>().join(", "));
        }
    }
}

/// Conditions that share a name, put together from their parts.
struct Sum {
    outcome: CheckOutcome,
    parts_left: usize,
}

/// Tries all conditions, `connections` at a time, and says each one's outcome when its last part is done. `report`
/// hears how many queries were tried. Checks that are in `promised` look for the entries of a ledger.
///
/// # Errors
/// The server refuses a query, or conditions do not hold.
pub(crate) fn try_all(
    login: &Login,
    clock: Clock,
    connections: usize,
    checks: Vec<Check>,
    promised: &Entries,
    report: impl FnMut(u64),
) -> Result<bool, Fatal> {
    let mut sums: BTreeMap<Arc<str>, Sum> = BTreeMap::new();
    for check in &checks {
        let outcome = || CheckOutcome {
            name: check.name.to_string(),
            title: titled(check, promised),
            violations: 0,
            places: Vec::new(),
            elapsed_s: 0.0,
        };
        sums.entry(check.name.clone())
            .or_insert_with(|| Sum { outcome: outcome(), parts_left: 0 })
            .parts_left += 1;
    }
    for (name, _) in promised.iter().filter(|(_, entries)| **entries == 0) {
        let message = format!("{name}: the ledger has no entry: that nothing is missing says nothing");
        emit(&Event::Doubt(doubt("ledger-empty", message, 0.0, 1.0)));
    }
    let sums = Mutex::new(sums);
    let whole = work_off(
        login,
        clock,
        connections,
        checks,
        |shared: Arc<Shared<Check>>, mut connection, check| {
            let sums = &sums;
            async move {
                let began = clock.now();
                let mut found = Violations::default();
                let sql = format!("{} LIMIT {MOST}", check.sql);
                let failed = |error| Fatal::statement(&format!("cannot check {}", check.name), &error);
                let outcome = connection.query(sql.as_bytes(), &mut found).await.map_err(failed)?;
                has_rows(&sql, &outcome)?;
                if let Some(sum) = unpoisoned(sums.lock()).get_mut(&check.name) {
                    sum.add(found, (clock.now() - began) as f64 / 1e9);
                }
                shared.add_done(1);
                Ok(connection)
            }
        },
        report,
    )?;
    let sums = unpoisoned(sums.into_inner());
    let broken: Vec<_> =
        sums.values().filter(|sum| sum.outcome.violations > 0).map(|sum| &sum.outcome).collect();
    match broken.first() {
        Some(first) => Err(refused(&broken, first, promised)),
        None => Ok(whole),
    }
}

impl Sum {
    fn add(&mut self, found: Violations, elapsed_s: f64) {
        self.outcome.violations += found.count;
        self.outcome.elapsed_s += elapsed_s;
        let room = PLACES - self.outcome.places.len();
        self.outcome.places.extend(found.places.into_iter().take(room));
        self.parts_left -= 1;
        if self.parts_left == 0 {
            emit(&Event::Check(self.outcome.clone()));
        }
    }
}

/// The title of a condition: what must hold, and for how many entries of a ledger.
fn titled(check: &Check, promised: &Entries) -> String {
    match promised.get(&check.name) {
        Some(1) => format!("{} (1 entry)", check.title),
        Some(entries) => format!("{} ({entries} entries)", check.title),
        None => check.title.to_string(),
    }
}

fn refused(broken: &[&CheckOutcome], first: &CheckOutcome, promised: &Entries) -> Fatal {
    let (s, are) = if broken.len() == 1 { ("", "is") } else { ("s", "are") };
    let message = format!(
        "{} condition{s} of the tables {are} broken: {} ({}), {} times: {}",
        broken.len(),
        first.name,
        first.title,
        first.violations,
        first.places.join("; "),
    );
    // Commits that are lost are what was asked; what else is wrong belongs to the evidence.
    let lost = broken.iter().any(|outcome| promised.contains_key(outcome.name.as_str()));
    Fatal::new(ErrorKind::Server, message).hint(if lost {
        "the server lost what it had acknowledged: that is the result; keep the tables, the ledger and the server's log"
    } else {
        "what was measured on these tables is not valid; cleanup and prepare make them again"
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(name: &str) -> CheckOutcome {
        CheckOutcome {
            name: name.into(),
            title: "it holds".into(),
            violations: 2,
            places: vec!["w = 1".into(), "w = 2".into()],
            elapsed_s: 0.0,
        }
    }

    #[test]
    fn a_loss_is_a_result_and_a_broken_table_is_not() {
        let promised = Entries::from([("ledger-order".into(), 9)]);
        let (ledger, table) = (outcome("ledger-order"), outcome("consistency-1"));
        let both = refused(&[&table, &ledger], &table, &promised);
        assert!(both.hint.is_some_and(|hint| hint.contains("keep the tables")));
        let lost = refused(&[&ledger], &ledger, &promised);
        assert_eq!(
            lost.message,
            "1 condition of the tables is broken: ledger-order (it holds), 2 times: w = 1; w = 2"
        );
        assert!(lost.hint.is_some_and(|hint| hint.contains("keep the tables")));
        let broken = refused(&[&table, &table], &table, &promised);
        assert!(broken.message.starts_with("2 conditions of the tables are broken: consistency-1"));
        assert!(broken.hint.is_some_and(|hint| hint.contains("not valid")));
    }

    #[test]
    fn a_ledger_says_how_many_entries_were_looked_for() {
        let check = |name| Check::new(name, "all are there", "");
        let promised = Entries::from([("ledger-order".into(), 1_234)]);
        assert_eq!(titled(&check("ledger-order"), &promised), "all are there (1234 entries)");
        assert_eq!(titled(&check("consistency-1"), &promised), "all are there");
    }
}
