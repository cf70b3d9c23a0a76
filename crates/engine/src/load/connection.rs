//! One connection's life: log in, prepare, wait for the start, run transactions until the load is over.

use std::pin::pin;
use std::rc::Rc;

use assay_tally::Times;
use assay_wire::Error;
use assay_workload::{Driver, Failure, Operation};

use crate::load::crew::{Crew, explain, unfit};
use crate::load::discipline::Wanted;
use crate::load::reconnect::{renew, reopen};
use crate::load::session::MeasuredSession;
use crate::process::failure::Fatal;
use crate::reactor::TaskId;
use crate::say::counted::counted;
use assay_format::event::ErrorKind;
use assay_format::job::Reaction;

/// Runs the connection `task` of the crew to its end.
///
/// Its future lives as long as the connection, and every byte of it is read from memory that thousands of others share.
/// So what is done once or seldom (opening, rolling back, saying goodbye) has a box of its own while it lasts.
pub(crate) async fn work<D: Driver>(crew: Rc<Crew<D>>, task: TaskId) {
    if let Err(fatal) = live(&crew, task).await {
        crew.shard.fail(fatal);
    }
}

async fn live<D: Driver>(crew: &Crew<D>, task: TaskId) -> Result<(), Fatal> {
    let shard = &crew.shard;
    let mut connection = Some(Box::pin(crew.opener.open_first(task)).await?);
    let mut own = crew.own_terminal(task);
    if let Some(session) = &mut connection {
        Box::pin(crew.begin_all(task, session, own.as_mut())).await?;
    }
    shard.gate().await;
    if let Some(session) = &mut connection {
        session.set_mark();
    }

    let mut served = 0;
    while let Some(session) = &mut connection {
        let free = session.mark();
        let thinks = own.as_mut().is_some_and(|terminal| crew.think(task, terminal, free));
        let Some(work) = shard.next(task, free).await else { break };
        let started = session.begin(&work, crew.times);
        shard.note_begun(started);
        if thinks {
            shard.note_thinking(started - free);
        }
        if let Wanted::Deferred { terminal, number } = work.wanted {
            Box::pin(catch_up(crew, task, &mut connection, (terminal, number), (work.scheduled, started)))
                .await?;
            continue;
        }
        let mut shared = crew.take_terminal(work.wanted);
        let terminal = shared.as_deref_mut().or(own.as_mut()).expect("an operation has a terminal");
        let mut operation = Operation::new(crew.seed, terminal.id, terminal.number);
        let part = Part::Transaction(&mut terminal.state);
        let running = shard.running(work.scheduled, started);
        let outcome = persist(crew, task, &mut connection, &mut operation, part, started).await;
        let (scheduled, started) = running.over();
        terminal.last = None;
        let mut succeeded = false;
        if let Some(tried) = outcome?
            && let Some(session) = &mut connection
        {
            session.ended();
            let times = Times { scheduled, started, ended: session.mark() };
            shard.note_transaction(task, &times, &operation, tried - started);
            terminal.last = operation.kind;
            succeeded = true;
            if let Some(failing) = crew.driven.failing() {
                failing.succeeded(operation.kind);
            }
            if operation.deferred {
                shard.defer(times.ended, &operation);
            }
        }
        terminal.number += 1;
        if let Some(shared) = shared {
            crew.release(task, shared, connection.as_ref().map(MeasuredSession::mark), succeeded);
        }
        served += 1;
        if crew.reconnect_each > 0 && served % crew.reconnect_each == 0 {
            Box::pin(renew(&crew.opener, task, &mut connection)).await?;
        }
    }
    // A connection that was lost and not opened again before the end has nobody to say goodbye to.
    let mut from = 0;
    let mut last = || own.take().map(Box::new).or_else(|| crew.terminals.as_ref()?.leave(&mut from));
    while connection.is_some()
        && let Some(mut terminal) = last()
    {
        Box::pin(leave(crew, task, &mut connection, &mut terminal.state)).await?;
    }
    if let Some(session) = connection {
        shard.limited(task, Box::pin(session.quit()).as_mut()).await;
    }
    Ok(())
}

