//! `select_random_ranges`: a count over several ranges of an indexed column.

use assay_wire::Param;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::sbtest::{Sbtest, SbtestOptions, Slice};
use crate::statement::Statements;
use crate::{Dataset, Failure, Operation, OptionError, Session, Statement, StatementId, Workload};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Options {
    #[serde(flatten)]
    sbtest: SbtestOptions,
    /// Ranges of k in a query.
    #[schemars(range(min = 1, max = 32_767), extend("x-shapes" = "load"))]
    number_of_ranges: u32,
    /// Distance from the first value of a range to its last.
    #[schemars(extend("x-shapes" = "load"))]
    delta: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { sbtest: SbtestOptions::default(), number_of_ranges: 10, delta: 5 }
    }
}

/// Every connection draws from its own part of the values of k.
#[derive(Debug)]
pub(crate) struct SelectRandomRanges {
    options: Options,
    data: Sbtest,
    statements: Statements,
    select: StatementId,
}

#[derive(Debug)]
pub(crate) struct Worker {
    slice: Slice,
    /// First and last value of each range.
    bounds: Vec<Param<'static>>,
}

impl Workload for SelectRandomRanges {
    type Options = Options;
    type Worker = Worker;

    const NAME: &'static str = "select_random_ranges";
    const SUMMARY: &'static str = "A count over several random ranges of an indexed column";

    fn new(options: Options, _seed: u64) -> Result<Self, OptionError> {
        options.sbtest.tables.only_one()?;
        let ranges = vec!["k BETWEEN ? AND ?"; options.number_of_ranges as usize].join(" OR ");
        let mut statements = Statements::default();
        let select = statements.once("random_ranges", format!("SELECT count(k) FROM sbtest1 WHERE {ranges}"));
        Ok(Self { data: Sbtest::new(&options.sbtest)?, options, statements, select })
    }

    fn labels(&self) -> &[&'static str] {
        self.statements.labels()
    }

    fn statements(&self) -> &[Statement] {
        self.statements.list()
    }

    fn data(&self) -> &dyn Dataset {
        &self.data
    }

    fn worker(&self, worker: u32, workers: u32) -> Worker {
        Worker {
            slice: Slice::new(&self.options.sbtest, worker, workers),
            bounds: vec![Param::Null; 2 * self.options.number_of_ranges as usize],
        }
    }

    async fn transaction(
        &self,
        worker: &mut Worker,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        for range in worker.bounds.chunks_exact_mut(2) {
            let first = worker.slice.draw(&mut operation.rng);
            range.copy_from_slice(&[Param::Int(first), Param::Int(first + i64::from(self.options.delta))]);
        }
        session.execute(self.select, &worker.bounds).await?;
        Ok(())
    }
}
