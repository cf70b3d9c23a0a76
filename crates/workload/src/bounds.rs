//! Where a transaction begins and ends.

use crate::statement::Statements;
use crate::{Failure, LabelId, Session};

/// The statement that begins a transaction. `BEGIN` begins a block of statements instead under MariaDB's sql_mode ORACLE.
pub const BEGIN: &str = "START TRANSACTION";

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
        session.query(self.begin, BEGIN.as_bytes()).await.map(drop)
    }

    pub(crate) async fn commit(&self, session: &mut impl Session) -> Result<(), Failure> {
        session.query(self.commit, b"COMMIT").await.map(drop)
    }

    pub(crate) async fn roll_back(&self, session: &mut impl Session) -> Result<(), Failure> {
        session.query(self.rollback, b"ROLLBACK").await.map(drop)
    }
}
