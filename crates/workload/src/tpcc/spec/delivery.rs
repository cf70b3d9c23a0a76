//! Delivery (clause 2.7.4), all ten districts in one database transaction: tried again, it delivers nothing twice.

use assay_wire::{Param, Row};

use super::{Bounds, Delivered};
use crate::statement::Statements;
use crate::tpcc::input;
use crate::tpcc::population::DISTRICTS;
use crate::tpcc::read::{found, unscaled};
use crate::{Failure, Session, StatementId};

#[derive(Debug)]
pub(crate) struct Delivery {
    oldest: StatementId,
    delete: StatementId,
    update_order: StatementId,
    order: StatementId,
    update_lines: StatementId,
    amount: StatementId,
    update_customer: StatementId,
}

impl Delivery {
    pub(crate) fn new(statements: &mut Statements) -> Self {
        Self {
            oldest: statements.once(
                "lock_oldest_new_order",
                "SELECT no_o_id FROM new_orders WHERE no_w_id = ? AND no_d_id = ? ORDER BY no_o_id LIMIT 1 FOR UPDATE",
            ),
            delete: statements.once(
                "delete_new_order",
                "DELETE FROM new_orders WHERE no_w_id = ? AND no_d_id = ? AND no_o_id = ?",
            ),
            update_order: statements.once(
                "update_order",
                "UPDATE orders SET o_carrier_id = ? WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?",
            ),
            // Both reads lock: the order may be younger than the transaction's first plain read.
            order: statements.once(
                "lock_order",
                "SELECT o_c_id FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_id = ? FOR UPDATE",
            ),
            update_lines: statements.once(
                "update_order_lines",
                "UPDATE order_line SET ol_delivery_d = NOW() WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?",
            ),
            amount: statements.once(
                "sum_order_lines",
                "SELECT SUM(ol_amount) FROM order_line WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ? FOR UPDATE",
            ),
            update_customer: statements.once(
                "update_customer",
                "UPDATE customer SET c_balance = c_balance + ?, c_delivery_cnt = c_delivery_cnt + 1 \
                 WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
            ),
        }
    }

    pub(crate) async fn run(
        &self,
        bounds: &Bounds,
        input: &input::Delivery,
        session: &mut impl Session,
    ) -> Result<Delivered, Failure> {
        let mut delivered = Delivered::default();
        let (w, carrier) = (Param::UInt(input.warehouse), Param::UInt(input.carrier));
        bounds.begin(session).await?;
        for district in 1..=DISTRICTS {
            let d = Param::UInt(district);
            let mut oldest = None;
            session.select(self.oldest, &[w, d], &mut |row: &Row<'_>| oldest = row.int(0)).await?;
            let Some(id) = oldest else {
                delivered.skipped += 1;
                continue;
            };
            let order = Param::Int(id);
            session.execute(self.delete, &[w, d, order]).await?;
            let mut customer = None;
            session.select(self.order, &[w, d, order], &mut |row: &Row<'_>| customer = row.int(0)).await?;
            let c = Param::Int(found(customer, "an undelivered order is missing")?);
            session.execute(self.update_order, &[carrier, w, d, order]).await?;
            session.execute(self.update_lines, &[w, d, order]).await?;
            let mut sum = None;
            session
                .select(self.amount, &[w, d, order], &mut |row: &Row<'_>| sum = unscaled(row, 0, 2))
                .await?;
            let cents = found(sum, "an undelivered order has no lines")?;
            let amount = Param::Decimal { unscaled: cents, scale: 2 };
            session.execute(self.update_customer, &[amount, w, d, c]).await?;
            delivered.orders += 1;
            delivered.ids[district as usize - 1] = id;
        }
        bounds.commit(session).await?;
        Ok(delivered)
    }
}
