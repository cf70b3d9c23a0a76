//! Where a transaction begins and ends.

use crate::statement::Statements;
use crate::{Failure, LabelId, Session};

/// Labels of what begins and ends a transaction of several statements.
#[derive(Debug)]
pub(crate) struct Bounds {
    begin: LabelId,
    commit: LabelId,
    rollback: LabelId,
}

impl Bounds {
    pub(crate) fn new(statements: &mut Statements) -> Self {
        Self {
            begin: statements.label("begin"),
            commit: statements.label("commit"),
            rollback: statements.label("rollback"),
        }
    }

    pub(crate) async fn begin(&self, session: &mut impl Session) -> Result<(), Failure> {
        session.query(self.begin, b"BEGIN").await.map(drop)
    }

    pub(crate) async fn commit(&self, session: &mut impl Session) -> Result<(), Failure> {
        session.query(self.commit, b"COMMIT").await.map(drop)
    }

    pub(crate) async fn roll_back(&self, session: &mut impl Session) -> Result<(), Failure> {
        session.query(self.rollback, b"ROLLBACK").await.map(drop)
    }
}
