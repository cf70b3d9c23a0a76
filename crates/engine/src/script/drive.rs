//! A script as the load of event loops.

use std::rc::Rc;
use std::sync::Arc;

use assay_script::Origin;
use assay_workload::Description;

use crate::load::any_driver::{Drive, LoopPart, Speaks};
use crate::load::message::Message;
use crate::load::shard::Shard;
use crate::process::clock::ns;
use crate::reactor::{EventLoop, Reactor, Task};
use crate::script::described::Described;
use crate::script::link::Servers;
use crate::script::prepared::PreparedCount;
use crate::script::shares::Shares;
use crate::script::thread::{Crew, live};
use crate::script::watch::{RUNNING, watch, watch_servers};

/// A script whose threads are the connections of a load.
pub(super) struct Scripted {
    described: Described,
    origin: Arc<Origin>,
    /// None in a dry run.
    servers: Option<Arc<Servers>>,
    shares: Arc<Shares>,
    prepared: Arc<PreparedCount>,
}

impl Scripted {
    pub(super) fn new(
        origin: Arc<Origin>,
        servers: Option<Arc<Servers>>,
        shares: Arc<Shares>,
        threads: u32,
    ) -> Self {
        let prepared = Arc::new(PreparedCount::new(threads));
        Self { described: Described::new(), origin, servers, shares, prepared }
    }
}

impl Drive for Scripted {
    fn description(&self) -> &dyn Description {
        &self.described
    }

    fn description_mut(&mut self) -> &mut dyn Description {
        &mut self.described
    }

    fn speaks(&self) -> Speaks {
        if self.servers.is_none() { Speaks::Never } else { Speaks::Perhaps }
    }

    fn is_own(&self) -> bool {
        false
    }

    fn computes(&self) -> bool {
        true
    }

    fn drive(self: Arc<Self>, part: LoopPart, reactor: Rc<Reactor>) {
        let LoopPart { job, plan, discipline, clock, control, messages, spare, undoes_on_timeout, .. } = part;
        let (connections, load) = (plan.part.connections, plan.load);
        let (ending, drain_ns) = (control.clone(), ns(job.phases.drain_ms));
        let is_over = move || ending.aborted() || clock.now() > ending.measure_end().saturating_add(drain_ns);
        let (stopping, telling) = (control.clone(), messages.clone());
        let computing = watch(RUNNING, is_over, move |fatal| {
            // Before the load is cut: its watchdog would have words of its own.
            let _ = telling.send(Message::Fatal(fatal));
            stopping.abort();
        });
        if plan.index == 0
            && let Some(servers) = &self.servers
        {
            watch_servers(servers.clone(), control.clone(), messages.clone(), clock);
        }
        let edges = control.clone();
        let shard = Shard::new(plan, discipline, reactor.clone(), control, messages, spare);
        let crew = Rc::new(Crew {
            origin: self.origin.clone(),
            servers: self.servers.clone(),
            shares: self.shares.clone(),
            prepared: self.prepared.clone(),
            control: edges,
            shard: shard.clone(),
            computing: computing.clone(),
            times: load.times,
            think: job.load.think,
            seed: job.seed,
            undoes_on_timeout,
        });
        let work = (0..connections).map(|task| Box::pin(live(crew.clone(), task)) as Task).collect();
        EventLoop::new(reactor, work).run(|now| shard.turn(now));
        computing.end();
        shard.end();
    }
}
