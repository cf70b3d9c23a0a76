//! The event loops of a workload, its type hidden: what is compiled for each driver begins here.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use assay_tally::Recorder;
use assay_workload::{Description, Driver, Visitor};

use crate::course::timeline::Control;
use crate::job::reactions::Reactions;
use crate::load::connection::work;
use crate::load::crew::Crew;
use crate::load::discipline::AnyDiscipline;
use crate::load::failing::Failing;
use crate::load::message::Message;
use crate::load::opener::Opener;
use crate::load::plan::{ShardPlan, timeout_ms};
use crate::load::session::StatementPlan;
use crate::load::shard::Shard;
use crate::load::terminal::{Terminal, Terminals};
use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::process::scheduling::Scheduling;
use crate::reactor::{EventLoop, Reactor, Task};
use crate::server::login::Login;
use assay_format::job::Job;

/// Whether a load speaks to a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speaks {
    Always,
    /// Only the load itself knows: a server that is not there is no reason against it.
    Perhaps,
    Never,
}

/// A workload as a run knows it: what it says of itself, and the load of an event loop.
pub(crate) trait Drive: Send + Sync {
    fn description(&self) -> &dyn Description;

    fn description_mut(&mut self) -> &mut dyn Description;

    /// Whether the load speaks to the server, which is asked before and after.
    fn speaks(&self) -> Speaks {
        Speaks::Always
    }

    /// Whether the statements are the engine's own; those of a script rely on the session that the server gives them.
    fn is_own(&self) -> bool {
        true
    }

    /// Whether connections compute between their statements as a client's own program does.
    fn computes(&self) -> bool {
        false
    }

    /// Carries out the load of one event loop, in the calling thread.
    fn drive(self: Arc<Self>, part: LoopPart, reactor: Rc<Reactor>);
}

/// A driver behind [`Drive`].
pub(crate) struct AnyDriver<D> {
    pub(crate) driver: D,
    /// What has failed from the start, on all event loops together; absent where a workload is not to be given up.
    failing: Option<Failing>,
}

impl<D: Driver> AnyDriver<D> {
    pub(crate) fn new(driver: D) -> Self {
        let failing = driver.gives_up().then(|| Failing::new(driver.kinds().len()));
        Self { driver, failing }
    }

    pub(crate) fn failing(&self) -> Option<&Failing> {
        self.failing.as_ref()
    }
}

/// Hides the type of a driver.
pub(crate) struct Hide;

impl Visitor for Hide {
    type Output = Box<dyn Drive>;

    fn visit<D: Driver>(self, driver: D) -> Box<dyn Drive> {
        Box::new(AnyDriver::new(driver))
    }
}

/// The equipment of an event loop: everything that moves into its thread, once.
pub(crate) struct LoopPart {
    pub job: Arc<Job>,
    pub plan: ShardPlan,
    pub discipline: AnyDiscipline,
    pub clock: Clock,
    pub login: Arc<Login>,
    pub control: Arc<Control>,
    pub messages: Sender<Message>,
    pub spare: Receiver<Box<Recorder>>,
    /// Whether the server rolls back a whole transaction after a lock wait timeout.
    pub undoes_on_timeout: bool,
}

/// Carries out the load of one event loop in the calling thread, or says why there is none.
pub(crate) fn event_loop(workload: Arc<dyn Drive>, part: LoopPart) {
    if part.plan.load.gives_way {
        give_way();
    }
    match Reactor::new(part.plan.part.connections as usize, part.clock) {
        Ok(reactor) => workload.drive(part, reactor),
        Err(error) => {
            part.control.abort();
            let fatal = Fatal::host(format!("cannot make an event loop: {error}"));
            let _ = part.messages.send(Message::Fatal(fatal));
        }
    }
}

/// Lets the server's threads go on when an answer wakes this one (SCHED_BATCH): woken for every single answer, an event
/// loop that shares its cores with the server would sleep and wake for each operation. Where a core is free, or nobody
/// else wants this one, it changes nothing. Not for a load that waits for an instant
/// without a connection.
fn give_way() {
    // Refused where a container forbids it: then the loop is woken more often, and nothing else differs.
    Scheduling { policy: libc::SCHED_BATCH, priority: 0 }.set();
}

impl<D: Driver> Drive for AnyDriver<D> {
    fn description(&self) -> &dyn Description {
        &self.driver
    }

    fn description_mut(&mut self) -> &mut dyn Description {
        &mut self.driver
    }

    fn drive(self: Arc<Self>, part: LoopPart, reactor: Rc<Reactor>) {
        let LoopPart { job, plan, mut discipline, login, control, messages, spare, .. } = part;
        let (connections, load) = (plan.part.connections, plan.load);
        let (driver, local, pace) = (&self.driver, self.driver.local(), self.driver.pace());
        let listed = driver.statements();
        let statements = Rc::new(StatementPlan::new(listed.setup(), listed.list()));
        let terminals = load.shared.then(|| {
            let terminal = |id| {
                let state = driver.terminal(&local, id, load.terminals);
                Terminal::new(id, state, job.load.think, job.seed)
            };
            let ids = plan.first_terminal..plan.first_terminal + plan.part.terminals;
            Terminals::new(ids.map(terminal), pace.as_deref(), |terminal, pause_ns| {
                discipline.wants(terminal, pause_ns);
            })
        });
        let shard = Shard::new(plan, discipline, reactor.clone(), control, messages, spare);
        let opener = Opener {
            login,
            plan: statements,
            shard: shard.clone(),
            ps_mode: job.target.ps_mode,
            seed: job.seed,
            reconnect_tries: job.errors.reconnect_tries,
        };
        let crew = Rc::new(Crew {
            driven: self.clone(),
            local,
            pace,
            name: job.workload.name.clone(),
            opener,
            shard: shard.clone(),
            reactions: Reactions::new(&job.errors, driver.gives_up()),
            max_tries: job.errors.max_tries,
            timeout_ms: timeout_ms(&job).unwrap_or(0),
            times: load.times,
            think: job.load.think,
            reconnect_each: job.load.reconnect_each.into(),
            seed: job.seed,
            pinned_time: driver.pinned_time().and_then(|second| second.try_into().ok()),
            connections,
            terminals_of_all: load.terminals,
            terminals,
        });
        let work = (0..connections).map(|task| Box::pin(work(crew.clone(), task)) as Task).collect();
        EventLoop::new(reactor, work).run(|now| shard.turn(now));
        shard.end();
    }
}
