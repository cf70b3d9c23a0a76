//! Verified loads that are killed: what their ledger says, and what reading back makes of it.

use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

use assay_storage::{Account, Expected, Ledger, Origin};
use serde_json::{Value, json};

use crate::said::{finish, spawn};

const KINDS: [&str; 4] = ["psync", "libaio", "io_uring", "mmap"];
const BLOCKS: u64 = 512;

/// Two workers with two files each that write without end.
fn job(folder: &Path, kind: &str, dsync: bool) -> Value {
    let worker = |number: u32| {
        let files: Vec<_> = (0..2).map(|file| folder.join(format!("data.{number}.{file}"))).collect();
        let durable = if dsync { json!(null) } else { json!({ "writes": 40 }) };
        json!({
            "name": format!("writes-{number}"), "depth": 16, "repeat": true, "verify": "stamp",
            "files": files, "file_bytes": BLOCKS * 4096, "ledger": folder.join(format!("ledger.{number}")),
            "access": { "order": "random", "read_share": 0.0, "read_blocks": 4096, "write_blocks": 4096,
                        "distribution": { "kind": "zipf", "theta": 0.9 } },
            "io": { "kind": kind, "open_sync": if dsync { "dsync" } else { "none" } }, "sync": durable,
        })
    };
    json!({
        "version": 1, "action": "storage", "seed": 11, "phases": { "measure_ms": 600_000 },
        "storage": [worker(0), worker(1)],
    })
}

fn ledgers(folder: &Path) -> Vec<(Origin, Account)> {
    (0..2).filter_map(|number| Ledger::load(&folder.join(format!("ledger.{number}"))).ok()).collect()
}

/// Runs the job until both workers have durable writes, and kills it while it goes on. False where this engine is not
/// to be had here.
fn killed(folder: &Path, job: &Value) -> bool {
    let mut engine = spawn(job);
    let until = Instant::now() + Duration::from_secs(600);
    let enough = |(origin, account): &(Origin, Account)| {
        account.acknowledged > 300 && (origin.durable_writes || account.durable > 100)
    };
    while ledgers(folder).iter().filter(|one| enough(one)).count() < 2 {
        if engine.try_wait().unwrap().is_some() {
            return false;
        }
        assert!(Instant::now() < until, "nothing was made durable: {:?}", ledgers(folder));
        std::thread::sleep(Duration::from_millis(5));
    }
    engine.kill().unwrap();
    engine.wait().unwrap();
    true
}

fn read_back(job: &Value) -> (i32, Vec<Value>) {
    let mut only = job.clone();
    for one in only["storage"].as_array_mut().unwrap() {
        one["verify"] = json!("only");
    }
    finish(spawn(&only))
}

fn sum(events: &[Value], count: &str) -> u64 {
    events.iter().filter(|event| event["event"] == "verified").map(|one| one[count].as_u64().unwrap()).sum()
}

fn expected(folder: &Path) -> Expected {
    let (origin, account) = &ledgers(folder)[0];
    Expected::new(origin, account, true)
}

fn put(folder: &Path, block: u64, bytes: &[u8]) {
    let name = format!("data.0.{}", block / BLOCKS);
    let file = std::fs::OpenOptions::new().write(true).open(folder.join(name)).unwrap();
    file.write_all_at(bytes, block % BLOCKS * 4096).unwrap();
}

#[test]
fn a_kill_loses_nothing_that_was_acknowledged() {
    for kind in KINDS {
        // What is stored to a mapping waits for no disk, however the file was opened.
        for dsync in [false, true].into_iter().filter(|dsync| !dsync || kind != "mmap") {
            let folder = tempfile::tempdir().unwrap();
            let job = job(folder.path(), kind, dsync);
            if !killed(folder.path(), &job) {
                assert_eq!(kind, "io_uring", "a container may forbid this one alone");
                continue;
            }
            let (code, events) = read_back(&job);
            assert_eq!(code, 0, "{kind} {events:?}");
            assert_eq!(
                (sum(&events, "blocks"), sum(&events, "lost"), sum(&events, "bad")),
                (4 * BLOCKS, 0, 0)
            );
            assert!(sum(&events, "whole") > 100, "{kind} {events:?}");
            // Only what was under way can be torn, and only where no call copies it.
            assert!(sum(&events, "torn") <= if kind == "mmap" { 2 } else { 32 });
        }
    }
}

#[test]
fn a_durable_write_that_is_gone_is_an_error_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let job = job(folder.path(), "libaio", false);
    assert!(killed(folder.path(), &job));
    let expected = expected(folder.path());
    let block = (0..2 * BLOCKS).find(|block| expected.durable(*block) > 0).unwrap();
    put(folder.path(), block, &[0; 4096]);
    let (code, events) = read_back(&job);
    assert_eq!(code, 8, "{events:?}");
    assert_eq!((sum(&events, "lost_durable"), sum(&events, "bad")), (1, 1));
    let error = events.iter().find(|event| event["event"] == "error").unwrap();
    let place = format!("data.0.{} at byte {}: it is empty", block / BLOCKS, block % BLOCKS * 4096);
    assert!(error["message"].as_str().unwrap().contains(&place), "{error}");
    assert!(error["hint"].as_str().unwrap().contains("write cache"), "{error}");
}

#[test]
fn what_no_fsync_covered_may_be_lost_and_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let mut job = job(folder.path(), "psync", false);
    // One fsync, and then none any more.
    for one in job["storage"].as_array_mut().unwrap() {
        one["sync"] = json!({ "writes": 200 });
        one["arrivals"] = json!({ "kind": "constant", "rate": 400.0 });
    }
    assert!(killed(folder.path(), &job));
    let expected = expected(folder.path());
    let block = (0..2 * BLOCKS).find(|block| expected.last(*block) > 0 && expected.durable(*block) == 0);
    put(folder.path(), block.expect("something since the last fsync"), &[0; 4096]);
    let (code, events) = read_back(&job);
    assert_eq!(code, 0, "{events:?}");
    assert_eq!((sum(&events, "lost"), sum(&events, "bad")), (1, 0));
    let doubted = |event: &&Value| event["event"] == "doubt" && event["kind"] == "lost-without-restart";
    assert_eq!(events.iter().filter(doubted).count(), 1, "{events:?}");
}

#[test]
fn a_ledger_of_another_load_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut job = job(folder.path(), "psync", false);
    assert!(killed(folder.path(), &job));
    job["storage"][0]["access"]["write_blocks"] = json!(8192);
    let (code, events) = read_back(&job);
    assert_eq!(code, 2, "{events:?}");
    let error = events.iter().find(|event| event["event"] == "error").unwrap();
    assert!(error["message"].as_str().unwrap().contains("belongs to another load"), "{error}");
}
