//! New-Order (clause 2.4.2).

use assay_wire::{Param, Row};

use super::Bounds;
use super::lines::{Single, Stocked};
use super::lines_batched::Batched;
use crate::statement::Statements;
use crate::tpcc::input::{self, Line};
use crate::tpcc::options::{Options, Style};
use crate::tpcc::read::{found, hit};
use crate::{Failure, Session, StatementId};

#[derive(Debug)]
pub(crate) struct NewOrder {
    district: StatementId,
    next_order: StatementId,
    warehouse: StatementId,
    customer: StatementId,
    order: StatementId,
    new_order: StatementId,
    lines: Lines,
}

/// How the lines of an order are sent.
#[derive(Debug)]
enum Lines {
    Single(Single),
    Batched(Batched),
}

/// What the lines of an order belong to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Order {
    pub(crate) warehouse: Param<'static>,
    pub(crate) district: Param<'static>,
    pub(crate) id: Param<'static>,
    pub(crate) home: u64,
}

impl NewOrder {
    pub(crate) fn new(options: &Options, statements: &mut Statements) -> Self {
        Self {
            // The rows that are locked come before those that are read as of a moment: where the server refuses to lock
            // what has changed since (MariaDB's innodb_snapshot_isolation), the moment is as late as it can be.
            district: statements.once(
                "lock_district",
                "SELECT d_tax, d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ? FOR UPDATE",
            ),
            next_order: statements.once(
                "update_district",
                "UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = ? AND d_id = ?",
            ),
            warehouse: statements.once("select_warehouse", "SELECT w_tax FROM warehouse WHERE w_id = ?"),
            customer: statements.once(
                "select_customer",
                "SELECT c_discount, c_last, c_credit FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
            ),
            order: statements.once(
                "insert_order",
                "INSERT INTO orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_carrier_id, o_ol_cnt, o_all_local) \
                 VALUES (?, ?, ?, ?, NOW(), NULL, ?, ?)",
            ),
            new_order: statements.once(
                "insert_new_order",
                "INSERT INTO new_orders (no_o_id, no_d_id, no_w_id) VALUES (?, ?, ?)",
            ),
            lines: match options.statements {
                Style::Spec => Lines::Single(Single::new(statements)),
                Style::Batched => Lines::Batched(Batched::new(statements)),
            },
        }
    }

    /// The number of the order that was committed; none where it was rolled back.
    pub(crate) async fn run(
        &self,
        bounds: &Bounds,
        input: &input::NewOrder,
        session: &mut impl Session,
    ) -> Result<Option<u64>, Failure> {
        let [w, d, c] = [input.warehouse, input.district, input.customer].map(Param::UInt);
        bounds.begin(session).await?;
        let mut next = None;
        session.select(self.district, &[w, d], &mut |row: &Row<'_>| next = row.int(1)).await?;
        let number = found(next, "a district of New-Order is missing")?;
        let id = Param::Int(number);
        session.execute(self.next_order, &[w, d]).await?;
        hit(session.execute(self.warehouse, &[w]).await?.rows, "a warehouse of New-Order is missing")?;
        hit(session.execute(self.customer, &[w, d, c]).await?.rows, "a customer of New-Order is missing")?;
        let (count, local) = (input.lines().len() as i64, i64::from(input.remote_lines() == 0));
        session.execute(self.order, &[id, d, w, c, Param::Int(count), Param::Int(local)]).await?;
        session.execute(self.new_order, &[id, d, w]).await?;

        let order = Order { warehouse: w, district: d, id, home: input.warehouse };
        let all_found = match &self.lines {
            Lines::Single(lines) => lines.run(order, input.lines(), session).await?,
            Lines::Batched(lines) => lines.run(order, input.lines(), session).await?,
        };
        match (all_found, input.rollback) {
            (true, _) => bounds.commit(session).await.map(|()| u64::try_from(number).ok()),
            // The unused item: everything that was done is undone (clause 2.4.2.3).
            (false, true) => bounds.roll_back(session).await.map(|()| None),
            (false, false) => Err(Failure::Data("an item of New-Order is missing")),
        }
    }
}

/// The stock that is left (clause 2.4.2.2): 91 are delivered when fewer than ten would be.
pub(crate) fn left(stocked: i64, quantity: i64) -> i64 {
    if stocked >= quantity + 10 { stocked - quantity } else { stocked - quantity + 91 }
}

/// What a line changes in its stock row.
pub(crate) fn stock_change(order: Order, line: &Line, stocked: &Stocked) -> [Param<'static>; 5] {
    let remote = i64::from(line.supply != order.home);
    [
        Param::Int(left(stocked.quantity, line.quantity)),
        Param::Int(line.quantity),
        Param::Int(remote),
        Param::UInt(line.supply),
        Param::UInt(line.item),
    ]
}

#[cfg(test)]
mod tests {
    use super::left;

    #[test]
    fn stock_never_falls_below_ten() {
        assert_eq!([left(20, 10), left(19, 10), left(10, 1), left(11, 1)], [10, 100, 100, 10]);
        for stocked in 10..=100 {
            assert!((1..=10).all(|quantity| (10..=100).contains(&left(stocked, quantity))));
        }
    }
}
