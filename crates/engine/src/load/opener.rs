//! Connections of a load: opened, and their statements prepared.

use std::rc::Rc;
use std::sync::Arc;

use crate::load::session::{MeasuredSession, StatementPlan};
use crate::load::shard::Shard;
use crate::process::failure::Fatal;
use crate::reactor::TaskId;
use crate::server::login::Login;
use assay_format::event::ErrorKind;
use assay_format::job::PsMode;

/// The server has no room for another connection (ER_CON_COUNT_ERROR).
const TOO_MANY: u16 = 1040;
/// Nanoseconds for which a full server is asked again, and between two tries.
const FULL_NS: u64 = 2_000_000_000;
const FULL_PAUSE_NS: u64 = 20_000_000;

/// The opener of the connections of an event loop, whatever they carry out.
pub(crate) struct Opener {
    pub login: Arc<Login>,
    pub plan: Rc<StatementPlan>,
    pub shard: Rc<Shard>,
    pub ps_mode: PsMode,
    pub seed: u64,
    /// Tries in a row after which a lost connection is given up.
    pub reconnect_tries: u32,
}

impl Opener {
    /// Opens the connection that the load begins with. A server that is full is asked again for a moment: it may still be
    /// taking leave of those who asked it questions before the load.
    ///
    /// # Errors
    /// As [`Opener::open`].
    pub(crate) async fn open_first(&self, task: TaskId) -> Result<MeasuredSession, Fatal> {
        let shard = &self.shard;
        let give_up = shard.reactor.clock.now() + FULL_NS;
        loop {
            match self.open(task).await {
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
    pub(crate) async fn open(&self, task: TaskId) -> Result<MeasuredSession, Fatal> {
        let reactor = &self.shard.reactor;
        let connection = self.login.open(reactor, task).await?;
        self.shard.note_setup(self.login.statements());
        let preparing =
            MeasuredSession::open(connection, self.shard.clone(), self.plan.clone(), self.ps_mode);
        let deadline = reactor.clock.now() + self.login.timeout_ns();
        match reactor.until(task, deadline, preparing).await {
            Some(session) => session,
            None => Err(Fatal::new(
                ErrorKind::Lost,
                format!(
                    "the server did not prepare the workload's statements within {}",
                    self.login.timeout()
                ),
            )),
        }
    }
}
