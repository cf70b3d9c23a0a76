//! Errors, and what the policy makes of them.

use std::io::{BufRead, BufReader};

use assay_nullserver::Behaviour;
use assay_nullserver::fault::{InjectedError, When};
use serde_json::{Value, json};

use super::null::{Null, both, count, transactions};
use crate::drive::{carry_out, start, succeed};

fn resetting() -> Null {
    Null::start(Behaviour { reset: Some(When::Every(20)), ..Behaviour::default() })
}

fn failing(code: u16) -> Null {
    let error = Some(InjectedError { code, when: When::Every(10) });
    Null::start(Behaviour { error, ..Behaviour::default() })
}

fn policy(on_error: Value) -> Value {
    both(transactions(400), json!({"errors": {"on_error": on_error}}))
}

#[test]
fn a_lost_connection_ends_the_run_unless_told_otherwise() {
    let null = resetting();
    let said = carry_out(&null.job(transactions(400)));
    assert_eq!(said.exit_code, 5);
    let fatal: Vec<_> = said.all("error").into_iter().filter(|error| error["fatal"] == true).collect();
    assert_eq!(fatal.len(), 1);
}

#[test]
fn lost_connections_are_opened_again() {
    for (reaction, failed) in [("reconnect", true), ("count", true), ("retry", false)] {
        let null = resetting();
        let said = succeed(&null.job(policy(json!({"lost": reaction}))));
        let result = said.result();
        let resets = null.count("Assay_injected_resets");
        assert!(resets >= 15, "{resets}");
        assert_eq!(count(&result["errors"], "0"), resets);
        assert_eq!(count(result, "reconnects"), resets);
        if failed {
            assert_eq!(count(result, "failed"), resets);
            assert_eq!(count(result, "transactions") + resets, 400);
        } else {
            assert_eq!((count(result, "failed"), count(result, "retries")), (0, resets));
            assert_eq!(count(result, "transactions"), 400);
        }
        assert!(!said.has_doubt("conservation"), "what a reset swallowed is no lie");

        let noticed = said.all("error");
        assert_eq!(noticed.len(), 3, "the first few, not a flood");
        for error in noticed {
            assert_eq!((&error["fatal"], &error["kind"]), (&json!(false), &json!("lost")));
            assert!(count(error, "at_ns") >= count(result, "start_ns"), "on the time line");
        }
    }
}

#[test]
fn each_code_has_its_reaction() {
    for (code, reaction) in
        [(1213, None), (1213, Some("count")), (1205, Some("retry")), (1062, Some("count"))]
    {
        let null = failing(code);
        let on_error = reaction.map_or(json!({}), |reaction| json!({code.to_string(): reaction}));
        let said = succeed(&null.job(policy(on_error)));
        let result = said.result();
        let injected = null.count("Assay_injected_errors");
        assert_eq!(count(&result["errors"], &code.to_string()), injected);
        let counted = reaction == Some("count");
        assert_eq!(count(result, "failed"), if counted { injected } else { 0 }, "{code} {reaction:?}");
        assert_eq!(count(result, "retries"), if counted { 0 } else { injected }, "{code} {reaction:?}");
        assert_eq!(null.count("Com_rollback"), injected);
        assert_eq!(count(result, "sent_statements"), count(result, "server_questions"));
        assert_eq!(count(result, "reconnects"), 0);
    }
}

#[test]
fn a_server_that_turned_read_only_is_left() {
    let null = failing(1290);
    let said = succeed(&null.job(policy(json!({"1290": "reconnect"}))));
    let result = said.result();
    let injected = null.count("Assay_injected_errors");
    assert_eq!(count(result, "reconnects"), injected);
    assert_eq!(count(result, "failed"), injected);
    // The questions before the load, the size of its tables, four workers, the new ones, and the questions after it.
    assert_eq!(null.count("Connections"), 1 + 1 + 4 + injected + 1);
}

#[test]
fn a_server_that_stays_away_ends_the_run() {
    let null = Null::quiet();
    let changes = json!({
        "phases": {"measure_ms": 60_000},
        "errors": {"other": "count", "reconnect_tries": 4},
    });
    let mut child = start(&null.job(changes));
    let mut server = Some(null);
    let mut events = Vec::new();
    for line in BufReader::new(child.stdout.take().expect("a pipe")).lines() {
        let event: Value = serde_json::from_str(&line.expect("text")).expect("an event");
        if event["event"] == "interval" {
            drop(server.take());
        }
        events.push(event);
    }
    assert_eq!(child.wait().expect("the engine ends").code(), Some(3));
    let fatal = events.iter().find(|event| event["fatal"] == true).expect("an error");
    assert!(fatal["message"].as_str().expect("text").contains("cannot reconnect after 4 tries"), "{fatal}");
    let result = events.iter().find(|event| event["event"] == "result").expect("what was measured");
    assert_eq!(result["complete"], false);
}

#[test]
fn a_wrong_key_is_named() {
    let null = Null::quiet();
    let said = carry_out(&null.job(policy(json!({"deadlock": "retry"}))));
    assert_eq!(said.exit_code, 2);
    assert!(said.one("error")["message"].as_str().expect("text").contains("errors.on_error: `deadlock`"));
}
