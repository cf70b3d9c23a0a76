//! The engine on the machine itself: jobs in, events out.

use std::io::{BufRead, BufReader};

use assay_tally::Histogram;
use serde_json::{Value, json};

use crate::said::{finish, named, number, spawn};

fn job(machine: Value, phases: Value) -> Value {
    json!({ "version": 1, "action": "machine", "seed": 3, "threads": 2, "machine": machine, "phases": phases })
}

fn result_of(job: &Value) -> (Value, Vec<Value>) {
    let (code, events) = finish(spawn(job));
    assert_eq!(code, 0, "{events:?}");
    let result = named(&events, "result")[0].clone();
    (result, events)
}

fn events_of_threads(result: &Value) -> Vec<u64> {
    let threads = result["machine"]["threads"].as_array().unwrap();
    threads.iter().map(|thread| number(&thread["events"])).collect()
}

const SMALL: u64 = 200;

#[test]
fn a_limit_of_events_is_exact() {
    let mut wanted = job(
        json!({ "kind": "cpu", "max_prime": SMALL }),
        json!({ "measure_ms": 0, "max_transactions": 5_003 }),
    );
    wanted["threads"] = json!(3);
    let (result, events) = result_of(&wanted);
    assert_eq!(number(&result["transactions"]), 5_003);
    assert_eq!(number(&result["machine"]["events"]), 5_003);
    assert_eq!(events_of_threads(&result).iter().sum::<u64>(), 5_003);
    assert_eq!(events_of_threads(&result).len(), 3);
    assert_eq!((&result["complete"], number(&result["machine"]["bytes"])), (&json!(true), 0));
    let counted: u64 = named(&events, "interval").iter().map(|event| number(&event["transactions"])).sum();
    assert_eq!(counted, 5_003, "the intervals are the whole");
}

#[test]
fn a_time_limit_is_exact_and_every_event_is_in_some_interval() {
    let phases = json!({ "measure_ms": 300, "interval_ms": 100 });
    let (result, events) = result_of(&job(json!({ "kind": "cpu", "max_prime": SMALL }), phases));
    assert_eq!(result["elapsed_s"], json!(0.3));
    let intervals = named(&events, "interval");
    let measured: Vec<_> = intervals.iter().filter(|event| event["phase"] == "measure").collect();
    assert_eq!(measured.len(), 3);
    let in_window: u64 = measured.iter().map(|event| number(&event["transactions"])).sum();
    assert_eq!(in_window, number(&result["transactions"]));
    let drained = number(&result["drained"]);
    assert!(drained <= 2, "{drained}");
    let machine = &result["machine"];
    assert_eq!(number(&machine["events"]), in_window + drained);
    let times = Histogram::decode(machine["latency"].as_str().unwrap()).unwrap();
    assert_eq!(times.count(), in_window + drained);
    // The threads were busy all the time: the end of an event is the beginning of the next.
    let busy: u64 = machine["threads"].as_array().unwrap().iter().map(|one| number(&one["busy_ns"])).sum();
    assert_eq!(busy, number(&machine["sum_ns"]), "a closed loop has no waiting times");
    let share = busy as f64 / 2.0 / 1e9 / machine["elapsed_s"].as_f64().unwrap();
    // They may have begun late, on a busy machine.
    assert!((0.5..1.001).contains(&share), "{share}");
    let (low, high) = (number(&machine["min_ns"]), number(&machine["max_ns"]));
    assert!(low > 0 && low <= times.quantile_ns(0.5) && high <= times.max_ns(), "{low} {high}");
    assert_eq!(named(&events, "hello")[0]["workload"], "cpu");
}

#[test]
fn memory_moves_its_total_to_the_last_block() {
    for (operation, moved) in [("write", 1_000_448), ("read", 1_000_448), ("none", 0)] {
        let memory = json!({ "kind": "memory", "block_bytes": 1024, "total_bytes": 1_001_000, "operation": operation });
        let mut wanted = job(memory, json!({ "measure_ms": 60_000 }));
        wanted["threads"] = json!(3);
        let (result, _) = result_of(&wanted);
        assert_eq!(number(&result["machine"]["events"]), 977, "{operation}");
        assert_eq!(number(&result["machine"]["bytes"]), moved, "{operation}");
        let mut threads = events_of_threads(&result);
        threads.sort_unstable();
        assert_eq!(threads, [325, 326, 326]);
    }
}

#[test]
fn every_thread_has_one_event_of_mutexes() {
    let mutex = json!({ "kind": "mutex", "mutexes": 16, "locks": 100, "loops": 10 });
    let mut wanted = job(mutex, json!({ "measure_ms": 60_000 }));
    wanted["threads"] = json!(5);
    let (result, _) = result_of(&wanted);
    assert_eq!(events_of_threads(&result), [1; 5]);
}

#[test]
fn an_event_that_is_longer_than_the_window_ends_in_the_drain() {
    let mutex = json!({ "kind": "mutex", "mutexes": 1, "locks": 20_000, "loops": 20_000 });
    let mut wanted = job(mutex, json!({ "measure_ms": 100, "drain_ms": 600_000 }));
    wanted["threads"] = json!(1);
    let (result, _) = result_of(&wanted);
    assert_eq!((number(&result["transactions"]), number(&result["drained"])), (0, 1));
    assert_eq!(events_of_threads(&result), [1]);
    assert!(result["machine"]["elapsed_s"].as_f64().unwrap() > 0.1);
}

