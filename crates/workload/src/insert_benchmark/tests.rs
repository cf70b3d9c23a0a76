//! What the workload sends, and what its tables hold.

use std::collections::BTreeSet;

use rstest::rstest;
use serde_json::{Value, json};

use crate::testing::{Send, with};
use crate::{Driver, Visitor, rng_of_chunk};

const NAME: &str = "insert_benchmark";

fn send(options: Value, workers: u32, operations: &[(u32, u64)]) -> Vec<String> {
    with(NAME, options, Send { terminals: workers, operations }).expect("options that can be")
}

/// The first rows of a table, and whatever is said of it.
struct Look {
    rows: u64,
}

impl Visitor for Look {
    type Output = (Vec<String>, Vec<String>, Vec<String>);

    fn visit<D: Driver>(self, workload: D) -> Self::Output {
        let data = workload.data();
        let table = &data.tables()[0];
        let mut rng = rng_of_chunk(42, 0, 0);
        let row = |number| {
            let mut out = Vec::new();
            data.row(0, number, &mut rng, &mut out);
            String::from_utf8(out).expect("ASCII")
        };
        let rows = (1..=self.rows).map(row).collect();
        (rows, table.after.clone(), data.checks().into_iter().map(|check| check.sql).collect())
    }
}

#[test]
fn one_transaction_of_each_kind() {
    let options = json!({"queries": 50, "delete_tail": true, "rows_per_commit": 3});
    let operations: Vec<_> = (0..8).map(|number| (0, number)).collect();
    insta::assert_snapshot!(send(options, 1, &operations).join("\n"));
}

#[test]
fn tables_their_indexes_and_conditions() {
    let (rows, after, checks) = with(NAME, json!({}), Look { rows: 3 }).expect("options that can be");
    insta::assert_snapshot!([rows, after, checks].concat().join("\n"));
}

#[test]
fn a_batch_is_one_statement_of_its_rows() {
    let lines = send(json!({"rows_per_commit": 40}), 1, &[(0, 0), (0, 1)]);
    assert_eq!(lines.len(), 2);
    assert!(lines.iter().all(|line| line.matches("(NOW(),").count() == 40));
    assert_ne!(lines[0], lines[1]);
}

#[test]
fn rows_are_drawn_from_their_ranges_and_data_has_its_share() {
    let options = json!({"cashregisters": 3, "customers": 5, "products": 2, "max_price": 100, "data_length": 200,
                         "data_random_pct": 25});
    let (rows, ..) = with(NAME, options, Look { rows: 500 }).expect("options that can be");
    let mut random = BTreeSet::new();
    let mut seen = [const { BTreeSet::new() }; 3];
    for row in &rows {
        let values: Vec<&str> = row.trim_matches(['(', ')']).split(',').collect();
        for (seen, value) in seen.iter_mut().zip(&values[2..5]) {
            seen.insert(value.parse::<u64>().expect("a number"));
        }
        let price: f64 = values[5].parse().expect("a price");
        let customer: f64 = values[3].parse().expect("a customer");
        assert!((customer / 100.0..customer / 100.0 + 1.0).contains(&price), "{row}");
        let data = values[6].trim_matches('\'');
        assert_eq!((data.len(), &data[50..]), (200, "a".repeat(150).as_str()), "{row}");
        random.insert(data[..50].to_owned());
    }
    assert_eq!(random.len(), 500);
    assert_eq!(seen, [(0..3).collect(), (0..5).collect(), (0..2).collect()]);
}

#[test]
fn connections_take_tables_in_turn() {
    let lines = send(json!({"tables": 2}), 3, &[(0, 0), (1, 0), (2, 0)]);
    let tables: Vec<_> = lines.iter().map(|line| line.split(' ').nth(3).expect("a table")).collect();
    assert_eq!(tables, ["purchases_index1", "purchases_index2", "purchases_index1"]);
}

#[test]
fn the_stream_does_not_depend_on_the_order_of_connections() {
    let options = json!({"queries": 50, "rows_per_commit": 2});
    let mut turns = send(options.clone(), 2, &[(0, 0), (1, 0), (0, 1), (1, 1)]);
    let mut blocks = send(options, 2, &[(1, 0), (1, 1), (0, 0), (0, 1)]);
    turns.sort();
    blocks.sort();
    assert_eq!(turns, blocks);
}

#[rstest]
#[case(json!({"rows_per_commit": 10_000}),
    "rows_per_commit = 10000 with data_length = 10 makes an INSERT of up to 740000 bytes; at most 524288 are allowed")]
#[case(json!({"queries": 10, "secondary_indexes": 0}),
    "queries = 10 needs secondary indexes, but secondary_indexes is 0")]
#[case(json!({"secondary_indexes": 4}), "secondary_indexes must be at most 3, not 4")]
fn options_that_exclude_each_other(#[case] options: Value, #[case] message: &str) {
    let error = with(NAME, options, Send { terminals: 1, operations: &[] }).expect_err("refused");
    assert_eq!(error.0, format!("{NAME}: {message}"));
}
