//! The engine on files: jobs in, events out.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use assay_tally::Histogram;
use serde_json::{Value, json};

use crate::said::{finish, named, number, spawn};

fn job(folder: &Path) -> Value {
    json!({
        "version": 1, "action": "storage", "seed": 3,
        "phases": { "measure_ms": 600, "interval_ms": 200 },
        "storage": [{
            "name": "reads", "group": 0, "clones": 2, "depth": 4, "repeat": true,
            "files": [folder.join("data")], "file_bytes": 1 << 20,
            "access": { "order": "random", "read_share": 1.0, "read_blocks": 4096, "write_blocks": 4096 },
            "io": { "kind": "libaio" },
        }],
    })
}

#[test]
fn intervals_histograms_and_jobs_agree() {
    let folder = tempfile::tempdir().unwrap();
    let mut wanted = job(folder.path());
    wanted["phases"]["warmup"] = json!({ "kind": "fixed", "duration_ms": 200 });
    let (code, events) = finish(spawn(&wanted));
    assert_eq!(code, 0, "{events:?}");
    let result = named(&events, "result")[0];
    let measured: Vec<_> =
        named(&events, "interval").into_iter().filter(|event| event["phase"] == "measure").collect();
    assert_eq!(measured.len(), 3);
    let total: u64 = measured.iter().map(|event| number(&event["transactions"])).sum();
    assert_eq!(total, number(&result["transactions"]));
    assert!(total > 100);
    assert_eq!(number(&result["io_bytes"]["read"]), total * 4096);
    let one = &result["storage"]["jobs"][0];
    assert_eq!((number(&one["workers"]), number(&one["depth"])), (2, 8));
    assert_eq!(number(&one["read"]["operations"]), total);
    assert_eq!(number(&result["labels"]["transaction"]["count"]), total);
    let times = Histogram::decode(one["read"]["total"].as_str().unwrap()).unwrap();
    assert_eq!(times.count(), total);
    // Both workers in each of three intervals, in bytes of all of which the whole is made.
    let alone = &one["read"]["worker_bytes"];
    assert_eq!(number(&alone["samples"]), 6);
    let sum = alone["mean"].as_f64().unwrap() * 6.0;
    assert!((sum / number(&one["read"]["bytes"]) as f64 - 1.0).abs() < 1e-9, "{alone}");
    assert!(
        alone["min"].as_f64() <= alone["mean"].as_f64() && alone["mean"].as_f64() <= alone["max"].as_f64()
    );
    assert!(one["write"].get("worker_bytes").is_none());
    // The depth is kept, and what the times account for is what was in flight.
    let depth = one["mean_depth"].as_f64().unwrap();
    assert!((depth / 8.0 - 1.0).abs() < 0.05, "{depth}");
    let accounted = result["mean_in_flight"].as_f64().unwrap();
    assert!((accounted / depth - 1.0).abs() < 0.02, "{accounted} {depth}");
    assert!(named(&events, "doubt").iter().all(|doubt| doubt["kind"] != "littles-law"));
}

