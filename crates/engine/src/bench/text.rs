//! The text that sysbench 1.0.20 prints about a run: its lines and columns. `python/assay/front/compat/sysbench/text.py` writes
//! the same for what the lab runs; one recorded run holds both to it (`tests/compat/recorded`).

use assay_tally::Histogram;

use crate::bench::number::general;

/// The version whose command line and text these are.
pub(super) const COMPATIBLE: &str = "1.0.20";
pub(super) const LANGUAGE: &str = "LuaJIT 2.1";
pub(super) const STARTING: &str = "Initializing worker threads...\n\n";
pub(super) const STARTED: &str = "Threads started!\n\n";
/// The warning where nothing but a signal ends the run.
pub(super) const ENDLESS: &str =
    "WARNING: Both event and time limits are disabled, running an endless test\n";

/// Milliseconds between which the histogram has its buckets, whose bounds have a constant ratio.
const LOWEST_MS: f64 = 0.001;
const HIGHEST_MS: f64 = 100_000.0;
const BUCKETS: usize = 1024;
const STARS: f64 = 40.0;

/// The settings that the first lines say; 0 or empty leaves a line out.
#[derive(Debug, Default)]
pub(super) struct Heading<'a> {
    pub threads: u32,
    pub warmup_s: f64,
    pub rate: f64,
    pub report_interval_s: f64,
    pub checkpoints_s: &'a [u64],
    pub validates: bool,
    pub seed: u64,
}

/// Counters of a stretch of time.
#[derive(Debug, Clone, Default)]
pub(super) struct Counted {
    pub events: u64,
    pub reads: u64,
    pub writes: u64,
    pub other: u64,
    pub errors: u64,
    pub reconnects: u64,
}

impl Counted {
    pub(super) fn queries(&self) -> u64 {
        self.reads + self.writes + self.other
    }
}

/// Mean and standard deviation over the threads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spread {
    pub mean: f64,
    pub stdev: f64,
}

/// The first line and the empty one after it. The version is the one that programs compare; the brackets name what runs.
pub(super) fn banner(language: &str) -> String {
    let language = if language.is_empty() { String::new() } else { format!(", {language}") };
    format!("sysbench {COMPATIBLE} (using assay {}{language})\n\n", env!("CARGO_PKG_VERSION"))
}

/// The general settings of a run, and the two empty lines after them.
pub(super) fn heading(run: &Heading<'_>) -> String {
    let mut text = format!("Running the test with following options:\nNumber of threads: {}\n", run.threads);
    if run.warmup_s > 0.0 {
        text += &format!("Warmup time: {}s\n", general(run.warmup_s, 6));
    }
    if run.rate > 0.0 {
        text += &format!("Target transaction rate: {}/sec\n", general(run.rate, 15));
    }
    if run.report_interval_s > 0.0 {
        let every = general(run.report_interval_s, 6);
        text += &format!("Report intermediate results every {every} second(s)\n");
    }
    if !run.checkpoints_s.is_empty() {
        let instants: Vec<String> = run.checkpoints_s.iter().map(u64::to_string).collect();
        text += &format!("Report checkpoint(s) at {} seconds\n", instants.join(", "));
    }
    if run.validates {
        text += "Validation checks: on.\n\n";
    }
    let source = if run.seed > 0 { format!("seed ({}).", run.seed) } else { "current time".to_owned() };
    text + &format!("Initializing random number generator from {source}\n\n\n")
}

/// The line that says how long the load runs before it is measured (sysbench 1.1).
pub(super) fn warming_up(seconds: f64) -> String {
    format!("Warming up for {} seconds...\n\n", general(seconds, 6))
}

/// The time in front of a line. Instants between seconds, which sysbench lacks, have their fraction.
fn stamp(at_s: f64) -> String {
    let rounded = (at_s * 1000.0).round() / 1000.0;
    let nearest = rounded.round();
    let shown = if (rounded - nearest).abs() < 0.05 { format!("{nearest:.0}") } else { general(rounded, 6) };
    format!("[ {shown}s ]")
}

/// The line of an interval of `seconds` that ended `at_s` after the start; `sql` where the test speaks to a server.
pub(super) fn interval_line(
    at_s: f64,
    seconds: f64,
    threads: u32,
    counted: &Counted,
    (latency_ms, percentile): (f64, f64),
    sql: bool,
) -> String {
    let rate = |count: u64| format!("{:4.2}", per_s(count, seconds));
    let latency = format!("lat (ms,{}%): {latency_ms:4.2}", general(percentile, 6));
    let head = format!("{} thds: {threads}", stamp(at_s));
    if !sql {
        return format!("{head} eps: {} {latency}\n", rate(counted.events));
    }
    format!(
        "{head} tps: {} qps: {} (r/w/o: {}/{}/{}) {latency} err/s: {} reconn/s: {}\n",
        rate(counted.events),
        rate(counted.queries()),
        rate(counted.reads),
        rate(counted.writes),
        rate(counted.other),
        rate(counted.errors),
        rate(counted.reconnects),
    )
}

