//! One connection's life: log in, prepare, wait for the start, run transactions until the load is over.

use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;

use assay_tally::{Scheduled, Times};
use assay_workload::{Failure, Operation, Workload};

use crate::job::reactions::Reactions;
use crate::load::discipline::Wanted;
use crate::load::reconnect::{let_go, renew, reopen};
use crate::load::session::{MeasuredSession, StatementPlan};
use crate::load::shard::Shard;
use crate::load::terminal::{Terminal, Terminals};
use crate::process::failure::Fatal;
use crate::reactor::TaskId;
use crate::server::login::Login;
use assay_format::event::ErrorKind;
use assay_format::job::{ErrorPolicy, PsMode, Reaction, Think};

/// The server has no room for another connection (ER_CON_COUNT_ERROR).
const TOO_MANY: u16 = 1040;
/// How long a full server is asked again, and how often.
const FULL_NS: u64 = 2_000_000_000;
const FULL_PAUSE_NS: u64 = 20_000_000;

/// What all workers of an event loop have in common.
pub struct Crew<W: Workload> {
    pub workload: Arc<W>,
    pub login: Arc<Login>,
    pub plan: Rc<StatementPlan>,
    pub shard: Rc<Shard>,
    pub policy: ErrorPolicy,
    pub reactions: Reactions,
    /// Limit of one try of an operation; 0 where there is none.
    pub timeout_ms: u64,
    pub ps_mode: PsMode,
    /// What has a schedule in this load.
    pub times: Scheduled,
    pub think: Option<Think>,
    pub reconnect_each: u64,
    pub seed: u64,
    /// Terminals of the whole run; connections, where each is one.
    pub workers: u32,
    /// Those that share the connections of this event loop, where they do.
    pub terminals: Option<Terminals<W>>,
}

impl<W: Workload> Crew<W> {
    /// The terminal of a connection that is one.
    fn own_terminal(&self, task: TaskId) -> Option<Terminal<W>> {
        let worker = self.shard.worker(task);
        let own = || Terminal::new(&*self.workload, worker, self.workers, self.think, self.seed);
        self.terminals.is_none().then(own)
    }

    /// The pause of a terminal that has its connection to itself, from `free` on; false where it has none.
    #[inline]
    fn think(&self, task: TaskId, terminal: &mut Terminal<W>, free: u64) -> bool {
        let Some(pause) = terminal.pause(&self.workload, self.seed) else { return false };
        self.shard.note_think_time(terminal.last, pause.think_ns);
        self.shard.wants(task, task, free + pause.think_ns + pause.keying_ns);
        true
    }

    /// The terminal that shares connections, where the work is one's.
    fn guest(&self, wanted: Wanted) -> Option<Box<Terminal<W>>> {
        match (wanted, &self.terminals) {
            (Wanted::Terminal(index), Some(terminals)) => terminals.take(index),
            _ => None,
        }
    }

    /// A terminal leaves its connection, whose last operation ended at `ended`, and will want another after its pause;
    /// where the load is over, it just rests.
    fn part(&self, task: TaskId, mut guest: Box<Terminal<W>>, ended: Option<u64>, succeeded: bool) {
        let pause = guest.pause(&self.workload, self.seed).unwrap_or_default();
        let about = guest.last;
        let Some(terminals) = &self.terminals else { return };
        let index = terminals.rest(guest);
        if let Some(ended) = ended {
            let total_ns = pause.think_ns + pause.keying_ns;
            if total_ns > 0 {
                self.shard.note_thinking(total_ns);
                self.shard.note_think_time(about, pause.think_ns);
            }
            self.shard.wants(task, index, ended + total_ns);
            if succeeded {
                self.shard.note_served(index);
            }
        }
    }
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
    let mut place = Some(Box::pin(open_first(crew, task)).await?);
    shard.gate().await;
    if let Some(session) = &mut place {
        session.set_mark();
    }

