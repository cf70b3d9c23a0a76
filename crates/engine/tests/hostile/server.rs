//! A null server with one misdeed, over a unix socket or TCP, and what the engine made of it.

use assay_nullserver::fault::{Deed, Misdeed, Stage};
use assay_nullserver::{Behaviour, Options};
use serde_json::{Value, json};

use crate::drive::{Said, carry_out, merge};
use crate::honest::null::Null;

/// Limit of every test's job for connecting and for one operation: far above what any answer takes, far below the 120 s
/// after which a test counts as hung.
pub(crate) const LIMIT_MS: u64 = 30_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Unix,
    Tcp,
}

pub(crate) struct Hostile {
    pub null: Null,
    way: Way,
}

impl Hostile {
    pub(crate) fn new(deed: Deed, stage: Stage, after: u64, way: Way) -> Self {
        let misdeed = Some(Misdeed { deed, stage, after });
        Self::with(
            Options { behaviour: Behaviour { misdeed, ..Behaviour::default() }, ..Options::default() },
            way,
        )
    }

    pub(crate) fn with(options: Options, way: Way) -> Self {
        Self { null: Null::with(Options { port: Some(0), ..options }), way }
    }

    /// A job whose load has no end of its own within a test's patience: it ends by what the server does.
    pub(crate) fn job(&self, action: &str, changes: Value) -> Value {
        let mut job = self.null.job(json!({
            "action": action,
            "target": {"connect_timeout_ms": LIMIT_MS},
            "load": {"connections": 2},
            "phases": {"measure_ms": 60_000, "drain_ms": 60_000},
            "errors": {"operation_timeout_ms": LIMIT_MS},
        }));
        if self.way == Way::Tcp {
            merge(
                &mut job,
                json!({"target": {"socket": null, "host": "127.0.0.1", "port": self.null.server.port()}}),
            );
        }
        merge(&mut job, changes);
        job
    }

    pub(crate) fn carry_out(&self, action: &str, changes: Value) -> Said {
        carry_out(&self.job(action, changes))
    }
}

/// The message of the error that ended a job, which must have this exit code.
pub(crate) fn refusal(said: &Said, exit_code: i32) -> String {
    assert_eq!(said.exit_code, exit_code, "{:#?}", said.events);
    let fatal: Vec<_> = said.all("error").into_iter().filter(|error| error["fatal"] == true).collect();
    assert_eq!(fatal.len(), 1, "{:#?}", said.events);
    fatal[0]["message"].as_str().expect("a message").to_owned()
}
