//! What the workloads send, against the facts of sysbench 1.0.20.

use std::collections::BTreeMap;

use rstest::rstest;
use serde_json::{Value, json};

use crate::testing::{Send, Transcript, now, operation, with};
use crate::{Driver, Failure, Visitor, catalogue};

const NAMES: [&str; 15] = [
    "oltp_read_only",
    "oltp_read_write",
    "oltp_write_only",
    "oltp_point_select",
    "oltp_update_index",
    "oltp_update_non_index",
    "oltp_insert",
    "oltp_delete",
    "bulk_insert",
    "select_random_points",
    "select_random_ranges",
    "select",
    "ycsb",
    "tatp",
    "smallbank",
];

/// How many of them are sysbench's, or like them.
const SYSBENCH: usize = 12;

fn send(name: &str, options: Value, workers: u32, operations: &[(u32, u64)]) -> Vec<String> {
    with(name, options, Send { terminals: workers, operations }).expect("options that can be")
}

fn one(name: &str, options: Value) -> Vec<String> {
    send(name, options, 1, &[(0, 0)])
}

fn counts(lines: &[String]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for line in lines {
        *counts.entry(line.split(':').next().unwrap_or_default()).or_default() += 1;
    }
    counts
}

#[test]
fn the_catalogue_lists_all_with_their_options() {
    let catalogue = catalogue();
    assert!(NAMES.iter().all(|name| catalogue.iter().any(|it| it.name == *name)));
    for description in &catalogue {
        for measure in &description.measures {
            assert!(description.kinds.iter().any(|kind| *kind == measure.kind), "of no kind: {measure:?}");
        }
        assert!(description.options.properties().next().is_some(), "no options: {}", description.name);
        for (name, property) in description.options.properties() {
            let at = format!("{}: {name}: {property}", description.name);
            assert!(property.get("description").is_some_and(Value::is_string), "no help: {at}");
            assert!(property.get("default").is_some(), "no default: {at}");
            assert!(property.get("x-shapes").is_none_or(|shapes| shapes == "load"), "shapes what? {at}");
            assert!(property.get("type").is_some() || property.get("enum").is_some(), "no type: {at}");
        }
    }
    insta::assert_snapshot!("catalogue", serde_json::to_string_pretty(&catalogue).expect("JSON"));
}

#[test]
fn one_transaction_of_each() {
    for name in NAMES {
        insta::assert_snapshot!(name, one(name, json!({})).join("\n"));
    }
}

#[rstest]
#[case("oltp_read_write", 20, 18)]
#[case("oltp_read_only", 16, 14)]
#[case("oltp_write_only", 6, 4)]
fn a_transaction_has_the_statements_of_sysbench(
    #[case] name: &str,
    #[case] with_trx: usize,
    #[case] without: usize,
) {
    let lines = one(name, json!({}));
    assert_eq!(lines.len(), with_trx);
    assert_eq!(
        (lines[0].as_str(), lines[with_trx - 1].as_str()),
        ("begin: START TRANSACTION", "commit: COMMIT")
    );
    assert_eq!(one(name, json!({"skip_trx": "on"})).len(), without);
}

#[test]
fn the_others_send_one_statement() {
    for name in &NAMES[3..SYSBENCH] {
        assert_eq!(one(name, json!({})).len(), 1, "{name}");
    }
}

#[test]
fn counts_are_options() {
    let options = json!({"point_selects": 3, "simple_ranges": 0, "sum_ranges": 2, "distinct_ranges": 0});
    let lines = one("oltp_read_only", options);
    let expected = [("begin", 1), ("commit", 1), ("order_range", 1), ("point_select", 3), ("sum_range", 2)];
    assert_eq!(counts(&lines), BTreeMap::from(expected));

    let lines = one("oltp_read_only", json!({"range_selects": false}));
    assert_eq!(counts(&lines), BTreeMap::from([("begin", 1), ("commit", 1), ("point_select", 10)]));

    let lines = one("oltp_write_only", json!({"index_updates": 0, "delete_inserts": 2}));
    let expected = [("begin", 1), ("commit", 1), ("delete", 2), ("insert", 2), ("non_index_update", 1)];
    assert_eq!(counts(&lines), BTreeMap::from(expected));

    assert_eq!(counts(&one("oltp_update_index", json!({"index_updates": 4})))["index_update"], 4);
}

