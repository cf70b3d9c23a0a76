//! What goes wrong: each cause has its exit code, its words, and loses nothing.

use std::io::{BufRead, BufReader};

use serde_json::{Value, json};

use super::engine::{database, job};
use crate::drive::{Said, carry_out, start, succeed};
use crate::support::server;

fn error(said: &Said, exit_code: i32) -> &Value {
    assert_eq!(said.exit_code, exit_code, "{:#?}", said.events);
    let fatal: Vec<_> = said.all("error").into_iter().filter(|error| error["fatal"] == true).collect();
    assert_eq!(fatal.len(), 1, "{:#?}", said.events);
    fatal[0]
}

#[test]
fn a_wrong_password() {
    let server = server();
    let changes = json!({"target": {"user": "known", "password_env": "SECRET"}});
    let said = carry_out(&job(&server, "test", "run", changes));
    assert_eq!(error(&said, 3)["code"], 1045);
}

#[test]
fn a_server_that_is_not_there() {
    let server = server();
    let changes = json!({"target": {"socket": server.file("no-such-socket")}});
    let said = carry_out(&job(&server, "test", "run", changes));
    assert!(error(&said, 3)["message"].as_str().expect("a message").contains("no-such-socket"));
}

#[test]
fn a_missing_table() {
    let server = server();
    database(&server, "without_tables");
    let said = carry_out(&job(&server, "without_tables", "run", json!({})));
    let error = error(&said, 4);
    assert_eq!(error["code"], 1146);
    assert!(error["hint"].as_str().expect("a hint").contains("prepare"));
}

#[test]
fn jobs_that_cannot_be() {
    let server = server();
    let cases = [
        (json!({"load": {"connections": 0}}), "connections"),
        (json!({"phases": {"measure_ms": 0}}), "measured window has no length"),
        (json!({"workload": {"options": {"tabels": 1}}}), "did you mean tables"),
        (json!({"workload": {"name": "oltp_raed_write"}}), "oltp_read_write"),
        (json!({"lode": {}}), "lode"),
        (json!({"target": {"password_env": "NO_SUCH_VARIABLE"}}), "NO_SUCH_VARIABLE"),
        (json!({"load": {"arrivals": {"kind": "constant", "rate": -1.0}}}), "arrivals"),
        (json!({"load": {"connections": 900}}), "max_connections"),
    ];
    for (changes, word) in cases {
        let said = carry_out(&job(&server, "test", "run", changes));
        let message = error(&said, 2).to_string();
        assert!(message.contains(word), "{word} in {message}");
    }
}

#[test]
fn more_prepared_statements_than_the_server_takes() {
    let server = server();
    let options = json!({"tables": 400, "table_size": 10});
    let changes = json!({"workload": {"options": options}, "load": {"connections": 100}});
    let said = carry_out(&job(&server, "test", "run", changes));
    assert!(error(&said, 2)["message"].as_str().expect("a message").contains("prepared statements"));
}

#[test]
fn an_interrupt_ends_the_window_and_keeps_what_was_measured() {
    let server = server();
    database(&server, "interrupted");
    succeed(&job(&server, "interrupted", "prepare", json!({})));
    let changes = json!({"phases": {"measure_ms": 60_000}});
    let mut child = start(&job(&server, "interrupted", "run", changes));

    let mut events = Vec::new();
    let mut interrupted = false;
    for line in BufReader::new(child.stdout.take().expect("a pipe")).lines() {
        let event: Value = serde_json::from_str(&line.expect("text")).expect("an event");
        let measuring = event["event"] == "interval" && event["phase"] == "measure";
        events.push(event);
        if measuring && !interrupted {
            interrupted = true;
            // SAFETY: the child is ours and has not been waited for.
            unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
        }
    }
    let exit_code = child.wait().expect("the engine ends").code().expect("no signal");
    let said = Said { exit_code, events };
    assert_eq!(said.exit_code, 130);
    let result = said.one("result");
    assert_eq!(result["complete"], false);
    assert!(result["transactions"].as_u64().expect("a count") > 0);
}

#[test]
fn an_error_in_the_load_stops_it_or_is_counted() {
    let server = server();
    database(&server, "filled_twice");
    let options = json!({"tables": 1});
    let work = |action: &str| {
        let mut work = job(&server, "filled_twice", action, json!({"load": {"connections": 1}}));
        work["workload"] = json!({"name": "bulk_insert", "options": options});
        work["phases"] = json!({"measure_ms": 100});
        work
    };
    succeed(&work("prepare"));
    succeed(&work("run"));
    // The ids begin at 1 again: the second run meets the rows of the first.
    let said = carry_out(&work("run"));
    assert_eq!(error(&said, 4)["code"], 1062);
    let mut counting = work("run");
    counting["errors"] = json!({"other": "count"});
    let said = succeed(&counting);
    // Over all intervals: the rows that were gathered last are sent when the window is over.
    let counted: u64 =
        said.all("interval").iter().filter_map(|interval| interval["errors"]["1062"].as_u64()).sum();
    assert!(counted > 0, "{:#?}", said.events);
}
