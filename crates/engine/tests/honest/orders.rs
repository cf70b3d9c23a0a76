//! A start and a window that a coordinator tells on standard input.

use std::io::Write;
use std::process::ChildStdin;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::input::at_events;
use super::null::{Null, count};
use crate::drive::{Said, finish, merge, start};

/// Far enough ahead that a busy machine gets the command through in time.
const AHEAD_NS: u64 = 700_000_000;

fn wall_ns() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_nanos() as u64
}

pub(crate) fn tell(input: &mut Option<ChildStdin>, command: &Value) {
    writeln!(input.as_mut().expect("still open"), "{command}").expect("it listens");
}

/// An open loop that waits for its start, or for its window.
fn open_loop(null: &Null, phases: Value) -> Value {
    let mut job = null.job(json!({
        "load": {"connections": 2, "arrivals": {"kind": "constant", "rate": 500.0}},
        "phases": {"measure_ms": 300, "interval_ms": 100},
    }));
    merge(&mut job["phases"], phases);
    job
}

/// The event by which a load that waits says that everything is ready.
fn is_ready(event: &Value) -> bool {
    event["event"] == "progress" && event["phase"] == "connect" && event["done"] == event["total"]
}

/// Where a phase begins, in nanoseconds since 1970.
fn begins(said: &Said, phase: &str) -> u64 {
    let of = |event: &&&Value| event["phase"] == phase;
    let start = said.all("phase").iter().find(of).map(|event| count(event, "start_ns"));
    start.unwrap_or_else(|| panic!("{phase} in {:#?}", said.events))
        + count(said.one("hello"), "epoch_wall_ns")
}

/// Every error is survived, says what to do, and has the words that are expected of it.
fn complaints(said: &Said, words: &[&str]) {
    let errors = said.all("error");
    assert_eq!(errors.len(), words.len(), "{errors:#?}");
    for (error, words) in errors.iter().zip(words) {
        assert!(error["fatal"] == false && error["hint"].is_string(), "{error}");
        assert!(error["message"].as_str().expect("text").contains(words), "{error}");
    }
}

#[test]
fn a_held_load_begins_at_the_told_instant_and_no_arrival_before() {
    let null = Null::quiet();
    let (mut told, mut asked_before) = (0, None);
    let said = at_events(&open_loop(&null, json!({"hold": true})), |event, input| {
        if is_ready(event) {
            asked_before = Some((null.count("Connections"), null.count("Com_stmt_execute")));
            tell(input, &json!({"command": "start", "at_wall_ns": wall_ns() - 1}));
            told = wall_ns() + AHEAD_NS;
            tell(input, &json!({"command": "start", "at_wall_ns": told}));
            tell(input, &json!({"command": "start", "at_wall_ns": told + 1}));
        }
    });
    assert_eq!(said.exit_code, 0, "{:#?}", said.events);
    let (connections, executed) = asked_before.expect("it says that everything is ready");
    assert!(connections >= 2, "connections are open by then");
    assert_eq!(executed, 0, "nothing is asked before");
    complaints(&said, &["before the earliest that is possible", "start of the load is already set"]);
    assert_eq!(begins(&said, "measure"), told);
    let (result, epoch) = (said.one("result"), count(said.one("hello"), "epoch_wall_ns"));
    assert_eq!(count(result, "start_ns") + epoch, told);
    assert_eq!(result["complete"], true);
    assert_eq!(result["pacing"]["arrivals"], 150, "all of them lie in the told window");
    assert!(said.all("interval").iter().all(|interval| count(interval, "start_ns") + epoch >= told));
}

