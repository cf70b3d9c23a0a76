//! Order-Status: by name, the order is that of another customer.

use assay_wire::{Param, Row};

use super::Ends;
use crate::statement::Statements;
use crate::tpcc::input::{self, Who};
use crate::tpcc::names::LastNames;
use crate::tpcc::read::found;
use crate::{Failure, Session, StatementId};

#[derive(Debug)]
pub(crate) struct OrderStatus {
    count_names: StatementId,
    by_name: StatementId,
    by_id: StatementId,
    order: StatementId,
    lines: StatementId,
}

impl OrderStatus {
    pub(crate) fn new(statements: &mut Statements) -> Self {
        Self {
            count_names: statements.once(
                "count_customers_by_name",
                "SELECT COUNT(c_id) FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ?",
            ),
            by_name: statements.once(
                "select_customers_by_name",
                "SELECT c_balance, c_first, c_middle, c_last FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ? \
                 ORDER BY c_first",
            ),
            by_id: statements.once(
                "select_customer",
                "SELECT c_balance, c_first, c_middle, c_last FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
            ),
            order: statements.once(
                "select_last_order",
                "SELECT o_id, o_entry_d, COALESCE(o_carrier_id, 0) FROM orders WHERE o_w_id = ? AND o_d_id = ? \
                 AND o_c_id = ? AND o_id = \
                 (SELECT MAX(o_id) FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ?)",
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
        bounds: &Ends,
        input: &input::OrderStatus,
        customer: u64,
        names: &LastNames,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let [w, d] = [input.warehouse, input.district].map(Param::UInt);
        let c = match input.who {
            Who::Id(id) => {
                let c = Param::UInt(id);
                session.execute(self.by_id, &[w, d, c]).await?;
                c
            }
            Who::Name(number) => {
                let name = [w, d, Param::Bytes(names.of(number))];
                session.execute(self.count_names, &name).await?;
                session.execute(self.by_name, &name).await?;
                Param::UInt(customer)
            }
        };
        let mut last = None;
        session.select(self.order, &[w, d, c, w, d, c], &mut |row: &Row<'_>| last = row.int(0)).await?;
        let order = Param::Int(found(last, "a customer of Order-Status has no order")?);
        session.execute(self.lines, &[w, d, order]).await?;
        bounds.commit(session).await
    }
}