    let mut own = crew.own_terminal(task);
    let mut served = 0;
    while let Some(session) = &mut place {
        let free = session.mark();
        let thinks = own.as_mut().is_some_and(|terminal| crew.think(task, terminal, free));
        let Some(work) = shard.next(task, free).await else { break };
        let started = session.begin(&work, crew.times);
        if thinks {
            shard.note_thinking(started - free);
        }
        if let Wanted::Deferred { worker, number } = work.wanted {
            Box::pin(catch_up(crew, task, &mut place, (worker, number), (work.scheduled, started))).await?;
            continue;
        }
        let mut guest = crew.guest(work.wanted);
        let terminal = guest.as_deref_mut().or(own.as_mut()).expect("an operation has a terminal");
        let (who, mut record) = ((terminal.worker, terminal.number), String::new());
        let state = Some(&mut terminal.state);
        let outcome = persist(crew, task, &mut place, who, state, started, &mut record).await;
        shard.finish_operation();
        terminal.last = None;
        let mut succeeded = false;
        if let Some((operation, tried)) = outcome?
            && let Some(session) = &place
        {
            let times = Times { scheduled: work.scheduled, started, ended: session.mark() };
            shard.note_transaction(task, &times, &operation, tried - started);
            terminal.last = operation.kind;
            succeeded = true;
            if operation.deferred {
                shard.defer(times.ended, &operation);
            }
        }
        terminal.number += 1;
        if let Some(guest) = guest {
            crew.part(task, guest, place.as_ref().map(MeasuredSession::mark), succeeded);
        }
        served += 1;
        if crew.reconnect_each > 0 && served % crew.reconnect_each == 0 {
            Box::pin(renew(crew, task, &mut place)).await?;
        }
    }
    // A connection that was lost and not opened again before the end has nobody to say goodbye to.
    let mut from = 0;
    let mut last = || own.take().map(Box::new).or_else(|| crew.terminals.as_ref()?.leave(&mut from));
    while place.is_some()
        && let Some(mut terminal) = last()
    {
        Box::pin(leave(crew, task, &mut place, &mut terminal.state)).await?;
    }
    if let Some(session) = place {
        shard.limited(task, Box::pin(session.quit()).as_mut()).await;
    }
    Ok(())
}

/// Lets a terminal send what it still has to say. Errors do what they do in an operation; a connection that broke, or
/// still owes an answer, is replaced once, and nobody waits for a server that does not take it.
async fn leave<W: Workload>(
    crew: &Crew<W>,
    task: TaskId,
    place: &mut Option<MeasuredSession>,
    state: &mut W::Worker,
) -> Result<(), Fatal> {
    let (shard, reactions) = (&crew.shard, &crew.reactions);
    let mut tries = 0;
    while let Some(session) = place {
        tries += 1;
        let finished = shard.limited(task, pin!(crew.workload.finish(state, session))).await;
        let reaction = match finished {
            Some(Ok(())) => return Ok(()),
            Some(Err(Failure::Server { code })) => reactions.on_code(code),
            Some(Err(Failure::Lost)) => reactions.on_lost(session.last_code()),
            Some(Err(Failure::Data(missing))) => return Err(unfit(W::NAME, missing)),
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
            let own = let_go(place);
            match open(crew, task).await {
                Ok(fresh) => place.insert(fresh).adopt(own),
                Err(fatal) => shard.notice(&fatal),
            }
        }
        if reaction != Reaction::Retry || tries >= crew.policy.max_tries {
            break;
        }
        shard.note_retry(None, false);
    }
    shard.note_failed(None, 0, false);
    Ok(())
}

/// Does the work that an operation left for later.
async fn catch_up<W: Workload>(
    crew: &Crew<W>,
    task: TaskId,
    place: &mut Option<MeasuredSession>,
    who: (u32, u64),
    (scheduled, started): (u64, u64),
) -> Result<(), Fatal> {
    let mut record = String::new();
    let outcome = persist(crew, task, place, who, None, started, &mut record).await;
    crew.shard.finish_operation();
    match (outcome?, place) {
        (Some((operation, tried)), Some(session)) => {
            let times = Times { scheduled, started, ended: session.mark() };
            crew.shard.note_deferred(&times, &operation, tried - started, &record);
        }
        _ => crew.shard.note_deferred_failed(),
    }
    Ok(())
}

