//! The size of a workload, worked out before any table is there.

use assay_workload::{Dataset, Description, Table};
use serde::Serialize;

/// The tables of a workload as `prepare` leaves them, and what each connection asks of the server. Bytes are a guess on the safe side.
#[derive(Debug, Serialize)]
pub(crate) struct Size {
    tables: Vec<TableSize>,
    rows: u64,
    bytes: u64,
    /// Statements that a connection prepares, where it prepares any.
    statements: usize,
    /// Whether the load may change rows.
    writes: bool,
}

#[derive(Debug, Serialize)]
struct TableSize {
    name: String,
    rows: u64,
    bytes: u64,
}

impl Size {
    /// The size of a workload with its options.
    pub(crate) fn of(workload: &dyn Description) -> Self {
        let data = workload.data();
        let tables =
            data.tables().iter().enumerate().map(|(number, table)| TableSize::of(data, number, table));
        let tables: Vec<TableSize> = tables.collect();
        Self {
            rows: tables.iter().fold(0, |sum, table| sum.saturating_add(table.rows)),
            bytes: tables.iter().fold(0, |sum, table| sum.saturating_add(table.bytes)),
            statements: workload.statements().list().len(),
            writes: workload.writes(),
            tables,
        }
    }
}

impl TableSize {
    fn of(data: &dyn Dataset, number: usize, table: &Table) -> Self {
        let rows = data.rows_about(number);
        Self { name: table.name.clone(), rows, bytes: rows.saturating_mul(table.row_bytes.into()) }
    }
}

#[cfg(test)]
mod tests {
    use assay_workload::entry;
    use serde_json::{Value, json};

    use super::*;

    fn size(name: &str, options: Value) -> Size {
        let Value::Object(options) = options else { panic!("options are an object") };
        let described = entry(name).and_then(|entry| entry.describe(&options, 0));
        Size::of(&*described.expect("options that can be"))
    }

    #[test]
    fn tables_and_statements_are_those_of_the_options() {
        let found = size("oltp_read_write", json!({"tables": 4, "table_size": 25_000}));
        assert_eq!((found.tables.len(), found.rows, found.bytes), (4, 100_000, 24_000_000));
        assert_eq!((found.tables[3].name.as_str(), found.tables[3].rows), ("sbtest4", 25_000));
        // Five reads, two updates, delete and insert for each table; BEGIN and COMMIT.
        assert_eq!(found.statements, 4 * 9 + 2);
    }

    #[test]
    fn a_warehouse_has_the_rows_of_the_specification() {
        let (one, ten) = (size("tpcc", json!({})), size("tpcc", json!({"warehouses": 10})));
        let lines =
            |size: &Size| size.tables.iter().find(|table| table.name == "order_line").map(|it| it.rows);
        // 3000 orders of 5 to 15 lines in ten districts.
        assert!((285_000..315_000).contains(&lines(&one).expect("a table")), "{one:?}");
        assert_eq!(lines(&one).map(|rows| 10 * rows), lines(&ten));
        let each = (ten.bytes - one.bytes) / 9;
        assert!((100_000_000..110_000_000).contains(&each), "{each}");
    }

    #[test]
    fn a_graph_has_its_hottest_id_wherever_it_is() {
        // What the original makes of so many ids: one has 961963 links.
        for (ids, links, pairs) in [(10_000, 992_404, 7_721), (1_000_000, 4_975_697, 772_059)] {
            let found = size("linkbench", json!({"maxid1": ids + 1}));
            let rows: Vec<f64> = found.tables.iter().map(|table| table.rows as f64).collect();
            assert!((rows[0] / f64::from(links) - 1.0).abs() < 0.02, "{found:?}");
            assert!((rows[1] / f64::from(pairs) - 1.0).abs() < 0.02, "{found:?}");
            assert_eq!(found.tables[2].rows, ids);
        }
    }

    #[test]
    fn no_rows_take_no_room_and_too_many_are_no_accident() {
        assert_eq!((size("bulk_insert", json!({})).rows, size("bulk_insert", json!({})).bytes), (0, 0));
        let most = size("oltp_read_only", json!({"table_size": 9_000_000_000_000_000_000_u64, "tables": 3}));
        assert_eq!((most.rows, most.bytes), (u64::MAX, u64::MAX));
    }
}
