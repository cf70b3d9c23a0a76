//! What a server did not say is not believed: rows that it did not take, questions that it answered without an answer.

use assay_nullserver::Behaviour;
use assay_nullserver::fault::{Deed, Misdeed, Stage};
use serde_json::{Value, json};

use super::null::Null;
use crate::drive::{Said, carry_out};

/// A job on a server that does this to every statement after so many.
fn on(deed: Deed, after: u64, changes: Value) -> Said {
    let misdeed = Some(Misdeed { deed, stage: Stage::Statement, after });
    let null = Null::start(Behaviour { misdeed, ..Behaviour::default() });
    let mut job = null.job(json!({}));
    if changes.get("workload").is_some() {
        job["workload"] = Value::Null;
    }
    crate::drive::merge(&mut job, changes);
    carry_out(&job)
}

fn refused(said: &Said, exit_code: i32, words: &[&str]) {
    assert_eq!(said.exit_code, exit_code, "{:#?}", said.events);
    let message = said.one("error")["message"].as_str().expect("text");
    assert!(words.iter().all(|word| message.contains(word)), "{words:?} in {message}");
}

#[test]
fn rows_that_the_server_did_not_take_are_no_load() {
    for (deed, words) in [
        (Deed::Affected(0), "took 0 of"),
        (Deed::Affected(1_001), "took 1001 of"),
        (Deed::Warnings(7), "with 7 warnings"),
    ] {
        // On the loader's connection: BEGIN, then the rows.
        let said = on(deed, 1, json!({"action": "prepare", "engine": {"load_as": "insert", "loaders": 1}}));
        refused(&said, 4, &["sbtest1", words, "chunk 0"]);
    }
}

#[test]
fn a_condition_whose_query_has_no_result_does_not_hold() {
    let said = on(Deed::WrongKind, 0, json!({"action": "check", "workload": {"name": "tatp"}}));
    refused(&said, 5, &["OK where rows were due"]);
}

#[test]
fn a_count_without_a_result_is_no_count() {
    refused(
        &on(Deed::WrongKind, 0, json!({"action": "check"})),
        5,
        &["SELECT COUNT(*) FROM sbtest1", "OK where rows were due"],
    );
}