/// Lets a terminal send what it still has to say. Errors do what they do in an operation; a connection that broke, or
/// still owes an answer, is replaced once, and nobody waits for a server that does not take it.
async fn leave<D: Driver>(
    crew: &Crew<D>,
    task: TaskId,
    connection: &mut Option<MeasuredSession>,
    state: &mut D::Terminal,
) -> Result<(), Fatal> {
    let (shard, reactions) = (&crew.shard, &crew.reactions);
    let mut tries = 0;
    while let Some(session) = connection {
        tries += 1;
        let finished = shard.limited(task, pin!(crew.driver().finish(state, session))).await;
        let reaction = match finished {
            Some(Ok(())) => return Ok(()),
            Some(Err(Failure::Server { code })) => reactions.on_code(code),
            Some(Err(Failure::Lost)) => reactions.on_lost(session.last_code()),
            Some(Err(Failure::Data(missing))) => return Err(unfit(&crew.name, missing)),
            None => {
                shard.note_timeout(None);
                shard.notice(&silent(crew.timeout_ms));
                reactions.on_timeout()
            }
        };
        if reaction == Reaction::Stop {
            return Err(if finished.is_none() { silent(crew.timeout_ms) } else { explain(session) });
        }
        if session.is_usable() && reaction != Reaction::Reconnect {
            shard.limited(task, pin!(session.roll_back())).await;
        }
        if !session.is_usable() || reaction == Reaction::Reconnect {
            *connection = None;
            match crew.opener.open(task).await {
                Ok(fresh) => *connection = Some(fresh),
                Err(fatal) => shard.notice(&fatal),
            }
        }
        if reaction != Reaction::Retry || tries >= crew.max_tries {
            break;
        }
        shard.note_retry(None, false);
    }
    shard.note_failed(None, 0, false);
    Ok(())
}

/// Carries out the work that an operation left for later.
async fn catch_up<D: Driver>(
    crew: &Crew<D>,
    task: TaskId,
    connection: &mut Option<MeasuredSession>,
    (terminal, number): (u32, u64),
    (scheduled, started): (u64, u64),
) -> Result<(), Fatal> {
    let mut operation = Operation::new(crew.seed, terminal, number);
    let mut record = String::new();
    let part = Part::Deferred(&mut record);
    let outcome = persist(crew, task, connection, &mut operation, part, started).await;
    crew.shard.finish_operation();
    match (outcome?, connection) {
        (Some(tried), Some(session)) => {
            session.ended();
            let times = Times { scheduled, started, ended: session.mark() };
            crew.shard.note_deferred(&times, &operation, tried - started, &record);
        }
        _ => crew.shard.note_deferred_failed(),
    }
    Ok(())
}

