//! One connection's life: log in, prepare, wait for the start, run transactions until the load is over.

use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;

use assay_tally::Times;
use assay_workload::{Failure, Operation, Workload};

use crate::event::ErrorKind;
use crate::failure::Fatal;
use crate::job::{ErrorPolicy, PsMode, Reaction, Think};
use crate::login::Login;
use crate::reactor::TaskId;
use crate::reconnect::{renew, reopen};
use crate::session::{MeasuredSession, StatementPlan};
use crate::shard::Shard;
use crate::think::Thinker;

/// What all workers of an event loop have in common.
pub struct Crew<W> {
    pub workload: Arc<W>,
    pub login: Arc<Login>,
    pub plan: Rc<StatementPlan>,
    pub shard: Rc<Shard>,
    pub policy: ErrorPolicy,
    pub ps_mode: PsMode,
    pub open_loop: bool,
    pub think: Option<Think>,
    pub reconnect_each: u64,
    pub seed: u64,
    /// Connections of the whole run.
    pub workers: u32,
}

/// Runs the connection `task` of the crew to its end.
///
/// Its future lives as long as the connection, and every byte of it is read from memory that thousands of others share.
/// So what is done once or seldom (opening, rolling back, saying goodbye) has a box of its own while it lasts.
pub async fn work<W: Workload>(crew: Rc<Crew<W>>, task: TaskId) {
    if let Err(fatal) = live(&crew, task).await {
        crew.shard.fail(fatal);
    }
}

async fn live<W: Workload>(crew: &Crew<W>, task: TaskId) -> Result<(), Fatal> {
    let shard = &crew.shard;
    let mut place = Some(Box::pin(open(crew, task)).await?);
    shard.gate().await;
    if let Some(session) = &mut place {
        session.set_mark();
    }

    let worker = shard.worker(task);
    let mut state = crew.workload.worker(worker, crew.workers);
    let mut thinker = crew.think.map(|think| Thinker::new(think, crew.seed, worker));
    let mut number = 0;
    while let Some(session) = &mut place {
        let own_pace = crew.workload.pause_ns(crew.seed, worker, number);
        let pause_ns = own_pace.or_else(|| thinker.as_mut().map(Thinker::next_ns));
        if let Some(pause_ns) = pause_ns
            && !think(shard, task, session, pause_ns).await
        {
            break;
        }
        let Some(arrival) = shard.next(task, session.mark()).await else { break };
        let started = session.begin(&arrival, crew.open_loop);
        let outcome = persist(crew, task, &mut place, &mut state, worker, number).await;
        shard.finish_operation();
        if let Some(operation) = outcome?
            && let Some(session) = &place
        {
            let times = Times { scheduled: arrival.scheduled, started, ended: session.mark() };
            shard.note_transaction(task, &times, &operation);
        }
        number += 1;
        if crew.reconnect_each > 0 && number % crew.reconnect_each == 0 {
            Box::pin(renew(crew, task, &mut place)).await?;
        }
    }
    // A connection that was lost and not opened again before the end has nobody to say goodbye to.
    let Some(mut session) = place else { return Ok(()) };
    let finished = {
        let mut finish = Box::pin(crew.workload.finish(&mut state, &mut session));
        shard.limited(task, finish.as_mut()).await
    };
    if let Some(Err(_)) = finished {
        return Err(explain(&mut session));
    }
    shard.limited(task, Box::pin(session.quit()).as_mut()).await;
    Ok(())
}

/// Thinks until the next transaction; false when the load is over before.
async fn think(shard: &Shard, task: TaskId, session: &mut MeasuredSession, pause_ns: u64) -> bool {
    let begin = session.mark();
    if !shard.pause(task, begin + pause_ns).await {
        return false;
    }
    session.set_mark();
    shard.note_thinking(session.mark() - begin);
    true
}

/// Tries one transaction until it succeeds or is given up (`None`). A lost connection is opened again; where the load is
/// over before, `place` is left empty.
async fn persist<W: Workload>(
    crew: &Crew<W>,
    task: TaskId,
    place: &mut Option<MeasuredSession>,
    state: &mut W::Worker,
    worker: u32,
    number: u64,
) -> Result<Option<Operation>, Fatal> {
    let (shard, policy) = (&crew.shard, &crew.policy);
    let mut tries = 0;
    let mut kind = None;
    while let Some(session) = place {
        tries += 1;
        let mut operation = Operation::new(crew.seed, worker, number);
        let tried = {
            let transaction = pin!(crew.workload.transaction(state, &mut operation, session));
            shard.limited(task, transaction).await
        };
        kind = operation.kind;
        let reaction = match tried {
            Some(Ok(())) => return Ok(Some(operation)),
            Some(Err(Failure::Server { code })) => {
                shard.note_kind_error(operation.kind, code);
                policy.on_code(code)
            }
            Some(Err(Failure::Lost)) => {
                shard.note_kind_error(operation.kind, 0);
                policy.on_lost(session.last_code())
            }
            Some(Err(Failure::Data(missing))) => return Err(unfit(W::NAME, missing)),
            None => {
                shard.note_timeout();
                shard.notice(&silent(policy));
                policy.on_timeout()
            }
        };
        if reaction == Reaction::Stop {
            return Err(if tried.is_none() { silent(policy) } else { explain(session) });
        }
        if session.is_usable() && reaction != Reaction::Reconnect {
            let rolled_back =
                matches!(shard.limited(task, Box::pin(session.roll_back()).as_mut()).await, Some(Ok(())));
            if !rolled_back && policy.on_lost(session.last_code()) == Reaction::Stop {
                return Err(explain(session));
            }
        }
        if !session.is_usable() || reaction == Reaction::Reconnect {
            Box::pin(reopen(crew, task, place)).await?;
        }
        if reaction != Reaction::Retry || tries >= policy.max_tries {
            break;
        }
        shard.note_retry(kind);
    }
    shard.note_failed(kind);
    Ok(None)
}

/// Opens a connection and prepares the statements on it.
///
/// # Errors
/// No login or no prepared statements within the time limit, or the server refuses.
pub async fn open<W: Workload>(crew: &Crew<W>, task: TaskId) -> Result<MeasuredSession, Fatal> {
    let reactor = &crew.shard.reactor;
    let connection = crew.login.open(reactor, task).await?;
    let preparing = MeasuredSession::open(connection, crew.shard.clone(), crew.plan.clone(), crew.ps_mode);
    let deadline = reactor.clock.now() + crew.login.timeout_ns();
    match reactor.until(task, deadline, preparing).await {
        Some(session) => {
            session.map_err(|error| Fatal::statement("cannot prepare the workload's statements", &error))
        }
        None => Err(Fatal::new(
            ErrorKind::Lost,
            format!("the server did not prepare the workload's statements within {}", crew.login.timeout()),
        )),
    }
}

/// What the session's last failure means for the job.
fn explain(session: &mut MeasuredSession) -> Fatal {
    match session.last_error.take() {
        None => Fatal::new(ErrorKind::Lost, "the connection was lost"),
        Some(error) => Fatal::of_load(&error),
    }
}

/// Tables that are not what the workload takes them for.
fn unfit(workload: &str, missing: &str) -> Fatal {
    Fatal::new(ErrorKind::Server, format!("{workload}: {missing}"))
        .hint("run check with the same options; cleanup and prepare make the tables again")
}

/// An operation that got no answer in time.
fn silent(policy: &ErrorPolicy) -> Fatal {
    let limit = policy.operation_timeout_ms;
    Fatal::new(
        ErrorKind::Lost,
        format!("an operation had no answer within {limit} ms (errors.operation_timeout_ms)"),
    )
}