#[test]
fn workers_of_a_job_share_its_open_files() {
    let folder = tempfile::tempdir().unwrap();
    let mut wanted = job(folder.path());
    wanted["phases"]["measure_ms"] = json!(600_000);
    let one = &mut wanted["storage"][0];
    one["clones"] = json!(64);
    one["files"] = json!((0..16).map(|number| folder.path().join(number.to_string())).collect::<Vec<_>>());
    let mut engine = spawn(&wanted);
    let descriptors = format!("/proc/{}/fd", engine.id());
    let open = || {
        let found = std::fs::read_dir(&descriptors).unwrap().flatten();
        found
            .filter_map(|one| std::fs::read_link(one.path()).ok())
            .filter(|to| to.starts_with(folder.path()))
            .count()
    };
    while open() < 16 || std::fs::read_dir(format!("/proc/{}/task", engine.id())).unwrap().count() < 64 {
        assert!(engine.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(open(), 16);
    engine.kill().unwrap();
    engine.wait().unwrap();
}

#[test]
fn two_thousand_workers_begin_together() {
    let folder = tempfile::tempdir().unwrap();
    let mut wanted = job(folder.path());
    wanted["storage"][0]["clones"] = json!(2000);
    wanted["storage"][0]["io"]["kind"] = json!("psync");
    let (code, events) = finish(spawn(&wanted));
    assert_eq!(code, 0, "{events:?}");
    let result = named(&events, "result")[0];
    assert_eq!(number(&result["connections"]["count"]), 2000);
    assert!(number(&result["transactions"]) > 0);
}

#[test]
fn workers_without_a_group_are_reported_alone_and_end_by_their_limits() {
    let folder = tempfile::tempdir().unwrap();
    let mut wanted = job(folder.path());
    wanted["phases"]["measure_ms"] = json!(0);
    let one = wanted["storage"][0].as_object_mut().unwrap();
    one.remove("group");
    one.insert("repeat".into(), json!(false));
    let (code, events) = finish(spawn(&wanted));
    assert_eq!(code, 0);
    let result = named(&events, "result")[0];
    let jobs = result["storage"]["jobs"].as_array().unwrap();
    assert_eq!(jobs.len(), 2);
    assert!(jobs.iter().all(|job| number(&job["read"]["bytes"]) == 1 << 20));
    assert_eq!(result["complete"], true);
}

#[test]
fn a_signal_keeps_what_was_measured() {
    let folder = tempfile::tempdir().unwrap();
    let mut wanted = job(folder.path());
    wanted["phases"]["measure_ms"] = json!(60_000);
    let mut engine = spawn(&wanted);
    let mut events: Vec<Value> = Vec::new();
    let mut interrupted = false;
    for line in BufReader::new(engine.stdout.take().unwrap()).lines() {
        let event: Value = serde_json::from_str(&line.unwrap()).unwrap();
        if event["event"] == "interval" && number(&event["transactions"]) > 0 && !interrupted {
            interrupted = true;
            // SAFETY: the child is ours and has not been waited for.
            unsafe { libc::kill(engine.id() as i32, libc::SIGINT) };
        }
        events.push(event);
    }
    assert_eq!(engine.wait().unwrap().code(), Some(130));
    let result = named(&events, "result")[0];
    assert_eq!(result["complete"], false);
    assert!(number(&result["transactions"]) > 0);
}

#[test]
fn a_planted_fault_ends_a_reading_back_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let mut wanted = job(folder.path());
    wanted["phases"]["measure_ms"] = json!(0);
    let one = wanted["storage"][0].as_object_mut().unwrap();
    one.extend(json!({ "clones": 1, "repeat": false, "verify": "after" }).as_object().unwrap().clone());
    one["access"]["read_share"] = json!(0.0);
    let (code, events) = finish(spawn(&wanted));
    assert_eq!(code, 0, "{events:?}");
    let verified = named(&events, "verified")[0];
    assert_eq!((number(&verified["blocks"]), number(&verified["bad"])), (256, 0));

    let path = folder.path().join("data");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[40_000] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    wanted["storage"][0]["verify"] = json!("only");
    let (code, events) = finish(spawn(&wanted));
    assert_eq!(code, 8);
    let said = named(&events, "error")[0]["message"].as_str().unwrap();
    assert!(said.contains("1 of 256") && said.contains("byte 36864: its byte 3136 is"), "{said}");
    let one = &named(&events, "verified")[0]["described"][0];
    assert_eq!((one["flaw"].as_str(), number(&one["offset"])), (Some("damaged"), 36_864));
}

#[test]
fn a_wrong_job_names_the_key() {
    let folder = tempfile::tempdir().unwrap();
    for (key, value, expected) in
        [("depth", json!(0), "depth must be"), ("dept", json!(1), "unknown field `dept`")]
    {
        let mut wanted = job(folder.path());
        wanted["storage"][0][key] = value;
        let (code, events) = finish(spawn(&wanted));
        assert_eq!(code, 2);
        let said = named(&events, "error")[0]["message"].as_str().unwrap();
        assert!(said.contains(expected), "{said}");
    }
    assert!(!folder.path().join("data").exists());
}

#[test]
fn a_missing_directory_says_so() {
    let mut wanted = job(Path::new("/no/such/place"));
    wanted["storage"][0]["clones"] = json!(1);
    let (code, events) = finish(spawn(&wanted));
    assert_eq!(code, 6);
    assert!(named(&events, "error")[0]["message"].as_str().unwrap().contains("/no/such/place"));
}

fn verified(folder: &Path) -> Value {
    let mut wanted = job(folder);
    wanted["phases"]["measure_ms"] = json!(0);
    let one = wanted["storage"][0].as_object_mut().unwrap();
    one.extend(json!({ "clones": 1, "repeat": false, "verify": "after" }).as_object().unwrap().clone());
    one["access"]["read_share"] = json!(0.0);
    wanted
}

#[test]
fn stamped_blocks_are_read_back_later_and_blank_ones_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let mut wanted = verified(folder.path());
    wanted["storage"][0]["verify"] = json!("stamp");
    wanted["storage"][0]["limit_operations"] = json!(100);
    assert_eq!(finish(spawn(&wanted)).0, 0);
    wanted["storage"][0]["verify"] = json!("only");
    let (code, events) = finish(spawn(&wanted));
    assert_eq!(code, 0, "{events:?}");
    assert_eq!(number(&named(&events, "done")[0]["rows"]), 100);
    let said = named(&events, "doubt")[0]["message"].as_str().unwrap();
    assert!(said.contains("156 of the 256 blocks"), "{said}");
    std::fs::write(folder.path().join("data"), vec![0; 1 << 20]).unwrap();
    assert_ne!(finish(spawn(&wanted)).0, 0, "nothing was written there");
}

