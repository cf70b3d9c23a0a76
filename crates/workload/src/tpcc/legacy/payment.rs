//! Payment: the balance is read, changed and written back, and payments of a customer are not counted.

use assay_wire::{Param, Row};

use super::Ends;
use crate::statement::Statements;
use crate::tpcc::input::{self, Who};
use crate::tpcc::names::LastNames;
use crate::tpcc::options::{HistoryKey, Options};
use crate::tpcc::read::{Namesakes, found, unscaled};
use crate::tpcc::spec::Buffers;
use crate::{Failure, Session, StatementId};

#[derive(Debug)]
pub(crate) struct Payment {
    update_warehouse: StatementId,
    warehouse: StatementId,
    update_district: StatementId,
    district: StatementId,
    count_names: StatementId,
    by_name: StatementId,
    customer: StatementId,
    data: StatementId,
    update_customer: StatementId,
    update_bad_customer: StatementId,
    history: StatementId,
}

impl Payment {
    pub(crate) fn new(options: &Options, statements: &mut Statements) -> Self {
        let (key, mark) = if options.history_key == HistoryKey::Uuid { (", h_id", ", ?") } else { ("", "") };
        Self {
            update_warehouse: statements
                .once("update_warehouse", "UPDATE warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?"),
            warehouse: statements.once(
                "select_warehouse",
                "SELECT w_street_1, w_street_2, w_city, w_state, w_zip, w_name FROM warehouse WHERE w_id = ?",
            ),
            update_district: statements
                .once("update_district", "UPDATE district SET d_ytd = d_ytd + ? WHERE d_w_id = ? AND d_id = ?"),
            district: statements.once(
                "select_district",
                "SELECT d_street_1, d_street_2, d_city, d_state, d_zip, d_name FROM district WHERE d_w_id = ? AND d_id = ?",
            ),
            count_names: statements.once(
                "count_customers_by_name",
                "SELECT COUNT(c_id) FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ?",
            ),
            by_name: statements.once(
                "select_customers_by_name",
                "SELECT c_id FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ? ORDER BY c_first",
            ),
            customer: statements.once(
                "lock_customer",
                "SELECT c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip, c_phone, c_credit, \
                 c_credit_lim, c_discount, c_balance, c_since FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ? \
                 FOR UPDATE",
            ),
            data: statements.once(
                "select_customer_data",
                "SELECT c_data FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
            ),
            update_customer: statements.once(
                "update_customer",
                "UPDATE customer SET c_balance = ? WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
            ),
            update_bad_customer: statements.once(
                "update_customer",
                "UPDATE customer SET c_balance = ?, c_data = ? WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
            ),
            history: statements.once(
                "insert_history",
                format!(
                    "INSERT INTO history (h_c_d_id, h_c_w_id, h_c_id, h_d_id, h_w_id, h_date, h_amount, h_data{key}) \
                     VALUES (?, ?, ?, ?, ?, NOW(), ?, ?{mark})"
                ),
            ),
        }
    }

    pub(crate) async fn run(
        &self,
        bounds: &Ends,
        input: &input::Payment,
        names: &LastNames,
        uuid: Option<&[u8]>,
        buffers: &mut Buffers,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let [w, d, cw, cd] =
            [input.warehouse, input.district, input.customer_warehouse, input.customer_district]
                .map(Param::UInt);
        let amount = Param::Decimal { unscaled: input.cents, scale: 2 };
        let Buffers { text, data } = buffers;
        text.clear();
        session.execute(self.update_warehouse, &[amount, w]).await?;
        let mut named = |row: &Row<'_>| text.extend_from_slice(&row.bytes(5).unwrap_or_default());
        session.select(self.warehouse, &[w], &mut named).await?;
        text.extend_from_slice(b"    ");
        session.execute(self.update_district, &[amount, w, d]).await?;
        let mut named = |row: &Row<'_>| text.extend_from_slice(&row.bytes(5).unwrap_or_default());
        session.select(self.district, &[w, d], &mut named).await?;

        let c = match input.who {
            Who::Id(id) => Param::UInt(id),
            Who::Name(number) => {
                let name = [cw, cd, Param::Bytes(names.of(number))];
                session.execute(self.count_names, &name).await?;
                let mut customers = Namesakes::new();
                let mut read = |row: &Row<'_>| customers.add(row.int(0));
                session.select(self.by_name, &name, &mut read).await?;
                Param::Int(found(customers.middle(), "a customer of Payment is missing")?)
            }
        };
        let mut customer = None;
        let mut read = |row: &Row<'_>| {
            let bad = row.bytes(9).is_some_and(|credit| credit.starts_with(b"BC"));
            customer = unscaled(row, 12, 2).map(|balance| (balance, bad));
        };
        session.select(self.customer, &[cw, cd, c], &mut read).await?;
        let (balance, bad) = found(customer, "a customer of Payment is missing")?;
        let balance = Param::Decimal { unscaled: balance - input.cents, scale: 2 };
        if bad {
            // Read, and written back as it was.
            data.clear();
            let mut old = |row: &Row<'_>| data.extend_from_slice(&row.bytes(0).unwrap_or_default());
            session.select(self.data, &[cw, cd, c], &mut old).await?;
            session.execute(self.update_bad_customer, &[balance, Param::Bytes(data), cw, cd, c]).await?;
        } else {
            session.execute(self.update_customer, &[balance, cw, cd, c]).await?;
        }
        let values = [cd, cw, c, d, w, amount, Param::Bytes(text), Param::Bytes(uuid.unwrap_or_default())];
        let used = if uuid.is_some() { values.len() } else { values.len() - 1 };
        session.execute(self.history, &values[..used]).await?;
        bounds.commit(session).await
    }
}
