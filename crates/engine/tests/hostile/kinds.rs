//! Answers of another kind than was asked for are no successes.

use assay_nullserver::fault::{Deed, Stage};
use serde_json::{Value, json};

use super::server::{Hostile, Way, refusal};

fn refused(deed: Deed, stage: Stage, changes: Value, exit_code: i32) -> String {
    let hostile = Hostile::new(deed, stage, 0, Way::Unix);
    let message = refusal(&hostile.carry_out("run", changes), exit_code);
    assert!(hostile.null.count("Assay_misdeeds") > 0);
    message
}

fn text() -> Value {
    json!({"target": {"ps_mode": "disable"}})
}

fn inserts() -> Value {
    json!({"workload": {"name": "oltp_insert"}})
}

#[test]
fn ok_is_no_answer_to_a_select() {
    for changes in [json!({}), text()] {
        let message = refused(Deed::WrongKind, Stage::Statement, changes, 5);
        assert!(message.contains("answered with OK where rows were due"), "{message}");
    }
    // The first that is asked of a server is to take the session that a login states.
    let message = refused(Deed::WrongKind, Stage::Question, json!({}), 5);
    assert!(message.contains("answered with rows where OK was due"), "{message}");
}

#[test]
fn rows_are_no_answer_to_an_insert() {
    let mut insert_as_text = inserts();
    crate::drive::merge(&mut insert_as_text, text());
    for changes in [inserts(), insert_as_text] {
        let message = refused(Deed::WrongKind, Stage::Statement, changes, 5);
        assert!(message.contains("answered with rows where OK was due"), "{message}");
    }
}

#[test]
fn what_nobody_asked_for_ends_the_connection() {
    for (stage, exit_code) in
        [(Stage::Login, 3), (Stage::Question, 5), (Stage::Prepare, 5), (Stage::Statement, 5)]
    {
        let message = refused(Deed::Surplus, stage, json!({}), exit_code);
        assert!(message.contains("bytes more than an answer"), "{stage:?}: {message}");
    }
}

#[test]
fn a_request_for_a_file_is_refused() {
    for changes in [json!({}), text(), inserts()] {
        let message = refused(Deed::FileRequest, Stage::Statement, changes, 5);
        assert!(message.contains("LOCAL INFILE refused") && message.contains("/etc/passwd"), "{message}");
    }
}

#[test]
fn messages_of_a_server_steer_no_terminal() {
    for (stage, exit_code) in [
        (Stage::Greeting, 3),
        (Stage::Login, 3),
        (Stage::Question, 4),
        (Stage::Prepare, 4),
        (Stage::Statement, 4),
    ] {
        let message = refused(Deed::Controls, stage, json!({}), exit_code);
        let steers = |c: char| c.is_control() || ('\u{202A}'..='\u{202E}').contains(&c);
        assert!(!message.contains(steers), "{stage:?}: {message:?}");
        assert!(message.contains("\\x1b]0;owned\\x07"), "{stage:?}: {message}");
        assert!(message.len() < 5_000, "{stage:?}: {} bytes", message.len());
    }
}
