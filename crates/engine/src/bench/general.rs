//! The general options of one command as values.

use crate::bench::line::{Line, Refusal};

/// The verbosity from which on reports are printed.
const NOTICE: u32 = 3;
const MOST_CONNECTIONS: u64 = 100_000;
const MOST_PER_SECOND: f64 = 1e9;
const MOST_CHECKPOINTS: usize = 256;
const LEAST_INTERVAL_S: f64 = 0.01;
const DAY_MS: f64 = 86_400_000.0;

/// The general options of every test. Times in seconds; 0 is no limit, no rate, no interval, a new seed.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct General {
    pub threads: u32,
    pub events: u64,
    pub time_s: f64,
    pub rate: f64,
    pub warmup_s: f64,
    /// Seconds for which events may go on after the time limit; absent: until they end.
    pub shutdown_s: Option<f64>,
    pub report_interval_s: f64,
    pub checkpoints_s: Vec<u64>,
    pub percentile: f64,
    pub histogram: bool,
    pub rand_seed: u64,
    pub think_ms: f64,
    pub verbosity: u32,
    pub validates: bool,
    pub login_s: f64,
    pub in_json: bool,
}

impl General {
    /// # Errors
    /// A value out of range, or two options that exclude each other.
    pub(super) fn read(line: &Line) -> Result<Self, Refusal> {
        let time_s = line.seconds("time")?;
        let verbosity = line.whole("verbosity", 0, 5)? as u32;
        let general = Self {
            threads: line.whole("threads", 1, MOST_CONNECTIONS)? as u32,
            events: line.whole("events", 0, i64::MAX as u64)?,
            time_s,
            rate: line.number("rate", 0.0, MOST_PER_SECOND)?,
            warmup_s: line.seconds("warmup-time")?,
            shutdown_s: shutdown_s(line.text("forced-shutdown"), time_s)?,
            report_interval_s: line.seconds("report-interval")?,
            checkpoints_s: checkpoints(line)?,
            percentile: line.number("percentile", 0.0, 100.0)?,
            histogram: line.switch("histogram")?,
            rand_seed: line.whole("rand-seed", 0, i64::MAX as u64)?,
            think_ms: line.number("think-ms", 0.0, DAY_MS)?,
            verbosity: if line.switch("debug")? { 5 } else { verbosity },
            validates: line.switch("validate")?,
            login_s: line.seconds("thread-init-timeout")?,
            in_json: line.switch("json")?,
        };
        for name in ["db-debug", "mysql-debug"] {
            line.switch(name)?;
        }
        general.check()
    }

    fn check(self) -> Result<Self, Refusal> {
        let either = |message: &str| Err(Refusal::hint(message, "leave one of them out"));
        if self.histogram && self.percentile == 0.0 {
            return either("--histogram cannot be combined with --percentile=0");
        }
        if self.think_ms > 0.0 && self.rate > 0.0 {
            return either("--think-ms cannot be combined with --rate, which says when events begin");
        }
        let interval_s = self.report_interval_s;
        if interval_s > 0.0 && interval_s < LEAST_INTERVAL_S {
            let expected = format!("0, or at least {LEAST_INTERVAL_S} s");
            return Err(Refusal::value("report-interval", &interval_s.to_string(), &expected));
        }
        Ok(self)
    }

    /// Whether the verbosity lets reports through.
    pub(super) fn reports(&self) -> bool {
        self.verbosity >= NOTICE
    }
}

/// Seconds after a time limit: `off`, a number of seconds, or a percentage of the limit.
fn shutdown_s(text: &str, time_s: f64) -> Result<Option<f64>, Refusal> {
    let text = text.trim();
    if text.is_empty() || text.eq_ignore_ascii_case("off") {
        return Ok(None);
    }
    let share = text.strip_suffix('%');
    let number = share.unwrap_or(text).parse::<u32>().map_err(|_| {
        Refusal::value("forced-shutdown", text, "off, seconds, or a percentage of --time, as in 10 or 5%")
    })?;
    Ok(Some(if share.is_some() { f64::from(number) / 100.0 * time_s } else { f64::from(number) }))
}

fn checkpoints(line: &Line) -> Result<Vec<u64>, Refusal> {
    let name = "report-checkpoints";
    let refused = || Refusal::value(name, line.text(name), "whole seconds after the start, as in 10,60,600");
    let second = |item: &str| item.parse::<u32>().ok().filter(|at| *at > 0).map(u64::from);
    let mut instants =
        line.items(name).into_iter().map(second).collect::<Option<Vec<_>>>().ok_or_else(refused)?;
    if instants.len() > MOST_CHECKPOINTS {
        return Err(Refusal::new(format!("--{name}: at most {MOST_CHECKPOINTS} of them")));
    }
    instants.sort_unstable();
    instants.dedup();
    Ok(instants)
}