#[test]
fn nothing_to_send_is_refused() {
    let options = json!({"point_selects": 0, "range_selects": "off", "skip_trx": "on"});
    let error = with("oltp_read_only", options, Send { terminals: 1, operations: &[] }).expect_err("refused");
    assert_eq!(error.0, "oltp_read_only: nothing to send: every group of statements is off");
}

#[test]
fn a_group_keeps_to_one_table() {
    for number in 0..50 {
        let lines = send("oltp_read_only", json!({"tables": 8}), 1, &[(0, number)]);
        let table = |line: &String| {
            line.split_whitespace().find(|word| word.starts_with("sbtest")).map(str::to_owned)
        };
        let points: Vec<_> =
            lines.iter().filter(|line| line.starts_with("point_select")).map(table).collect();
        assert!(points.windows(2).all(|pair| pair[0] == pair[1]), "{points:?}");
    }
}

#[test]
fn groups_spread_over_all_tables() {
    let operations: Vec<_> = (0..200).map(|number| (0, number)).collect();
    let lines = send("oltp_point_select", json!({"tables": 8}), 1, &operations);
    for table in 1..=8 {
        let hits = lines.iter().filter(|line| line.contains(&format!("sbtest{table} "))).count();
        assert!(hits > 5, "sbtest{table}: {hits}");
    }
}

#[test]
fn the_stream_does_not_depend_on_the_order_of_workers() {
    for name in NAMES {
        let mut turns = send(name, json!({}), 2, &[(0, 0), (1, 0), (0, 1), (1, 1)]);
        let mut blocks = send(name, json!({}), 2, &[(1, 0), (1, 1), (0, 0), (0, 1)]);
        turns.sort();
        blocks.sort();
        assert_eq!(turns, blocks, "{name}");
        assert_ne!(send(name, json!({}), 2, &[(0, 0)]), send(name, json!({}), 2, &[(1, 0)]), "{name}");
    }
}

#[test]
fn ranges_end_at_first_plus_size_less_one() {
    let line = &one("oltp_read_only", json!({"point_selects": 0, "range_size": 7}))[1];
    let words: Vec<&str> = line.split_whitespace().collect();
    let [.., first, _and, last] = words[..] else { panic!("{line}") };
    assert_eq!(last.parse::<i64>().unwrap(), first.parse::<i64>().unwrap() + 6, "{line}");
}

#[test]
fn bulk_rows_are_sent_again_after_a_refusal() {
    struct Refusal;
    impl Visitor for Refusal {
        type Output = Vec<String>;
        fn visit<D: Driver>(self, workload: D) -> Vec<String> {
            let mut recorder = Transcript::of(&workload).refusing(0);
            let mut worker = workload.terminal(&workload.local(), 0, 1);
            for number in 0..60_000 {
                let mut first = operation(0, 0, number);
                let mut again = first.clone();
                if let Err(failure) = now(workload.transaction(&mut worker, &mut first, &mut recorder)) {
                    assert_eq!(failure, Failure::Server { code: 1213 });
                    now(workload.transaction(&mut worker, &mut again, &mut recorder))
                        .expect("the second try");
                }
            }
            now(workload.finish(&mut worker, &mut recorder)).expect("the end");
            recorder.lines
        }
    }
    let lines = with("bulk_insert", json!({}), Refusal).expect("options that can be");
    assert!(lines.len() > 2, "{} statements", lines.len());
    assert_eq!(lines[0], lines[1], "the refused statement and its second try");
    assert!(lines.iter().all(|line| line.len() <= 512 * 1024 + "bulk_insert: ".len()));
    let rows: Vec<String> = lines[1..].iter().flat_map(|line| rows_of(line)).collect();
    let expected: Vec<String> = (1..=60_000).map(|id| format!("{id},{id}")).collect();
    assert_eq!(rows, expected);
}

