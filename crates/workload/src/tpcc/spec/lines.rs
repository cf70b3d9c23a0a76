//! The lines of an order, one after the other.

use assay_wire::{Param, Row};

use super::new_order::{Order, stock_change};
use crate::statement::Statements;
use crate::tpcc::input::Line;
use crate::tpcc::read::{found, unscaled};
use crate::{Failure, Session, StatementId};

/// Length of s_dist_xx.
pub(crate) const DIST: usize = 24;

/// What an order reads of a stock row.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Stocked {
    pub(crate) quantity: i64,
    pub(crate) dist: [u8; DIST],
}

impl Stocked {
    /// Columns s_quantity and the district's s_dist_xx.
    pub(crate) fn read(row: &Row<'_>, quantity: usize, dist: usize) -> Option<Self> {
        let mut stocked = Self { quantity: row.int(quantity)?, dist: [b' '; DIST] };
        let text = row.bytes(dist)?;
        let length = text.len().min(DIST);
        stocked.dist[..length].copy_from_slice(&text[..length]);
        Some(stocked)
    }
}

/// The column s_dist_xx of a district that is a parameter.
pub(crate) const ITS_DIST: &str = "ELT(?, s_dist_01, s_dist_02, s_dist_03, s_dist_04, s_dist_05, s_dist_06, \
                                   s_dist_07, s_dist_08, s_dist_09, s_dist_10)";

pub(crate) const UPDATE_STOCK: &str = "UPDATE stock SET s_quantity = ?, s_ytd = s_ytd + ?, s_order_cnt = s_order_cnt + 1, \
                                       s_remote_cnt = s_remote_cnt + ? WHERE s_w_id = ? AND s_i_id = ?";

#[derive(Debug)]
pub(crate) struct Single {
    item: StatementId,
    stock: StatementId,
    update_stock: StatementId,
    line: StatementId,
}

impl Single {
    pub(crate) fn new(statements: &mut Statements) -> Self {
        Self {
            item: statements.once("select_item", "SELECT i_price, i_name, i_data FROM item WHERE i_id = ?"),
            stock: statements.once(
                "lock_stock",
                format!("SELECT s_quantity, {ITS_DIST}, s_data FROM stock WHERE s_w_id = ? AND s_i_id = ? FOR UPDATE"),
            ),
            update_stock: statements.once("update_stock", UPDATE_STOCK),
            line: statements.once(
                "insert_order_line",
                "INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, ol_delivery_d, \
                 ol_quantity, ol_amount, ol_dist_info) VALUES (?, ?, ?, ?, ?, ?, NULL, ?, ?, ?)",
            ),
        }
    }

    /// False when an item does not exist; the lines before it are done.
    pub(crate) async fn run(
        &self,
        order: Order,
        lines: &[Line],
        session: &mut impl Session,
    ) -> Result<bool, Failure> {
        for (line, number) in lines.iter().zip(1..) {
            let (item, supply) = (Param::UInt(line.item), Param::UInt(line.supply));
            let mut price = None;
            session.select(self.item, &[item], &mut |row: &Row<'_>| price = unscaled(row, 0, 2)).await?;
            let Some(price) = price else { return Ok(false) };
            let mut stocked = None;
            let mut read = |row: &Row<'_>| stocked = Stocked::read(row, 0, 1);
            session.select(self.stock, &[order.district, supply, item], &mut read).await?;
            let stocked = found(stocked, "a stock row of New-Order is missing")?;
            session.execute(self.update_stock, &stock_change(order, line, &stocked)).await?;
            let values = [
                order.id,
                order.district,
                order.warehouse,
                Param::Int(number),
                item,
                supply,
                Param::Int(line.quantity),
                Param::Decimal { unscaled: price * line.quantity, scale: 2 },
                Param::Bytes(&stocked.dist),
            ];
            session.execute(self.line, &values).await?;
        }
        Ok(true)
    }
}
