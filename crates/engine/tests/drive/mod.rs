//! Runs jobs and reads what the engine says.

use std::cell::Cell;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{PoisonError, RwLock};

use serde_json::Value;

/// Shared by those that run a job, held by one that wants the machine for itself.
static MACHINE: RwLock<()> = RwLock::new(());

thread_local! {
    static ALONE: Cell<bool> = const { Cell::new(false) };
}

/// What a job left.
pub(crate) struct Said {
    pub exit_code: i32,
    pub events: Vec<Value>,
}

impl Said {
    /// The events of one kind.
    pub(crate) fn all(&self, kind: &str) -> Vec<&Value> {
        self.events.iter().filter(|event| event["event"] == kind).collect()
    }

    /// The only event of its kind.
    pub(crate) fn one(&self, kind: &str) -> &Value {
        let found = self.all(kind);
        assert_eq!(found.len(), 1, "{kind} in {:#?}", self.events);
        found[0]
    }
}

/// Lays `changes` over a value, objects merged.
pub(crate) fn merge(into: &mut Value, changes: Value) {
    match (into, changes) {
        (Value::Object(into), Value::Object(changes)) => {
            for (key, value) in changes {
                merge(into.entry(key).or_insert(Value::Null), value);
            }
        }
        (into, changes) => *into = changes,
    }
}

/// Starts the engine with a job; its events can be read from the child's standard output.
pub(crate) fn start(job: &Value) -> Child {
    let mut child = Command::new(env!("CARGO_BIN_EXE_assay-engine"))
        .args(["run", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .env("SECRET", "not the password")
        .spawn()
        .expect("the engine starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(job.to_string().as_bytes()).expect("the job is read");
    child
}

/// Waits for the engine's end.
pub(crate) fn finish(child: Child) -> Said {
    let output = child.wait_with_output().expect("the engine ends");
    let text = String::from_utf8(output.stdout).expect("events are text");
    let events = text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    Said { exit_code: output.status.code().unwrap_or(-1), events }
}

/// Waits for the engine's end; with the most memory that it had, in MB.
pub(crate) fn finish_in_memory(mut child: Child) -> (Said, i64) {
    let mut text = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut text).expect("events are text");
    let (mut status, mut usage) = (0, std::mem::MaybeUninit::<libc::rusage>::zeroed());
    // SAFETY: the child is ours and has not been waited for; both places are valid to write to.
    let ended = unsafe { libc::wait4(child.id() as i32, &raw mut status, 0, usage.as_mut_ptr()) };
    assert_eq!(ended, child.id() as i32);
    // SAFETY: all zeros are an rusage, and the kernel has filled it.
    let resident_mb = unsafe { usage.assume_init() }.ru_maxrss / 1024;
    let exit_code = if libc::WIFEXITED(status) { libc::WEXITSTATUS(status) } else { -1 };
    let events = text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    (Said { exit_code, events }, resident_mb)
}

pub(crate) fn carry_out(job: &Value) -> Said {
    let _beside_others = (!ALONE.get()).then(|| MACHINE.read().unwrap_or_else(PoisonError::into_inner));
    finish(start(job))
}

/// Does something while no other test carries out a job.
pub(crate) fn alone<T>(work: impl FnOnce() -> T) -> T {
    let _machine = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
    ALONE.set(true);
    let done = work();
    ALONE.set(false);
    done
}

/// Carries out a job that must succeed.
pub(crate) fn succeed(job: &Value) -> Said {
    let said = carry_out(job);
    assert_eq!(said.exit_code, 0, "{:#?}", said.events);
    said
}
