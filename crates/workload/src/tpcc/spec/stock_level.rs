//! Stock-Level (clause 2.8.2): reads only.

use assay_wire::{Param, Row};

use super::Bounds;
use crate::statement::Statements;
use crate::tpcc::input;
use crate::tpcc::read::found;
use crate::{Failure, Session, StatementId};

/// Orders that are looked at.
const ORDERS: i64 = 20;

#[derive(Debug)]
pub(crate) struct StockLevel {
    district: StatementId,
    count: StatementId,
}

impl StockLevel {
    pub(crate) fn new(statements: &mut Statements) -> Self {
        Self {
            district: statements
                .once("select_district", "SELECT d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ?"),
            count: statements.once(
                "count_low_stock",
                "SELECT COUNT(DISTINCT s_i_id) FROM order_line JOIN stock ON s_w_id = ol_w_id AND s_i_id = ol_i_id \
                 WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id >= ? AND ol_o_id < ? AND s_quantity < ?",
            ),
        }
    }

    pub(crate) async fn run(
        &self,
        bounds: &Bounds,
        input: &input::StockLevel,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let [w, d, threshold] = [input.warehouse, input.district, input.threshold].map(Param::UInt);
        bounds.begin(session).await?;
        let mut next = None;
        session.select(self.district, &[w, d], &mut |row: &Row<'_>| next = row.int(0)).await?;
        let next = found(next, "a district of Stock-Level is missing")?;
        let (first, next) = (Param::Int(next - ORDERS), Param::Int(next));
        session.execute(self.count, &[w, d, first, next, threshold]).await?;
        bounds.commit(session).await
    }
}
