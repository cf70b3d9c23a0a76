//! What is known of TPC-C beside its transactions: names and facts, the pace of its terminals, the notes of its tables.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::description::names;
use crate::noted::noted;
use crate::statement::Statements;
use crate::tpcc::counters as count;
use crate::tpcc::mix::{self, Mix};
use crate::tpcc::nurand::{A_LAST, Constants};
use crate::tpcc::options::{Dialect, Pacing};
use crate::tpcc::population::DISTRICTS;
use crate::tpcc::schema::NOTES_NAME;
use crate::tpcc::workload::Tpcc;
use crate::{Dataset, Deferral, Description, Learner, Ledger, Measure, OptionError, Pace, Pause};

/// The most that the option may be.
const WAREHOUSES_MOST: u64 = 1_000_000;
/// Terminals of a warehouse (clause 4.2.2).
const TERMINALS: u64 = 10;

impl Description for Tpcc {
    fn statements(&self) -> &Statements {
        &self.statements
    }

    fn data(&self) -> &dyn Dataset {
        &self.data
    }

    fn kinds(&self) -> Vec<Arc<str>> {
        // The last is the work of queued Deliveries.
        names(&mix::NAMES[..mix::NAMES.len() - usize::from(!self.options.defers())])
    }

    fn counters(&self) -> Vec<Arc<str>> {
        names(&count::NAMES)
    }

    fn measures(&self) -> Vec<Measure> {
        mix::MEASURES.to_vec()
    }

    fn facts(&self) -> BTreeMap<String, String> {
        let options = &self.options;
        let words = |name, word: serde_json::Value| (name, word.as_str().unwrap_or_default().to_owned());
        let word = |name, value: Result<serde_json::Value, _>| words(name, value.unwrap_or_default());
        let facts = [
            ("dialect", options.dialect.name().to_owned()),
            ("warehouses", self.warehouses.to_string()),
            ("c_run", self.constants.last.to_string()),
            ("history_key", options.history_key.name().to_owned()),
            word("statements", serde_json::to_value(options.statements)),
            word("line_order", serde_json::to_value(options.line_order)),
            word("isolation", serde_json::to_value(options.isolation)),
            word("mix", serde_json::to_value(options.mix)),
            word("pacing", serde_json::to_value(options.pacing)),
            ("delivery_mode", if options.defers() { "deferred" } else { "inline" }.to_owned()),
        ];
        let c_load = self.c_load.map(|c_load| ("c_load", c_load.to_string()));
        facts.into_iter().chain(c_load).map(|(name, value)| (name.to_owned(), value)).collect()
    }

    fn reach(&self, terminals: u32) -> Option<(u64, u64)> {
        let home = self.options.dialect == Dialect::Spec;
        home.then(|| (u64::from(terminals).min(self.warehouses), self.warehouses))
    }

    fn pace(&self) -> Option<Arc<dyn Pace>> {
        (self.options.pacing == Pacing::Spec).then(|| {
            let pace = Specified { mix: self.mix.clone(), seed: self.seed, warehouses: self.warehouses };
            Arc::new(pace) as Arc<dyn Pace>
        })
    }

    fn deferral(&self) -> Option<Deferral> {
        self.options.defers().then(|| {
            let orders = (1..=DISTRICTS).map(|district| format!("order_{district}").into());
            Deferral { record: names(&["warehouse", "carrier"]).into_iter().chain(orders).collect() }
        })
    }

    /// New-Orders; one that was rolled back by its unused item is none.
    fn ledgers(&self) -> Vec<Ledger> {
        vec![Ledger {
            kind: "new_order".into(),
            check: "ledger-new-order".into(),
            title: "every New-Order whose commit was acknowledged is in orders".into(),
            table: "orders".into(),
            key: names(&["o_w_id", "o_d_id", "o_id"]),
        }]
    }

    fn learner(&mut self) -> Option<&mut dyn Learner> {
        Some(self)
    }
}

/// The keying and think times of the specification (clause 5.2.5), for ten terminals a warehouse.
#[derive(Debug)]
struct Specified {
    mix: Mix,
    seed: u64,
    warehouses: u64,
}

impl Pace for Specified {
    fn pause(&self, terminal: u32, number: u64) -> Pause {
        self.mix.pause(self.seed, terminal, number)
    }

    fn terminals(&self) -> Option<u64> {
        Some(self.warehouses * TERMINALS)
    }
}

impl Learner for Tpcc {
    fn learn(&mut self, notes: &BTreeMap<String, String>) -> Result<(), OptionError> {
        let refuse = |message: String| Err(OptionError(format!("tpcc: {message}")));
        let dialect = self.options.dialect;
        if notes.is_empty() {
            // Tables of tpcc_load have no notes.
            return match dialect {
                Dialect::TpccMysql if self.options.warehouses > 0 => Ok(()),
                Dialect::TpccMysql => refuse(format!(
                    "table {NOTES_NAME} is missing, so that nothing says how many warehouses there are: run prepare, or \
                     give warehouses for tables of another tool"
                )),
                Dialect::Spec => refuse(format!(
                    "table {NOTES_NAME} is missing or empty: run prepare, or continue an interrupted one with \
                    --resume"
                )),
            };
        }
        let note = |name: &str| notes.get(name).map_or("", String::as_str);
        for (name, asked) in [("dialect", dialect.name()), ("history_key", self.options.history_key.name())] {
            if note(name) != asked {
                return refuse(format!(
                    "{name} = {asked}, but the tables were made with {name} = {}",
                    note(name)
                ));
            }
        }
        let number = |name, range| {
            noted(notes, NOTES_NAME, name, range).map_err(|it| OptionError(format!("tpcc: {it}")))
        };
        let loaded = number("warehouses", 1..=WAREHOUSES_MOST)?;
        let c_load = match dialect {
            Dialect::TpccMysql if !notes.contains_key("c_load") => None,
            _ => Some(number("c_load", 0..=A_LAST)?),
        };
        if u64::from(self.options.warehouses) > loaded {
            return refuse(format!("warehouses = {}, but {loaded} were loaded", self.options.warehouses));
        }
        self.warehouses = if self.options.warehouses == 0 { loaded } else { self.options.warehouses.into() };
        self.data.warehouses = loaded;
        self.c_load = c_load;
        self.constants = Constants::draw(self.seed, self.c_load);
        Ok(())
    }
}
