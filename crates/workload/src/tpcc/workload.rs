//! The workload itself: terminals, their transactions, what is counted of them.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::noted::noted;
use crate::statement::Statements;
use crate::tpcc::counters as count;
use crate::tpcc::data::TpccData;
use crate::tpcc::input;
use crate::tpcc::legacy::Legacy;
use crate::tpcc::mix::{self, Kind, Mix};
use crate::tpcc::names::LastNames;
use crate::tpcc::nurand::{A_LAST, Constants};
use crate::tpcc::options::{Dialect, HistoryKey, LineOrder, Options, Pacing};
use crate::tpcc::population::{DISTRICTS, uuid};
use crate::tpcc::schema::NOTES_NAME;
use crate::tpcc::spec::{Buffers, Delivered, Spec};
use crate::{
    Dataset, Failure, Ledger, LedgerId, Operation, OptionError, Pause, Session, Statement, Workload,
};

/// The most that the option may be.
const WAREHOUSES_MOST: u64 = 1_000_000;

/// New-Orders; one that was rolled back by its unused item is none.
const NEW_ORDERS: Ledger = Ledger {
    kind: "new_order",
    check: "ledger-new-order",
    title: "every New-Order whose commit was acknowledged is in orders",
    table: "orders",
    key: &["o_w_id", "o_d_id", "o_id"],
};

#[derive(Debug)]
pub(crate) struct Tpcc {
    options: Options,
    seed: u64,
    data: TpccData,
    statements: Statements,
    session: Vec<String>,
    mix: Mix,
    names: LastNames,
    constants: Constants,
    /// Absent where the tables were made by another tool.
    c_load: Option<u64>,
    /// Warehouses that the load uses.
    warehouses: u64,
    transactions: Transactions,
}

#[derive(Debug)]
enum Transactions {
    Spec(Box<Spec>),
    Legacy(Box<Legacy>),
}

/// A terminal (clause 2.4.1.1): its warehouse, and the district of its Stock-Levels, are its own for the whole run.
#[derive(Debug)]
pub(crate) struct Terminal {
    warehouse: u64,
    district: u64,
    buffers: Buffers,
    uuid: Vec<u8>,
}

impl Workload for Tpcc {
    type Options = Options;
    type Worker = Terminal;

    const NAME: &'static str = "tpcc";
    const SUMMARY: &'static str =
        "TPC-C: orders, payments and deliveries of warehouses, five kinds of transactions";

    const KINDS: &'static [&'static str] = &mix::NAMES;
    const CONDITIONS: bool = true;
    const LEDGERS: &'static [Ledger] = &[NEW_ORDERS];

    const RECORD: &'static [&'static str] = &[
        "warehouse",
        "carrier",
        "order_1",
        "order_2",
        "order_3",
        "order_4",
        "order_5",
        "order_6",
        "order_7",
        "order_8",
        "order_9",
        "order_10",
    ];

    fn new(options: Options, seed: u64) -> Result<Self, OptionError> {
        options.validate()?;
        let mut statements = Statements::default();
        let transactions = match options.dialect {
            Dialect::Spec => Transactions::Spec(Box::new(Spec::new(&options, &mut statements))),
            Dialect::TpccMysql => Transactions::Legacy(Box::new(Legacy::new(&options, &mut statements))),
        };
        let mut session: Vec<String> = options.isolation.statement().into_iter().collect();
        if options.dialect == Dialect::TpccMysql {
            session.push("SET autocommit = 0".into());
        }
        Ok(Self {
            data: TpccData::new(&options, seed)?,
            seed,
            statements,
            session,
            mix: Mix::new(&options),
            names: LastNames::new(),
            constants: Constants::draw(seed, None),
            c_load: None,
            warehouses: u64::from(options.warehouses.max(1)),
            transactions,
            options,
        })
    }

    fn labels(&self) -> &[&'static str] {
        self.statements.labels()
    }

    fn kinds(&self) -> &[&'static str] {
        &Self::KINDS[..Self::KINDS.len() - usize::from(!self.options.defers())]
    }

    fn counters(&self) -> &[&'static str] {
        &count::NAMES
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let options = &self.options;
        let c_load = self.c_load.map(|c_load| ("c_load", c_load.to_string()));
        let words = |name, word: serde_json::Value| (name, word.as_str().unwrap_or_default().to_owned());
        let word = |name, value: Result<serde_json::Value, _>| words(name, value.unwrap_or_default());
        let mut facts = vec![
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
        facts.extend(c_load);
        facts
    }

    fn session(&self) -> &[String] {
        &self.session
    }

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
                    "table {NOTES_NAME} is missing or empty: run prepare, or end one that was broken off with --resume"
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

    fn statements(&self) -> &[Statement] {
        self.statements.list()
    }

    fn data(&self) -> &dyn Dataset {
        &self.data
    }

    fn worker(&self, worker: u32, _workers: u32) -> Terminal {
        let number = u64::from(worker);
        Terminal {
            warehouse: self.home(worker),
            district: number / self.warehouses % DISTRICTS + 1,
            buffers: Buffers::default(),
            uuid: Vec::new(),
        }
    }

    fn reach(&self, terminals: u32) -> Option<(u64, u64)> {
        let home = self.options.dialect == Dialect::Spec;
        home.then(|| (u64::from(terminals).min(self.warehouses), self.warehouses))
    }

    fn pause(&self, seed: u64, worker: u32, number: u64) -> Option<Pause> {
        (self.options.pacing == Pacing::Spec).then(|| self.mix.pause(seed, worker, number))
    }

    fn terminals(&self) -> Option<u64> {
        (self.options.pacing == Pacing::Spec).then(|| self.warehouses * TERMINALS)
    }

    fn defers(&self) -> bool {
        self.options.defers()
    }

    async fn transaction(
        &self,
        terminal: &mut Terminal,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let kind = self.mix.kind(self.seed, operation.worker, operation.number);
        operation.kind = Some(kind.id());
        // tpcc-mysql knows no home: every transaction picks a warehouse.
        let warehouse = match self.transactions {
            Transactions::Spec(_) => terminal.warehouse,
            Transactions::Legacy(_) => operation.rng.range(1, self.warehouses),
        };
        match kind {
            Kind::NewOrder => self.new_order(warehouse, operation, session).await,
            Kind::Payment => self.payment(warehouse, terminal, operation, session).await,
            Kind::OrderStatus => self.order_status(warehouse, operation, session).await,
            Kind::Delivery if self.options.defers() => {
                operation.defer();
                Ok(())
            }
            Kind::Delivery => self.delivery(warehouse, operation, session).await.map(drop),
            Kind::StockLevel => self.stock_level(warehouse, terminal, operation, session).await,
        }
    }

    /// A queued Delivery (clause 2.7.2.2): its record has the order of each district, 0 where there was none.
    async fn deferred(
        &self,
        operation: &mut Operation,
        record: &mut String,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        operation.kind = Some(mix::DEFERRED);
        let (input, delivered) = self.delivery(self.home(operation.worker), operation, session).await?;
        let _ = write!(record, ",{},{}", input.warehouse, input.carrier);
        for order in delivered.ids {
            let _ = write!(record, ",{order}");
        }
        Ok(())
    }
}