/// The second line of an interval at a rate: events that wait for a thread, and that run.
pub(super) fn queue_line(at_s: f64, queued: u64, running: u64, sql: bool) -> String {
    let between = if sql { ", " } else { " " };
    format!("{} queue length: {queued}{between}concurrency: {running}\n", stamp(at_s))
}

/// The line in front of the statistics since the last checkpoint.
pub(super) fn checkpoint_line(at_s: f64) -> String {
    format!("{} Checkpoint report:\n", stamp(at_s))
}

/// The latency histogram: the filled ones of 1024 buckets between 1 µs and 100 s, by the middle of each on that scale.
pub(super) fn histogram_text(latencies: &Histogram) -> String {
    let step = (HIGHEST_MS / LOWEST_MS).ln() / (BUCKETS - 1) as f64;
    let middle_ms = |bucket: f64| LOWEST_MS * (bucket * step).exp();
    let edges_ns: Vec<f64> = (0..BUCKETS - 1).map(|bucket| middle_ms(bucket as f64 + 0.5) * 1e6).collect();
    let counts = latencies.counts_between(&edges_ns);
    let most = counts.iter().copied().max().unwrap_or(0) as f64;
    let mut text = "Latency histogram (values are in milliseconds)\n".to_owned()
        + "       value  ------------- distribution ------------- count\n";
    for (bucket, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let stars = "*".repeat((*count as f64 * STARS / most + 0.5).floor() as usize);
        text += &format!("{:12.3} |{stars:<40} {count}\n", middle_ms(bucket as f64));
    }
    text + " \n"
}

/// The counters of a test that speaks to a server.
pub(super) fn sql_statistics(counted: &Counted, seconds: f64) -> String {
    let statements = [
        ("read:", counted.reads),
        ("write:", counted.writes),
        ("other:", counted.other),
        ("total:", counted.queries()),
    ];
    let rates = [
        ("transactions:", counted.events),
        ("queries:", counted.queries()),
        ("ignored errors:", counted.errors),
        ("reconnects:", counted.reconnects),
    ];
    let mut text = "SQL statistics:\n    queries performed:\n".to_owned();
    for (name, count) in statements {
        text += &format!("        {name:<33}{count}\n");
    }
    for (name, count) in rates {
        text += &format!("    {name:<37}{count:<6} ({:.2} per sec.)\n", per_s(count, seconds));
    }
    text + "\n"
}

/// The length of a run and the number of its events.
pub(super) fn general_statistics(seconds: f64, events: u64) -> String {
    format!(
        "General statistics:\n    {:<37}{seconds:.4}s\n    {:<37}{events}\n\n",
        "total time:", "total number of events:"
    )
}

/// The times of events; percentile 0 says that there is none.
pub(super) fn latency_text(times: &Histogram, percentile: f64) -> String {
    let ms = |ns: u64| ns as f64 / 1e6;
    let (least, mean, most) = (ms(times.quantile_ns(0.0)), times.mean_ns() / 1e6, ms(times.max_ns()));
    let share = if percentile > 0.0 {
        let value = ms(times.quantile_ns(percentile / 100.0));
        format!("        {:>3}th percentile: {value:27.2}\n", general(percentile, 6))
    } else {
        "         percentile stats:               disabled\n".to_owned()
    };
    format!(
        "Latency (ms):\n         min: {least:39.2}\n         avg: {mean:39.2}\n         max: {most:39.2}\n{share}         sum: {:39.2}\n\n",
        mean * times.count() as f64
    )
}

/// The mean and the standard deviation over threads of events and of the time that they took, in seconds.
pub(super) fn fairness_text(events: Spread, busy_s: Spread) -> String {
    format!(
        "Threads fairness:\n    events (avg/stddev):           {:.4}/{:3.2}\n    execution time (avg/stddev):   {:.4}/{:3.2}\n\n",
        events.mean, events.stdev, busy_s.mean, busy_s.stdev
    )
}

/// The line about events that a forced shutdown left.
pub(super) fn unfinished_line(events: u64) -> String {
    format!("Number of unfinished transactions on forced shutdown: {events}\n")
}

pub(super) fn per_s(count: u64, seconds: f64) -> f64 {
    if seconds > 0.0 { count as f64 / seconds } else { 0.0 }
}
