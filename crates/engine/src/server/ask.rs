//! Questions to the server on a connection of their own, around the load and never during it.

use std::cell::RefCell;
use std::ops::Deref;
use std::rc::Rc;

use assay_wire::{Connection, Outcome, Row, Rows};

use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::process::signal;
use crate::reactor::socket::Socket;
use crate::reactor::{EventLoop, Next, Reactor, Task};
use crate::server::login::Login;
use assay_format::event::ErrorKind;

/// Nanoseconds between two looks at signals.
const NAP_NS: u64 = 50_000_000;

/// Numbers of the first row of a result; 0 for anything else.
#[derive(Default)]
pub(crate) struct Numbers(pub Vec<i64>);

impl Rows for Numbers {
    fn row(&mut self, row: &Row<'_>) {
        if self.0.is_empty() {
            self.0 = (0..row.len()).map(|column| row.int(column).unwrap_or(0)).collect();
        }
    }
}

/// Runs one query and reads the numbers of its first row.
///
/// # Errors
/// No login, no answer within `patience_ns` (absent: as long as it takes), or the server refuses the query.
pub(crate) fn ask(login: &Login, sql: &str, patience_ns: Option<u64>) -> Result<Vec<i64>, Fatal> {
    let mut numbers = Numbers::default();
    ask_rows(login, sql, patience_ns, &mut numbers)?;
    Ok(numbers.0)
}

/// Runs one query and reads its rows into the type that the caller wants.
///
/// # Errors
/// No login, no answer in time, or the server refuses the query.
pub(crate) fn ask_rows(
    login: &Login,
    sql: &str,
    patience_ns: Option<u64>,
    rows: &mut impl Rows,
) -> Result<(), Fatal> {
    let mut inquiry = Inquiry::new(login)?;
    let answer = inquiry.ask(&[], sql, patience_ns, rows);
    inquiry.close();
    answer
}

/// Several questions to the server on one connection, which is opened for the first of them and again after a failure.
pub(crate) struct Inquiry<L> {
    login: L,
    reactor: Rc<Reactor>,
    connection: Option<Connection<Socket>>,
}

impl<L: Deref<Target = Login>> Inquiry<L> {
    /// # Errors
    /// The kernel has no descriptor left.
    pub(crate) fn new(login: L) -> Result<Self, Fatal> {
        let reactor = Reactor::new(1, Clock::start())
            .map_err(|error| Fatal::host(format!("cannot make an event loop: {error}")))?;
        Ok(Self { login, reactor, connection: None })
    }

    pub(crate) fn login(&self) -> &Login {
        &self.login
    }

    /// Runs one query, after the statements `before` it, and reads its rows.
    ///
    /// # Errors
    /// No login, no answer in time, or the server refuses the query.
    pub(crate) fn ask(
        &mut self,
        before: &[String],
        sql: &str,
        patience_ns: Option<u64>,
        rows: &mut impl Rows,
    ) -> Result<(), Fatal> {
        let (login, reactor, opened) = (&*self.login, &self.reactor, self.connection.take());
        let question = async {
            // A login has a limit and words of its own: the patience is with the answer.
            let mut connection = match opened {
                Some(connection) => connection,
                None => login.open(reactor, 0).await?,
            };
            let answer = async {
                for first in before {
                    connection.run(first).await.map_err(|error| Fatal::statement(first, &error))?;
                }
                let asked = connection.query(sql.as_bytes(), rows).await;
                let outcome = asked.map_err(|error| Fatal::statement(sql, &error))?;
                has_rows(sql, &outcome)
            };
            match within(reactor, patience_ns, answer).await {
                Some(answered) => answered.map(|()| connection),
                None => {
                    let limit_ms = patience_ns.unwrap_or_default() / 1_000_000;
                    let message = format!("the server did not answer `{sql}` within {limit_ms} ms");
                    Err(Fatal::new(ErrorKind::Lost, message))
                }
            }
        };
        self.connection = Some(self.run(question)?);
        Ok(())
    }

    /// Ends the connection, where there is one.
    pub(crate) fn close(&mut self) {
        if let Some(connection) = self.connection.take() {
            let quitting = async {
                // The server sees the socket close in any case.
                let _ = within(&self.reactor, Some(self.login.timeout_ns()), connection.quit()).await;
                Ok(())
            };
            let _ = self.run(quitting);
        }
    }

    /// Runs the event loop until a future is done or a signal arrives.
    fn run<T>(&self, future: impl Future<Output = Result<T, Fatal>>) -> Result<T, Fatal> {
        let ended = RefCell::new(None);
        let waiting = async {
            let outcome = future.await;
            *ended.borrow_mut() = Some(outcome);
        };
        let tasks: Vec<Task<'_>> = vec![Box::pin(waiting)];
        EventLoop::new(self.reactor.clone(), tasks)
            .run(|now| if signal::received() { Next::Stop } else { Next::At(now + NAP_NS) });
        ended.take().unwrap_or_else(|| Err(Fatal::interrupted()))
    }
}

/// Waits for a future as long as the patience lasts; `None` where it was not done by then.
async fn within<F: Future>(reactor: &Rc<Reactor>, patience_ns: Option<u64>, future: F) -> Option<F::Output> {
    let deadline = patience_ns.map_or(u64::MAX, |patience| reactor.clock.now() + patience);
    reactor.until(0, deadline, future).await
}

/// Asks how many rows a table has.
///
/// # Errors
/// No login, no answer in time, a refusal of the server, or the answer is no such number.
pub(crate) fn count_rows(login: &Login, table: &str) -> Result<u64, Fatal> {
    let sql = format!("SELECT COUNT(*) FROM {table}");
    as_count(&sql, &ask(login, &sql, None)?)
}

/// The count that a query answered.
///
/// # Errors
/// No row, or a number that counts nothing.
pub(crate) fn as_count(sql: &str, row: &[i64]) -> Result<u64, Fatal> {
    let count = row.first().and_then(|count| u64::try_from(*count).ok());
    count.ok_or_else(|| {
        let answer = row.first().map_or("no row".to_owned(), i64::to_string);
        Fatal::new(
            ErrorKind::Server,
            format!("the server answered `{sql}` with {answer}, which is not a number"),
        )
    })
}

/// Refuses an answer without a result set to a query whose rows are the answer: none of them is no row.
///
/// # Errors
/// The answer has no result set.
pub(crate) fn has_rows(sql: &str, outcome: &Outcome) -> Result<(), Fatal> {
    if outcome.result_set {
        return Ok(());
    }
    let message = format!("the server answered `{sql}` without a result");
    Err(Fatal::new(ErrorKind::Server, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_count_is_a_count() {
        assert_eq!(as_count("q", &[7]).unwrap(), 7);
        assert!(as_count("q", &[-5]).unwrap_err().message.contains("with -5, which is not a number"));
        assert!(as_count("q", &[]).unwrap_err().message.contains("with no row"));
    }

    #[test]
    fn an_answer_without_a_result_says_nothing() {
        let refused = has_rows("SELECT 1", &Outcome::default()).unwrap_err();
        assert!(refused.message.contains("without a result") && refused.exit_code() == 4);
        assert!(has_rows("SELECT 1", &Outcome { result_set: true, ..Outcome::default() }).is_ok());
    }
}
