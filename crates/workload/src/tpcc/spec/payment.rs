//! Payment (clause 2.5.2).

use std::io::Write;

use assay_wire::{Param, Row};

use super::{Bounds, Buffers};
use crate::statement::Statements;
use crate::tpcc::input::{self, Who};
use crate::tpcc::names::LastNames;
use crate::tpcc::options::{HistoryKey, Options};
use crate::tpcc::read::{Namesakes, found};
use crate::{Failure, Session, StatementId};

/// Longest c_data.
const DATA_MOST: usize = 500;

#[derive(Debug)]
pub(crate) struct Payment {
    update_warehouse: StatementId,
    warehouse: StatementId,
    update_district: StatementId,
    district: StatementId,
    by_name: StatementId,
    by_id: StatementId,
    data: StatementId,
    update_customer: StatementId,
    update_bad_customer: StatementId,
    history: StatementId,
}

/// What is read of a customer.
#[derive(Debug, Clone, Copy)]
struct Customer {
    id: i64,
    bad: bool,
}

impl Customer {
    fn read(row: &Row<'_>) -> Option<Self> {
        Some(Self { id: row.int(0)?, bad: row.bytes(1)?.starts_with(b"BC") })
    }
}

const CUSTOMER: &str = "c_id, c_credit, c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip, c_phone, \
                        c_since, c_credit_lim, c_discount, c_balance";

impl Payment {
    pub(crate) fn new(options: &Options, statements: &mut Statements) -> Self {
        let (key, mark) = if options.history_key == HistoryKey::Uuid { (", h_id", ", ?") } else { ("", "") };
        Self {
            update_warehouse: statements
                .once("update_warehouse", "UPDATE warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?"),
            warehouse: statements.once(
                "select_warehouse",
                "SELECT w_name, w_street_1, w_street_2, w_city, w_state, w_zip FROM warehouse WHERE w_id = ?",
            ),
            update_district: statements
                .once("update_district", "UPDATE district SET d_ytd = d_ytd + ? WHERE d_w_id = ? AND d_id = ?"),
            district: statements.once(
                "select_district",
                "SELECT d_name, d_street_1, d_street_2, d_city, d_state, d_zip FROM district WHERE d_w_id = ? AND d_id = ?",
            ),
            by_name: statements.once(
                "lock_customers_by_name",
                format!(
                    "SELECT {CUSTOMER} FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ? ORDER BY c_first \
                     FOR UPDATE"
                ),
            ),
            by_id: statements.once(
                "lock_customer",
                format!("SELECT {CUSTOMER} FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ? FOR UPDATE"),
            ),
            // Locked already; without FOR UPDATE it would be read as of the first plain SELECT.
            data: statements.once(
                "lock_customer_data",
                "SELECT c_data FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ? FOR UPDATE",
            ),
            update_customer: statements.once(
                "update_customer",
                "UPDATE customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?, \
                 c_payment_cnt = c_payment_cnt + 1 WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
            ),
            update_bad_customer: statements.once(
                "update_customer",
                "UPDATE customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?, \
                 c_payment_cnt = c_payment_cnt + 1, c_data = ? WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
            ),
            history: statements.once(
                "insert_history",
                format!(
                    "INSERT INTO history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data{key}) \
                     VALUES (?, ?, ?, ?, ?, NOW(), ?, ?{mark})"
                ),
            ),
        }
    }

    pub(crate) async fn run(
        &self,
        bounds: &Bounds,
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
        // h_data: both names with four blanks between them.
        let Buffers { text, data } = buffers;
        text.clear();

        bounds.begin(session).await?;
        session.execute(self.update_warehouse, &[amount, w]).await?;
        let mut named = |row: &Row<'_>| text.extend_from_slice(&row.bytes(0).unwrap_or_default());
        session.select(self.warehouse, &[w], &mut named).await?;
        text.extend_from_slice(b"    ");
        session.execute(self.update_district, &[amount, w, d]).await?;
        let mut named = |row: &Row<'_>| text.extend_from_slice(&row.bytes(0).unwrap_or_default());
        session.select(self.district, &[w, d], &mut named).await?;

        let customer = self.customer(cw, cd, input.who, names, session).await?;
        let c = Param::Int(customer.id);
        if customer.bad {
            data.clear();
            let (cents, whole) = (input.cents % 100, input.cents / 100);
            // Writing to a vector cannot fail.
            let _ = write!(
                data,
                "{} {} {} {} {} {whole}.{cents:02} ",
                customer.id,
                input.customer_district,
                input.customer_warehouse,
                input.district,
                input.warehouse
            );
            let mut old = |row: &Row<'_>| data.extend_from_slice(&row.bytes(0).unwrap_or_default());
            session.select(self.data, &[cw, cd, c], &mut old).await?;
            data.truncate(DATA_MOST);
            session
                .execute(self.update_bad_customer, &[amount, amount, Param::Bytes(data), cw, cd, c])
                .await?;
        } else {
            session.execute(self.update_customer, &[amount, amount, cw, cd, c]).await?;
        }

        let values = [c, cd, cw, d, w, amount, Param::Bytes(text), Param::Bytes(uuid.unwrap_or_default())];
        let used = if uuid.is_some() { values.len() } else { values.len() - 1 };
        session.execute(self.history, &values[..used]).await?;
        bounds.commit(session).await
    }

    async fn customer(
        &self,
        warehouse: Param<'_>,
        district: Param<'_>,
        who: Who,
        names: &LastNames,
        session: &mut impl Session,
    ) -> Result<Customer, Failure> {
        let mut customers = Namesakes::new();
        let mut read = |row: &Row<'_>| customers.add(Customer::read(row));
        match who {
            Who::Id(id) => {
                session.select(self.by_id, &[warehouse, district, Param::UInt(id)], &mut read).await?
            }
            Who::Name(number) => {
                let name = Param::Bytes(names.of(number));
                session.select(self.by_name, &[warehouse, district, name], &mut read).await?
            }
        };
        found(customers.middle(), "a customer of Payment is missing")
    }
}
