//! What the workload sends, and what its tables hold.

mod data;
mod options;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::linkbench::mix::NAMES;
use crate::testing::{Send, Transcript, now, operation, with};
use crate::{Driver, Visitor};

/// The shares of the default mix, in the order of the kinds.
const SHARES: [(&str, f64); 10] = [
    ("addlink", 8.988_660_1),
    ("deletelink", 2.990_766_4),
    ("updatelink", 8.012_212_5),
    ("countlink", 4.886_356_7),
    ("getlink", 0.526_114_2),
    ("getlinklist", 50.711_914_5),
    ("addnode", 2.573_278_9),
    ("updatenode", 7.366_437),
    ("deletenode", 1.011_591_4),
    ("getnode", 12.932_668_3),
];

/// Options with nothing but one kind of operation.
fn only(kind: usize, more: &Value) -> Value {
    let shares = SHARES.iter().enumerate();
    let mut options: Map<String, Value> =
        shares.map(|(at, (name, _))| ((*name).into(), json!(if at == kind { 100.0 } else { 0.0 }))).collect();
    options.extend(more.as_object().expect("an object").clone());
    Value::Object(options)
}

/// One operation where every statement affects so many rows; bytes of payloads are shown as their number.
struct Affecting(u64);

impl Visitor for Affecting {
    type Output = Vec<String>;

    fn visit<D: Driver>(self, workload: D) -> Vec<String> {
        let mut recorder = Transcript::of(&workload).affecting(self.0);
        let mut worker = workload.terminal(&workload.local(), 0, 4);
        now(workload.transaction(&mut worker, &mut operation(42, 0, 7), &mut recorder)).expect("an answer");
        recorder.lines
    }
}

fn sent(kind: usize, affected_rows: u64, more: &Value) -> Vec<String> {
    // Nodes are bytes of any value; letters are text in a snapshot.
    let mut options = json!({"node_add_datagen_startbyte": 97, "node_add_datagen_endbyte": 122,
        "node_up_datagen_startbyte": 97, "node_up_datagen_endbyte": 122, "node_datasize": 8});
    options.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    with("linkbench", only(kind, &options), Affecting(affected_rows)).expect("options that can be")
}

#[test]
fn statements_of_each_operation() {
    for compat in ["intended", "java"] {
        let each: Vec<String> = NAMES
            .iter()
            .enumerate()
            .map(|(kind, name)| {
                let lines = sent(kind, 0, &json!({"compat": compat}));
                format!("{name}\n  {}", lines.join("\n  "))
            })
            .collect();
        insta::assert_snapshot!(format!("statements_{compat}"), each.join("\n"));
    }
}

#[test]
fn an_addition_goes_on_by_what_the_first_statement_did() {
    let labels = |compat: &str, affected| -> Vec<String> {
        let lines = sent(0, affected, &json!({"compat": compat}));
        lines.iter().map(|line| line.split(':').next().unwrap_or_default().to_owned()).collect()
    };
    let intended = |affected| labels("intended", affected);
    assert_eq!(intended(0), ["begin", "upsert_link", "update_link", "commit"]);
    assert_eq!(intended(1), ["begin", "upsert_link", "count_up", "commit"]);
    assert_eq!(intended(2), ["begin", "upsert_link", "count_up", "update_link", "commit"]);
    let java = |affected| labels("java", affected);
    assert_eq!(java(0), ["upsert_link", "update_link"]);
    assert_eq!(java(1), ["upsert_link", "count_up"]);
    assert_eq!(java(2), ["upsert_link", "count_up", "update_link"]);
    for affected in 0..3 {
        let lines = sent(0, affected, &json!({"compat": "java"}));
        assert!(lines[0].starts_with("upsert_link: BEGIN; INSERT"), "{lines:?}");
        assert!(lines.last().is_some_and(|line| line.ends_with("; COMMIT")), "{lines:?}");
        assert_eq!(lines.iter().filter(|line| line.ends_with("; COMMIT")).count(), 1);
    }
}

#[test]
fn operations_come_in_their_shares() {
    struct Kinds;
    impl Visitor for Kinds {
        type Output = BTreeMap<u8, u32>;
        fn visit<D: Driver>(self, workload: D) -> Self::Output {
            let mut recorder = Transcript::of(&workload);
            let mut worker = workload.terminal(&workload.local(), 0, 1);
            let mut counts = BTreeMap::new();
            for number in 0..200_000 {
                let mut operation = operation(42, 0, number);
                now(workload.transaction(&mut worker, &mut operation, &mut recorder)).expect("an answer");
                recorder.lines.clear();
                *counts.entry(operation.kind.expect("a kind").0).or_default() += 1;
            }
            counts
        }
    }
    let counts =
        with("linkbench", json!({"maxid1": 10_001, "node_datasize": 8}), Kinds).expect("the defaults");
    for (kind, (name, share)) in SHARES.iter().enumerate() {
        let found = f64::from(counts[&(kind as u8)]) / 2_000.0;
        assert!((found - share).abs() < 0.5, "{name}: {found} %, not {share} %");
    }
}

#[test]
fn the_stream_does_not_depend_on_the_order_of_workers() {
    let ascii =
        json!({"node_add_datagen_endbyte": 126, "node_up_datagen_endbyte": 126, "compat": "intended"});
    for (kind, name) in NAMES.iter().enumerate() {
        let send = |operations: &[(u32, u64)]| {
            with("linkbench", only(kind, &ascii), Send { terminals: 2, operations })
                .expect("options that can be")
        };
        let mut turns = send(&[(0, 0), (1, 0), (0, 1), (1, 1)]);
        let mut blocks = send(&[(1, 0), (1, 1), (0, 0), (0, 1)]);
        turns.sort();
        blocks.sort();
        assert_eq!(turns, blocks, "{name}");
        assert_ne!(send(&[(0, 0)]), send(&[(1, 0)]), "{name}");
    }
}

#[test]
fn connections_have_other_ends_of_their_own_where_asked_for() {
    let options = only(0, &json!({"id2gen_config": 1}));
    for worker in 0..4 {
        let operations: Vec<_> = (0..50).map(|number| (worker, number)).collect();
        let lines =
            with("linkbench", options.clone(), Send { terminals: 4, operations: &operations }).expect("sent");
        for line in lines.iter().filter(|line| line.starts_with("upsert_link")) {
            let id2: u32 = line
                .split("VALUES (")
                .nth(1)
                .and_then(|it| it.split(", ").nth(1))
                .expect("id2")
                .parse()
                .expect("a number");
            assert_eq!(id2 % 4, worker, "{line}");
        }
    }
}

#[test]
fn a_multiget_asks_for_links_that_differ() {
    let options = only(
        4,
        &json!({"link_multiget_dist": "uniform", "link_multiget_dist_min": 20, "link_multiget_dist_max": 21}),
    );
    let operations: Vec<_> = (0..200).map(|number| (0, number)).collect();
    let lines = with("linkbench", options, Send { terminals: 1, operations: &operations }).expect("sent");
    assert_eq!(lines.len(), 200);
    for line in lines {
        let list = line.split("IN (").nth(1).expect("a list").trim_end_matches(')');
        let mut ends: Vec<&str> = list.split(',').collect();
        assert_eq!(ends.len(), 20);
        ends.sort_unstable();
        ends.dedup();
        assert_eq!(ends.len(), 20, "{line}");
    }
}
