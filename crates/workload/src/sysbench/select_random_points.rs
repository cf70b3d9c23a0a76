//! `select_random_points`: rows by a list of values of an indexed column.

use assay_wire::Param;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::entry::Shipped;
use crate::sbtest::{Sbtest, SbtestOptions, Slice};
use crate::statement::Statements;
use crate::{Dataset, Description, Driver, Failure, Operation, OptionError, Session, StatementId};

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
pub(crate) struct Terminal {
    slice: Slice,
    points: Vec<Param<'static>>,
}

impl Shipped for SelectRandomPoints {
    type Options = Options;

    const NAME: &'static str = "select_random_points";
    const SUMMARY: &'static str = "Rows by an IN list of random values of an indexed column";
    const ROWS_VERSION: u32 = Sbtest::VERSION;

    fn new(options: Options, _seed: u64) -> Result<Self, OptionError> {
        options.sbtest.tables.only_one()?;
        let places = vec!["?"; options.random_points as usize].join(",");
        let mut statements = Statements::default();
        let sql = format!("SELECT id, k, c, pad FROM sbtest1 WHERE k IN ({places})");
        let select = statements.once("random_points", sql);
        Ok(Self { data: Sbtest::new(&options.sbtest)?, options, statements, select })
    }
}

impl Description for SelectRandomPoints {
    fn statements(&self) -> &Statements {
        &self.statements
    }

    fn data(&self) -> &dyn Dataset {
        &self.data
    }
}

impl Driver for SelectRandomPoints {
    type Local = ();
    type Terminal = Terminal;

    fn local(&self) {}

    fn terminal(&self, _local: &(), number: u32, of: u32) -> Terminal {
        Terminal {
            slice: Slice::new(&self.options.sbtest, number, of),
            points: vec![Param::Null; self.options.random_points as usize],
        }
    }

    async fn transaction(
        &self,
        terminal: &mut Terminal,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        for point in &mut terminal.points {
            *point = Param::Int(terminal.slice.draw(&mut operation.rng));
        }
        session.execute(self.select, &terminal.points).await?;
        Ok(())
    }
}
