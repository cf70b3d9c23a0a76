//! One connection's life: log in, prepare, wait for the start, run transactions until the load is over.

use std::rc::Rc;
use std::sync::Arc;

use assay_tally::Times;
use assay_workload::{Failure, Operation, Rng, Workload};

use crate::event::ErrorKind;
use crate::failure::{Fatal, hint_for_code};
use crate::job::{ErrorPolicy, OnError, PsMode};
use crate::login::Login;
use crate::reactor::TaskId;
use crate::session::{MeasuredSession, StatementPlan};
use crate::shard::Shard;

/// Pause before a lost connection is opened again.
const RECONNECT_PAUSE_NS: u64 = 100_000_000;

/// What all workers of an event loop have in common.
pub struct Crew<W> {
    pub workload: Arc<W>,
    pub login: Arc<Login>,
    pub plan: Rc<StatementPlan>,
    pub shard: Rc<Shard>,
    pub policy: ErrorPolicy,
    pub ps_mode: PsMode,
    pub open_loop: bool,
    pub seed: u64,
    /// Connections of the whole run.
    pub workers: u32,
}

/// Runs the connection `task` of the crew to its end.
pub async fn work<W: Workload>(crew: Rc<Crew<W>>, task: TaskId) {
    if let Err(fatal) = live(&crew, task).await {
        crew.shard.fail(fatal);
    }
}

async fn live<W: Workload>(crew: &Crew<W>, task: TaskId) -> Result<(), Fatal> {
    let mut session = open(crew, task).await?;
    crew.shard.gate().await;
    session.set_mark();

    let worker = crew.shard.worker(task);
    let mut state = crew.workload.worker(worker, crew.workers);
    let mut number = 0;
    while let Some(scheduled) = crew.shard.next(task, session.mark()).await {
        let started = session.begin(scheduled, crew.open_loop);
        let outcome = persist(crew, task, &mut session, &mut state, worker, number).await;
        crew.shard.finish_operation();
        if outcome? {
            let times = Times { scheduled, started, ended: session.mark() };
            crew.shard.note_transaction(task, &times);
        }
        number += 1;
    }
    if crew.workload.finish(&mut state, &mut session).await.is_err() {
        return Err(explain(&session));
    }
    session.quit().await;
    Ok(())
}

/// Tries one transaction until it succeeds (`true`) or is given up (`false`).
async fn persist<W: Workload>(
    crew: &Crew<W>,
    task: TaskId,
    session: &mut MeasuredSession,
    state: &mut W::Worker,
    worker: u32,
    number: u64,
) -> Result<bool, Fatal> {
    let mut tries = 0;
    loop {
        let rng = Rng::of_operation(crew.seed, worker, number);
        let mut operation = Operation { worker, number, rng };
        tries += 1;
        match crew.workload.transaction(state, &mut operation, session).await {
            Ok(()) => return Ok(true),
            Err(Failure::Server { code }) => {
                let again = crew.policy.retry.contains(&code);
                if !again && crew.policy.other == OnError::Stop {
                    return Err(explain(session));
                }
                if session.roll_back().await.is_err() {
                    reopen(crew, task, session).await?;
                }
                if !again || tries >= crew.policy.max_tries {
                    crew.shard.note_failed();
                    return Ok(false);
                }
                crew.shard.note_retry();
            }
            Err(Failure::Lost) => {
                reopen(crew, task, session).await?;
                crew.shard.note_failed();
                return Ok(false);
            }
        }
    }
}

async fn open<W: Workload>(crew: &Crew<W>, task: TaskId) -> Result<MeasuredSession, Fatal> {
    let connection = crew.login.open(&crew.shard.reactor, task).await?;
    MeasuredSession::open(connection, crew.shard.clone(), crew.plan.clone(), crew.ps_mode)
        .await
        .map_err(|error| Fatal::statement("cannot prepare the workload's statements", &error))
}

/// Replaces a lost connection, again and again until the load is over; or ends the job, if that is the policy.
async fn reopen<W: Workload>(
    crew: &Crew<W>,
    task: TaskId,
    session: &mut MeasuredSession,
) -> Result<(), Fatal> {
    let lost = explain(session);
    if crew.policy.other == OnError::Stop {
        return Err(lost);
    }
    let reactor = &crew.shard.reactor;
    loop {
        let now = reactor.clock.now();
        if now >= crew.shard.control.measure_end() {
            return Ok(());
        }
        reactor.sleep_until(task, now + RECONNECT_PAUSE_NS).await;
        if let Ok(fresh) = open(crew, task).await {
            *session = fresh;
            crew.shard.note_reconnect();
            return Ok(());
        }
    }
}

/// What the session's last failure means for the job.
fn explain(session: &MeasuredSession) -> Fatal {
    match &session.last_error {
        None => Fatal::new(ErrorKind::Lost, "the connection was lost"),
        Some(error) => {
            let fatal = Fatal::statement("a statement of the load failed", error);
            match error.code().and_then(hint_for_code) {
                None if fatal.kind == ErrorKind::Server => {
                    fatal.hint("errors.other = \"count\" goes on after such errors")
                }
                _ => fatal,
            }
        }
    }
}
