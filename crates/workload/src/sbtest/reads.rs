//! The read groups of an OLTP transaction.

use assay_wire::Param;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::option::Switch;
use crate::sbtest::Keys;
use crate::sbtest::PerTable;
use crate::statement::Statements;
use crate::{Failure, Rng, Session};

/// How many reads of each kind a transaction does.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct ReadOptions {
    /// Reads of one row by id in a transaction.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) point_selects: u32,
    /// Off: none of the four kinds of range reads.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) range_selects: Switch,
    /// Rows of one range read.
    #[schemars(range(min = 1, max = 1_000_000_000), extend("x-shapes" = "load"))]
    pub(crate) range_size: u32,
    /// Reads of a range of rows in a transaction.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) simple_ranges: u32,
    /// Sums of column k over a range in a transaction.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) sum_ranges: u32,
    /// Reads of a range sorted by column c in a transaction.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) order_ranges: u32,
    /// Reads of the distinct values of column c in a range, sorted, in a transaction.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) distinct_ranges: u32,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            point_selects: 10,
            range_selects: Switch(true),
            range_size: 100,
            simple_ranges: 1,
            sum_ranges: 1,
            order_ranges: 1,
            distinct_ranges: 1,
        }
    }
}

impl ReadOptions {
    /// Only reads of one row.
    pub(crate) fn points(point_selects: u32) -> Self {
        Self { point_selects, range_selects: Switch(false), ..Self::default() }
    }
}

/// The read groups in their order; those with a count of 0 are not prepared.
#[derive(Debug)]
pub(crate) struct Reads {
    points: Option<Group>,
    ranges: Vec<Group>,
    /// Distance from the first id of a range to the last.
    span: i64,
}

#[derive(Debug)]
struct Group {
    count: u32,
    statement: PerTable,
}

impl Reads {
    pub(crate) fn new(options: &ReadOptions, keys: &Keys, statements: &mut Statements) -> Self {
        let mut group = |count: u32, label, sql: &dyn Fn(&str) -> String| {
            (count > 0).then(|| Group { count, statement: PerTable::new(statements, keys, label, sql) })
        };
        let points = group(options.point_selects, "point_select", &|table| {
            format!("SELECT c FROM {table} WHERE id=?")
        });
        let on = u32::from(options.range_selects.0);
        let ranges = [
            group(on * options.simple_ranges, "simple_range", &|table| {
                format!("SELECT c FROM {table} WHERE id BETWEEN ? AND ?")
            }),
            group(on * options.sum_ranges, "sum_range", &|table| {
                format!("SELECT SUM(k) FROM {table} WHERE id BETWEEN ? AND ?")
            }),
            group(on * options.order_ranges, "order_range", &|table| {
                format!("SELECT c FROM {table} WHERE id BETWEEN ? AND ? ORDER BY c")
            }),
            group(on * options.distinct_ranges, "distinct_range", &|table| {
                format!("SELECT DISTINCT c FROM {table} WHERE id BETWEEN ? AND ? ORDER BY c")
            }),
        ];
        Self {
            points,
            ranges: ranges.into_iter().flatten().collect(),
            span: i64::from(options.range_size) - 1,
        }
    }

    /// Runs every group; each picks its table once.
    pub(crate) async fn run(
        &self,
        keys: &Keys,
        rng: &mut Rng,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        if let Some(points) = &self.points {
            let statement = points.statement.on(keys.table(rng));
            for _ in 0..points.count {
                session.execute(statement, &[Param::Int(keys.id(rng))]).await?;
            }
        }
        for range in &self.ranges {
            let statement = range.statement.on(keys.table(rng));
            for _ in 0..range.count {
                let first = keys.id(rng);
                session.execute(statement, &[Param::Int(first), Param::Int(first + self.span)]).await?;
            }
        }
        Ok(())
    }
}
