//! The lines of an order, with one statement for several rows where that does not change what they do.

use assay_wire::{Param, Row};

use super::lines::{ITS_DIST, Stocked, UPDATE_STOCK};
use super::new_order::{Order, left, stock_change};
use crate::statement::Statements;
use crate::tpcc::input::{LINES_MOST, Line};
use crate::tpcc::read::{found, unscaled};
use crate::{Failure, Session, StatementId};

/// Values of one row of order_line.
const WIDTH: usize = 9;

#[derive(Debug)]
pub(crate) struct Batched {
    items: StatementId,
    stock: StatementId,
    update_stock: StatementId,
    /// For one row, two rows, …
    lines: Vec<StatementId>,
}

impl Batched {
    pub(crate) fn new(statements: &mut Statements) -> Self {
        // Always as long: shorter lists repeat their last number. A list of each length would be a statement more.
        let list = vec!["?"; LINES_MOST].join(", ");
        let insert = |rows: usize| {
            let row = "(?, ?, ?, ?, ?, ?, NULL, ?, ?, ?)";
            format!(
                "INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, ol_delivery_d, \
                 ol_quantity, ol_amount, ol_dist_info) VALUES {}",
                vec![row; rows].join(", ")
            )
        };
        Self {
            items: statements.once(
                "select_items",
                format!("SELECT i_id, i_price, i_name, i_data FROM item WHERE i_id IN ({list})"),
            ),
            stock: statements.once(
                "lock_stocks",
                format!(
                    "SELECT s_i_id, s_quantity, {ITS_DIST}, s_data FROM stock WHERE s_w_id = ? AND s_i_id IN ({list}) \
                     ORDER BY s_i_id FOR UPDATE"
                ),
            ),
            update_stock: statements.once("update_stock", UPDATE_STOCK),
            lines: (1..=LINES_MOST).map(|rows| statements.once("insert_order_lines", insert(rows))).collect(),
        }
    }

    /// False when an item does not exist; the lines before it are done.
    pub(crate) async fn run(
        &self,
        order: Order,
        lines: &[Line],
        session: &mut impl Session,
    ) -> Result<bool, Failure> {
        let mut prices = [None; LINES_MOST];
        let mut read = |row: &Row<'_>| {
            let item = row.uint(0);
            let price = unscaled(row, 1, 2);
            let same = lines.iter().zip(&mut prices).filter(|(line, _)| Some(line.item) == item);
            same.for_each(|(_, slot)| *slot = price);
        };
        session.select(self.items, &padded(lines), &mut read).await?;
        let valid = lines.iter().zip(&prices).take_while(|(_, price)| price.is_some()).count();

        let mut stocked = [Stocked::default(); LINES_MOST];
        let mut from = 0;
        // Sorted lines of one warehouse are beside each other; of drawn ones a warehouse may come twice.
        for group in lines[..valid].chunk_by(|one, other| one.supply == other.supply) {
            self.stock(order, group, &mut stocked[from..from + group.len()], session).await?;
            from += group.len();
        }

        let mut values = [Param::Null; WIDTH * LINES_MOST];
        for (at, line) in lines[..valid].iter().enumerate() {
            values[at * WIDTH..][..WIDTH].copy_from_slice(&[
                order.id,
                order.district,
                order.warehouse,
                Param::Int(at as i64 + 1),
                Param::UInt(line.item),
                Param::UInt(line.supply),
                Param::Int(line.quantity),
                Param::Decimal { unscaled: prices[at].unwrap_or(0) * line.quantity, scale: 2 },
                Param::Bytes(&stocked[at].dist),
            ]);
        }
        if valid > 0 {
            session.execute(self.lines[valid - 1], &values[..valid * WIDTH]).await?;
        }
        Ok(valid == lines.len())
    }

    /// Locks and changes the stock of one warehouse.
    async fn stock(
        &self,
        order: Order,
        lines: &[Line],
        stocked: &mut [Stocked],
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let mut params = [Param::Null; 2 + LINES_MOST];
        (params[0], params[1]) = (order.district, Param::UInt(lines[0].supply));
        params[2..].copy_from_slice(&padded(lines));
        let mut seen = 0;
        let mut read = |row: &Row<'_>| {
            let (item, found) = (row.uint(0), Stocked::read(row, 1, 2).unwrap_or_default());
            for (_, slot) in lines.iter().zip(stocked.iter_mut()).filter(|(line, _)| Some(line.item) == item)
            {
                *slot = found;
                seen += 1;
            }
        };
        session.select(self.stock, &params, &mut read).await?;
        found((seen == lines.len()).then_some(()), "a stock row of New-Order is missing")?;
        for at in 0..lines.len() {
            session.execute(self.update_stock, &stock_change(order, &lines[at], &stocked[at])).await?;
            // An item may come twice in an order: the second finds what the first left.
            if lines.get(at + 1).is_some_and(|next| next.item == lines[at].item) {
                stocked[at + 1].quantity = left(stocked[at].quantity, lines[at].quantity);
            }
        }
        Ok(())
    }
}

/// The items of the lines, the last one again and again to the end.
fn padded(lines: &[Line]) -> [Param<'static>; LINES_MOST] {
    std::array::from_fn(|at| Param::UInt(lines[at.min(lines.len() - 1)].item))
}
