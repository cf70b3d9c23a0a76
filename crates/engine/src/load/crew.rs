//! What the connections of an event loop have in common: the driver, its terminals, and how they come to a connection.

use std::rc::Rc;
use std::sync::Arc;

use assay_tally::Scheduled;
use assay_workload::{Driver, Failure, Pace};

use crate::job::reactions::Reactions;
use crate::load::any_driver::AnyDriver;
use crate::load::discipline::Wanted;
use crate::load::opener::Opener;
use crate::load::session::MeasuredSession;
use crate::load::shard::Shard;
use crate::load::terminal::{Terminal, Terminals};
use crate::process::failure::Fatal;
use crate::reactor::TaskId;
use assay_format::event::ErrorKind;
use assay_format::job::Think;

/// The crew of an event loop: what all its connections have in common.
pub(crate) struct Crew<D: Driver> {
    pub driven: Arc<AnyDriver<D>>,
    pub local: D::Local,
    pub pace: Option<Arc<dyn Pace>>,
    /// The workload's name, for people.
    pub name: String,
    pub opener: Opener,
    pub shard: Rc<Shard>,
    pub reactions: Reactions,
    /// Tries of an operation after which it is given up.
    pub max_tries: u32,
    /// Limit of one try of an operation, in milliseconds; 0 where there is none.
    pub timeout_ms: u64,
    /// The kinds of work that have a schedule in this load, and so a wait.
    pub times: Scheduled,
    pub think: Option<Think>,
    pub reconnect_each: u64,
    pub seed: u64,
    /// The second that statements take for the beginning of the load, where they are told one.
    pub pinned_time: Option<u64>,
    /// Connections of this event loop.
    pub connections: u32,
    /// Terminals of the whole run; connections, where each is one.
    pub terminals_of_all: u32,
    /// The terminals that share the connections of this event loop, where they do.
    pub terminals: Option<Terminals<D::Terminal>>,
}

impl<D: Driver> Crew<D> {
    #[inline]
    pub(crate) fn driver(&self) -> &D {
        &self.driven.driver
    }

    /// The second that the server of a connection is to take for the present, where it does not yet.
    #[inline]
    pub(crate) fn time_to_tell(&self, session: &MeasuredSession) -> Option<u64> {
        let from = self.pinned_time?;
        let since_ns = self.shard.reactor.clock.now().saturating_sub(self.shard.control.start());
        Some(from + since_ns / 1_000_000_000).filter(|second| session.is_behind(*second))
    }

    /// The pause of a terminal that has its connection to itself, from `free` on; false where it has none.
    #[inline]
    pub(crate) fn think(&self, task: TaskId, terminal: &mut Terminal<D::Terminal>, free: u64) -> bool {
        let Some(pause) = terminal.pause(self.pace.as_deref()) else { return false };
        self.shard.note_think_time(terminal.last, pause.think_ns);
        self.shard.wants(task, task, free + pause.think_ns + pause.keying_ns);
        true
    }

    /// The terminal of a connection that is one.
    pub(crate) fn own_terminal(&self, task: TaskId) -> Option<Terminal<D::Terminal>> {
        let id = self.shard.connection(task);
        let state = || self.driver().terminal(&self.local, id, self.terminals_of_all);
        self.terminals.is_none().then(|| Terminal::new(id, state(), self.think, self.seed))
    }

    /// The terminal whose work it is, taken out of those that share the connections; none where the connection has its own.
    #[inline]
    pub(crate) fn take_terminal(&self, wanted: Wanted) -> Option<Box<Terminal<D::Terminal>>> {
        match (wanted, &self.terminals) {
            (Wanted::Terminal(index), Some(terminals)) => terminals.take(index),
            _ => None,
        }
    }

    /// Lets a terminal leave connection `task`, whose last operation ended at `ended`: it wants another after its pause.
    /// Where the connection was lost for good (`ended` is none), it only rests.
    pub(crate) fn release(
        &self,
        task: TaskId,
        mut terminal: Box<Terminal<D::Terminal>>,
        ended: Option<u64>,
        succeeded: bool,
    ) {
        let pause = terminal.pause(self.pace.as_deref()).unwrap_or_default();
        let about = terminal.last;
        let Some(terminals) = &self.terminals else { return };
        let index = terminals.rest(terminal);
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

    /// Begins the terminals of a connection before the load: its own, or a share of those that have none.
    ///
    /// # Errors
    /// A statement of a beginning failed, or had no answer in time.
    pub(crate) async fn begin_all(
        &self,
        task: TaskId,
        session: &mut MeasuredSession,
        own: Option<&mut Terminal<D::Terminal>>,
    ) -> Result<(), Fatal> {
        if let Some(terminal) = own {
            return self.begin(task, session, &mut terminal.state).await;
        }
        let Some(terminals) = &self.terminals else { return Ok(()) };
        for index in terminals.beginners(task, self.connections) {
            if let Some(mut terminal) = terminals.take(index) {
                let begun = self.begin(task, session, &mut terminal.state).await;
                terminals.rest(terminal);
                begun?;
            }
        }
        Ok(())
    }

    /// Begins one terminal, in no more time than a login may take.
    async fn begin(
        &self,
        task: TaskId,
        session: &mut MeasuredSession,
        state: &mut D::Terminal,
    ) -> Result<(), Fatal> {
        let (reactor, login) = (&self.shard.reactor, &self.opener.login);
        let deadline = reactor.clock.now() + login.timeout_ns();
        let begun = reactor.until(task, deadline, self.driver().begin(state, session)).await;
        match begun {
            Some(Ok(())) => Ok(()),
            Some(Err(Failure::Data(missing))) => Err(unfit(&self.name, missing)),
            Some(Err(_)) => Err(explain(session)),
            None => Err(Fatal::new(
                ErrorKind::Lost,
                format!("the server did not answer the start of a terminal within {}", login.timeout()),
            )),
        }
    }
}

/// The fatal error that the session's last failure is for the job.
pub(crate) fn explain(session: &mut MeasuredSession) -> Fatal {
    match session.last_error.take() {
        None => Fatal::new(ErrorKind::Lost, "the connection was lost"),
        Some(error) => Fatal::end_of_load(session.last_place.as_deref(), &error),
    }
}

/// The fatal error of tables that are not what the workload takes them for.
pub(crate) fn unfit(workload: &str, missing: &str) -> Fatal {
    Fatal::new(ErrorKind::Server, format!("{workload}: {missing}"))
        .hint("run check with the same options; cleanup and prepare make the tables again")
}
