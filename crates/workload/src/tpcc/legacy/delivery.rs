//! Delivery: each district is a database transaction, and the oldest order is found without a lock, so that two
//! terminals can deliver the same one.

use assay_wire::{Param, Row};

use super::Ends;
use crate::statement::Statements;
use crate::tpcc::input;
use crate::tpcc::population::DISTRICTS;
use crate::tpcc::read::{found, unscaled};
use crate::tpcc::spec::Delivered;
use crate::{Failure, Session, StatementId};

#[derive(Debug)]
pub(crate) struct Delivery {
    oldest: StatementId,
    delete: StatementId,
    order: StatementId,
    update_order: StatementId,
    update_lines: StatementId,
    amount: StatementId,
    update_customer: StatementId,
}

impl Delivery {
    pub(crate) fn new(statements: &mut Statements) -> Self {
        Self {
            oldest: statements.once(
                "select_oldest_new_order",
                "SELECT COALESCE(MIN(no_o_id), 0) FROM new_orders WHERE no_d_id = ? AND no_w_id = ?",
            ),
            delete: statements.once(
                "delete_new_order",
                "DELETE FROM new_orders WHERE no_o_id = ? AND no_d_id = ? AND no_w_id = ?",
            ),
            order: statements
                .once("select_order", "SELECT o_c_id FROM orders WHERE o_id = ? AND o_d_id = ? AND o_w_id = ?"),
            update_order: statements.once(
                "update_order",
                "UPDATE orders SET o_carrier_id = ? WHERE o_id = ? AND o_d_id = ? AND o_w_id = ?",
            ),
            update_lines: statements.once(
                "update_order_lines",
                "UPDATE order_line SET ol_delivery_d = NOW() WHERE ol_o_id = ? AND ol_d_id = ? AND ol_w_id = ?",
            ),
            amount: statements.once(
                "sum_order_lines",
                "SELECT SUM(ol_amount) FROM order_line WHERE ol_o_id = ? AND ol_d_id = ? AND ol_w_id = ?",
            ),
            update_customer: statements.once(
                "update_customer",
                "UPDATE customer SET c_balance = c_balance + ?, c_delivery_cnt = c_delivery_cnt + 1 \
                 WHERE c_id = ? AND c_d_id = ? AND c_w_id = ?",
            ),
        }
    }

    pub(crate) async fn run(
        &self,
        bounds: &Ends,
        input: &input::Delivery,
        session: &mut impl Session,
    ) -> Result<Delivered, Failure> {
        let mut delivered = Delivered::default();
        let (w, carrier) = (Param::UInt(input.warehouse), Param::UInt(input.carrier));
        for district in 1..=DISTRICTS {
            let d = Param::UInt(district);
            let mut oldest = None;
            session.select(self.oldest, &[d, w], &mut |row: &Row<'_>| oldest = row.int(0)).await?;
            let Some(order) = oldest.filter(|order| *order > 0).map(Param::Int) else {
                delivered.skipped += 1;
                continue;
            };
            session.execute(self.delete, &[order, d, w]).await?;
            let mut customer = None;
            session.select(self.order, &[order, d, w], &mut |row: &Row<'_>| customer = row.int(0)).await?;
            let c = Param::Int(found(customer, "an undelivered order is missing")?);
            session.execute(self.update_order, &[carrier, order, d, w]).await?;
            session.execute(self.update_lines, &[order, d, w]).await?;
            let mut sum = None;
            session
                .select(self.amount, &[order, d, w], &mut |row: &Row<'_>| sum = unscaled(row, 0, 2))
                .await?;
            let cents = found(sum, "an undelivered order has no lines")?;
            let amount = Param::Decimal { unscaled: cents, scale: 2 };
            session.execute(self.update_customer, &[amount, c, d, w]).await?;
            bounds.commit(session).await?;
            delivered.orders += 1;
        }
        // Districts without an order at the end have read, and would leave their snapshot to the next transaction.
        bounds.commit(session).await?;
        Ok(delivered)
    }
}
