//! `select_random_points`: rows by a list of values of an indexed column.

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
    /// Values of k in the IN list of a query.
    #[schemars(range(min = 1, max = 65_535), extend("x-shapes" = "load"))]
    random_points: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { sbtest: SbtestOptions::default(), random_points: 10 }
    }
}

/// Every connection draws from its own part of the values of k.
#[derive(Debug)]
pub(crate) struct SelectRandomPoints {
    options: Options,
    data: Sbtest,
    statements: Statements,
    select: StatementId,
}

#[derive(Debug)]
pub(crate) struct Worker {
    slice: Slice,
    points: Vec<Param<'static>>,
}

impl Workload for SelectRandomPoints {
    type Options = Options;
    type Worker = Worker;

    const NAME: &'static str = "select_random_points";
    const SUMMARY: &'static str = "Rows by an IN list of random values of an indexed column";

    fn new(options: Options, _seed: u64) -> Result<Self, OptionError> {
        options.sbtest.tables.only_one()?;
        let places = vec!["?"; options.random_points as usize].join(",");
        let mut statements = Statements::default();
        let sql = format!("SELECT id, k, c, pad FROM sbtest1 WHERE k IN ({places})");
        let select = statements.once("random_points", sql);
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
            points: vec![Param::Null; self.options.random_points as usize],
        }
    }

    async fn transaction(
        &self,
        worker: &mut Worker,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        for point in &mut worker.points {
            *point = Param::Int(worker.slice.draw(&mut operation.rng));
        }
        session.execute(self.select, &worker.points).await?;
        Ok(())
    }
}