/// Terminals of a warehouse (clause 4.2.2).
const TERMINALS: u64 = 10;

impl Tpcc {
    /// The warehouse of a terminal.
    fn home(&self, terminal: u32) -> u64 {
        u64::from(terminal) % self.warehouses + 1
    }

    async fn new_order(
        &self,
        warehouse: u64,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let drawn = input::NewOrder::draw(&mut operation.rng, &self.constants, self.warehouses, warehouse);
        let input = if self.options.line_order == LineOrder::Sorted { drawn.sorted() } else { drawn };
        operation.count(count::ORDERS, 1);
        operation.count(count::ROLLED_BACK, u32::from(input.rollback));
        operation.count(count::LINES, input.lines().len());
        operation.count(count::REMOTE_LINES, input.remote_lines());
        let committed = match &self.transactions {
            Transactions::Spec(spec) => spec.new_order(&input, session).await?,
            Transactions::Legacy(legacy) => legacy.new_order(&input, session).await?,
        };
        if let Some(id) = committed {
            operation.acknowledge(LedgerId(0), &[input.warehouse, input.district, id]);
        }
        Ok(())
    }

    async fn payment(
        &self,
        warehouse: u64,
        terminal: &mut Terminal,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let input = input::Payment::draw(&mut operation.rng, &self.constants, self.warehouses, warehouse);
        operation.count(count::PAYMENTS, 1);
        operation.count(count::REMOTE_PAYMENTS, u32::from(input.is_remote()));
        operation.count(count::PAYMENTS_BY_NAME, u32::from(input.who.is_name()));
        let Terminal { buffers, uuid: key, .. } = terminal;
        let key = (self.options.history_key == HistoryKey::Uuid).then(|| {
            key.clear();
            uuid(&mut operation.rng, key);
            key.as_slice()
        });
        match &self.transactions {
            Transactions::Spec(spec) => spec.payment(&input, &self.names, key, buffers, session).await,
            Transactions::Legacy(legacy) => legacy.payment(&input, &self.names, key, buffers, session).await,
        }
    }

    async fn order_status(
        &self,
        warehouse: u64,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let input = input::OrderStatus::draw(&mut operation.rng, &self.constants, warehouse);
        operation.count(count::STATUS, 1);
        operation.count(count::STATUS_BY_NAME, u32::from(input.who.is_name()));
        match &self.transactions {
            Transactions::Spec(spec) => spec.order_status(&input, &self.names, session).await,
            Transactions::Legacy(legacy) => {
                let customer = self.constants.customer(&mut operation.rng);
                legacy.order_status(&input, customer, &self.names, session).await
            }
        }
    }

    async fn delivery(
        &self,
        warehouse: u64,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(input::Delivery, Delivered), Failure> {
        let input = input::Delivery::draw(&mut operation.rng, warehouse);
        let delivered = match &self.transactions {
            Transactions::Spec(spec) => spec.delivery(&input, session).await?,
            Transactions::Legacy(legacy) => legacy.delivery(&input, session).await?,
        };
        operation.count(count::DELIVERIES, 1);
        operation.count(count::DELIVERED, delivered.orders);
        operation.count(count::SKIPPED, delivered.skipped);
        Ok((input, delivered))
    }

    async fn stock_level(
        &self,
        warehouse: u64,
        terminal: &Terminal,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        match &self.transactions {
            Transactions::Spec(spec) => {
                let input = input::StockLevel::draw(&mut operation.rng, warehouse, terminal.district);
                spec.stock_level(&input, session).await
            }
            Transactions::Legacy(legacy) => {
                let district = operation.rng.range(1, DISTRICTS);
                let input = input::StockLevel::draw(&mut operation.rng, warehouse, district);
                legacy.stock_level(&input, session).await
            }
        }
    }
}
