//! Reports that a script makes itself: the hooks `report_intermediate` and `report_cumulative`.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use assay_format::event::ScriptHooks;
use assay_script::{Call, Origin, Script, ScriptError, ScriptOptions};

use crate::load::report::Report;
use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::reactor::Reactor;
use crate::script::alone::{Alone, run_tasks, watch_alone};
use crate::script::failed;
use crate::script::link::Servers;
use crate::script::shares::Shares;

/// The hooks, as scripts call them.
pub(super) const INTERMEDIATE: &str = "report_intermediate";
pub(super) const CUMULATIVE: &str = "report_cumulative";

/// By how much an interval may be shorter than it should be and still count as whole.
const SLACK_NS: u64 = 1_000_000;

/// The reporter of intervals and checkpoints: a thread with states of the script of its own.
pub(super) struct Reporter {
    reports: Sender<Report>,
    thread: JoinHandle<Result<Option<Report>, Fatal>>,
}

/// What a reporter works with.
pub(super) struct Duty {
    pub origin: Arc<Origin>,
    pub servers: Option<Arc<Servers>>,
    pub shares: Arc<Shares>,
    pub clock: Clock,
    pub options: ScriptOptions,
    /// The reports that the script makes itself.
    pub hooks: ScriptHooks,
}

impl Reporter {
    /// # Errors
    /// The kernel has no thread left.
    pub(super) fn begin(duty: Duty) -> Result<Self, Fatal> {
        let (reports, inbox) = channel();
        let work = move || report_all(&duty, &inbox);
        let thread = thread::Builder::new().name("script-reports".into()).spawn(work);
        let thread = thread.map_err(|error| Fatal::host(format!("cannot start a thread: {error}")))?;
        Ok(Self { reports, thread })
    }

    pub(super) fn inbox(&self) -> Sender<Report> {
        self.reports.clone()
    }

    /// Waits until all reports were made. Returns what happened since the last checkpoint, where there was one.
    ///
    /// # Errors
    /// The hook failed.
    pub(super) fn end(self) -> Result<Option<Report>, Fatal> {
        // An empty report is the last one: others may still hold the channel open.
        let _ = self.reports.send(Report::default());
        self.thread.join().unwrap_or_else(|_| Err(Fatal::host("the thread of the script's reports panicked")))
    }
}

/// Makes the reports of intervals and checkpoints, until an interval of no length comes.
fn report_all(duty: &Duty, inbox: &Receiver<Report>) -> Result<Option<Report>, Fatal> {
    let reactor = Reactor::new(1, duty.clock)
        .map_err(|error| Fatal::host(format!("cannot make an event loop: {error}")))?;
    let computing = watch_alone();
    let mut outcome = Ok(None);
    let work = async {
        let mut host = Alone::new(reactor.clone(), duty.servers.clone(), 0, computing.clone());
        outcome = hear(duty, inbox, &mut host).await.map_err(|error| failed(&error));
    };
    run_tasks(&reactor, vec![Box::pin(work)], || false);
    computing.end();
    outcome
}

/// A state of the script for one kind of report.
async fn state_for(
    wanted: bool,
    duty: &Duty,
    host: &mut Alone,
) -> Result<Option<Script<Alone>>, ScriptError> {
    Ok(if wanted { Some(Script::open(&duty.origin, duty.options.threads, host).await?) } else { None })
}

async fn hear(
    duty: &Duty,
    inbox: &Receiver<Report>,
    host: &mut Alone,
) -> Result<Option<Report>, ScriptError> {
    let Duty { options, hooks, .. } = duty;
    let mut checkpoints = options.report_checkpoints_s.iter().peekable();
    let mut intermediate = state_for(hooks.intermediate, duty, host).await?;
    let mut cumulative = state_for(hooks.cumulative && checkpoints.peek().is_some(), duty, host).await?;
    let every_ns = (options.report_interval_s * 1e9) as u64;
    let (mut first, mut gathered, mut since) = (None, None, None);
    let mut passed = false;
    while let Ok(report) = inbox.recv()
        && report.end_ns > report.start_ns
    {
        let start = *first.get_or_insert(report.start_ns);
        let end = report.end_ns;
        if let Some(script) = &mut intermediate {
            add(&mut gathered, &report);
            // The load's own intervals may be shorter, and the last one is cut: no report is made of a part.
            if let Some(whole) = gathered.take_if(|whole| end - whole.start_ns + SLACK_NS >= every_ns) {
                let figures = interval_figures(&whole, start, options);
                script.call(host, Call::Report { hook: INTERMEDIATE, figures: &figures }).await?;
            }
        }
        add(&mut since, &report);
        let at_s = (end - start + SLACK_NS) as f64 / 1e9;
        if checkpoints.next_if(|at| at_s >= **at).is_none() {
            continue;
        }
        passed = true;
        duty.shares.say(true, end);
        if let (Some(script), Some(whole)) = (&mut cumulative, since.take()) {
            let figures = cumulative_figures(&whole, start, options);
            script.call(host, Call::Report { hook: CUMULATIVE, figures: &figures }).await?;
        }
        since = None;
    }
    for script in [intermediate, cumulative].into_iter().flatten() {
        script.leave(host).await;
    }
    Ok(passed.then(|| since.unwrap_or_default()))
}

/// Adds a stretch to those before it.
fn add(to: &mut Option<Report>, report: &Report) {
    match to {
        Some(before) => before.add(report),
        None => *to = Some(report.clone()),
    }
}

/// The figures that both kinds of reports have. `threads`: how many are running.
fn figures(
    report: &Report,
    start_ns: u64,
    threads: u32,
    options: &ScriptOptions,
) -> Vec<(&'static str, f64)> {
    let Report { counts, times, .. } = report;
    let latency = if times.is_empty() { 0 } else { times.quantile_ns(options.percentile / 100.0) };
    vec![
        ("threads_running", f64::from(threads)),
        ("time_interval", (report.end_ns - report.start_ns) as f64 / 1e9),
        ("time_total", (report.end_ns - start_ns) as f64 / 1e9),
        ("latency_pct", latency as f64 / 1e9),
        ("events", counts.transactions as f64),
        ("reads", counts.reads as f64),
        ("writes", counts.writes as f64),
        ("other", counts.other as f64),
        ("errors", counts.errors.values().sum::<u64>() as f64),
        ("reconnects", counts.reconnects as f64),
    ]
}

fn interval_figures(report: &Report, start_ns: u64, options: &ScriptOptions) -> Vec<(&'static str, f64)> {
    let mut all = figures(report, start_ns, options.threads, options);
    all.push(("queue_length", report.queued as f64));
    all.push(("concurrency", report.in_flight as f64));
    all
}

/// The figures of a report of the whole window, or of the time since a checkpoint, in a run that began at `start_ns`.
pub(super) fn cumulative_figures(
    whole: &Report,
    start_ns: u64,
    options: &ScriptOptions,
) -> Vec<(&'static str, f64)> {
    let mut all = figures(whole, start_ns, 0, options);
    let times = &whole.times;
    let (least, mean, most) = if times.is_empty() {
        (0, 0.0, 0)
    } else {
        (times.quantile_ns(0.0), times.mean_ns(), times.max_ns())
    };
    all.push(("latency_min", least as f64 / 1e9));
    all.push(("latency_max", most as f64 / 1e9));
    all.push(("latency_avg", mean / 1e9));
    all.push(("latency_sum", mean * times.count() as f64 / 1e9));
    all
}
