//! Sessions: the connections that a workload talks to.

use std::future::Future;

use assay_wire::{Outcome, Param, Rows, ServerError};

use crate::{LabelId, StatementId};

/// The reason why a statement did not succeed. The session has counted it already; a workload hands it on with `?`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The server refused the statement; the connection lives.
    Server { code: u16 },
    /// The connection is gone.
    Lost,
    /// The tables do not hold what the workload needs: what is missing, for people. Ends the run.
    Data(&'static str),
}

/// A connection as a workload sees it. Times, counts, retries and the load shape are the session's business.
///
/// A statement's time begins where the one before it on this session ended, or the operation began: one reading of the
/// clock per statement, and no time between statements is lost. A workload that computes between statements calls
/// [`Session::begin_now`] before each, or its own computing would be booked as the server's.
pub trait Session {
    /// Runs a statement of the workload's list, or one that it has prepared, and throws its rows away.
    fn execute(
        &mut self,
        statement: StatementId,
        params: &[Param<'_>],
    ) -> impl Future<Output = Result<Outcome, Failure>>;

    /// Runs a statement of the workload's list, or one that it has prepared, and hands its rows over.
    fn select(
        &mut self,
        statement: StatementId,
        params: &[Param<'_>],
        rows: &mut impl Rows,
    ) -> impl Future<Output = Result<Outcome, Failure>>;

    /// Sends SQL text that the workload wrote itself: one statement.
    #[inline]
    fn query(&mut self, label: LabelId, sql: &[u8]) -> impl Future<Output = Result<Outcome, Failure>> {
        self.packet(label, sql, 1)
    }

    /// Sends SQL text that the workload wrote itself, one statement, and hands its rows over.
    fn select_text(
        &mut self,
        label: LabelId,
        sql: &[u8],
        rows: &mut impl Rows,
    ) -> impl Future<Output = Result<Outcome, Failure>>;

    /// Sends so many `statements` as one text, separated by semicolons. They are one statement in all that is counted
    /// and timed but for conservation: the server counts each. It stops at the first that fails.
    fn packet(
        &mut self,
        label: LabelId,
        sql: &[u8],
        statements: u32,
    ) -> impl Future<Output = Result<Outcome, Failure>>;

    /// Prepares a statement that is not in the workload's list; its executions are counted and timed under `label`.
    /// Preparing is no statement: its time belongs to the operation alone, a refusal is counted as any other. Where the
    /// job wants text (`ps_mode: disable`), or the server cannot prepare this kind, nothing is prepared and the
    /// executions travel as text.
    ///
    /// The handle is good until [`Session::close`] on every session that serves the terminal, whether it shares
    /// connections with others or its own is lost or renewed: each session prepares the statement before it first
    /// executes it, outside of its time.
    fn prepare(&mut self, label: LabelId, sql: &str) -> impl Future<Output = Result<StatementId, Failure>>;

    /// Frees a statement that [`Session::prepare`] made; its handle means nothing from then on ([`Failure::Data`]).
    /// Where it is prepared on other connections too, each frees it before it prepares something else.
    fn close(&mut self, statement: StatementId) -> impl Future<Output = Result<(), Failure>>;

    /// The last failure on this connection, where it was the server's refusal: code, SQLSTATE and message.
    fn last_error(&self) -> Option<&ServerError>;

    /// Reads the clock: the next statement begins now, not where the last one ended. What has passed since then is
    /// computing of the workload: part of the operation's time, and of no statement's.
    fn begin_now(&mut self);
}
