//! A connection of a script, and what goes over it: to a server, or nowhere in a dry run.

use std::rc::Rc;
use std::sync::Arc;
use std::task::Poll;

use assay_script::{Results, SqlError};
use assay_wire::{Connection, Discard, Error, Outcome, Param, Prepared};

use crate::process::failure::Fatal;
use crate::reactor::socket::Socket;
use crate::reactor::{Reactor, TaskId};
use crate::server::login::Login;

/// CR_CONN_HOST_ERROR: what the client library says of a server that is not there.
const NO_SERVER: u16 = 2003;
/// The code of a server that cannot prepare this kind of statement (ER_UNSUPPORTED_PS).
const UNSUPPORTED_PS: u16 = 1295;

/// The opener of a task's connections.
#[derive(Clone)]
pub(super) struct Links {
    pub reactor: Rc<Reactor>,
    /// None in a dry run.
    pub login: Option<Arc<Login>>,
    pub task: TaskId,
}

/// A connection; none in a dry run.
pub(super) type Link = Option<Box<Connection<Socket>>>;
/// A prepared statement; none in a dry run.
pub(super) type LinkStatement = Option<Prepared>;

impl Links {
    /// Lets the other tasks of the event loop go on, and its owner: for scripts that wait for no server.
    pub(super) async fn give_turn(&self) {
        let mut given = false;
        std::future::poll_fn(|_| {
            if std::mem::replace(&mut given, true) {
                return Poll::Ready(());
            }
            self.reactor.wake(self.task);
            Poll::Pending
        })
        .await;
    }

    pub(super) async fn connect(&self) -> Result<Link, SqlError> {
        let Some(login) = &self.login else { return Ok(None) };
        match login.open(&self.reactor, self.task).await {
            Ok(connection) => Ok(Some(Box::new(connection))),
            Err(Fatal { code, state, message, .. }) => {
                let state = state.unwrap_or_else(|| "HY000".into());
                Err(SqlError::new(code.unwrap_or(NO_SERVER), &state, message))
            }
        }
    }
}

pub(super) async fn query(link: &mut Link, sql: &[u8], results: &mut Results) -> Result<Outcome, Error> {
    match link {
        Some(connection) => connection.query(sql, results).await,
        None => Ok(Outcome::default()),
    }
}

pub(super) async fn prepare(link: &mut Link, sql: &str) -> Result<Option<LinkStatement>, SqlError> {
    let Some(connection) = link else { return Ok(Some(None)) };
    match connection.prepare(sql).await {
        Ok(prepared) => Ok(Some(Some(prepared))),
        Err(error) if error.code() == Some(UNSUPPORTED_PS) => Ok(None),
        Err(error) => Err(SqlError::from(&error)),
    }
}

pub(super) async fn execute(
    link: &mut Link,
    prepared: &mut LinkStatement,
    params: &[Param<'_>],
) -> Result<Outcome, Error> {
    match (link, prepared) {
        (Some(connection), Some(prepared)) => connection.execute(prepared, params, &mut Discard).await,
        _ => Ok(Outcome::default()),
    }
}

pub(super) async fn close(link: &mut Link, prepared: LinkStatement) {
    if let (Some(connection), Some(prepared)) = (link, prepared) {
        // A connection that breaks here is found broken by the next statement.
        let _ = connection.close_statement(prepared).await;
    }
}

pub(super) async fn disconnect(link: Link) {
    if let Some(connection) = link {
        // The server sees the socket close in any case.
        let _ = connection.quit().await;
    }
}

pub(super) fn is_usable(link: &Link) -> bool {
    link.as_ref().is_none_or(|connection| connection.is_usable())
}
