//! Starts the engine on a job that needs no server, and reads the events that it said.

use std::io::Write;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

/// Starts the engine with a job; its events can be read from the child's standard output.
pub(crate) fn spawn(job: &Value) -> Child {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_assay-engine"))
        .args(["run", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    engine.stdin.take().unwrap().write_all(job.to_string().as_bytes()).unwrap();
    engine
}

/// Waits for the engine's end, and returns its exit code (-1 after a signal) and its events.
pub(crate) fn finish(engine: Child) -> (i32, Vec<Value>) {
    let output = engine.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let events = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (output.status.code().unwrap_or(-1), events)
}

/// Returns the events of one kind.
pub(crate) fn named<'a>(events: &'a [Value], name: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["event"] == name).collect()
}

/// Returns a whole number, which the value must be.
pub(crate) fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is not a number"))
}
