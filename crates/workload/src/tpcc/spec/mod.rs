//! The five transactions as the specification tells them (clauses 2.4 to 2.8).

mod delivery;
mod lines;
mod lines_batched;
mod new_order;
mod order_status;
mod payment;
mod stock_level;

pub(crate) use crate::bounds::Bounds;
use crate::statement::Statements;
use crate::tpcc::input;
use crate::tpcc::names::LastNames;
use crate::tpcc::options::Options;
use crate::tpcc::population::DISTRICTS;
use crate::{Failure, Session};

/// Outcome of a Delivery.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Delivered {
    pub(crate) orders: u32,
    /// Districts without an order to deliver.
    pub(crate) skipped: u32,
    /// By district; 0 where there was none.
    pub(crate) ids: [i64; DISTRICTS as usize],
}

/// Memory of one terminal, used again.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    pub(crate) text: Vec<u8>,
    pub(crate) data: Vec<u8>,
}

#[derive(Debug)]
pub(crate) struct Spec {
    bounds: Bounds,
    new_order: new_order::NewOrder,
    payment: payment::Payment,
    order_status: order_status::OrderStatus,
    delivery: delivery::Delivery,
    stock_level: stock_level::StockLevel,
}

impl Spec {
    pub(crate) fn new(options: &Options, statements: &mut Statements) -> Self {
        Self {
            bounds: Bounds::new(statements),
            new_order: new_order::NewOrder::new(options, statements),
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

    pub(crate) async fn order_status(
        &self,
        input: &input::OrderStatus,
        names: &LastNames,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        self.order_status.run(&self.bounds, input, names, session).await
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
