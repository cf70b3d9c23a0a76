//! A load that several engines carry out together: the streams and shares of one, a common start, and no engine left behind.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::sync::{Barrier, Mutex};
use std::thread;

use serde_json::{Value, json};

use super::input::at_events;
use super::null::{Null, both, count, times};
use super::proxy::Proxy;
use crate::drive::{Said, carry_out, merge, succeed};

/// Far enough ahead that a busy machine gets the command through in time.
const AHEAD_NS: u64 = 700_000_000;
/// Statements of one oltp_read_write transaction.
const STATEMENTS: usize = 20;

fn monotonic_ns() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid timespec and CLOCK_MONOTONIC always exists on Linux.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// The jobs of generators that have so many event loops each.
fn parts(job: &Value, loops: &[u32]) -> Vec<Value> {
    let all: u32 = loops.iter().sum();
    let mut first = 0;
    let part = |own: &u32| {
        let part = json!({
            "load": {"part": {"first_loop": first, "loops": all}},
            "engine": {"threads": own},
            "phases": {"hold": true},
        });
        first += own;
        both(job.clone(), part)
    };
    loops.iter().map(part).collect()
}

/// Carries the parts out at once, as their coordinator does: all begin at one instant when all are ready. Also the instant.
fn together(jobs: &[Value]) -> (Vec<Said>, u64) {
    let (barrier, start) = (Barrier::new(jobs.len()), Mutex::new(0));
    let said: Vec<Said> = thread::scope(|scope| {
        let one = |job| {
            let (barrier, start) = (&barrier, &start);
            scope.spawn(move || {
                at_events(job, |event, input| {
                    if event["event"] == "ready" {
                        if barrier.wait().is_leader() {
                            *start.lock().expect("no panic") = monotonic_ns() + AHEAD_NS;
                        }
                        barrier.wait();
                        let go =
                            json!({"command": "go", "start_monotonic_ns": *start.lock().expect("no panic")});
                        super::orders::tell(input, &go);
                    }
                })
            })
        };
        let all: Vec<_> = jobs.iter().map(one).collect();
        all.into_iter().map(|one| one.join().expect("no panic")).collect()
    });
    for one in &said {
        assert_eq!(one.exit_code, 0, "{:#?}", one.events);
    }
    (said, start.into_inner().expect("no panic"))
}

/// An instant of an event on CLOCK_MONOTONIC.
fn instant(said: &Said, event: &Value, key: &str) -> u64 {
    count(event, key) + count(said.one("hello"), "epoch_monotonic_ns")
}

/// The statements of each terminal by those of its first transaction, which differ from terminal to terminal.
fn streams(loops: &[u32]) -> BTreeMap<Vec<u64>, Vec<u64>> {
    const TERMINALS: u32 = 6;
    let null = Null::quiet();
    let proxy = Proxy::before(&null, None);
    let job = null.job(json!({
        "target": {"socket": proxy.socket()},
        "workload": {"name": "oltp_read_write", "options": {"tables": 4, "table_size": 10_000}},
        "load": {"connections": TERMINALS},
        "phases": {"measure_ms": 0, "max_transactions": 62},
    }));
    if loops.len() == 1 {
        succeed(&both(job, json!({"engine": {"threads": TERMINALS}})));
    } else {
        together(&parts(&job, loops));
    }
    let streams = proxy.streams();
    assert_eq!(streams.len(), TERMINALS as usize);
    streams.into_iter().map(|stream| (stream[..STATEMENTS].to_vec(), stream)).collect()
}

#[test]
fn generators_send_what_one_machine_would_send() {
    let one = streams(&[6]);
    assert_eq!(one.len(), 6, "no two terminals send the same");
    let lengths: Vec<usize> = one.values().map(|stream| stream.len() / STATEMENTS).collect();
    assert_eq!(lengths.iter().sum::<usize>(), 62, "{lengths:?}");
    for loops in [&[4, 2][..], &[1, 2, 3], &[1, 1, 2, 1, 1]] {
        assert_eq!(streams(loops), one, "event loops {loops:?}");
    }
}

