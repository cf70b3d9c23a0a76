//! Action `check` for data sets with conditions of their own: each is a query that finds what breaks it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use assay_wire::{Row, Rows};
use assay_workload::Check;

use crate::clock::Clock;
use crate::emit::emit;
use crate::event::{CheckOutcome, ErrorKind, Event};
use crate::failure::Fatal;
use crate::login::Login;
use crate::pool::{Shared, work_off};

/// Places that are named for each condition.
const PLACES: usize = 5;
/// Rows after which a query stops: a condition that broken needs no exact count.
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
            let names = row.columns().iter().map(|column| column.name_str().into_owned()).enumerate();
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
/// hears how many queries were tried.
///
/// # Errors
/// The server refuses a query, or conditions do not hold.
pub fn try_all(
    login: &Login,
    clock: Clock,
    connections: usize,
    checks: Vec<Check>,
    report: impl FnMut(u64),
) -> Result<bool, Fatal> {
    let mut sums: BTreeMap<&'static str, Sum> = BTreeMap::new();
    for check in &checks {
        let outcome = || CheckOutcome {
            name: check.name.into(),
            title: check.title.into(),
            violations: 0,
            places: Vec::new(),
            elapsed_s: 0.0,
        };
        sums.entry(check.name).or_insert_with(|| Sum { outcome: outcome(), parts_left: 0 }).parts_left += 1;
    }
    let sums = RefCell::new(sums);
    let whole = work_off(
        login,
        clock,
        connections,
        checks,
        |shared: Rc<Shared<Check>>, mut connection, check| {
            let sums = &sums;
            async move {
                let began = clock.now();
                let mut found = Violations::default();
                let sql = format!("{} LIMIT {MOST}", check.sql);
                let failed = |error| Fatal::statement(&format!("cannot check {}", check.name), &error);
                connection.query(sql.as_bytes(), &mut found).await.map_err(failed)?;
                if let Some(sum) = sums.borrow_mut().get_mut(check.name) {
                    sum.add(found, (clock.now() - began) as f64 / 1e9);
                }
                shared.add_done(1);
                Ok(connection)
            }
        },
        report,
    )?;
    let sums = sums.into_inner();
    let broken: Vec<_> =
        sums.values().filter(|sum| sum.outcome.violations > 0).map(|sum| &sum.outcome).collect();
    match broken.first() {
        Some(first) => Err(refused(broken.len(), first)),
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

fn refused(count: usize, first: &CheckOutcome) -> Fatal {
    let places = first.places.join("; ");
    let message = format!(
        "{count} condition{} of the tables broken: {} ({}), {} times: {places}",
        if count == 1 { " is" } else { "s are" },
        first.name,
        first.title,
        first.violations,
    );
    Fatal::new(ErrorKind::Server, message)
        .hint("what was measured on these tables is not valid; cleanup and prepare make them again")
}
