//! Scripts outside of a load: the main state of a run, and commands.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use assay_format::event::{Event, ScriptHooks};
use assay_script::{Call, Counter, Host, Origin, Results, Script, ScriptError, SqlError, Whereabouts};
use assay_wire::{Outcome, Param};

use crate::load::Around;
use crate::load::report::Report;
use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::process::signal;
use crate::reactor::{EventLoop, Next, Reactor, Task, TaskId};
use crate::say::emit::emit;
use crate::script::captured::say;
use crate::script::failed;
use crate::script::link::{self, Link, LinkStatement, Links, Servers};
use crate::script::reports::{CUMULATIVE, Duty, INTERMEDIATE, Reporter, cumulative_figures};
use crate::script::shares::Shares;
use crate::script::watch::{Computing, RUNNING, watch};

/// Nanoseconds between two looks at signals.
const NAP_NS: u64 = 50_000_000;

/// The outside of a script that is no part of a load: nothing is timed, and there are no events.
pub(super) struct Alone {
    links: Links,
    computing: Arc<Computing>,
}

impl Alone {
    pub(super) fn new(
        reactor: Rc<Reactor>,
        servers: Option<Arc<Servers>>,
        task: TaskId,
        computing: Arc<Computing>,
    ) -> Self {
        Self { links: Links { reactor, servers, task }, computing }
    }
}

impl Host for Alone {
    type Connection = Link;
    type Prepared = LinkStatement;

    async fn connect(&mut self) -> Result<Link, SqlError> {
        self.links.connect().await
    }

    async fn query(
        &mut self,
        link: &mut Link,
        sql: &[u8],
        results: &mut Results,
    ) -> Result<Outcome, SqlError> {
        if link.is_none() {
            self.links.give_turn().await;
        }
        link::query(link, sql, results).await.map_err(|error| SqlError::from(&error))
    }

    async fn prepare(&mut self, link: &mut Link, sql: &str) -> Result<Option<LinkStatement>, SqlError> {
        link::prepare(link, sql).await
    }

    async fn execute(
        &mut self,
        link: &mut Link,
        prepared: &mut LinkStatement,
        params: &[Param<'_>],
    ) -> Result<Outcome, SqlError> {
        link::execute(link, prepared, params).await.map_err(|error| SqlError::from(&error))
    }

    fn parameters(&self, prepared: &LinkStatement) -> Option<usize> {
        link::parameters(prepared)
    }

    async fn close(&mut self, link: &mut Link, prepared: LinkStatement) {
        link::close(link, prepared).await;
    }

    async fn disconnect(&mut self, link: Link) {
        if let Some(servers) = &self.links.servers {
            servers.doubt_open(&link);
        }
        link::disconnect(link).await;
    }

    fn is_usable(&self, link: &Link) -> bool {
        link::is_usable(link)
    }

    fn failed(&mut self, _error: &SqlError, _reconnected: bool) {}

    async fn ready(&mut self) {}

    async fn next(&mut self, _ended: bool) -> bool {
        false
    }

    fn over(&mut self, _ended: bool) {}

    fn restarts(&mut self) -> bool {
        true
    }

    async fn sleep(&mut self, ns: u64) {
        self.links.sleep(ns).await;
    }

    async fn pause_between_tries(&mut self, ns: u64) -> bool {
        self.links.sleep(ns).await;
        true
    }

    fn count(&mut self, _counter: Counter, _amount: i64) {}

    fn log(&mut self, line: &str) {
        say(&format!("{line}\n"), true);
    }

    fn computes(&mut self, whereabouts: Option<&Whereabouts>) {
        self.computing.turn(whereabouts);
    }
}

/// Runs tasks on an event loop until all are over, or a signal comes; false then.
pub(super) fn run_tasks(reactor: &Rc<Reactor>, tasks: Vec<Task<'_>>, stop: impl Fn() -> bool) -> bool {
    let left = EventLoop::new(reactor.clone(), tasks)
        .run(|now| if signal::received() || stop() { Next::Stop } else { Next::At(now + NAP_NS) });
    left == 0
}

/// Ends the process's job when a script computes for ever outside of a load.
pub(super) fn watch_alone() -> Arc<Computing> {
    watch(RUNNING, signal::received, |fatal| crate::script::command::end_without(&fatal))
}

/// The main state of a run, with its connections: init() before the load, done() and the script's own report after it.
pub(super) struct Main {
    origin: Arc<Origin>,
    host: Alone,
    reactor: Rc<Reactor>,
    script: Option<Script<Alone>>,
    shares: Arc<Shares>,
    reporter: Option<Reporter>,
    /// Whether the script reports the whole window itself.
    cumulative: bool,
}

impl Main {
    /// # Errors
    /// The kernel has no descriptor left.
    pub(super) fn new(
        origin: &Origin,
        servers: Option<Arc<Servers>>,
        shares: Arc<Shares>,
        clock: Clock,
    ) -> Result<Self, Fatal> {
        let reactor = Reactor::new(1, clock)
            .map_err(|error| Fatal::host(format!("cannot make an event loop: {error}")))?;
        let host = Alone::new(reactor.clone(), servers, 0, watch_alone());
        let origin = Arc::new(Origin { beside_threads: true, ..origin.clone() });
        Ok(Self { origin, host, reactor, script: None, shares, reporter: None, cumulative: false })
    }