#[test]
fn generators_share_a_schedule_and_begin_at_one_instant() {
    let null = Null::quiet();
    let job = null.job(json!({
        "load": {"connections": 7, "arrivals": {"kind": "poisson", "rate": 2_000.0}},
        "phases": {"warmup": {"kind": "fixed", "duration_ms": 200}, "measure_ms": 400, "interval_ms": 100},
    }));
    let arrivals = |said: &Said| count(&said.result()["pacing"], "arrivals");
    let alone = succeed(&both(job.clone(), json!({"engine": {"threads": 3}})));
    let (said, start) = together(&parts(&job, &[2, 1]));
    assert_eq!(said.iter().map(arrivals).sum::<u64>(), arrivals(&alone), "every arrival of the window once");
    for (one, (connections, loops)) in said.iter().zip([(4, 2), (3, 1)]) {
        assert_eq!(count(one.one("hello"), "connections"), connections);
        let ready = one.one("ready");
        assert_eq!((count(ready, "connections"), count(ready, "loops")), (connections, loops));
        assert!(count(ready, "max_fds") > connections);
        let engine = std::fs::read(env!("CARGO_BIN_EXE_assay-engine")).expect("the engine");
        let hash = ring::digest::digest(&ring::digest::SHA256, &engine);
        let hash: String = hash.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(ready["engine_sha256"], json!(hash));
        let first = instant(one, one.one("started"), "first_operation_ns");
        assert!((start..start + 200_000_000).contains(&first), "{first} of a load that begins at {start}");
        assert_eq!(
            instant(one, one.result(), "start_ns"),
            start + 200_000_000,
            "all measure the same window"
        );
        assert_eq!(times(one.result(), "response").count(), arrivals(one));
        assert!(one.result()["server_questions"].is_null(), "what the server counts is everybody's");
    }
}

#[test]
fn a_start_that_is_missed_ends_the_generator() {
    let null = Null::quiet();
    let job = null.job(json!({"phases": {"hold": true}}));
    let said = at_events(&job, |event, input| {
        if event["event"] == "ready" {
            let past = monotonic_ns() - 1_000_000;
            super::orders::tell(input, &json!({"command": "go", "start_monotonic_ns": past}));
        }
    });
    assert_eq!(said.exit_code, 6, "{:#?}", said.events);
    let doubt = said.one("doubt");
    assert_eq!(doubt["kind"], "late-start");
    assert!(doubt["value"].as_f64().expect("milliseconds") > 0.0, "{doubt}");
    assert_eq!(said.one("error")["fatal"], true);
    assert!(said.all("result").is_empty() && said.all("started").is_empty(), "{:#?}", said.events);
}

#[test]
fn a_window_is_told_on_the_monotonic_clock_too() {
    let null = Null::quiet();
    let job = null.job(json!({
        "load": {"connections": 2},
        "phases": {"warmup": {"kind": "until_told"}, "measure_ms": 200, "interval_ms": 100},
    }));
    let mut told = 0;
    let said = at_events(&job, |event, input| {
        if event["event"] == "interval" && told == 0 {
            told = monotonic_ns() + AHEAD_NS;
            super::orders::tell(input, &json!({"command": "window"}));
            super::orders::tell(input, &json!({"command": "window", "start_monotonic_ns": told}));
        }
    });
    assert_eq!(said.exit_code, 0, "{:#?}", said.events);
    assert_eq!(instant(&said, said.result(), "start_ns"), told);
    let error = said.one("error");
    assert!(error["message"].as_str().expect("text").contains("one of start_wall_ns and"), "{error}");
    assert!(said.all("ready").is_empty() && said.all("started").is_empty(), "nobody holds it");
}

#[test]
fn a_part_that_does_not_fit_is_refused() {
    let null = Null::quiet();
    let mut job = null.job(json!({"load": {"part": {"first_loop": 1, "loops": 2}}}));
    merge(&mut job, json!({"engine": {"threads": 2}}));
    let said = carry_out(&job);
    assert_eq!(said.exit_code, 2);
    assert!(said.one("error")["message"].as_str().expect("text").contains("load.part"));
}

#[test]
fn a_generator_ends_at_once_with_whoever_started_it() {
    let null = Null::quiet();
    let job = null.job(json!({
        "load": {"connections": 2, "part": {"first_loop": 0, "loops": 1}},
        "engine": {"threads": 1},
        "phases": {"measure_ms": 600_000, "interval_ms": 100},
    }));
    let path = null.dir.path().join("job.json");
    std::fs::write(&path, job.to_string()).expect("a file");
    let mut parent = Command::new("sh")
        .args(["-c", "\"$0\" run \"$1\" & wait", env!("CARGO_BIN_EXE_assay-engine")])
        .arg(&path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut output = BufReader::new(parent.stdout.take().expect("a pipe"));
    let mut text = String::new();
    while !text.contains("\"interval\"") {
        assert_ne!(output.read_line(&mut text).expect("text"), 0, "it has ended: {text}");
    }
    parent.kill().expect("it is there");
    parent.wait().expect("it is gone");
    output.read_to_string(&mut text).expect("the engine closes its output");
    assert!(text.contains("\"hello\"") && !text.contains("\"result\""), "{text}");
}
