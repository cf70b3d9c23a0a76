//! The five transactions as the tool tpcc-mysql has them, where they differ from the specification: what they read and
//! write, in which order, and what they leave out. Its arithmetic is done exactly.

mod delivery;
mod new_order;
mod order_status;
mod payment;
mod stock_level;

use crate::statement::Statements;
use crate::tpcc::input;
use crate::tpcc::names::LastNames;
use crate::tpcc::options::Options;
use crate::tpcc::spec::{Buffers, Delivered};
use crate::{Failure, LabelId, Session};

/// The end of a transaction. Autocommit is off: nothing begins one.
#[derive(Debug)]
pub(crate) struct Ends {
    commit: LabelId,
    rollback: LabelId,
}

impl Ends {
    async fn commit(&self, session: &mut impl Session) -> Result<(), Failure> {
        session.query(self.commit, b"COMMIT").await.map(drop)
    }

    async fn roll_back(&self, session: &mut impl Session) -> Result<(), Failure> {
        session.query(self.rollback, b"ROLLBACK").await.map(drop)
    }
}

#[derive(Debug)]
pub(crate) struct Legacy {
    bounds: Ends,
    new_order: new_order::NewOrder,
    payment: payment::Payment,
    order_status: order_status::OrderStatus,
    delivery: delivery::Delivery,
    stock_level: stock_level::StockLevel,
}

impl Legacy {
    pub(crate) fn new(options: &Options, statements: &mut Statements) -> Self {
        Self {
            bounds: Ends { commit: statements.label("commit"), rollback: statements.label("rollback") },
            new_order: new_order::NewOrder::new(statements),
            payment: payment::Payment::new(options, statements),
            order_status: order_status::OrderStatus::new(statements),
            delivery: delivery::Delivery::new(statements),
            stock_level: stock_level::StockLevel::new(statements),
        }
    }

    pub(crate) async fn new_order(
        &self,
        input: &input::NewOrder,
        session: &mut impl Session,
    ) -> Result<Option<u64>, Failure> {
        self.new_order.run(&self.bounds, input, session).await
    }

    pub(crate) async fn payment(
        &self,
        input: &input::Payment,
        names: &LastNames,
        uuid: Option<&[u8]>,
        buffers: &mut Buffers,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        self.payment.run(&self.bounds, input, names, uuid, buffers, session).await
    }

    /// By name it goes on with `customer`, drawn apart, not with the one it found.
    pub(crate) async fn order_status(
        &self,
        input: &input::OrderStatus,
        customer: u64,
        names: &LastNames,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        self.order_status.run(&self.bounds, input, customer, names, session).await
    }

    pub(crate) async fn delivery(
        &self,
        input: &input::Delivery,
        session: &mut impl Session,
    ) -> Result<Delivered, Failure> {
        self.delivery.run(&self.bounds, input, session).await
    }

    pub(crate) async fn stock_level(
        &self,
        input: &input::StockLevel,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        self.stock_level.run(&self.bounds, input, session).await
    }
}
