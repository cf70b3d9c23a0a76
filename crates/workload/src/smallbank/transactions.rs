//! The six transactions, on customers that are known by their numbers and found by their names.

use assay_wire::{Param, Row};

use crate::bounds::Bounds;
use crate::fields::{found, unscaled};
use crate::smallbank::data::name;
use crate::smallbank::options::Options;
use crate::statement::Statements;
use crate::{Failure, Session, StatementId};

/// Amounts in cents, those of the versions with SendPayment.
pub(crate) const DEPOSIT: i64 = 130;
pub(crate) const SAVINGS: i64 = 2_020;
pub(crate) const CHECK: i64 = 500;
pub(crate) const PAYMENT: i64 = 500;
/// What a check costs that is not covered.
const PENALTY: i64 = 100;

/// What came of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Settlement {
    Whole,
    /// Rolled back: the money is not there.
    Refused,
    /// A check that was not covered was paid, with the penalty.
    Overdrawn,
}

#[derive(Debug)]
pub(crate) struct Transactions {
    bounds: Bounds,
    account: StatementId,
    savings: StatementId,
    checking: StatementId,
    lock_savings: StatementId,
    lock_checking: StatementId,
    update_savings: StatementId,
    update_checking: StatementId,
    zero_savings: StatementId,
    zero_checking: StatementId,
    ledger: Option<StatementId>,
}

fn cents(unscaled: i64) -> Param<'static> {
    Param::Decimal { unscaled, scale: 2 }
}

const NO_ACCOUNT: &str = "an account is missing: give accounts as in prepare";

impl Transactions {
    pub(crate) fn new(options: &Options, statements: &mut Statements) -> Self {
        let lock = if options.read_locks.0 { " FOR UPDATE" } else { "" };
        let read = |table: &str, lock: &str| format!("SELECT bal FROM {table} WHERE custid = ?{lock}");
        let add = |table: &str| format!("UPDATE {table} SET bal = bal + ? WHERE custid = ?");
        let zero = |table: &str| format!("UPDATE {table} SET bal = 0 WHERE custid = ?");
        let ledger = "INSERT INTO ledger (worker, net, transactions) VALUES (?, ?, 1) \
                      ON DUPLICATE KEY UPDATE net = net + ?, transactions = transactions + 1";
        Self {
            bounds: Bounds::new(statements),
            account: statements.once("select_account", "SELECT custid FROM accounts WHERE name = ?"),
            savings: statements.once("select_savings", read("savings", "")),
            checking: statements.once("select_checking", read("checking", "")),
            lock_savings: statements.once("read_savings_to_change", read("savings", lock)),
            lock_checking: statements.once("read_checking_to_change", read("checking", lock)),
            update_savings: statements.once("update_savings", add("savings")),
            update_checking: statements.once("update_checking", add("checking")),
            zero_savings: statements.once("zero_savings", zero("savings")),
            zero_checking: statements.once("zero_checking", zero("checking")),
            ledger: options.ledger.0.then(|| statements.once("update_ledger", ledger)),
        }
    }

    pub(crate) async fn balance(
        &self,
        customer: u64,
        text: &mut Vec<u8>,
        session: &mut impl Session,
    ) -> Result<Settlement, Failure> {
        self.bounds.begin(session).await?;
        let customer = self.account(customer, text, session).await?;
        read(self.savings, customer, session).await?;
        read(self.checking, customer, session).await?;
        self.bounds.commit(session).await?;
        Ok(Settlement::Whole)
    }

    pub(crate) async fn deposit_checking(
        &self,
        customer: u64,
        terminal: u32,
        text: &mut Vec<u8>,
        session: &mut impl Session,
    ) -> Result<Settlement, Failure> {
        self.bounds.begin(session).await?;
        let customer = self.account(customer, text, session).await?;
        session.execute(self.update_checking, &[cents(DEPOSIT), customer]).await?;
        self.enter(DEPOSIT, terminal, session).await
    }

