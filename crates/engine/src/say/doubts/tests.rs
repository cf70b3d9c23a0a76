//! Each doubt at its limit and to both sides of it.

use std::collections::BTreeMap;

use super::*;
use assay_format::event::Deferred;
use assay_workload::{Account, StatementAccount, TableAccount};

fn kinds(facts: &Facts) -> Vec<String> {
    doubts(facts).map(|doubt| doubt.kind).collect()
}

fn in_flight(accounted: f64, edges: f64) -> Facts {
    let what = "connection";
    Facts { in_flight: Some(InFlight { what, expected: 100.0, accounted, edges }), ..Facts::default() }
}

fn served(terminals: bool, min: u64, mean: f64) -> Facts {
    Facts { served: Some(Served { terminals, min, mean }), ..Facts::default() }
}

fn depth(reached: f64) -> Facts {
    Facts { depth: Some(Depth { job: "reads".into(), depth: 4, reached }), ..Facts::default() }
}

fn deferred(unfinished: u64, failed: u64) -> Facts {
    let deferred = Deferred { queued: 9, unfinished, failed, ..Deferred::default() };
    Facts { deferred: Some(deferred), ..Facts::default() }
}

fn statements(counted: u64, unsure: u64, goodbyes: u64) -> Facts {
    let statements = Statements { sent: 100_000, counted, unsure, goodbyes, elapsed_s: 1.5 };
    Facts { statements: Some(statements), ..Facts::default() }
}

/// A load of half a minute on a table of a thousand rows, with something about it that is different.
fn own(change: impl FnOnce(&mut Account)) -> Facts {
    let place = "a.sql:1:1: select_t".into();
    let table =
        TableAccount { name: "t".into(), rows: 1_000, gained: 0, reached: None, drawn_at: String::new() };
    let mut account = Account {
        statements: vec![StatementAccount {
            place,
            executions: 2,
            reads: 2,
            misses: 0,
            bytes: 0,
            errors: BTreeMap::new(),
        }],
        tables: vec![table],
        ..Account::default()
    };
    change(&mut account);
    Facts { account: Some(account), load_s: 30.0, ..Facts::default() }
}

/// A thousand reads that find something, and those of one more statement.
fn reads_of_one(reads: u64, misses: u64) -> Facts {
    let one = own(|account| {
        let statement = &mut account.statements[0];
        (statement.executions, statement.reads, statement.misses) = (reads, reads, misses);
    });
    Facts { reads: Some((misses, 1_000 + reads)), ..one }
}

fn uncommitted(operations: u64, connections: u64) -> Facts {
    Facts { uncommitted: Some(Uncommitted { operations, of: 9, connections }), ..Facts::default() }
}

#[test]
fn figures_that_nobody_filled_in_raise_nothing() {
    assert_eq!(kinds(&Facts::default()), [""; 0]);
}

