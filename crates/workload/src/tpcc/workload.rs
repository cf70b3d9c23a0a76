//! The workload itself: terminals, their transactions, what is counted of them.

use std::fmt::Write;

use crate::entry::Shipped;
use crate::statement::Statements;
use crate::tpcc::counters as count;
use crate::tpcc::data::TpccData;
use crate::tpcc::input;
use crate::tpcc::legacy::Legacy;
use crate::tpcc::mix::{self, Mix, TransactionKind};
use crate::tpcc::names::LastNames;
use crate::tpcc::nurand::Constants;
use crate::tpcc::options::{Dialect, HistoryKey, LineOrder, Options};
use crate::tpcc::population::{DISTRICTS, uuid};
use crate::tpcc::spec::{Buffers, Delivered, Spec};
use crate::{Driver, Failure, LedgerId, Measure, Operation, OptionError, Session};

#[derive(Debug)]
pub(crate) struct Tpcc {
    pub(super) options: Options,
    pub(super) seed: u64,
    pub(super) data: TpccData,
    pub(super) statements: Statements,
    pub(super) mix: Mix,
    names: LastNames,
    pub(super) constants: Constants,
    /// Absent where the tables were made by another tool.
    pub(super) c_load: Option<u64>,
    /// Warehouses that the load uses.
    pub(super) warehouses: u64,
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

impl Shipped for Tpcc {
    type Options = Options;

    const NAME: &'static str = "tpcc";
    const SUMMARY: &'static str =
        "TPC-C: orders, payments and deliveries of warehouses, five kinds of transactions";
    const KINDS: &'static [&'static str] = &mix::NAMES;
    const MEASURES: &'static [Measure] = &mix::MEASURES;
    const CONDITIONS: bool = true;
    const KEEPS_LEDGER: bool = true;

    fn new(options: Options, seed: u64) -> Result<Self, OptionError> {
        options.validate()?;
        let mut statements = Statements::default();
        let transactions = match options.dialect {
            Dialect::Spec => Transactions::Spec(Box::new(Spec::new(&options, &mut statements))),
            Dialect::TpccMysql => Transactions::Legacy(Box::new(Legacy::new(&options, &mut statements))),
        };
        options.isolation.set_up(&mut statements);
        if options.dialect == Dialect::TpccMysql {
            statements.set_up("SET autocommit = 0");
        }
        Ok(Self {
            data: TpccData::new(&options, seed)?,
            seed,
            statements,
            mix: Mix::new(&options),
            names: LastNames::new(),
            constants: Constants::draw(seed, None),
            c_load: None,
            warehouses: u64::from(options.warehouses.max(1)),
            transactions,
            options,
        })
    }
}

impl Driver for Tpcc {
    type Local = ();
    type Terminal = Terminal;

    fn local(&self) {}

    fn terminal(&self, _local: &(), number: u32, _of: u32) -> Terminal {
        Terminal {
            warehouse: self.home(number),
            district: u64::from(number) / self.warehouses % DISTRICTS + 1,
            buffers: Buffers::default(),
            uuid: Vec::new(),
        }
    }

    async fn transaction(
        &self,
        terminal: &mut Terminal,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let kind = self.mix.kind(self.seed, operation.terminal, operation.number);
        operation.kind = Some(kind.id());
        // tpcc-mysql knows no home: every transaction picks a warehouse.
        let warehouse = match self.transactions {
            Transactions::Spec(_) => terminal.warehouse,
            Transactions::Legacy(_) => operation.rng.range(1, self.warehouses),
        };
        match kind {
            TransactionKind::NewOrder => self.new_order(warehouse, operation, session).await,
            TransactionKind::Payment => self.payment(warehouse, terminal, operation, session).await,
            TransactionKind::OrderStatus => self.order_status(warehouse, operation, session).await,
            TransactionKind::Delivery if self.options.defers() => {
                operation.defer();
                Ok(())
            }
            TransactionKind::Delivery => self.delivery(warehouse, operation, session).await.map(drop),
            TransactionKind::StockLevel => self.stock_level(warehouse, terminal, operation, session).await,
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
        let (input, delivered) = self.delivery(self.home(operation.terminal), operation, session).await?;
        let _ = write!(record, ",{},{}", input.warehouse, input.carrier);
        for order in delivered.ids {
            let _ = write!(record, ",{order}");
        }
        Ok(())
    }
}

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