    /// `amount` below 0 is a withdrawal.
    pub(crate) async fn transact_savings(
        &self,
        customer: u64,
        amount: i64,
        terminal: u32,
        text: &mut Vec<u8>,
        session: &mut impl Session,
    ) -> Result<Settlement, Failure> {
        self.bounds.begin(session).await?;
        let customer = self.account(customer, text, session).await?;
        if read(self.lock_savings, customer, session).await? + amount < 0 {
            return self.refuse(session).await;
        }
        session.execute(self.update_savings, &[cents(amount), customer]).await?;
        self.enter(amount, terminal, session).await
    }

    /// All that the first has goes to the second's checking account.
    pub(crate) async fn amalgamate(
        &self,
        [one, other]: [u64; 2],
        text: &mut Vec<u8>,
        session: &mut impl Session,
    ) -> Result<Settlement, Failure> {
        self.bounds.begin(session).await?;
        let one = self.account(one, text, session).await?;
        let other = self.account(other, text, session).await?;
        let savings = read(self.lock_savings, one, session).await?;
        let total = savings + read(self.lock_checking, one, session).await?;
        session.execute(self.zero_savings, &[one]).await?;
        session.execute(self.zero_checking, &[one]).await?;
        session.execute(self.update_checking, &[cents(total), other]).await?;
        self.bounds.commit(session).await?;
        Ok(Settlement::Whole)
    }

    pub(crate) async fn write_check(
        &self,
        customer: u64,
        terminal: u32,
        text: &mut Vec<u8>,
        session: &mut impl Session,
    ) -> Result<Settlement, Failure> {
        self.bounds.begin(session).await?;
        let customer = self.account(customer, text, session).await?;
        let savings = read(self.lock_savings, customer, session).await?;
        let total = savings + read(self.lock_checking, customer, session).await?;
        let overdrawn = total < CHECK;
        let amount = if overdrawn { CHECK + PENALTY } else { CHECK };
        session.execute(self.update_checking, &[cents(-amount), customer]).await?;
        self.enter(-amount, terminal, session).await?;
        Ok(if overdrawn { Settlement::Overdrawn } else { Settlement::Whole })
    }

    /// From the checking account of the first to that of the second.
    pub(crate) async fn send_payment(
        &self,
        [one, other]: [u64; 2],
        text: &mut Vec<u8>,
        session: &mut impl Session,
    ) -> Result<Settlement, Failure> {
        self.bounds.begin(session).await?;
        let one = self.account(one, text, session).await?;
        let other = self.account(other, text, session).await?;
        if read(self.lock_checking, one, session).await? < PAYMENT {
            return self.refuse(session).await;
        }
        session.execute(self.update_checking, &[cents(-PAYMENT), one]).await?;
        session.execute(self.update_checking, &[cents(PAYMENT), other]).await?;
        self.bounds.commit(session).await?;
        Ok(Settlement::Whole)
    }

    /// The number of a customer, by name.
    async fn account(
        &self,
        customer: u64,
        text: &mut Vec<u8>,
        session: &mut impl Session,
    ) -> Result<Param<'static>, Failure> {
        name(customer, text);
        let mut id = None;
        let mut read = |row: &Row<'_>| id = row.int(0);
        session.select(self.account, &[Param::Bytes(text)], &mut read).await?;
        found(id.map(Param::Int), NO_ACCOUNT)
    }

    /// Writes what came in or went out into the connection's row of the ledger, and commits.
    async fn enter(
        &self,
        amount: i64,
        terminal: u32,
        session: &mut impl Session,
    ) -> Result<Settlement, Failure> {
        if let Some(ledger) = self.ledger {
            // Row 0 is the load's.
            let row = Param::UInt(u64::from(terminal) + 1);
            session.execute(ledger, &[row, cents(amount), cents(amount)]).await?;
        }
        self.bounds.commit(session).await?;
        Ok(Settlement::Whole)
    }

    async fn refuse(&self, session: &mut impl Session) -> Result<Settlement, Failure> {
        self.bounds.roll_back(session).await?;
        Ok(Settlement::Refused)
    }
}

/// A balance, in cents.
async fn read(
    statement: StatementId,
    customer: Param<'_>,
    session: &mut impl Session,
) -> Result<i64, Failure> {
    let mut balance = None;
    let mut read = |row: &Row<'_>| balance = unscaled(row, 0, 2);
    session.select(statement, &[customer], &mut read).await?;
    found(balance, NO_ACCOUNT)
}
