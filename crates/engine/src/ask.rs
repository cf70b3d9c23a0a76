//! One question to the server on a connection of its own, around the load and never during it.

use std::cell::RefCell;

use assay_wire::{Row, Rows};

use crate::clock::Clock;
use crate::event::ErrorKind;
use crate::failure::Fatal;
use crate::login::Login;
use crate::reactor::{EventLoop, Next, Reactor, Task};
use crate::signal;

/// How often signals are looked at.
const NAP_NS: u64 = 50_000_000;

/// Numbers of the first row of a result; 0 for anything else.
#[derive(Default)]
pub struct Numbers(pub Vec<i64>);

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
pub fn ask(login: &Login, sql: &str, patience_ns: Option<u64>) -> Result<Vec<i64>, Fatal> {
    let mut numbers = Numbers::default();
    ask_rows(login, sql, patience_ns, &mut numbers)?;
    Ok(numbers.0)
}

/// The same for any rows.
///
/// # Errors
/// As [`ask`].
pub fn ask_rows(
    login: &Login,
    sql: &str,
    patience_ns: Option<u64>,
    rows: &mut impl Rows,
) -> Result<(), Fatal> {
    let reactor = Reactor::new(1, Clock::start())
        .map_err(|error| Fatal::host(format!("cannot make an event loop: {error}")))?;
    let silence = || {
        let limit_ms = patience_ns.unwrap_or_default() / 1_000_000;
        let message = format!("the server did not answer `{sql}` within {limit_ms} ms");
        Err(Fatal::new(ErrorKind::Lost, message))
    };
    let answer = RefCell::new(None);
    let asking = async {
        let question = async {
            let mut connection = login.open(&reactor, 0).await?;
            let asked = connection.query(sql.as_bytes(), rows).await;
            asked.map_err(|error| Fatal::statement(sql, &error))?;
            Ok(connection)
        };
        let deadline = patience_ns.map_or(u64::MAX, |patience| reactor.clock.now() + patience);
        let outcome = reactor.until(0, deadline, question).await.unwrap_or_else(silence);
        let (connection, outcome) = match outcome {
            Ok(connection) => (Some(connection), Ok(())),
            Err(fatal) => (None, Err(fatal)),
        };
        *answer.borrow_mut() = Some(outcome);
        if let Some(connection) = connection {
            let _ = reactor.until(0, deadline, connection.quit()).await;
        }
    };
    let tasks: Vec<Task<'_>> = vec![Box::pin(asking)];
    EventLoop::new(reactor.clone(), tasks)
        .run(|now| if signal::received() { Next::Stop } else { Next::At(now + NAP_NS) });
    answer.take().unwrap_or_else(|| Err(Fatal::host("interrupted before the server answered")))
}
