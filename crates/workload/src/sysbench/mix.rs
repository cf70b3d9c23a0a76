//! Transactions made of read and write groups; most of the OLTP workloads are one mix of them.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::bounds::BEGIN;
use crate::entry::Shipped;
use crate::sbtest::{Filler, Keys, ReadOptions, Reads, Sbtest, SbtestOptions, WriteOptions, Writes};
use crate::statement::Statements;
use crate::{Dataset, Description, Driver, Failure, Operation, OptionError, Session, StatementId};

/// What one of these workloads is: its name, its options, and the groups they stand for.
pub(crate) trait Mix: Send + Sync + 'static {
    type Options: DeserializeOwned + JsonSchema;
    const NAME: &'static str;
    const SUMMARY: &'static str;

    fn parts(options: Self::Options) -> Parts;
}

/// The parts of a transaction; a group with a count of 0 is not there.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) sbtest: SbtestOptions,
    pub(crate) reads: ReadOptions,
    pub(crate) writes: WriteOptions,
    /// Put BEGIN and COMMIT around the groups.
    pub(crate) transaction: bool,
}

/// The workload of a mix: BEGIN, reads, writes, COMMIT.
#[derive(Debug)]
pub(crate) struct Oltp<M> {
    data: Sbtest,
    keys: Keys,
    statements: Statements,
    reads: Reads,
    writes: Writes,
    bounds: Option<PreparedBounds>,
    mix: PhantomData<fn() -> M>,
}

#[derive(Debug)]
struct PreparedBounds {
    begin: StatementId,
    commit: StatementId,
}

impl<M: Mix> Shipped for Oltp<M> {
    type Options = M::Options;

    const NAME: &'static str = M::NAME;
    const SUMMARY: &'static str = M::SUMMARY;
    const ROWS_VERSION: u32 = Sbtest::VERSION;

    fn new(options: M::Options, _seed: u64) -> Result<Self, OptionError> {
        let parts = M::parts(options);
        let mut statements = Statements::default();
        let keys = Keys::new(&parts.sbtest);
        let reads = Reads::new(&parts.reads, &keys, &mut statements);
        let writes = Writes::new(parts.writes, Filler::new(&parts.sbtest), &keys, &mut statements);
        let bounds = parts.transaction.then(|| PreparedBounds {
            begin: statements.once("begin", BEGIN),
            commit: statements.once("commit", "COMMIT"),
        });
        if statements.list().is_empty() {
            return Err(OptionError("nothing to send: every group of statements is off".into()));
        }
        Ok(Self {
            data: Sbtest::new(&parts.sbtest)?,
            keys,
            reads,
            writes,
            bounds,
            statements,
            mix: PhantomData,
        })
    }
}

impl<M: Mix> Description for Oltp<M> {
    fn statements(&self) -> &Statements {
        &self.statements
    }

    fn data(&self) -> &dyn Dataset {
        &self.data
    }
}

impl<M: Mix> Driver for Oltp<M> {
    type Local = ();
    type Terminal = ();

    fn local(&self) {}

    fn terminal(&self, _local: &(), _number: u32, _of: u32) {}

    async fn transaction(
        &self,
        _worker: &mut (),
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        let rng = &mut operation.rng;
        if let Some(bounds) = &self.bounds {
            session.execute(bounds.begin, &[]).await?;
        }
        self.reads.run(&self.keys, rng, session).await?;
        self.writes.run(&self.keys, rng, session).await?;
        if let Some(bounds) = &self.bounds {
            session.execute(bounds.commit, &[]).await?;
        }
        Ok(())
    }
}
