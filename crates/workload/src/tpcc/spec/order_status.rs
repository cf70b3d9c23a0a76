//! Order-Status (clause 2.6.2): reads only.

use assay_wire::{Param, Row};

use super::Bounds;
use crate::statement::Statements;
use crate::tpcc::input::{self, Who};
use crate::tpcc::names::LastNames;
use crate::tpcc::read::{Namesakes, found, hit};
use crate::{Failure, Session, StatementId};

#[derive(Debug)]
pub(crate) struct OrderStatus {
    by_name: StatementId,
    by_id: StatementId,
    order: StatementId,
    lines: StatementId,
}

const CUSTOMER: &str = "c_id, c_balance, c_first, c_middle, c_last";

impl OrderStatus {
    pub(crate) fn new(statements: &mut Statements) -> Self {
        Self {
            by_name: statements.once(
                "select_customers_by_name",
                format!(
                    "SELECT {CUSTOMER} FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ? ORDER BY c_first"
                ),
            ),
            by_id: statements.once(
                "select_customer",
                format!("SELECT {CUSTOMER} FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?"),
            ),
            order: statements.once(
                "select_last_order",
                "SELECT o_id, o_entry_d, o_carrier_id FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ? \
                 ORDER BY o_id DESC LIMIT 1",
            ),
            lines: statements.once(
                "select_order_lines",
                "SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d FROM order_line \
                 WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?",
            ),
        }
    }

    pub(crate) async fn run(
        &self,
        bounds: &Bounds,
        input: &input::OrderStatus,
        names: &LastNames,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let [w, d] = [input.warehouse, input.district].map(Param::UInt);
        bounds.begin(session).await?;
        let mut customers = Namesakes::new();
        let mut read = |row: &Row<'_>| customers.add(row.int(0));
        match input.who {
            Who::Id(id) => session.select(self.by_id, &[w, d, Param::UInt(id)], &mut read).await?,
            Who::Name(number) => {
                session.select(self.by_name, &[w, d, Param::Bytes(names.of(number))], &mut read).await?
            }
        };
        let c = Param::Int(found(customers.middle(), "a customer of Order-Status is missing")?);
        let mut last = None;
        session.select(self.order, &[w, d, c], &mut |row: &Row<'_>| last = row.int(0)).await?;
        let order = Param::Int(found(last, "a customer of Order-Status has no order")?);
        hit(
            session.execute(self.lines, &[w, d, order]).await?.rows,
            "an order of Order-Status has no lines",
        )?;
        bounds.commit(session).await
    }
}
