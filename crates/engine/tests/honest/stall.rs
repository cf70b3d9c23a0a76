//! A generator that was stopped says so, and hides nothing of it.

use std::io::{BufRead, BufReader};
use std::time::Duration;

use serde_json::{Value, json};

use super::null::{MS, Null, count, histogram, times};
use crate::drive::{Said, start};

#[test]
fn a_stopped_generator_doubts_itself() {
    let null = Null::quiet();
    let mut child = start(&null.job(json!({
        "load": {"connections": 16, "arrivals": {"kind": "constant", "rate": 1000.0}},
        "phases": {"measure_ms": 1500},
    })));
    let pid = child.id() as i32;
    let mut events: Vec<Value> = Vec::new();
    let mut stopped = false;
    for line in BufReader::new(child.stdout.take().expect("a pipe")).lines() {
        let event: Value = serde_json::from_str(&line.expect("text")).expect("an event");
        if event["event"] == "interval" && !stopped {
            stopped = true;
            // SAFETY: the child is ours and has not been waited for.
            unsafe { libc::kill(pid, libc::SIGSTOP) };
            std::thread::sleep(Duration::from_millis(200));
            // SAFETY: as above.
            unsafe { libc::kill(pid, libc::SIGCONT) };
        }
        events.push(event);
    }
    let exit_code = child.wait().expect("the engine ends").code().expect("no signal");
    let said = Said { exit_code, events };
    assert_eq!(said.exit_code, 0);
    assert!(said.has_doubt("stalled-loop") && said.has_doubt("late-pacing"), "{:#?}", said.all("doubt"));
    let result = said.result();
    assert!(count(result, "longest_stall_ns") >= 150 * MS);
    assert!(histogram(&result["pacing"]["lateness"]).max_ns() >= 150 * MS, "late is said to be late");
    let response = times(result, "response");
    assert_eq!(response.count(), 1500, "and what it did not send in time it sent late");
    assert!(response.quantile_ns(0.95) >= 50 * MS, "and the time is in the response");
}
