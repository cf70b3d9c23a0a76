//! The life of one script thread: a task of an event loop, with a Lua state of its own.

use std::rc::Rc;
use std::sync::Arc;

use assay_script::{Call, Origin, Script, ScriptError};
use assay_tally::Scheduled;

use crate::load::shard::Shard;
use crate::reactor::TaskId;
use crate::script::failed;
use crate::script::in_load::InLoad;
use crate::script::watch::Computing;
use crate::server::login::Login;

/// What the script threads of an event loop have in common.
pub(super) struct Crew {
    pub origin: Arc<Origin>,
    /// None in a dry run.
    pub login: Option<Arc<Login>>,
    pub shard: Rc<Shard>,
    pub computing: Arc<Computing>,
    /// The kinds of work that have a schedule in this load, and so a wait.
    pub times: Scheduled,
    pub seed: u64,
}

/// Runs script thread `task` of the crew to its end.
pub(super) async fn live(crew: Rc<Crew>, task: TaskId) {
    let mut host = InLoad::new(crew.clone(), task);
    let outcome = Box::pin(work(&crew, task, &mut host)).await;
    host.leave();
    if let Err(error) = outcome {
        crew.shard.fail(failed(&error));
    }
}

async fn work(crew: &Crew, task: TaskId, host: &mut InLoad) -> Result<(), ScriptError> {
    let tid = crew.shard.connection(task);
    let mut script = Script::open(&crew.origin, tid, host).await?;
    let outcome = script.call(host, Call::Worker(tid)).await;
    script.leave(host).await;
    outcome.map(drop)
}
