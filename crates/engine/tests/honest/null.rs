//! A null server and jobs against it.

use std::path::PathBuf;

use assay_nullserver::{Behaviour, Options, Server};
use assay_tally::Histogram;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::drive::{Said, alone, finish, merge, start};

pub(crate) const MS: u64 = 1_000_000;

pub(crate) struct Null {
    pub server: Server,
    pub dir: TempDir,
}

impl Null {
    pub(crate) fn start(behaviour: Behaviour) -> Self {
        Self::with(Options { behaviour, ..Options::default() })
    }

    /// On a unix socket, whatever else.
    pub(crate) fn with(options: Options) -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let options = Options { socket: Some(dir.path().join("null.sock")), ..options };
        Self { server: Server::start(&options).expect("the null server starts"), dir }
    }

    pub(crate) fn quiet() -> Self {
        Self::start(Behaviour::default())
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.dir.path().join("null.sock")
    }

    pub(crate) fn count(&self, name: &str) -> u64 {
        self.server.counter(name).expect(name)
    }

    /// A point-select job; `changes` are laid over it.
    pub(crate) fn job(&self, changes: Value) -> Value {
        let mut job = json!({
            "version": 1,
            "action": "run",
            "seed": 7,
            "target": {"socket": self.socket(), "user": "tester", "database": "test"},
            "workload": {"name": "oltp_point_select", "options": {"tables": 1, "table_size": 1000}},
            "load": {"connections": 4},
            "phases": {"measure_ms": 500, "interval_ms": 100, "drain_ms": 60_000},
        });
        merge(&mut job, changes);
        job
    }
}

/// A job whose window is this many transactions and nothing else.
pub(crate) fn transactions(count: u64) -> Value {
    json!({"phases": {"measure_ms": 0, "max_transactions": count}})
}

pub(crate) fn both(mut first: Value, second: Value) -> Value {
    merge(&mut first, second);
    first
}

pub(crate) fn count(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap_or_else(|| panic!("{key} in {value}"))
}

pub(crate) fn histogram(text: &Value) -> Histogram {
    Histogram::decode(text.as_str().expect("a histogram")).expect("an HDR histogram")
}

/// The histogram `key` of whole transactions.
pub(crate) fn times(result: &Value, key: &str) -> Histogram {
    histogram(&result["labels"]["transaction"][key])
}

impl Said {
    pub(crate) fn has_doubt(&self, kind: &str) -> bool {
        self.all("doubt").iter().any(|doubt| doubt["kind"] == kind)
    }

    pub(crate) fn result(&self) -> &Value {
        self.one("result")
    }
}

/// What two jobs said that ran at the same time: what a busy machine does to one it does to the other.
pub(crate) fn side_by_side(first: &Value, second: &Value) -> (Said, Said) {
    let (first, second) = (start(first), start(second));
    let (first, second) = (finish(first), finish(second));
    for said in [&first, &second] {
        assert_eq!(said.exit_code, 0, "{:#?}", said.events);
    }
    (first, second)
}

/// Tries something that needs a quiet machine a few times, each without other tests beside it.
pub(crate) fn in_a_quiet_moment(attempt: impl Fn() -> Result<(), String>) {
    let mut complaints = Vec::new();
    for _ in 0..6 {
        match alone(&attempt) {
            Ok(()) => return,
            Err(complaint) => complaints.push(complaint),
        }
    }
    panic!("not once in {} tries: {complaints:#?}", complaints.len());
}

/// A complaint unless `value` is within `share` of `truth`, or `resolution` above it.
pub(crate) fn near(what: &str, value: f64, truth: f64, share: f64, resolution: f64) -> Result<(), String> {
    if (truth * (1.0 - share)..=truth * (1.0 + share) + resolution).contains(&value) {
        return Ok(());
    }
    Err(format!("{what}: {value:.0} ns, but {truth:.0} is true (± {share} + {resolution:.0} ns)"))
}
