//! Commands on standard input while a job goes on.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::null::Null;
use super::proxy::Proxy;
use crate::drive::{Said, finish};

/// Starts the engine with a job as the first line of an input that stays open.
fn listening(job: &Value) -> (Child, ChildStdin) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_assay-engine"))
        .args(["run", "--listen", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    let mut input = child.stdin.take().expect("a pipe");
    writeln!(input, "{job}").expect("the job is read");
    (child, input)
}

/// All that a job says, when `then` is done with its input after the first interval.
fn after_an_interval(job: &Value, then: impl FnOnce(ChildStdin) -> Option<ChildStdin>) -> Said {
    let mut then = Some(then);
    at_events(job, |event, input| {
        if event["event"] == "interval"
            && let Some(then) = then.take()
        {
            *input = then(input.take().expect("still open"));
        }
    })
}

/// All that a job says, while `hear` is told each event and has the input.
pub(crate) fn at_events(job: &Value, mut hear: impl FnMut(&Value, &mut Option<ChildStdin>)) -> Said {
    let (mut child, input) = listening(job);
    let (mut input, mut events) = (Some(input), Vec::new());
    for line in BufReader::new(child.stdout.take().expect("a pipe")).lines() {
        let event: Value = serde_json::from_str(&line.expect("text")).expect("an event");
        hear(&event, &mut input);
        events.push(event);
    }
    let exit_code = child.wait().expect("the engine ends").code().expect("no signal");
    Said { exit_code, events }
}

#[expect(clippy::unnecessary_wraps, reason = "one of two ways to be done with an input")]
fn stop(mut input: ChildStdin) -> Option<ChildStdin> {
    writeln!(input, r#"{{"command":"stop"}}"#).expect("it listens");
    Some(input)
}

fn close(input: ChildStdin) -> Option<ChildStdin> {
    drop(input);
    None
}

/// Ten minutes, which nobody waits for.
fn endless(null: &Null) -> Value {
    null.job(json!({"load": {"connections": 2}, "phases": {"measure_ms": 600_000, "interval_ms": 100}}))
}

#[test]
fn a_job_that_is_stopped_says_what_it_has_measured() {
    let null = Null::quiet();
    for end in [stop, close] {
        let said = after_an_interval(&endless(&null), end);
        assert_eq!(said.exit_code, 130, "{:#?}", said.events);
        let result = said.one("result");
        assert_eq!(result["complete"], false);
        assert!(result["transactions"].as_u64().expect("a count") > 0);
        assert!(said.all("error").is_empty());
    }
}

#[test]
fn a_warm_up_that_is_stopped_has_no_result() {
    let null = Null::quiet();
    let mut job = endless(&null);
    job["phases"]["warmup"] = json!({"kind": "fixed", "duration_ms": 600_000});
    for end in [stop, close] {
        let said = after_an_interval(&job, end);
        assert_eq!(said.exit_code, 130, "{:#?}", said.events);
        assert!(said.all("result").is_empty());
    }
}

#[test]
fn a_job_that_is_stopped_waits_for_no_answer() {
    const QUERY: u8 = 0x03;
    for end in [stop, close] {
        for action in ["prepare", "check", "run", "cleanup"] {
            let null = Null::quiet();
            let proxy = Proxy::before(&null, Some(QUERY));
            let mut job =
                null.job(json!({"target": {"socket": proxy.socket(), "connect_timeout_ms": 600_000}}));
            job["action"] = json!(action);
            let (child, input) = listening(&job);
            while null.count("Connections") < 1 {
                std::thread::sleep(Duration::from_millis(10));
            }
            let _open = end(input);
            let said = finish(child);
            assert_eq!(said.exit_code, 130, "{action}: {:#?}", said.events);
            assert!(said.all("error").is_empty(), "a stop is no error");
        }
    }
}

#[test]
fn a_line_that_is_no_command_is_said_and_the_load_goes_on() {
    let null = Null::quiet();
    let job =
        null.job(json!({"load": {"connections": 2}, "phases": {"measure_ms": 400, "interval_ms": 100}}));
    let said = after_an_interval(&job, |mut input| {
        writeln!(input, r#"{{"command":"stpo"}}"#).expect("it listens");
        Some(input)
    });
    assert_eq!(said.exit_code, 0, "{:#?}", said.events);
    let error = said.one("error");
    assert_eq!(error["fatal"], false);
    assert!(error["message"].as_str().expect("text").contains("expected one of `stop`"), "{error}");
    assert_eq!(said.one("result")["complete"], true);
}

#[test]
fn a_load_on_disks_obeys_as_well() {
    let folder = tempfile::tempdir().expect("a folder");
    let job = json!({
        "version": 1, "action": "storage", "phases": {"measure_ms": 600_000, "interval_ms": 100},
        "storage": [{
            "name": "reads", "group": 0, "depth": 1, "repeat": true,
            "files": [folder.path().join("data")], "file_bytes": 1 << 20,
            "access": {"order": "random", "read_share": 1.0, "read_blocks": 4096, "write_blocks": 4096},
            "io": {"kind": "psync"},
        }],
    });
    for end in [stop, close] {
        let said = after_an_interval(&job, end);
        assert_eq!(said.exit_code, 130, "{:#?}", said.events);
        assert_eq!(said.one("result")["complete"], false);
    }
}