#[test]
fn each_doubt_begins_beyond_its_limit() {
    let facts = Facts::default;
    let table: Vec<(Facts, Option<&str>)> = vec![
        (Facts { debug_build: true, ..facts() }, Some("debug-build")),
        (in_flight(98.01, 0.0), None),
        (in_flight(97.99, 0.0), Some("littles-law")),
        (in_flight(102.01, 0.0), Some("littles-law")),
        (in_flight(97.5, 0.01), None),
        (Facts { loops_busy: Some((0.8, 2)), ..facts() }, None),
        (Facts { loops_busy: Some((0.81, 2)), ..facts() }, Some("generator-busy")),
        (Facts { processors_busy: Some(0.9), ..facts() }, None),
        (Facts { processors_busy: Some(0.91), ..facts() }, Some("processors-busy")),
        (Facts { longest_stall_ns: 50_000_000, ..facts() }, None),
        (Facts { longest_stall_ns: 50_000_001, ..facts() }, Some("stalled-loop")),
        (Facts { late_p99_ns: 1_000_000, ..facts() }, None),
        (Facts { late_p99_ns: 1_000_001, ..facts() }, Some("late-pacing")),
        (Facts { reading: Some((5_000, 100_000)), ..facts() }, None),
        (Facts { reading: Some((5_001, 100_000)), ..facts() }, Some("late-reading")),
        (Facts { reading: Some((0, 0)), ..facts() }, None),
        (served(false, 15, 30.0), None),
        (served(false, 14, 30.0), Some("starved-connection")),
        (served(true, 14, 30.0), Some("starved-terminal")),
        (served(false, 1, 29.0), None),
        (depth(0.95), None),
        (depth(0.94), Some("depth-not-reached")),
        (Facts { terminals: Some((10, 10)), ..facts() }, None),
        (Facts { terminals: Some((9, 10)), ..facts() }, Some("terminals")),
        (Facts { terminals: Some((11, 10)), ..facts() }, Some("terminals")),
        (deferred(0, 0), None),
        (deferred(1, 0), Some("deferred-unfinished")),
        (deferred(0, 1), Some("deferred-unfinished")),
        (Facts { reach: Some((4, 4)), ..facts() }, None),
        (Facts { reach: Some((3, 4)), ..facts() }, Some("idle-data")),
        (Facts { reads: Some((20, 100)), ..facts() }, None),
        (Facts { reads: Some((21, 100)), ..facts() }, Some("misses")),
        (Facts { reads: Some((0, 0)), ..facts() }, None),
        (reads_of_one(20, 4), None),
        (reads_of_one(20, 5), Some("misses")),
        (reads_of_one(19, 19), None),
        (Facts { failing: Some(("a".into(), 1, 100)), ..facts() }, None),
        (Facts { failing: Some(("a".into(), 2, 100)), ..facts() }, Some("failing")),
        (own(|account| account.tables[0].reached = Some(0.01)), None),
        (own(|account| account.tables[0].reached = Some(0.009)), Some("tiny-pool")),
        (own(|account| account.tables[0].gained = 5), None),
        (own(|account| account.tables[0].gained = 6), Some("grows")),
        (own(|account| account.tables[0].gained = -6), None),
        (own(|account| account.statements[0].bytes = 2_000_000), None),
        (own(|account| account.statements[0].bytes = 2_000_002), Some("huge-result")),
        (own(|account| account.saves = Some("a.sql:1:1".into())), Some("nondeterministic")),
        (own(|account| account.untouched = Some(vec![])), None),
        (own(|account| account.untouched = Some(vec!["t".into()])), Some("untouched")),
        (Facts { steady: Some(true), ..facts() }, None),
        (Facts { steady: Some(false), ..facts() }, Some("not-steady")),
        (Facts { carried_over: Some((8, 8)), ..facts() }, None),
        (Facts { carried_over: Some((9, 8)), ..facts() }, Some("carried-over")),
        (Facts { transactions: Some(1), ..facts() }, None),
        (Facts { transactions: Some(0), ..facts() }, Some("no-transactions")),
        (Facts { unstored: Some((1, 100)), ..facts() }, None),
        (Facts { unstored: Some((2, 100)), ..facts() }, Some("unstored")),
        (Facts { unprepared: 1, ..facts() }, Some("unprepared")),
        (uncommitted(0, 0), None),
        (uncommitted(1, 0), Some("uncommitted")),
        (uncommitted(0, 1), Some("uncommitted")),
        (Facts { dropped: Some((0, 8)), ..facts() }, None),
        (Facts { dropped: Some((1, 8)), ..facts() }, Some("dropped")),
        (Facts { abandoned: 1, ..facts() }, Some("abandoned")),
        (Facts { hung: Some(("thread event-loop-0".into(), 1)), ..facts() }, Some("hung-workers")),
        // A thousandth, and ten: 110 of 100 000; samples of two seconds besides, upwards.
        (statements(99_890, 0, 0), None),
        (statements(99_889, 0, 0), Some("conservation")),
        (statements(99_889, 1, 0), None),
        (statements(100_120, 0, 0), None),
        (statements(100_121, 0, 0), Some("conservation")),
        (statements(100_121, 0, 1), None),
    ];
    for (facts, expected) in &table {
        let expected: Vec<_> = expected.iter().map(|kind| (*kind).to_owned()).collect();
        assert_eq!(kinds(facts), expected, "{facts:?}");
    }
    let raised: std::collections::BTreeSet<String> =
        table.iter().flat_map(|(facts, _)| kinds(facts)).collect();
    // One file raises two kinds: of connections, and of terminals.
    assert_eq!(raised.len(), CHECKS.len() + 1, "every doubt is in the table");
}

#[test]
fn a_dropped_arrival_is_one_of_all_that_are_known() {
    let found: Vec<_> = doubts(&Facts { dropped: Some((3, 0)), ..Facts::default() }).collect();
    assert!(found[0].message.starts_with("3 of 3 arrivals (100.0 %) were dropped"), "{}", found[0].message);
}

#[test]
fn a_statement_that_finds_nothing_is_named_though_others_find_enough() {
    let found: Vec<_> = doubts(&reads_of_one(30, 30)).collect();
    let said = "a.sql:1:1: select_t: 100 % of 30 reads found no row";
    assert!(found[0].message.starts_with(said), "{}", found[0].message);
    assert!((found[0].value - 1.0).abs() < 1e-9);
}

#[test]
fn a_table_that_was_empty_has_grown_by_rows_and_by_no_share() {
    for (rows, gained, said) in [
        (0, 2_799, "table t was empty and gained 2,799 rows in 30.0 s:"),
        (1, 3, "table t had about 1 row and gained 3 in 30.0 s, 300.0 %:"),
        (12_000, 1_474, "table t had about 12,000 rows and gained 1,474 in 30.0 s, 12.3 %:"),
    ] {
        let facts = own(|account| (account.tables[0].rows, account.tables[0].gained) = (rows, gained));
        let found: Vec<_> = doubts(&facts).filter(|one| one.kind == "grows").collect();
        assert!(found[0].message.starts_with(said), "{}", found[0].message);
    }
}
