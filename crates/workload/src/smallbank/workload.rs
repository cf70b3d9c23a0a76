//! The workload itself: which transaction, for whom, and what is counted of it.

use std::collections::BTreeMap;

use crate::shares::Shares;
use crate::smallbank::data::{NAME_BYTES, NOTES_NAME, SmallBankData};
use crate::smallbank::options::{Customers, KINDS, Options};
use crate::smallbank::transactions::{Done, SAVINGS, Transactions};
use crate::statement::Statements;
use crate::{CounterId, Dataset, Failure, KindId, Operation, OptionError, Session, Statement, Workload};

const COUNTERS: [&str; 2] = ["refused", "overdrawn"];
const REFUSED: CounterId = CounterId(0);
const OVERDRAWN: CounterId = CounterId(1);

#[derive(Debug)]
pub(crate) struct SmallBank {
    data: SmallBankData,
    customers: Customers,
    shares: Shares,
    statements: Statements,
    session: Vec<String>,
    transactions: Transactions,
    options: Options,
}

impl Workload for SmallBank {
    type Options = Options;
    /// A customer's name.
    type Worker = Vec<u8>;

    const NAME: &'static str = "smallbank";
    const SUMMARY: &'static str =
        "SmallBank: savings and checking accounts with a hot spot, short transactions that conflict";

    const KINDS: &'static [&'static str] = &KINDS;
    const CONDITIONS: bool = true;

    fn new(options: Options, seed: u64) -> Result<Self, OptionError> {
        options.validate()?;
        let mut statements = Statements::default();
        Ok(Self {
            data: SmallBankData::new(&options, seed)?,
            customers: Customers::new(&options),
            shares: Shares::new(&options.weights())?,
            session: options.isolation.statement().into_iter().collect(),
            transactions: Transactions::new(&options, &mut statements),
            statements,
            options,
        })
    }

    fn labels(&self) -> &[&'static str] {
        self.statements.labels()
    }

    fn counters(&self) -> &[&'static str] {
        &COUNTERS
    }

    fn session(&self) -> &[String] {
        &self.session
    }

    fn learn(&mut self, notes: &BTreeMap<String, String>) -> Result<(), OptionError> {
        let refuse = |message: String| Err(OptionError(format!("smallbank: {message}")));
        let asked = if self.options.ledger.0 { "on" } else { "off" };
        match notes.get("ledger").map(String::as_str) {
            None => refuse(format!(
                "table {NOTES_NAME} is missing or empty: run prepare, or end one that was broken off with --resume"
            )),
            Some(made) if made != asked => refuse(format!(
                "ledger = {asked}, but the tables were made with ledger = {made}: give that, or run cleanup \
                     and prepare"
            )),
            Some(_) => Ok(()),
        }
    }

    fn statements(&self) -> &[Statement] {
        self.statements.list()
    }

    fn data(&self) -> &dyn Dataset {
        &self.data
    }

    fn worker(&self, _worker: u32, _workers: u32) -> Vec<u8> {
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
        let (customer, worker, transactions) = (both[0], operation.worker, &self.transactions);
        let done = match kind {
            0 => transactions.balance(customer, text, session).await?,
            1 => transactions.deposit_checking(customer, worker, text, session).await?,
            2 => {
                let amount = if operation.rng.range(0, 1) == 0 { SAVINGS } else { -SAVINGS };
                transactions.transact_savings(customer, amount, worker, text, session).await?
            }
            3 => transactions.amalgamate(both, text, session).await?,
            4 => transactions.write_check(customer, worker, text, session).await?,
            _ => transactions.send_payment(both, text, session).await?,
        };
        operation.count(REFUSED, u32::from(done == Done::Refused));
        operation.count(OVERDRAWN, u32::from(done == Done::Overdrawn));
        Ok(())
    }
}
