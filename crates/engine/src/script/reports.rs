//! Reports that a script makes itself: the hooks `report_intermediate` and `report_cumulative`.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use assay_script::{Call, Origin, Script, ScriptError, ScriptOptions};

use crate::load::report::Report;
use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::reactor::Reactor;
use crate::script::alone::{Alone, run_tasks, watch_alone};
use crate::script::failed;
use crate::server::login::Login;

/// The hooks, as scripts call them.
pub(super) const INTERMEDIATE: &str = "report_intermediate";
pub(super) const CUMULATIVE: &str = "report_cumulative";

/// By how much an interval may be shorter than it should be and still count as whole.
const SLACK_NS: u64 = 1_000_000;

/// The reporter of intervals: a thread with a state of the script of its own.
pub(super) struct Reporter {
    reports: Sender<Report>,
    thread: JoinHandle<Result<(), Fatal>>,
}

impl Reporter {
    /// # Errors
    /// The kernel has no thread left.
    pub(super) fn begin(
        origin: Arc<Origin>,
        login: Option<Arc<Login>>,
        clock: Clock,
        options: &ScriptOptions,
    ) -> Result<Self, Fatal> {
        let (reports, inbox) = channel();
        let options = options.clone();
        let work = move || report_all(&origin, login, clock, &options, &inbox);
        let thread = thread::Builder::new().name("script-reports".into()).spawn(work);
        let thread = thread.map_err(|error| Fatal::host(format!("cannot start a thread: {error}")))?;
        Ok(Self { reports, thread })
    }

    pub(super) fn inbox(&self) -> Sender<Report> {
        self.reports.clone()
    }

    /// Waits until all reports of intervals were made.
    ///
    /// # Errors
    /// The hook failed.
    pub(super) fn end(self) -> Result<(), Fatal> {
        // An empty report is the last one: others may still hold the channel open.
        let _ = self.reports.send(Report::default());
        self.thread.join().unwrap_or_else(|_| Err(Fatal::host("the thread of the script's reports panicked")))
    }
}

/// Makes a report of each interval, until one of no length comes.
fn report_all(
    origin: &Origin,
    login: Option<Arc<Login>>,
    clock: Clock,
    options: &ScriptOptions,
    inbox: &Receiver<Report>,
) -> Result<(), Fatal> {
    let reactor =
        Reactor::new(1, clock).map_err(|error| Fatal::host(format!("cannot make an event loop: {error}")))?;
    let computing = watch_alone();
    let mut outcome = Ok(());
    let work = async {
        let mut host = Alone::new(reactor.clone(), login, 0, computing.clone());
        let reporting = async {
            let mut script = Script::open(origin, options.threads, &mut host).await?;
            let every_ns = (options.report_interval_s * 1e9) as u64;
            let (mut first, mut gathered) = (None, None::<Report>);
            while let Ok(report) = inbox.recv()
                && report.end_ns > report.start_ns
            {
                let start = *first.get_or_insert(report.start_ns);
                let report = match gathered.take() {
                    Some(mut before) => {
                        before.add(&report);
                        before
                    }
                    None => report,
                };
                // The load's own intervals may be shorter, and the last one is cut: no report is made of a part.
                if report.end_ns - report.start_ns + SLACK_NS < every_ns {
                    gathered = Some(report);
                    continue;
                }
                let figures = interval_figures(&report, start, options);
                script.call(&mut host, Call::Report { hook: INTERMEDIATE, figures: &figures }).await?;
            }
            script.leave(&mut host).await;
            Ok::<(), ScriptError>(())
        };
        outcome = reporting.await.map_err(|error| failed(&error));
    };
    run_tasks(&reactor, vec![Box::pin(work)], || false);
    computing.end();
    outcome
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

/// The figures of a report of the whole window.
pub(super) fn cumulative_figures(whole: &Report, options: &ScriptOptions) -> Vec<(&'static str, f64)> {
    let mut all = figures(whole, whole.start_ns, 0, options);
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
