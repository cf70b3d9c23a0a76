//! The workload itself: which transaction, for whom, and what is counted of it.

use std::sync::Arc;

use std::collections::BTreeMap;

use crate::description::names;
use crate::entry::Shipped;
use crate::shares::Shares;
use crate::smallbank::data::{NAME_BYTES, NOTES_NAME, SmallBankData};
use crate::smallbank::options::{Customers, KINDS, Options};
use crate::smallbank::transactions::{SAVINGS, Settlement, Transactions};
use crate::statement::Statements;
use crate::{
    CounterId, Dataset, Description, Driver, Failure, KindId, Learner, Operation, OptionError, Session,
};

const COUNTERS: [&str; 2] = ["refused", "overdrawn"];
const REFUSED: CounterId = CounterId(0);
const OVERDRAWN: CounterId = CounterId(1);

#[derive(Debug)]
pub(crate) struct SmallBank {
    data: SmallBankData,
    customers: Customers,
    shares: Shares,
    statements: Statements,
    transactions: Transactions,
    options: Options,
}

impl Shipped for SmallBank {
    type Options = Options;

    const NAME: &'static str = "smallbank";
    const SUMMARY: &'static str =
        "SmallBank: savings and checking accounts with a hot spot, short transactions that conflict";
    const KINDS: &'static [&'static str] = &KINDS;
    const CONDITIONS: bool = true;

    fn new(options: Options, seed: u64) -> Result<Self, OptionError> {
        options.validate()?;
        let mut statements = Statements::default();
        options.isolation.set_up(&mut statements);
        Ok(Self {
            data: SmallBankData::new(&options, seed)?,
            customers: Customers::new(&options),
            shares: Shares::new(&options.weights())?,
            transactions: Transactions::new(&options, &mut statements),
            statements,
            options,
        })
    }
}

impl Description for SmallBank {
    fn statements(&self) -> &Statements {
        &self.statements
    }

    fn data(&self) -> &dyn Dataset {
        &self.data
    }

    fn kinds(&self) -> Vec<Arc<str>> {
        names(Self::KINDS)
    }

    fn counters(&self) -> Vec<Arc<str>> {
        names(&COUNTERS)
    }

    fn learner(&mut self) -> Option<&mut dyn Learner> {
        Some(self)
    }
}

impl Learner for SmallBank {
    fn learn(&mut self, notes: &BTreeMap<String, String>) -> Result<(), OptionError> {
        let refuse = |message: String| Err(OptionError(format!("smallbank: {message}")));
        let asked = if self.options.ledger.0 { "on" } else { "off" };
        match notes.get("ledger").map(String::as_str) {
            None => refuse(format!(
                "table {NOTES_NAME} is missing or empty: run prepare, or continue an interrupted one with \
                --resume"
            )),
            Some(made) if made != asked => refuse(format!(
                "ledger = {asked}, but the tables were made with ledger = {made}: give that, or run cleanup \
                     and prepare"
            )),
            Some(_) => Ok(()),
        }
    }
}

impl Driver for SmallBank {
    type Local = ();
    /// A customer's name.
    type Terminal = Vec<u8>;

    fn local(&self) {}

    fn terminal(&self, _local: &(), _number: u32, _of: u32) -> Vec<u8> {
        Vec::with_capacity(NAME_BYTES)
    }

    async fn transaction(
        &self,
        text: &mut Vec<u8>,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let kind = self.shares.draw(&mut operation.rng);
        operation.kind = Some(KindId(kind as u8));
        let both = self.customers.draw(&mut operation.rng);
        let (customer, terminal, transactions) = (both[0], operation.terminal, &self.transactions);
        let done = match kind {
            0 => transactions.balance(customer, text, session).await?,
            1 => transactions.deposit_checking(customer, terminal, text, session).await?,
            2 => {
                let amount = if operation.rng.range(0, 1) == 0 { SAVINGS } else { -SAVINGS };
                transactions.transact_savings(customer, amount, terminal, text, session).await?
            }
            3 => transactions.amalgamate(both, text, session).await?,
            4 => transactions.write_check(customer, terminal, text, session).await?,
            _ => transactions.send_payment(both, text, session).await?,
        };
        operation.count(REFUSED, u32::from(done == Settlement::Refused));
        operation.count(OVERDRAWN, u32::from(done == Settlement::Overdrawn));
        Ok(())
    }
}