#[test]
fn limits_count_from_the_window_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut wanted = job(folder.path());
    wanted["phases"] =
        json!({ "measure_ms": 0, "interval_ms": 100, "warmup": { "kind": "fixed", "duration_ms": 300 } });
    wanted["storage"][0]["repeat"] = json!(false);
    wanted["storage"][0]["limit_operations"] = json!(50);
    let (code, events) = finish(spawn(&wanted));
    assert_eq!(code, 0, "{events:?}");
    assert!(number(&named(&events, "result")[0]["transactions"]) >= 100);
}

#[test]
fn bad_blocks_keep_the_files_they_are_in() {
    let folder = tempfile::tempdir().unwrap();
    let mut wanted = verified(folder.path());
    let jobs = wanted["storage"].as_array_mut().unwrap();
    // Two that write to the same blocks: neither finds all of its own.
    jobs.push(jobs[0].clone());
    jobs[1]["group"] = json!(1);
    let (code, events) = finish(spawn(&wanted));
    assert_eq!(code, 8);
    let said = named(&events, "error")[0]["message"].as_str().unwrap();
    assert!(said.contains("blocks read back are bad"), "{said}");
    assert!(folder.path().join("data").exists());
}

#[test]
fn a_disk_that_does_nothing_is_of_any_size() {
    for kind in ["psync", "libaio", "io_uring", "mmap"] {
        let mut wanted = job(Path::new("/dev"));
        wanted["phases"]["measure_ms"] = json!(100);
        wanted["storage"][0]["files"] = json!(["/dev/zero"]);
        wanted["storage"][0]["access"]["read_share"] = json!(0.5);
        wanted["storage"][0]["io"] = json!({ "kind": kind });
        let (code, events) = finish(spawn(&wanted));
        assert_eq!(code, 0, "{kind}: {events:?}");
        let result = named(&events, "result")[0];
        assert!(number(&result["reads"]) > 0 && number(&result["writes"]) > 0, "{kind}: {result}");
    }
    let mut wanted = job(Path::new("/dev"));
    wanted["storage"][0]["files"] = json!(["/dev/null"]); // nothing can be read there
    let (code, events) = finish(spawn(&wanted));
    assert_ne!(code, 0);
    let said = named(&events, "error")[0]["message"].as_str().unwrap();
    assert!(said.contains("neither a file nor a block device"), "{said}");
}

