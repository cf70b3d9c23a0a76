//! What `ycsb` sends.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rstest::rstest;
use serde_json::{Value, json};

use crate::testing::{Send, Transcript, now, operation, with};
use crate::{Driver, Visitor};

fn send(options: Value, workers: u32, each: u64) -> Vec<String> {
    let operations: Vec<_> =
        (0..each).flat_map(|number| (0..workers).map(move |worker| (worker, number))).collect();
    with("ycsb", options, Send { terminals: workers, operations: &operations }).expect("options that can be")
}

/// How many operations of each kind, and the counters, over so many operations of one connection.
struct Kinds(u64);

impl Visitor for Kinds {
    type Output = BTreeMap<Arc<str>, u64>;

    fn visit<D: Driver>(self, workload: D) -> Self::Output {
        let (mut recorder, mut worker) =
            (Transcript::of(&workload), workload.terminal(&workload.local(), 0, 1));
        let (kinds, mut seen) = (workload.kinds(), BTreeMap::new());
        for number in 0..self.0 {
            let mut operation = operation(42, 0, number);
            now(workload.transaction(&mut worker, &mut operation, &mut recorder)).expect("an answer");
            let kind = operation.kind.expect("a kind");
            *seen.entry(kinds[usize::from(kind.0)].clone()).or_default() += 1;
        }
        seen
    }
}

#[rstest]
#[case("a", &[("read", 50), ("update", 50)])]
#[case("b", &[("read", 95), ("update", 5)])]
#[case("c", &[("read", 100)])]
#[case("d", &[("read", 95), ("insert", 5)])]
#[case("e", &[("scan", 95), ("insert", 5)])]
#[case("f", &[("read", 50), ("read_modify_write", 50)])]
fn a_workload_has_its_mix(#[case] letter: &str, #[case] expected: &[(&str, u64)]) {
    let seen = with("ycsb", json!({"workload": letter, "fieldcount": 1}), Kinds(40_000)).expect("options");
    assert_eq!(seen.len(), expected.len(), "{seen:?}");
    for (kind, percent) in expected {
        // Deviation at most 100.
        assert!(seen[*kind].abs_diff(percent * 400) < 500, "{kind}: {seen:?}");
    }
}

#[test]
fn proportions_go_before_the_workload_and_count_by_their_sum() {
    let options = json!({"workload": "c", "readproportion": 3, "insertproportion": 1, "fieldcount": 1});
    let seen = with("ycsb", options, Kinds(40_000)).expect("options");
    assert!(seen["insert"].abs_diff(10_000) < 450 && seen.len() == 2, "{seen:?}");
    let none = json!({"workload": "c", "readproportion": 0});
    let error = with("ycsb", none, Kinds(1)).expect_err("nothing to send");
    assert_eq!(error.0, "ycsb: nothing to send: the share of every kind of operation is 0");
}

#[test]
fn one_statement_of_each_kind() {
    let mut lines = Vec::new();
    for options in [
        json!({"workload": "c", "insertorder": "ordered"}),
        json!({"workload": "c", "readallfields": "off"}),
        json!({"readproportion": 0, "fieldlength": 4}),
        json!({"readproportion": 0, "writeallfields": "on", "fieldcount": 2, "fieldlength": 4}),
        json!({"workload": "e", "insertproportion": 0, "zeropadding": 20}),
        json!({"workload": "e", "scanproportion": 0, "fieldcount": 3, "fieldlength": 5}),
        json!({"workload": "f", "readproportion": 0, "fieldlength": 4}),
    ] {
        lines.push(format!("# {options}"));
        lines.extend(send(options, 1, 1));
    }
    insta::assert_snapshot!(lines.join("\n"));
}

/// The keys of the inserts that a statement list holds.
fn inserted(lines: &[String]) -> Vec<&str> {
    let key = |line: &&'_ String| line.starts_with("insert: ");
    lines.iter().filter(key).map(|line| line.split('\'').nth(1).expect("a key")).collect()
}

#[test]
fn connections_insert_records_that_no_other_does() {
    let options = json!({"workload": "d", "insertproportion": 1, "insertorder": "ordered", "fieldcount": 1});
    let lines = send(options, 5, 400);
    let keys = inserted(&lines);
    assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len());
    assert!(keys.len() > 800, "{}", keys.len());
    let numbers = keys.iter().map(|key| key.strip_prefix("user").and_then(|n| n.parse::<u64>().ok()));
    assert!(numbers.map(|number| number.expect("a number")).all(|number| number >= 1_000));
}

