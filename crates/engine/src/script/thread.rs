//! The life of one script thread: a task of an event loop, with a Lua state of its own.

use std::rc::Rc;
use std::sync::Arc;

use assay_format::job::Think;
use assay_script::{Call, Origin, Script, ScriptError};
use assay_tally::Scheduled;

use crate::course::timeline::Control;
use crate::load::shard::Shard;
use crate::reactor::{Lasting, TaskId};
use crate::script::in_load::InLoad;
use crate::script::link::Servers;
use crate::script::prepared::{PreparedCount, let_first_go_ahead};
use crate::script::shares::Shares;
use crate::script::watch::Computing;

/// Scripts that an event loop loads before it looks after connections: a server gives a login that nobody goes on with but
/// seconds, and loading thousands of scripts takes as long.
const LOADED_AT_ONCE: u32 = 32;

/// Bytes of a thread's work that an event touches: the rest is for its beginning and its end.
const TOUCHED: usize = 1536;

/// What the script threads of an event loop have in common.
pub(super) struct Crew {
    pub origin: Arc<Origin>,
    /// None in a dry run.
    pub servers: Option<Arc<Servers>>,
    pub shares: Arc<Shares>,
    pub prepared: Arc<PreparedCount>,
    pub control: Arc<Control>,
    pub shard: Rc<Shard>,
    pub computing: Arc<Computing>,
    /// The kinds of work that have a schedule in this load, and so a wait.
    pub times: Scheduled,
    /// The pauses between the events of a thread.
    pub think: Option<Think>,
    pub seed: u64,
    /// Whether the server rolls back a whole transaction after a lock wait timeout.
    pub undoes_on_timeout: bool,
}

/// Runs script thread `task` of the crew to its end.
pub(super) async fn live(crew: Rc<Crew>, task: TaskId) {
    let mut host = InLoad::new(crew.clone(), task);
    let work = Box::pin(work(&crew, task, &mut host));
    crew.shard.reactor.always_touches(task, Lasting::Work, &*work, TOUCHED);
    let outcome = work.await;
    host.leave();
    match outcome {
        Ok(()) => {}
        // The others still have their events.
        Err(error) if host.is_over() => crew.shard.fail_after(host.end_of_load(&error)),
        Err(error) => crew.shard.fail(host.end_of_load(&error)),
    }
}

async fn work(crew: &Crew, task: TaskId, host: &mut InLoad) -> Result<(), ScriptError> {
    let tid = crew.shard.connection(task);
    // Before the turns: all are woken together when the first is ready.
    let_first_go_ahead(crew, task, tid).await;
    for _ in 0..task / LOADED_AT_ONCE {
        host.give_turn().await;
    }
    let mut script = Script::open(&crew.origin, tid, host).await?;
    let outcome = script.call(host, Call::Worker(tid)).await;
    script.leave(host).await;
    outcome.map(drop)
}
