//! A disk that stops answering: what was measured is said while its worker still hangs in the kernel. The disk is a file
//! system on a loop device that is frozen (FIFREEZE) in the middle of the load; needs root.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::said::{named, spawn};

/// A small file system, taken away at the end. One that is frozen is thawed first, or nobody could unmount it.
struct Disk {
    folder: tempfile::TempDir,
}

impl Disk {
    /// `None` where this machine makes no loop devices.
    fn make() -> Option<Self> {
        let disk = Self { folder: tempfile::tempdir().unwrap() };
        let image = disk.folder.path().join("image");
        std::fs::File::create(&image).unwrap().set_len(256 << 20).unwrap();
        std::fs::create_dir(disk.root()).unwrap();
        let made = succeeds(Command::new("mkfs.ext4").arg("-q").arg(&image))
            && succeeds(Command::new("mount").args(["-o", "loop"]).arg(&image).arg(disk.root()));
        made.then_some(disk)
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("root")
    }

    fn freeze(&self) {
        assert!(succeeds(Command::new("fsfreeze").arg("-f").arg(self.root())));
    }

    fn thaw(&self) -> bool {
        succeeds(Command::new("fsfreeze").arg("-u").arg(self.root()))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        self.thaw();
        succeeds(Command::new("umount").arg(self.root()));
    }
}

fn succeeds(command: &mut Command) -> bool {
    let done = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    done.is_ok_and(|status| status.success())
}

/// Writes to the disk, and reads of another that goes on.
fn job(disk: &Path, beside: &Path, kind: &str) -> Value {
    let one = |name: &str, group: u32, folder: &Path, read_share: f64, kind: &str| {
        json!({
            "name": name, "group": group, "depth": 4, "repeat": true,
            "files": [folder.join("data")], "file_bytes": 1 << 20, "reserve": true,
            "access": { "order": "random", "read_share": read_share, "read_blocks": 4096, "write_blocks": 4096 },
            "io": { "kind": kind },
        })
    };
    json!({
        "version": 1, "action": "storage", "seed": 3,
        "phases": { "measure_ms": 2000, "interval_ms": 200, "drain_ms": 100 },
        "storage": [one("stuck", 0, disk, 0.0, kind), one("free", 1, beside, 1.0, "psync")],
    })
}

/// All events of a run whose disk is frozen when the first interval of its window has been said (`then`
/// something else happens), read to the end of the
/// engine's output while the disk is still frozen; then its exit code.
fn frozen(disk: &Disk, job: &Value, then: impl Fn()) -> (i32, Vec<Value>) {
    let mut engine = spawn(job);
    let mut events: Vec<Value> = Vec::new();
    for line in BufReader::new(engine.stdout.take().unwrap()).lines() {
        let event: Value = serde_json::from_str(&line.unwrap()).unwrap();
        if event["event"] == "interval" && !events.iter().any(|event| event["event"] == "interval") {
            disk.freeze();
            then();
        }
        events.push(event);
    }
    assert!(disk.thaw(), "it was frozen until the engine had said everything");
    (engine.wait().unwrap().code().unwrap_or(-1), events)
}

#[test]
fn a_worker_that_hangs_in_the_kernel_is_named_and_the_result_is_not_whole() {
    let Some(disk) = Disk::make() else { return };
    let beside = tempfile::tempdir().unwrap();
    let (code, events) = frozen(&disk, &job(&disk.root(), beside.path(), "psync"), || {});
    assert_eq!(code, 6, "{events:#?}");
    let fatal = named(&events, "error")[0]["message"].as_str().unwrap();
    assert!(fatal.contains("worker 0 of job stuck"), "{fatal}");
    let result = named(&events, "result")[0];
    assert_eq!(result["complete"], false);
    assert_eq!(result["abandoned"], 1);
    assert!(result["elapsed_s"].as_f64().unwrap() > 1.9, "the window is whole for those that went on");
    assert_eq!(result["connections"]["count"], 2);
    // The worker that went on had one operation in flight all the time, and the other for the part that is known.
    let in_flight = result["mean_in_flight"].as_f64().unwrap();
    assert!((0.8..1.6).contains(&in_flight), "{in_flight}");
    let doubt = named(&events, "doubt").into_iter().find(|doubt| doubt["kind"] == "hung-workers").unwrap();
    assert!(doubt["message"].as_str().unwrap().contains("job stuck"), "{doubt}");
    let measured = named(&events, "interval").into_iter().filter(|one| one["phase"] == "measure").count();
    assert_eq!(measured, 10, "intervals that waited for the worker are said without it");
    assert!(disk.root().join("data").exists(), "nobody removes files of a disk that hangs");
}

#[test]
fn a_worker_that_hangs_when_another_has_failed_ends_the_run_all_the_same() {
    let Some(disk) = Disk::make() else { return };
    let beside = tempfile::tempdir().unwrap();
    let mut wanted = job(&disk.root(), beside.path(), "psync");
    wanted["phases"]["measure_ms"] = json!(600_000);
    let data = beside.path().join("data");
    let cut_short = || std::fs::File::options().write(true).open(&data).unwrap().set_len(0).unwrap();
    let (code, events) = frozen(&disk, &wanted, cut_short);
    assert_eq!(code, 6, "{events:#?}");
    let fatal = named(&events, "error")[0]["message"].as_str().unwrap();
    assert!(fatal.contains("read"), "the first error is the cause: {fatal}");
    assert!(named(&events, "doubt").iter().any(|doubt| doubt["kind"] == "hung-workers"));
}