#[test]
fn a_ledger_is_of_one_worker_and_no_file_of_a_load() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |wanted: &Value| {
        let (code, events) = finish(spawn(wanted));
        assert_ne!(code, 0, "{events:?}");
        let said = named(&events, "error")[0]["message"].as_str().unwrap();
        assert!(said.contains("each worker must have its own ledger"), "{said}");
    };
    let mut wanted = verified(folder.path());
    wanted["storage"][0]["ledger"] = json!(folder.path().join("data"));
    refused(&wanted);
    wanted["storage"][0]["ledger"] = json!(folder.path().join("ledger"));
    let second = wanted["storage"][0].clone();
    wanted["storage"].as_array_mut().unwrap().push(second);
    refused(&wanted);
}

#[test]
fn events_that_do_not_fit_on_the_disk_are_missed() {
    let folder = tempfile::tempdir().unwrap();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut engine = Command::new(env!("CARGO_BIN_EXE_assay-engine"))
        .args(["run", "-"])
        .stdin(Stdio::piped())
        .stdout(full)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    engine.stdin.take().unwrap().write_all(job(folder.path()).to_string().as_bytes()).unwrap();
    let ended = engine.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(6), "{said}");
    assert!(said.starts_with("the last events are lost: No space left on device"), "{said}");
}

#[test]
fn a_reader_that_leaves_leaves_no_files_behind() {
    let folder = tempfile::tempdir().unwrap();
    let mut wanted = job(folder.path());
    wanted["storage"][0]["fill"] = json!(true);
    wanted["phases"] = json!({ "measure_ms": 600_000, "interval_ms": 20 });
    let mut engine = spawn(&wanted);
    let mut events = BufReader::new(engine.stdout.take().unwrap()).lines();
    while !events.next().unwrap().unwrap().contains("interval") {}
    assert!(folder.path().join("data").exists());
    drop(events);
    assert_eq!(engine.wait().unwrap().code(), Some(6));
    assert!(!folder.path().join("data").exists());
}

#[test]
fn a_signal_is_obeyed_while_nobody_reads() {
    let folder = tempfile::tempdir().unwrap();
    let mut wanted = job(folder.path());
    wanted["phases"] = json!({ "measure_ms": 600_000, "interval_ms": 1 });
    let engine = spawn(&wanted);
    let tasks = format!("/proc/{}/task", engine.id());
    let workers = || {
        let names = std::fs::read_dir(&tasks).unwrap().flatten();
        let names = names.filter_map(|one| std::fs::read_to_string(one.path().join("comm")).ok());
        names.filter(|name| name.starts_with("io-")).count()
    };
    // Long enough that the pipe is full, whose reader never came.
    let begin = std::time::Instant::now();
    while workers() < 2 || !full(&engine) {
        assert!(begin.elapsed() < Duration::from_secs(600), "the pipe never fills");
    }
    // SAFETY: the child is ours and has not been waited for.
    unsafe { libc::kill(engine.id() as i32, libc::SIGINT) };
    let begin = std::time::Instant::now();
    while workers() > 0 {
        assert!(begin.elapsed() < Duration::from_secs(120), "the load goes on");
        std::thread::sleep(Duration::from_millis(20));
    }
    let (code, events) = finish(engine);
    assert_eq!(code, 130);
    assert_eq!(named(&events, "result")[0]["complete"], false);
}

/// Whether a child's pipe holds much and takes no more: the child says an interval each millisecond, so that a
/// pipe whose fill stands still is one that it waits for.
fn full(engine: &Child) -> bool {
    let before = unread(engine);
    std::thread::sleep(Duration::from_millis(200));
    before > 16 << 10 && unread(engine) == before
}

/// Bytes in a child's pipe that nobody has read.
fn unread(engine: &Child) -> libc::c_int {
    use std::os::fd::AsRawFd;
    let mut bytes: libc::c_int = 0;
    // SAFETY: FIONREAD writes one int.
    unsafe { libc::ioctl(engine.stdout.as_ref().unwrap().as_raw_fd(), libc::FIONREAD, &raw mut bytes) };
    bytes
}