#[test]
fn bulk_rows_that_were_given_up_are_not_sent_again() {
    struct GivenUp;
    impl Visitor for GivenUp {
        type Output = Vec<String>;
        fn visit<D: Driver>(self, workload: D) -> Vec<String> {
            let mut recorder = Transcript::of(&workload).refusing(0);
            let mut worker = workload.terminal(&workload.local(), 0, 1);
            for number in 0..90_000 {
                let _ = now(workload.transaction(&mut worker, &mut operation(0, 0, number), &mut recorder));
            }
            recorder.lines
        }
    }
    let lines = with("bulk_insert", json!({}), GivenUp).expect("options that can be");
    let (refused, next) = (rows_of(&lines[0]), rows_of(&lines[1]));
    let first = |rows: &[String]| rows[0].split(',').next().and_then(|id| id.parse::<usize>().ok());
    assert_eq!(first(&refused), Some(1));
    // The operation that was refused had a row of its own, which is lost with it.
    assert_eq!(first(&next), Some(refused.len() + 2));
}

fn rows_of(line: &str) -> Vec<String> {
    let (_, rows) = line.split_once("VALUES(").expect("VALUES");
    rows.trim_end_matches(')').split("),(").map(str::to_owned).collect()
}

#[test]
fn bulk_connections_share_tables_without_meeting() {
    let operations: Vec<_> = (0..5).flat_map(|worker| (0..4).map(move |number| (worker, number))).collect();
    let lines = send("bulk_insert", json!({"tables": 2}), 5, &operations);
    let mut rows: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in &lines {
        let table = line.split_whitespace().nth(3).expect("a table").to_owned();
        rows.entry(table).or_default().extend(rows_of(line));
    }
    for (table, sharers) in [("sbtest1", 3), ("sbtest2", 2)] {
        let ids = rows.get_mut(table).expect("rows");
        ids.sort_by_key(|row| row.split(',').next().and_then(|id| id.parse::<u64>().ok()));
        let expected: Vec<String> = (1..=4 * sharers).map(|id| format!("{id},{id}")).collect();
        assert_eq!(*ids, expected, "{table}");
    }
}

#[test]
fn inserted_ids_are_unique_over_connections() {
    let operations: Vec<_> = (0..7).flat_map(|worker| (0..300).map(move |number| (worker, number))).collect();
    let lines = send("oltp_insert", json!({"auto_inc": "off"}), 7, &operations);
    let id = |line: &String| {
        let (_, values) = line.split_once("VALUES (").expect("VALUES");
        values.split_once(',').and_then(|(id, _)| id.parse::<i32>().ok()).expect("an INTEGER id")
    };
    let mut ids: Vec<i32> = lines.iter().map(id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), lines.len());
}

#[test]
fn connections_draw_from_their_own_part() {
    let options = json!({"table_size": 1000, "rand_type": "uniform", "random_points": 100});
    for worker in 0..4 {
        let line = &send("select_random_points", options.clone(), 4, &[(worker, 0)])[0];
        let (_, list) = line.split_once("IN (").expect("a list");
        for value in list.trim_end_matches(')').split(',') {
            let value: u32 = value.parse().expect("a number");
            assert!((worker * 250 + 1..=(worker + 1) * 250).contains(&value), "{worker}: {value}");
        }
    }
}

#[test]
fn random_reads_know_one_table() {
    for name in ["select_random_points", "select_random_ranges"] {
        let error =
            with(name, json!({"tables": 2}), Send { terminals: 1, operations: &[] }).expect_err("refused");
        assert_eq!(error.0, format!("{name}: tables must be 1, not 2: only sbtest1 is read"));
    }
}
