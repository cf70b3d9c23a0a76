//! A discipline driven by hand: instants are given, nothing is waited for.

use std::task::Poll;

use assay_format::job::Job;
use assay_pace::Share;
use serde_json::{Value, json};

use super::{AnyDiscipline, Grounds, Part, Properties, Wanted, Work, choose};
use crate::process::failure::Fatal;
use crate::reactor::TaskId;

/// A load of one event loop, and the connections that were woken.
pub(super) struct Trial {
    pub any: AnyDiscipline,
    pub load: Properties,
    woken: Vec<TaskId>,
}

/// The answer to a connection that asks what to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// An operation that found the connection free, and its instant.
    Prompt(Wanted, u64),
    /// An operation that waited for the connection, and its instant.
    Queued(Wanted, u64),
    Wait,
    Leave,
}

/// A job with this load. A workload of that name is not looked for.
pub(super) fn job(workload: &str, load: &Value) -> Job {
    let target = json!({"user": "nobody", "database": "none"});
    let job = json!({
        "version": 1, "action": "run", "target": target, "workload": {"name": workload}, "load": load,
    });
    serde_json::from_value(job).expect("a job")
}

/// The grounds on which a discipline is chosen for a job, with a workload that neither pauses nor leaves work for
/// later.
pub(super) fn asked(job: &Job) -> Grounds<'_> {
    Grounds { job, workload: &job.workload.name, own_pace: false, meant: None, defers: false }
}

impl Trial {
    /// All of the load of a job in one event loop.
    pub(super) fn of(load: &Value) -> Self {
        let job = job("none", load);
        Self::new(&asked(&job)).expect("a load")
    }

    pub(super) fn new(asked: &Grounds<'_>) -> Result<Self, Fatal> {
        Self::part(asked, Share::WHOLE)
    }

    /// The part of an event loop that has a share of the schedule, and all connections.
    pub(super) fn part(asked: &Grounds<'_>, share: Share) -> Result<Self, Fatal> {
        let (load, make) = choose(asked)?;
        let part = Part { share, connections: asked.job.load.connections, terminals: load.terminals };
        Ok(Self { any: make(asked.job, &load, &part)?, load, woken: Vec::new() })
    }

    /// Lets in what is wanted before `limit`: how many, and which connections were woken.
    pub(super) fn admit(&mut self, limit: u64) -> (u64, Vec<TaskId>) {
        let admitted = self.any.admit(limit, |connection| self.woken.push(connection));
        (admitted.count, std::mem::take(&mut self.woken))
    }

    /// The number of operations wanted before `limit` that are dropped.
    pub(super) fn dropped(&mut self, limit: u64) -> u64 {
        self.any.admit(limit, |_| {}).dropped
    }

    /// The answer to a connection that asks at the instant `now`.
    pub(super) fn told(&mut self, connection: TaskId, now: u64) -> Answer {
        match self.any.next(connection, now) {
            Poll::Ready(Some(Work { scheduled, prompt: true, wanted })) => Answer::Prompt(wanted, scheduled),
            Poll::Ready(Some(Work { scheduled, prompt: false, wanted })) => Answer::Queued(wanted, scheduled),
            Poll::Ready(None) => Answer::Leave,
            Poll::Pending => Answer::Wait,
        }
    }

    /// Work is left for later by an operation: the connections that were woken.
    pub(super) fn defer(&mut self, instant: u64, operation: (u32, u64)) -> Vec<TaskId> {
        self.any.defer(instant, operation, |connection| self.woken.push(connection));
        std::mem::take(&mut self.woken)
    }

    /// Closes the load: the connections that were woken.
    pub(super) fn close(&mut self) -> Vec<TaskId> {
        self.any.close(|connection| self.woken.push(connection));
        std::mem::take(&mut self.woken)
    }

    /// Cuts the load, for its operations have all begun: the connections that were woken.
    pub(super) fn cut(&mut self) -> Vec<TaskId> {
        self.any.cut(|connection| self.woken.push(connection));
        std::mem::take(&mut self.woken)
    }
}