/// Tries one operation until it succeeds, with the instant at which the try began that did, or is given up (`None`). A lost
/// connection is opened again; where the load is over before, `place` is left empty.
///
/// `state`: of its terminal; none for work that was left for later, which has `record` to write to.
async fn persist<W: Workload>(
    crew: &Crew<W>,
    task: TaskId,
    place: &mut Option<MeasuredSession>,
    (worker, number): (u32, u64),
    mut state: Option<&mut W::Worker>,
    started: u64,
    record: &mut String,
) -> Result<Option<(Operation, u64)>, Fatal> {
    let (shard, reactions) = (&crew.shard, &crew.reactions);
    let deferred = state.is_none();
    let mut tries = 0;
    let mut kind = None;
    while let Some(session) = place {
        tries += 1;
        let began = session.mark();
        let mut operation = Operation::new(crew.seed, worker, number);
        let tried = match state.as_deref_mut() {
            Some(state) => {
                let transaction = pin!(crew.workload.transaction(state, &mut operation, session));
                shard.limited(task, transaction).await
            }
            None => {
                record.clear();
                let work = pin!(crew.workload.deferred(&mut operation, record, session));
                shard.limited(task, work).await
            }
        };
        kind = operation.kind;
        let reaction = match tried {
            Some(Ok(())) => return Ok(Some((operation, began))),
            Some(Err(Failure::Server { code })) => {
                shard.note_kind_error(operation.kind, code);
                reactions.on_code(code)
            }
            Some(Err(Failure::Lost)) => {
                shard.note_kind_error(operation.kind, 0);
                reactions.on_lost(session.last_code())
            }
            Some(Err(Failure::Data(missing))) => return Err(unfit(W::NAME, missing)),
            None => {
                shard.note_timeout(kind);
                shard.notice(&silent(crew.timeout_ms));
                reactions.on_timeout()
            }
        };
        if reaction == Reaction::Stop {
            return Err(if tried.is_none() { silent(crew.timeout_ms) } else { explain(session) });
        }
        if session.is_usable() && reaction != Reaction::Reconnect {
            let rolled_back =
                matches!(shard.limited(task, Box::pin(session.roll_back()).as_mut()).await, Some(Ok(())));
            if !rolled_back && reactions.on_lost(session.last_code()) == Reaction::Stop {
                return Err(explain(session));
            }
        }
        if !session.is_usable() || reaction == Reaction::Reconnect {
            Box::pin(reopen(crew, task, place)).await?;
        }
        if reaction != Reaction::Retry || tries >= crew.policy.max_tries {
            break;
        }
        shard.note_retry(kind, deferred);
    }
    shard.note_failed(kind, shard.reactor.clock.now().saturating_sub(started), deferred);
    Ok(None)
}

/// Opens the connection that the load begins with. A server that is full is asked again for a moment: it may still be
/// taking leave of those who asked it questions before the load.
async fn open_first<W: Workload>(crew: &Crew<W>, task: TaskId) -> Result<MeasuredSession, Fatal> {
    let shard = &crew.shard;
    let give_up = shard.reactor.clock.now() + FULL_NS;
    loop {
        match open(crew, task).await {
            Err(fatal) if fatal.code == Some(TOO_MANY) && shard.reactor.clock.now() < give_up => {
                shard.pause(task, shard.reactor.clock.now() + FULL_PAUSE_NS).await;
            }
            opened => return opened,
        }
    }
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
fn silent(limit_ms: u64) -> Fatal {
    Fatal::new(
        ErrorKind::Lost,
        format!("an operation had no answer within {limit_ms} ms (errors.operation_timeout_ms)"),
    )
}
