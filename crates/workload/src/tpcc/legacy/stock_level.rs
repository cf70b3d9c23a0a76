//! Stock-Level: the items of the last orders first, then the stock of each alone.

use assay_wire::{Param, Row};

use super::Ends;
use crate::statement::Statements;
use crate::tpcc::input::{self, LINES_MOST};
use crate::tpcc::read::found;
use crate::{Failure, Session, StatementId};

/// Orders that are looked at.
const ORDERS: usize = 20;

#[derive(Debug)]
pub(crate) struct StockLevel {
    district: StatementId,
    items: StatementId,
    low: StatementId,
}

impl StockLevel {
    pub(crate) fn new(statements: &mut Statements) -> Self {
        Self {
            district: statements
                .once("select_district", "SELECT d_next_o_id FROM district WHERE d_id = ? AND d_w_id = ?"),
            items: statements.once(
                "select_items_sold",
                "SELECT DISTINCT ol_i_id FROM order_line WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id < ? \
                 AND ol_o_id >= (? - 20)",
            ),
            low: statements.once(
                "count_low_stock",
                "SELECT COUNT(*) FROM stock WHERE s_w_id = ? AND s_i_id = ? AND s_quantity < ?",
            ),
        }
    }

    pub(crate) async fn run(
        &self,
        bounds: &Ends,
        input: &input::StockLevel,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let [w, d, threshold] = [input.warehouse, input.district, input.threshold].map(Param::UInt);
        let mut next = None;
        session.select(self.district, &[d, w], &mut |row: &Row<'_>| next = row.int(0)).await?;
        let next = Param::Int(found(next, "a district of Stock-Level is missing")?);
        let (mut items, mut count) = ([0; ORDERS * LINES_MOST], 0);
        let mut read = |row: &Row<'_>| {
            if let (Some(slot), Some(item)) = (items.get_mut(count), row.uint(0)) {
                *slot = item;
                count += 1;
            }
        };
        session.select(self.items, &[w, d, next, next], &mut read).await?;
        for item in &items[..count] {
            session.execute(self.low, &[w, Param::UInt(*item), threshold]).await?;
        }
        bounds.commit(session).await
    }
}
