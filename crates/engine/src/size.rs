//! How large a workload is: asked before any table is there.

use assay_workload::{Dataset, Table, Visitor, Workload};
use serde::Serialize;

/// Answers for the workload that it visits.
pub struct Measure;

/// Its tables as `prepare` leaves them, and what each connection asks of the server. Bytes are a guess on the safe side.
#[derive(Debug, Serialize)]
pub struct Size {
    tables: Vec<TableSize>,
    rows: u64,
    bytes: u64,
    /// Statements that a connection prepares, where it prepares any.
    statements: usize,
}

#[derive(Debug, Serialize)]
struct TableSize {
    name: String,
    rows: u64,
    bytes: u64,
}

impl Visitor for Measure {
    type Output = Size;

    fn visit<W: Workload>(self, workload: W) -> Size {
        let data = workload.data();
        let tables =
            data.tables().iter().enumerate().map(|(number, table)| TableSize::of(data, number, table));
        let tables: Vec<TableSize> = tables.collect();
        Size {
            rows: tables.iter().fold(0, |sum, table| sum.saturating_add(table.rows)),
            bytes: tables.iter().fold(0, |sum, table| sum.saturating_add(table.bytes)),
            statements: workload.statements().len(),
            tables,
        }
    }
}

impl TableSize {
    /// A table that leaves row numbers out is as full as its first chunk: to count all of them takes as long as to make
    /// them.
    fn of(data: &dyn Dataset, number: usize, table: &Table) -> Self {
        let chunk = table.chunk_rows.min(table.rows);
        let filled = if chunk == 0 { 0 } else { data.rows_in(number, 1, chunk) };
        let rows =
            (u128::from(table.rows) * u128::from(filled)).checked_div(chunk.into()).unwrap_or(0) as u64;
        Self { name: table.name.clone(), rows, bytes: rows.saturating_mul(table.row_bytes.into()) }
    }
}

#[cfg(test)]
mod tests {
    use assay_workload::with_workload;
    use serde_json::{Value, json};

    use super::*;

    fn size(name: &str, options: Value) -> Size {
        let Value::Object(options) = options else { panic!("options are an object") };
        with_workload(name, &options, 0, Measure).expect("options that can be")
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
    fn no_rows_take_no_room_and_too_many_are_no_accident() {
        assert_eq!((size("bulk_insert", json!({})).rows, size("bulk_insert", json!({})).bytes), (0, 0));
        let most = size("oltp_read_only", json!({"table_size": 9_000_000_000_000_000_000_u64, "tables": 3}));
        assert_eq!((most.rows, most.bytes), (u64::MAX, u64::MAX));
    }
}
