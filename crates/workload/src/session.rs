//! What a workload talks to.

use std::future::Future;

use assay_wire::{Outcome, Param, Rows};

use crate::{LabelId, StatementId};

/// Why a statement did not succeed. The session has counted it already; a workload hands it on with `?`.
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
pub trait Session {
    /// Runs a statement of the workload's list and throws its rows away.
    fn execute(
        &mut self,
        statement: StatementId,
        params: &[Param<'_>],
    ) -> impl Future<Output = Result<Outcome, Failure>>;

    /// Runs a statement of the workload's list and hands its rows over.
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

    /// Sends so many `statements` as one text, separated by semicolons. They are one statement in all that is counted
    /// and timed but for conservation: the server counts each. It stops at the first that fails.
    fn packet(
        &mut self,
        label: LabelId,
        sql: &[u8],
        statements: u32,
    ) -> impl Future<Output = Result<Outcome, Failure>>;
}
