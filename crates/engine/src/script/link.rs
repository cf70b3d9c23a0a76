//! A connection of a script, and what goes over it: to a server, or nowhere in a dry run.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::Poll;
use std::time::Duration;

use assay_format::event::Event;
use assay_format::job::Job;

use assay_script::{Results, SqlError};
use assay_wire::{Connection, Discard, Error, Outcome, Param, Prepared};

use crate::load::session::travels_as_text;
use crate::process::failure::Fatal;
use crate::reactor::socket::Socket;
use crate::reactor::{Lasting, Reactor, TaskId};
use crate::say::doubts::doubt;
use crate::say::emit::emit;
use crate::script::local_file::{named_file, read_file};
use crate::server::ask::ask;
use crate::server::login::{Login, Purpose, UNKNOWN_HOST};

/// CR_CONNECTION_ERROR and CR_CONN_HOST_ERROR: what the client library says of a server that is not there, on a socket of this
/// machine and on a host.
const NO_LOCAL_SERVER: u16 = 2002;
const NO_SERVER: u16 = 2003;

/// The connections of scripts: texts may hold several statements, and may load a file that they name.
const PURPOSE: Purpose = Purpose { files: true, packets: true, own: false };

/// The servers of a script: its connections take turns.
pub(super) struct Servers {
    logins: Vec<Login>,
    turn: AtomicUsize,
    /// Whether a connection outside of a load was closed inside an open transaction.
    left_open: AtomicBool,
}

impl Servers {
    /// # Errors
    /// The environment lacks a password, or a certificate cannot be read.
    pub(super) fn new(job: &Job) -> Result<Self, Fatal> {
        let others = job.workload.script.iter().flat_map(|script| &script.servers);
        let logins = std::iter::once(&job.target).chain(others).map(|target| Login::new(target, PURPOSE));
        Ok(Self {
            logins: logins.collect::<Result<_, _>>()?,
            turn: AtomicUsize::new(0),
            left_open: AtomicBool::new(false),
        })
    }

    /// Has every server greet a new client within a time; of those that no script has turned to nothing is asked.
    ///
    /// # Errors
    /// The address of one that does not.
    pub(super) fn greet(&self, within: Duration) -> Result<(), String> {
        let turned_to = self.turn.load(Ordering::Relaxed);
        self.logins.iter().take(turned_to).try_for_each(|login| login.greet(within))
    }

    /// The prepared statements that the server allows; none where there are several servers, or it does not say.
    pub(super) fn statements_allowed(&self, within: Duration) -> Option<u64> {
        let [login] = &self.logins[..] else { return None };
        let numbers = ask(login, "SELECT @@max_prepared_stmt_count", Some(within.as_nanos() as u64)).ok()?;
        u64::try_from(*numbers.first()?).ok()
    }

    /// Doubts, once, that the server has kept what was sent over a connection that is being closed.
    pub(super) fn doubt_open(&self, link: &Link) {
        let open = link.as_ref().is_some_and(|linked| linked.connection.in_transaction());
        if open && !self.left_open.swap(true, Ordering::Relaxed) {
            let message = "the script has closed a connection inside an open transaction: the server has not kept its \
                           work (autocommit is off, or a COMMIT is missing)";
            emit(&Event::Doubt(doubt("uncommitted", message.into(), 1.0, 0.0)));
        }
    }

    fn next(&self) -> &Login {
        &self.logins[self.turn.fetch_add(1, Ordering::Relaxed) % self.logins.len()]
    }
}

/// The opener of a task's connections.
#[derive(Clone)]
pub(super) struct Links {
    pub reactor: Rc<Reactor>,
    /// None in a dry run.
    pub servers: Option<Arc<Servers>>,
    pub task: TaskId,
}

/// A connection; none in a dry run.
pub(super) type Link = Option<Box<Linked>>;

/// A connection, and whether its open transaction holds something.
pub(super) struct Linked {
    pub connection: Connection<Socket>,
    pub holds: bool,
}
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

    /// Pauses for so long, while other tasks of the event loop go on.
    pub(super) async fn sleep(&self, ns: u64) {
        self.reactor.sleep_until(self.task, self.reactor.clock.now().saturating_add(ns)).await;
    }

    pub(super) async fn connect(&self) -> Result<Link, SqlError> {
        let Some(login) = self.servers.as_deref().map(Servers::next) else { return Ok(None) };
        // Apart from the task, which would keep the room of a login for its whole life.
        match Box::pin(login.open(&self.reactor, self.task)).await {
            Ok(connection) => {
                let linked = Box::new(Linked { connection, holds: false });
                self.reactor.always_touches(self.task, Lasting::Connection, &*linked, usize::MAX);
                Ok(Some(linked))
            }
            Err(Fatal { code, state, message, .. }) => {
                let state = state.unwrap_or_else(|| "HY000".into());
                let message = match code {
                    Some(UNKNOWN_HOST) => format!("Unknown MySQL server host '{}' (0)", login.host()),
                    _ => message,
                };
                let absent = if login.is_unix() { NO_LOCAL_SERVER } else { NO_SERVER };
                Err(SqlError::new(code.unwrap_or(absent), &state, message))
            }
        }
    }
}

pub(super) async fn query(link: &mut Link, sql: &[u8], results: &mut Results) -> Result<Outcome, Error> {
    match link {
        Some(linked) => match named_file(sql) {
            None => linked.connection.query(sql, results).await,
            Some(named) => {
                let contents = |asked: &str| (asked == named).then(|| read_file(&named)).flatten();
                linked.connection.query_with_file(sql, results, contents).await
            }
        },
        None => Ok(Outcome::default()),
    }
}

pub(super) async fn prepare(link: &mut Link, sql: &str) -> Result<Option<LinkStatement>, SqlError> {
    let Some(linked) = link else { return Ok(Some(None)) };
    match linked.connection.prepare(sql).await {
        Ok(prepared) => Ok(Some(Some(prepared))),
        Err(error) if travels_as_text(error.code(), false) => Ok(None),
        Err(error) => Err(SqlError::from(&error)),
    }
}

pub(super) async fn execute(
    link: &mut Link,
    prepared: &mut LinkStatement,
    params: &[Param<'_>],
) -> Result<Outcome, Error> {
    match (link, prepared) {
        (Some(linked), Some(prepared)) => linked.connection.execute(prepared, params, &mut Discard).await,
        _ => Ok(Outcome::default()),
    }
}

pub(super) async fn close(link: &mut Link, prepared: LinkStatement) {
    if let (Some(linked), Some(prepared)) = (link, prepared) {
        // A connection that breaks here is found broken by the next statement.
        let _ = linked.connection.close_statement(prepared).await;
    }
}

pub(super) async fn disconnect(link: Link) {
    if let Some(linked) = link {
        // The server sees the socket close in any case.
        let _ = linked.connection.quit().await;
    }
}

pub(super) fn parameters(prepared: &LinkStatement) -> Option<usize> {
    prepared.as_ref().map(Prepared::params)
}

pub(super) fn is_usable(link: &Link) -> bool {
    link.as_ref().is_none_or(|linked| linked.connection.is_usable())
}