#[test]
fn events_of_the_warm_up_are_kept_apart_and_take_no_part_of_a_limit() {
    let threads = json!({ "kind": "threads", "yields": 10, "locks": 2 });
    let phases = json!({
        "warmup": { "kind": "fixed", "duration_ms": 1000 }, "measure_ms": 60_000, "max_transactions": 50,
    });
    let (result, _) = result_of(&job(threads, phases));
    let machine = number(&result["machine"]["events"]);
    // Those that the window's beginning finds going on end in it.
    assert!((50..=52).contains(&machine), "{machine}");
    assert!(number(&result["warmup"]["transactions"]) > 0);
    assert_eq!(result["warmup_s"], json!(1.0));
}

#[test]
fn events_arrive_by_the_schedule_and_wait_for_a_free_thread() {
    let mut wanted = job(json!({ "kind": "cpu", "max_prime": SMALL }), json!({ "measure_ms": 400 }));
    wanted["arrivals"] = json!({ "kind": "constant", "rate": 500.0 });
    let (result, _) = result_of(&wanted);
    let arrivals = number(&result["pacing"]["arrivals"]);
    assert!((199..=201).contains(&arrivals), "{arrivals}");
    let dropped = number(&result["dropped"]);
    assert_eq!(number(&result["machine"]["events"]) + dropped, arrivals);
    assert_eq!(result["latency"], "response");
    let label = &result["labels"]["transaction"];
    let response = Histogram::decode(label["response"].as_str().unwrap()).unwrap();
    assert_eq!(response.count() + dropped, arrivals);
    assert!(number(&result["machine"]["sum_ns"]) > 0);
}

#[test]
fn what_nobody_can_serve_in_time_is_counted() {
    let mutexes = json!({ "kind": "cpu", "max_prime": 20_000 });
    let mut wanted = job(mutexes, json!({ "measure_ms": 200, "interval_ms": 100 }));
    wanted["threads"] = json!(1);
    wanted["arrivals"] = json!({ "kind": "constant", "rate": 50_000.0 });
    let (result, events) = result_of(&wanted);
    let (dropped, served) = (number(&result["dropped"]), number(&result["machine"]["events"]));
    assert!(dropped > served, "{dropped} {served}");
    assert_eq!(number(&result["drops"]["unserved-at-end"]), dropped);
    let arrivals = number(&result["pacing"]["arrivals"]);
    assert_eq!(served + dropped, arrivals);
    let last = *named(&events, "interval").iter().rfind(|event| event["phase"] == "measure").unwrap();
    let queued = number(&last["queued"]);
    assert!(queued.abs_diff(dropped) <= 1, "{queued} {dropped}");
}

#[test]
fn a_signal_ends_a_load_without_an_end_and_keeps_what_was_measured() {
    let endless =
        job(json!({ "kind": "memory", "total_bytes": 0 }), json!({ "measure_ms": 0, "interval_ms": 50 }));
    let mut engine = spawn(&endless);
    let mut lines = BufReader::new(engine.stdout.take().unwrap()).lines();
    let mut events: Vec<Value> = Vec::new();
    while named(&events, "interval").len() < 2 {
        events.push(serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap());
    }
    // SAFETY: the process is ours and has not been waited for.
    unsafe { libc::kill(engine.id() as i32, libc::SIGINT) };
    events.extend(lines.map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap()));
    assert_eq!(engine.wait().unwrap().code(), Some(130));
    let result = named(&events, "result")[0];
    assert_eq!(result["complete"], false);
    assert!(number(&result["machine"]["events"]) > 1_000);
}

#[test]
fn what_is_wrong_is_said_before_the_load() {
    for (machine, words) in [
        (json!({ "kind": "cpu", "max_prime": 1 }), "machine.max_prime: must be from 3"),
        (json!({ "kind": "memory", "block_bytes": 1001 }), "machine.block_bytes"),
        (json!({ "kind": "gpu" }), "unknown variant `gpu`"),
        (json!({ "kind": "threads", "yealds": 1 }), "unknown field `yealds`"),
        (json!({ "kind": "memory", "block_bytes": 1u64 << 45, "total_bytes": 0 }), "bytes of memory"),
    ] {
        let (code, events) = finish(spawn(&job(machine, json!({}))));
        let message = named(&events, "error")[0]["message"].as_str().unwrap().to_owned();
        assert!(message.contains(words), "{message}");
        assert_eq!(code, if words.contains("memory") { 6 } else { 2 }, "{message}");
        assert!(named(&events, "result").is_empty());
    }
}

#[test]
fn the_engine_names_one_build_in_its_version_and_in_its_first_event() {
    let phases = json!({ "measure_ms": 0, "max_transactions": 1 });
    let (_, events) = result_of(&job(json!({ "kind": "cpu", "max_prime": SMALL }), phases));
    let build = named(&events, "hello")[0]["build"].as_str().unwrap().to_owned();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_assay-engine")).arg("--version").output();
    let version = String::from_utf8(output.unwrap().stdout).unwrap();
    let start = format!("assay-engine {} ({build}, opt-level ", env!("CARGO_PKG_VERSION"));
    assert!(version.starts_with(&start), "{version}");
    assert!(version.contains(std::env::consts::ARCH), "{version}");
    // It was compiled as this test was.
    assert_eq!(build == "debug", cfg!(debug_assertions), "{build}");
}