/// The part of an operation that a connection carries out.
enum Part<'a, S> {
    /// The transaction, with the state of its terminal.
    Transaction(&'a mut S),
    /// What the transaction left for later, with the text that takes what the workload says of it.
    Deferred(&'a mut String),
}

/// Tries a part of a fresh operation until it succeeds or is given up (`None`). Returns the instant at which its last
/// try began. A lost connection is opened again; where the load is over before, `connection` is left empty.
async fn persist<D: Driver>(
    crew: &Crew<D>,
    task: TaskId,
    connection: &mut Option<MeasuredSession>,
    operation: &mut Operation,
    mut part: Part<'_, D::Terminal>,
    started: u64,
) -> Result<Option<u64>, Fatal> {
    let (shard, reactions) = (&crew.shard, &crew.reactions);
    let deferred = matches!(part, Part::Deferred(_));
    let mut tries = 0;
    while let Some(session) = connection {
        tries += 1;
        if tries > 1 {
            *operation = Operation::new(crew.seed, operation.terminal, operation.number);
        }
        if let Some(second) = crew.time_to_tell(session) {
            // A connection that broke says so again at the next statement; a server that refuses would let the load go on at
            // another time than the file's.
            let told = shard.limited(task, Box::pin(session.tell_time(second)).as_mut()).await;
            if let Some(Err(Failure::Server { .. })) = told {
                return Err(explain(session));
            }
        }
        let began = session.mark();
        let tried = match &mut part {
            Part::Transaction(state) => {
                let transaction = pin!(crew.driver().transaction(state, operation, session));
                shard.limited_from(task, began, transaction).await
            }
            Part::Deferred(record) => {
                record.clear();
                let work = pin!(crew.driver().deferred(operation, record, session));
                shard.limited_from(task, began, work).await
            }
        };
        let kind = operation.kind;
        let reaction = match tried {
            Some(Ok(())) => return Ok(Some(began)),
            Some(Err(Failure::Server { code })) => {
                shard.note_kind_error(kind, code);
                reactions.on_code(code)
            }
            Some(Err(Failure::Lost)) => {
                if let Some(cut) = session.take_cut() {
                    Box::pin(resume(crew, task, connection, cut)).await?;
                    *operation = Operation::new(crew.seed, operation.terminal, operation.number);
                    tries -= 1;
                    continue;
                }
                shard.note_kind_error(kind, 0);
                reactions.on_lost(session.last_code())
            }
            Some(Err(Failure::Data(missing))) => return Err(unfit(&crew.name, missing)),
            None => {
                shard.note_timeout(kind);
                shard.notice(&silent(crew.timeout_ms));
                reactions.on_timeout()
            }
        };
        if reaction == Reaction::Stop {
            return Err(if tried.is_none() { silent(crew.timeout_ms) } else { explain(session) });
        }
        let last = tries >= operation.most_tries.unwrap_or(crew.max_tries);
        let last = last || reaction != Reaction::Retry;
        if last && let Some(failing) = crew.driven.failing() {
            let failed = failing.failed(kind, started, shard.reactor.clock.now());
            if let Some(failed) = failed {
                let why = if tried.is_none() { silent(crew.timeout_ms) } else { explain(session) };
                return Err(hopeless(why, failed));
            }
        }
        if session.is_usable() && reaction != Reaction::Reconnect {
            let rolled_back =
                matches!(shard.limited(task, Box::pin(session.roll_back()).as_mut()).await, Some(Ok(())));
            if !rolled_back && reactions.on_lost(session.last_code()) == Reaction::Stop {
                return Err(explain(session));
            }
        }
        if !session.is_usable() || reaction == Reaction::Reconnect {
            Box::pin(reopen(&crew.opener, task, connection)).await?;
        }
        if last {
            break;
        }
        shard.note_retry(kind, deferred);
    }
    shard.note_failed(operation.kind, shard.reactor.clock.now().saturating_sub(started), deferred);
    Ok(None)
}

/// Opens a connection that the server has closed while it was idle (`wait_timeout`).
///
/// # Errors
/// The server itself has gone meanwhile, or does not take the connection back: that is an end like any lost connection.
async fn resume<D: Driver>(
    crew: &Crew<D>,
    task: TaskId,
    connection: &mut Option<MeasuredSession>,
    cut: Error,
) -> Result<(), Fatal> {
    let number = connection.as_ref().map_or(0, MeasuredSession::number);
    let reopened = reopen(&crew.opener, task, connection).await;
    let stops = crew.reactions.on_lost(None) == Reaction::Stop;
    let why = match reopened {
        Ok(()) if connection.as_ref().is_none_or(|fresh| fresh.number() > number) => return Ok(()),
        Ok(()) => "the server has restarted since".to_owned(),
        Err(fatal) if !stops => return Err(fatal),
        Err(fatal) => fatal.message,
    };
    crew.shard.note_error(0);
    let fatal = Fatal::end_of_load(None, &cut);
    if stops {
        return Err(Fatal { message: format!("{}; {why}", fatal.message), ..fatal });
    }
    crew.shard.notice(&fatal);
    Ok(())
}

/// The fatal error of a transaction that has failed whenever it was tried, by its last failure.
fn hopeless(fatal: Fatal, failed: u64) -> Fatal {
    let executions = counted(failed, "execution");
    Fatal { message: format!("{}; so failed all {executions} of this transaction", fatal.message), ..fatal }
        .hint("correct the statement or its draws: a load whose every transaction of a kind fails measures nothing")
}

/// The fatal error of an operation that got no answer within its time limit.
fn silent(limit_ms: u64) -> Fatal {
    Fatal::new(
        ErrorKind::Lost,
        format!("no answer to an operation within {limit_ms} ms (errors.operation_timeout_ms)"),
    )
}