    /// Has the main state do something, and loads the script before if need be.
    fn with_main<T>(
        &mut self,
        work: impl AsyncFnOnce(&mut Script<Alone>, &mut Alone) -> Result<T, ScriptError>,
    ) -> Result<T, Fatal> {
        let Self { origin, host, reactor, script, .. } = self;
        let mut outcome = None;
        let work = async {
            let worked = async {
                let main = match script {
                    Some(main) => main,
                    None => script.insert(Script::open(origin, 0, host).await?),
                };
                work(main, host).await
            };
            outcome = Some(worked.await);
        };
        run_tasks(reactor, vec![Box::pin(work)], || false);
        match outcome {
            Some(outcome) => outcome.map_err(|error| failed(&error)),
            None => Err(Fatal::interrupted()),
        }
    }

    fn call(&mut self, call: Call<'_>) -> Result<(), Fatal> {
        self.with_main(async |main, host| main.call(host, call).await.map(drop))
    }

    /// Closes the connections of the main state.
    fn leave(&mut self) {
        let Self { host, reactor, script, .. } = self;
        if let Some(main) = script.take() {
            run_tasks(reactor, vec![Box::pin(main.leave(host))], || false);
        }
        self.host.computing.end();
    }

    /// The reports that the script makes of its load.
    fn report(&mut self, whole: &Report) -> Result<(), Fatal> {
        let since = self.reporter.take().map(Reporter::end).transpose()?.flatten();
        self.shares.say(false, whole.end_ns);
        if self.cumulative
            && let Some(options) = self.script.as_ref().map(|main| main.options().clone())
        {
            let figures = cumulative_figures(since.as_ref().unwrap_or(whole), whole.start_ns, &options);
            self.call(Call::Report { hook: CUMULATIVE, figures: &figures })?;
        }
        Ok(())
    }
}

impl Around for Main {
    fn before(&mut self) -> Result<(), Fatal> {
        self.call(Call::Begin)?;
        let (options, intermediate, cumulative) = self.with_main(async |main, host| {
            let hooks = (main.has_hook(host, INTERMEDIATE).await?, main.has_hook(host, CUMULATIVE).await?);
            Ok((main.options().clone(), hooks.0, hooks.1))
        })?;
        let intermediate = intermediate && options.report_interval_s > 0.0;
        self.cumulative = cumulative;
        let hooks = ScriptHooks { intermediate, cumulative: self.cumulative };
        emit(&Event::Hooks(hooks.clone()));
        if intermediate || !options.report_checkpoints_s.is_empty() {
            self.reporter = Some(Reporter::begin(Duty {
                origin: self.origin.clone(),
                servers: self.host.links.servers.clone(),
                shares: self.shares.clone(),
                clock: self.reactor.clock,
                options,
                hooks,
            })?);
        }
        Ok(())
    }

    fn reports(&self) -> Option<Sender<Report>> {
        self.reporter.as_ref().map(Reporter::inbox)
    }

    fn after(&mut self, whole: &Report) -> Result<(), Fatal> {
        unless_interrupted(self.report(whole))
    }

    fn done(&mut self) -> Result<(), Fatal> {
        let done = self.call(Call::Function("done"));
        self.leave();
        unless_interrupted(done)
    }
}

/// After a signal the script is not asked any more, which is no failure.
fn unless_interrupted(outcome: Result<(), Fatal>) -> Result<(), Fatal> {
    outcome.or_else(|fatal| if fatal.interrupted { Ok(()) } else { Err(fatal) })
}