#[test]
fn an_operation_is_the_same_whatever_came_before_it() {
    let options = json!({"workload": "d", "insertproportion": 0.5});
    let whole = send(options.clone(), 1, 60);
    let last = with("ycsb", options, Send { terminals: 1, operations: &[(0, 59)] }).expect("options");
    assert_eq!(last, whole[59..]);
}

#[test]
fn latest_asks_for_what_was_inserted() {
    let lines = send(json!({"workload": "d", "insertproportion": 0.95}), 3, 400);
    let mut known = BTreeSet::new();
    let mut own = 0;
    for line in &lines {
        let key = line.split('\'').nth(1).expect("a key");
        if line.starts_with("insert: ") {
            known.insert(key);
        } else {
            own += u32::from(known.contains(key));
        }
    }
    // Of 600 reads; by Zipf's law over 1000 to 1200 records about half are among the newest 30.
    assert!(own > 200, "{own}");
}

/// What the end of a connection writes down, on tables whose notes are these.
struct AfterNotes(&'static [(&'static str, &'static str)]);

impl Visitor for AfterNotes {
    type Output = Result<Vec<String>, String>;

    fn visit<D: Driver>(self, mut workload: D) -> Self::Output {
        let notes = self.0.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        workload.learner().expect("notes are read").learn(&notes).map_err(|error| error.0)?;
        let (mut recorder, mut worker) =
            (Transcript::of(&workload), workload.terminal(&workload.local(), 1, 4));
        for number in 0..100 {
            now(workload.transaction(&mut worker, &mut operation(42, 1, number), &mut recorder)).expect("ok");
        }
        now(workload.finish(&mut worker, &mut recorder)).expect("the end");
        Ok(recorder.lines)
    }
}

const NOTES: [(&str, &str); 5] = [
    ("recordcount", "500"),
    ("fieldcount", "10"),
    ("insertorder", "ordered"),
    ("zeropadding", "1"),
    ("next_record", "7000"),
];

#[test]
fn a_run_inserts_after_the_one_before_and_says_where_the_next_begins() {
    let options = json!({"workload": "d", "insertproportion": 0.95, "insertorder": "ordered"});
    let lines = with("ycsb", options, AfterNotes(&NOTES)).expect("options").expect("notes that fit");
    let numbers: Vec<u64> = inserted(&lines).iter().map(|key| key[4..].parse().expect("a number")).collect();
    let expected: Vec<u64> = (0..numbers.len() as u64).map(|index| 7_000 + 4 * index + 1).collect();
    assert_eq!(numbers, expected);
    let last = lines.last().expect("a note");
    let unused = last.split("UNSIGNED), ").nth(1).and_then(|rest| rest.split(')').next()).expect(last);
    assert!(unused.parse::<u64>().expect("a number") > *numbers.last().expect("inserts"), "{last}");
}

const TORN: [(&str, &str); 5] = [
    ("recordcount", "18446744073709551615"),
    ("fieldcount", "10"),
    ("insertorder", "ordered"),
    ("zeropadding", "1"),
    ("next_record", "7000"),
];

#[rstest]
#[case(json!({"fieldcount": 3, "insertorder": "ordered"}), &NOTES,
    "ycsb: fieldcount = 3, but the tables were made with fieldcount = 10")]
#[case(json!({}), &NOTES, "ycsb: insertorder = hashed, but the tables were made with insertorder = ordered")]
#[case(json!({"recordcount": 501, "insertorder": "ordered"}), &NOTES,
    "ycsb: recordcount = 501, but 500 were loaded")]
#[case(json!({}), &[], "ycsb: table assay_ycsb is missing or empty, so that nothing says how many records there are: run \
                        prepare, or give recordcount for tables of another tool")]
#[case(json!({"insertorder": "ordered"}), &TORN,
    "ycsb: table assay_ycsb says recordcount = \"18446744073709551615\", expected 1 to 9000000000000000000: run cleanup \
     and prepare")]
fn tables_of_other_options_are_refused(
    #[case] options: Value,
    #[case] notes: &'static [(&'static str, &'static str)],
    #[case] message: &str,
) {
    assert_eq!(with("ycsb", options, AfterNotes(notes)).expect("options"), Err(message.to_owned()));
}

#[test]
fn tables_of_ycsb_itself_need_only_their_size() {
    let options = json!({"recordcount": 10, "workload": "d"});
    let lines = with("ycsb", options, AfterNotes(&[])).expect("options").expect("no notes");
    assert!(lines.iter().all(|line| !line.starts_with("note")));
}
