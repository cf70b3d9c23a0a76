//! `select_random_ranges`: a count over several ranges of an indexed column.

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
pub(crate) struct Terminal {
    slice: Slice,
    /// First and last value of each range.
    bounds: Vec<Param<'static>>,
}

impl Shipped for SelectRandomRanges {
    type Options = Options;

    const NAME: &'static str = "select_random_ranges";
    const SUMMARY: &'static str = "A count over several random ranges of an indexed column";
    const ROWS_VERSION: u32 = Sbtest::VERSION;

    fn new(options: Options, _seed: u64) -> Result<Self, OptionError> {
        options.sbtest.tables.only_one()?;
        let ranges = vec!["k BETWEEN ? AND ?"; options.number_of_ranges as usize].join(" OR ");
        let mut statements = Statements::default();
        let select = statements.once("random_ranges", format!("SELECT count(k) FROM sbtest1 WHERE {ranges}"));
        Ok(Self { data: Sbtest::new(&options.sbtest)?, options, statements, select })
    }
}

impl Description for SelectRandomRanges {
    fn statements(&self) -> &Statements {
        &self.statements
    }

    fn data(&self) -> &dyn Dataset {
        &self.data
    }
}

impl Driver for SelectRandomRanges {
    type Local = ();
    type Terminal = Terminal;

    fn local(&self) {}

    fn terminal(&self, _local: &(), number: u32, of: u32) -> Terminal {
        Terminal {
            slice: Slice::new(&self.options.sbtest, number, of),
            bounds: vec![Param::Null; 2 * self.options.number_of_ranges as usize],
        }
    }

    async fn transaction(
        &self,
        terminal: &mut Terminal,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        for range in terminal.bounds.chunks_exact_mut(2) {
            let first = terminal.slice.draw(&mut operation.rng);
            range.copy_from_slice(&[Param::Int(first), Param::Int(first + i64::from(self.options.delta))]);
        }
        session.execute(self.select, &terminal.bounds).await?;
        Ok(())
    }
}
