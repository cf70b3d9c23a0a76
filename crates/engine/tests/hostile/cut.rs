//! Replies that are cut in the middle, the connection closed behind them: bytes and end come in one event.

use assay_nullserver::fault::{Deed, Stage};
use serde_json::json;

use super::server::{Hostile, Way, refusal};

/// Each case several times: whether bytes and end come together is chance.
const TIMES: usize = 5;

fn cut(stage: Stage, after: u64, action: &str, exit_code: i32) {
    for way in [Way::Unix, Way::Tcp] {
        let hostile = Hostile::new(Deed::Cut, stage, after, way);
        for _ in 0..TIMES {
            let said = hostile.carry_out(action, json!({}));
            let message = refusal(&said, exit_code);
            assert!(message.contains("closed the connection"), "{stage:?} {way:?}: {message}");
        }
    }
}

#[test]
fn in_the_greeting() {
    cut(Stage::Greeting, 0, "run", 3);
}

#[test]
fn in_the_login() {
    cut(Stage::Login, 0, "run", 3);
}

#[test]
fn in_a_question() {
    cut(Stage::Question, 0, "run", 5);
}

#[test]
fn in_preparing_statements() {
    cut(Stage::Prepare, 0, "run", 5);
}

#[test]
fn in_the_load() {
    cut(Stage::Statement, 20, "run", 5);
}

#[test]
fn in_loading_tables() {
    cut(Stage::Statement, 1, "prepare", 5);
}

#[test]
fn lost_connections_are_opened_again() {
    let hostile = Hostile::new(Deed::Cut, Stage::Statement, 20, Way::Unix);
    let changes = json!({
        "phases": {"measure_ms": 0, "max_transactions": 200},
        "errors": {"on_error": {"lost": "retry"}},
    });
    let said = hostile.carry_out("run", changes);
    assert_eq!(said.exit_code, 0, "{:#?}", said.events);
    let result = said.one("result");
    assert_eq!(result["transactions"], 200);
    assert_eq!(result["timeouts"], 0, "{result}");
    // Twenty transactions a life: a connection that does exactly 100 ends its fifth one whole.
    assert!(result["reconnects"].as_u64().is_some_and(|count| count >= 8), "{result}");
}
