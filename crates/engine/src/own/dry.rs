//! Statements that are drawn and not sent: how many different values each of them gets.

use std::collections::HashSet;

use assay_wire::{Outcome, Param, Rows, ServerError, Template};
use assay_workload::{Description, Driver, Failure, LabelId, Operation, Own, Session, StatementId};

use crate::own::hash_of;

/// What was drawn for a statement.
#[derive(Debug, Default)]
pub(super) struct Drawn {
    pub(super) times: u64,
    pub(super) different: HashSet<u64>,
}

/// A server that finds one row for everything.
struct Nobody {
    templates: Vec<Template>,
    drawn: Vec<Drawn>,
    text: Vec<u8>,
}

fn one_row() -> Outcome {
    Outcome { result_set: true, rows: 1, affected_rows: 1, last_insert_id: 1, ..Outcome::default() }
}

/// Draws so many transactions.
///
/// # Errors
/// The file counts the turns of a repeat by a value that only a server gives.
pub(super) fn draw(own: &Own, seed: u64, transactions: u64) -> Result<Vec<Drawn>, &'static str> {
    let list = own.statements().list();
    let mut nobody = Nobody {
        templates: list.iter().map(|one| Template::new(&one.sql)).collect(),
        drawn: list.iter().map(|_| Drawn::default()).collect(),
        text: Vec::new(),
    };
    let mut visit = own.terminal(&own.local(), 0, 1);
    for number in 0..transactions {
        let mut operation = Operation::new(seed, 0, number);
        let done = now(own.transaction(&mut visit, &mut operation, &mut nobody));
        if let Err(Failure::Data(why)) = done {
            return Err(why);
        }
    }
    Ok(nobody.drawn)
}

/// The outcome of a future that waits for nothing.
fn now<T>(future: impl Future<Output = T>) -> T {
    use std::task::{Context, Poll, Waker};
    match std::pin::pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => unreachable!("nobody has anyone wait"),
    }
}

impl Session for Nobody {
    async fn execute(&mut self, statement: StatementId, params: &[Param<'_>]) -> Result<Outcome, Failure> {
        let number = statement.0 as usize;
        self.text.clear();
        if self.templates[number].fill(params, &mut self.text).is_ok() {
            let drawn = &mut self.drawn[number];
            drawn.times += 1;
            drawn.different.insert(hash_of(&self.text));
        }
        Ok(one_row())
    }

    async fn select(
        &mut self,
        statement: StatementId,
        params: &[Param<'_>],
        _rows: &mut impl Rows,
    ) -> Result<Outcome, Failure> {
        self.execute(statement, params).await
    }

    async fn packet(&mut self, _label: LabelId, _sql: &[u8], _statements: u32) -> Result<Outcome, Failure> {
        Ok(one_row())
    }

    async fn select_text(
        &mut self,
        _label: LabelId,
        _sql: &[u8],
        _rows: &mut impl Rows,
    ) -> Result<Outcome, Failure> {
        Ok(one_row())
    }

    async fn prepare(&mut self, _label: LabelId, _sql: &str) -> Result<StatementId, Failure> {
        Err(Failure::Data("a file of statements prepares nothing while it runs"))
    }

    async fn close(&mut self, _statement: StatementId) -> Result<(), Failure> {
        Ok(())
    }

    fn last_error(&self) -> Option<&ServerError> {
        None
    }

    fn begin_now(&mut self) {}
}