#[test]
fn a_window_is_measured_where_it_is_told() {
    let null = Null::quiet();
    let (mut told, mut begun) = (0, false);
    let job = open_loop(&null, json!({"warmup": {"kind": "until_told"}}));
    let said = at_events(&job, |event, input| {
        if event["event"] == "interval" && !begun {
            begun = true;
            tell(input, &json!({"command": "window", "start_wall_ns": wall_ns()}));
            told = wall_ns() + AHEAD_NS;
            tell(input, &json!({"command": "window", "start_wall_ns": told}));
            tell(input, &json!({"command": "window", "start_wall_ns": told + AHEAD_NS}));
            tell(input, &json!({"command": "start", "at_wall_ns": told}));
        }
    });
    assert_eq!(said.exit_code, 0, "{:#?}", said.events);
    complaints(
        &said,
        &["before the earliest that is possible", "window is already set", "starts without a command"],
    );
    assert_eq!(begins(&said, "measure"), told);
    let (result, epoch) = (said.one("result"), count(said.one("hello"), "epoch_wall_ns"));
    assert_eq!((count(result, "start_ns") + epoch, &result["complete"]), (told, &Value::Bool(true)));
    for interval in said.all("interval") {
        let start = count(interval, "start_ns") + epoch;
        let phase = if start < told { "warmup" } else { "measure" };
        assert!(interval["phase"] == phase || interval["phase"] == "drain", "{interval}");
    }
}

#[test]
fn a_load_on_disks_begins_and_measures_when_it_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let job = json!({
        "version": 1, "action": "storage",
        "phases": {"hold": true, "warmup": {"kind": "until_told"}, "measure_ms": 200, "interval_ms": 100},
        "storage": [{
            "name": "reads", "group": 0, "depth": 1, "repeat": true,
            "files": [folder.path().join("data")], "file_bytes": 1 << 20,
            "access": {"order": "random", "read_share": 1.0, "read_blocks": 4096, "write_blocks": 4096},
            "io": {"kind": "psync"},
        }],
    });
    let (mut start, mut window) = (0, 0);
    let said = at_events(&job, |event, input| {
        if is_ready(event) {
            start = wall_ns() + AHEAD_NS;
            tell(input, &json!({"command": "start", "at_wall_ns": start}));
        } else if event["event"] == "interval" && window == 0 {
            window = wall_ns() + AHEAD_NS;
            tell(input, &json!({"command": "window", "start_wall_ns": window}));
        }
    });
    assert_eq!(said.exit_code, 0, "{:#?}", said.events);
    assert_eq!((begins(&said, "warmup"), begins(&said, "measure")), (start, window));
    assert_eq!(said.one("result")["complete"], true);
}

#[test]
fn a_load_that_waits_is_stopped_by_a_command_and_by_the_end_of_the_input() {
    let null = Null::quiet();
    let job = open_loop(&null, json!({"hold": true}));
    // Also where the start is known, and an hour away.
    for (stops, told) in [(true, false), (false, false), (true, true), (false, true)] {
        let said = at_events(&job, |event, input| {
            if is_ready(event) {
                if told {
                    tell(input, &json!({"command": "start", "at_wall_ns": wall_ns() + 3_600_000_000_000}));
                }
                if stops {
                    tell(input, &json!({"command": "stop"}));
                } else {
                    *input = None;
                }
            }
        });
        assert_eq!(said.exit_code, 130, "{:#?}", said.events);
        assert!(said.all("result").is_empty() && said.all("interval").is_empty(), "{:#?}", said.events);
    }
}

#[test]
fn a_warm_up_that_is_never_told_its_end_is_stopped() {
    let null = Null::quiet();
    let job = open_loop(&null, json!({"warmup": {"kind": "until_told"}}));
    for stops in [true, false] {
        let said = at_events(&job, |event, input| {
            if event["event"] == "interval" && input.is_some() {
                if stops {
                    tell(input, &json!({"command": "stop"}));
                }
                *input = None;
            }
        });
        assert_eq!(said.exit_code, 130, "{:#?}", said.events);
        assert!(said.all("result").is_empty());
    }
}

#[test]
fn a_job_that_waits_for_commands_is_refused_where_nobody_listens() {
    let null = Null::quiet();
    for (phases, words) in
        [(json!({"hold": true}), "phases.hold"), (json!({"warmup": {"kind": "until_told"}}), "until_told")]
    {
        let said = finish(start(&open_loop(&null, phases)));
        assert_eq!(said.exit_code, 2, "{:#?}", said.events);
        let error = said.one("error");
        assert!(error["message"].as_str().expect("text").contains(words), "{error}");
        assert!(error["hint"].as_str().expect("text").contains("--listen"), "{error}");
    }
}
