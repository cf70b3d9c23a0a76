//! New-Order: the stock row loses the quantity and nothing else is counted in it; amounts have tax and discount in them.

use assay_wire::{Param, Row};

use super::Ends;
use crate::statement::Statements;
use crate::tpcc::input;
use crate::tpcc::read::{found, unscaled};
use crate::{Failure, Session, StatementId};

/// Length of s_dist_xx.
const DIST: usize = 24;

#[derive(Debug)]
pub(crate) struct NewOrder {
    customer: StatementId,
    district: StatementId,
    next_order: StatementId,
    order: StatementId,
    new_order: StatementId,
    item: StatementId,
    stock: StatementId,
    update_stock: StatementId,
    line: StatementId,
}

impl NewOrder {
    pub(crate) fn new(statements: &mut Statements) -> Self {
        Self {
            customer: statements.once(
                "select_customer_and_warehouse",
                "SELECT c_discount, c_last, c_credit, w_tax FROM customer, warehouse \
                 WHERE w_id = ? AND c_w_id = w_id AND c_d_id = ? AND c_id = ?",
            ),
            district: statements.once(
                "lock_district",
                "SELECT d_next_o_id, d_tax FROM district WHERE d_id = ? AND d_w_id = ? FOR UPDATE",
            ),
            next_order: statements
                .once("update_district", "UPDATE district SET d_next_o_id = ? + 1 WHERE d_id = ? AND d_w_id = ?"),
            order: statements.once(
                "insert_order",
                "INSERT INTO orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local) \
                 VALUES (?, ?, ?, ?, NOW(), ?, ?)",
            ),
            new_order: statements.once(
                "insert_new_order",
                "INSERT INTO new_orders (no_o_id, no_d_id, no_w_id) VALUES (?, ?, ?)",
            ),
            item: statements.once("select_item", "SELECT i_price, i_name, i_data FROM item WHERE i_id = ?"),
            stock: statements.once(
                "lock_stock",
                "SELECT s_quantity, s_data, s_dist_01, s_dist_02, s_dist_03, s_dist_04, s_dist_05, s_dist_06, s_dist_07, \
                 s_dist_08, s_dist_09, s_dist_10 FROM stock WHERE s_i_id = ? AND s_w_id = ? FOR UPDATE",
            ),
            update_stock: statements
                .once("update_stock", "UPDATE stock SET s_quantity = ? WHERE s_i_id = ? AND s_w_id = ?"),
            line: statements.once(
                "insert_order_line",
                "INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity, \
                 ol_amount, ol_dist_info) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ),
        }
    }

    /// The number of the order that was committed; none where it was rolled back.
    pub(crate) async fn run(
        &self,
        bounds: &Ends,
        input: &input::NewOrder,
        session: &mut impl Session,
    ) -> Result<Option<u64>, Failure> {
        let [w, d, c] = [input.warehouse, input.district, input.customer].map(Param::UInt);
        let mut rates = None;
        let mut read = |row: &Row<'_>| rates = unscaled(row, 0, 2).zip(unscaled(row, 3, 2));
        session.select(self.customer, &[w, d, c], &mut read).await?;
        let (discount, warehouse_tax) = found(rates, "a customer of New-Order is missing")?;
        let mut next = None;
        let mut read = |row: &Row<'_>| next = row.int(0).zip(unscaled(row, 1, 2));
        session.select(self.district, &[d, w], &mut read).await?;
        let (next, district_tax) = found(next, "a district of New-Order is missing")?;
        let id = Param::Int(next);
        session.execute(self.next_order, &[id, d, w]).await?;
        let (count, local) = (input.lines().len() as i64, i64::from(input.remote_lines() == 0));
        session.execute(self.order, &[id, d, w, c, Param::Int(count), Param::Int(local)]).await?;
        session.execute(self.new_order, &[id, d, w]).await?;

        for (line, number) in input.lines().iter().zip(1..) {
            let (item, supply) = (Param::UInt(line.item), Param::UInt(line.supply));
            let mut price = None;
            session.select(self.item, &[item], &mut |row: &Row<'_>| price = unscaled(row, 0, 2)).await?;
            let Some(price) = price else {
                return if input.rollback {
                    bounds.roll_back(session).await.map(|()| None)
                } else {
                    Err(Failure::Data("an item of New-Order is missing"))
                };
            };
            let (mut stocked, mut dist) = (None, [b' '; DIST]);
            let mut read = |row: &Row<'_>| {
                stocked = row.int(0);
                let text = row.bytes(1 + input.district as usize).unwrap_or_default();
                let length = text.len().min(DIST);
                dist[..length].copy_from_slice(&text[..length]);
            };
            session.select(self.stock, &[item, supply], &mut read).await?;
            let stocked = found(stocked, "a stock row of New-Order is missing")?;
            session
                .execute(self.update_stock, &[Param::Int(left(stocked, line.quantity)), item, supply])
                .await?;
            let cents = amount(price * line.quantity, warehouse_tax + district_tax, discount);
            let values = [
                id,
                d,
                w,
                Param::Int(number),
                item,
                supply,
                Param::Int(line.quantity),
                Param::Decimal { unscaled: cents, scale: 2 },
                Param::Bytes(&dist),
            ];
            session.execute(self.line, &values).await?;
        }
        bounds.commit(session).await.map(|()| u64::try_from(next).ok())
    }
}

fn left(stocked: i64, quantity: i64) -> i64 {
    if stocked > quantity { stocked - quantity } else { stocked - quantity + 91 }
}

/// Price times quantity with tax and discount (both in hundredths), rounded to cents.
fn amount(cents: i64, tax: i64, discount: i64) -> i64 {
    (cents * (100 + tax) * (100 - discount) + 5_000) / 10_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_rounded_to_cents() {
        assert_eq!(amount(10_000, 30, 50), 6_500);
        assert_eq!(amount(101, 35, 50), 68);
        assert_eq!((left(11, 10), left(10, 10), left(5, 10)), (1, 91, 86));
    }
}
