//! sysbench's text about a run while it goes on and at its end, and the lines of its log, from the engine's events.

use std::collections::VecDeque;

use assay_format::event::{
    Connections, Doubt, ErrorEvent, Event, Interval, Phase, PhaseStart, RunResult, ScriptHooks, ScriptThreads,
};

use crate::bench::general::General;
use crate::bench::log::Log;
use crate::bench::request::instead_of;
use crate::bench::text::{
    ENDLESS, Heading, LANGUAGE, STARTED, STARTING, Spread, banner, checkpoint_line, fairness_text,
    general_statistics, heading, histogram_text, interval_line, latency_text, queue_line, sql_statistics,
    unfinished_line, warming_up,
};
use crate::bench::totals::{Sum, counted};

/// By how much an interval may be shorter than it should be and still count as whole.
const WITHIN_NS: u64 = 1_000_000;

/// The texts that an event is worth.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Spoken {
    pub out: String,
    pub err: String,
}

/// The progress of a run. The text goes to standard error where standard output is for JSON.
pub(super) struct Reporter {
    general: General,
    /// The script's name, where it is one.
    script: Option<String>,
    /// Whether this is a run, not another command.
    runs: bool,
    log: Log,
    /// Whether statements were sent: a test that speaks to no server has other lines.
    sql: bool,
    hooks: ScriptHooks,
    pub whole: Sum,
    since: Sum,
    gathered: Sum,
    /// Instants of a workload's checkpoints that are still to come; the engine tells those of scripts.
    checkpoints_s: VecDeque<u64>,
    told: VecDeque<ScriptThreads>,
    passed_checkpoint: bool,
    threads: u32,
    parts: Option<ScriptThreads>,
    has_failed: bool,
    said_settings: bool,
    started: bool,
    start_ns: u64,
    pub doubts: Vec<Doubt>,
    pub result: Option<Box<RunResult>>,
    spoken: Spoken,
}

impl Reporter {
    pub(super) fn new(general: General, script: Option<String>, runs: bool, log: Log) -> Self {
        let checkpoints_s =
            if script.is_some() { VecDeque::new() } else { general.checkpoints_s.clone().into() };
        Self {
            threads: general.threads,
            sql: false,
            hooks: ScriptHooks { intermediate: false, cumulative: false },
            whole: Sum::default(),
            since: Sum::default(),
            gathered: Sum::default(),
            checkpoints_s,
            told: VecDeque::new(),
            passed_checkpoint: false,
            parts: None,
            has_failed: false,
            said_settings: false,
            started: false,
            start_ns: 0,
            doubts: Vec::new(),
            result: None,
            spoken: Spoken::default(),
            general,
            script,
            runs,
            log,
        }
    }

    /// The first lines of all.
    pub(super) fn begin(&mut self) -> Spoken {
        if self.runs && self.general.events == 0 && self.general.time_s == 0.0 && self.general.verbosity >= 2
        {
            self.spoken.err += ENDLESS;
        }
        self.print(&banner(if self.script.is_some() { LANGUAGE } else { "" }));
        std::mem::take(&mut self.spoken)
    }

    /// What an event of the engine makes worth saying.
    pub(super) fn hear(&mut self, event: &Event) -> Spoken {
        match event {
            Event::Hello(hello) => self.threads = hello.connections,
            Event::Output(output) if output.error => {
                let (out, err) = (&mut self.spoken.out, &mut self.spoken.err);
                self.log.line(&output.text, self.general.verbosity, out, err);
            }
            Event::Output(output) => self.say(&output.text),
            Event::Hooks(hooks) => {
                self.hooks = hooks.clone();
                self.settings();
            }
            Event::Phase(phase) => self.phase(phase),
            Event::Interval(interval) => self.interval(interval),
            Event::Threads(told) if told.checkpoint => self.checkpoint_told(told),
            Event::Threads(told) => self.parts = Some(told.clone()),
            Event::Progress(progress) if !self.runs && progress.total > 0 => {
                let (done, total, unit) = (progress.done, progress.total, &progress.unit);
                self.log.progress(
                    &format!("{done} of {total} {unit}"),
                    progress.elapsed_s,
                    &mut self.spoken.err,
                );
            }
            Event::Done(done) if self.script.is_none() => {
                let rows = if done.rows > 0 { format!(": {} rows", done.rows) } else { String::new() };
                self.print(&format!(
                    "{} of {} tables{rows}, {:.1} s\n",
                    done.action, done.tables, done.elapsed_s
                ));
            }
            Event::Check(check) if check.violations > 0 => {
                let places = check.places.join("; ");
                self.spoken.out +=
                    &format!("broken in {} places: {} ({places})\n", check.violations, check.title);
            }
            Event::Error(error) if error.fatal => {
                self.has_failed = true;
                self.fatal(error);
            }
            Event::Error(error) => self.aside(&error.message),
            Event::Doubt(doubt) => {
                self.aside(&doubt.message);
                self.doubts.push(doubt.clone());
            }
            Event::Result(result) => {
                if !self.general.in_json {
                    self.end(result.window.abandoned);
                }
                self.result = Some(result.clone());
            }
            _ => {}
        }
        std::mem::take(&mut self.spoken)
    }

    fn fatal(&mut self, error: &ErrorEvent) {
        let is_missing = error.message.starts_with("script: Cannot find benchmark");
        let instead = self.script.as_deref().filter(|_| is_missing).map(instead_of);
        let (out, err) = (&mut self.spoken.out, &mut self.spoken.err);
        self.log.fatal(&error.message, instead.as_deref().or(error.hint.as_deref()), out, err);
    }

    pub(super) fn in_json(&self) -> bool {
        self.general.in_json
    }

    fn phase(&mut self, phase: &PhaseStart) {
        match phase.phase {
            Phase::Connect => {
                if self.runs {
                    self.settings();
                }
                self.print(STARTING);
            }
            Phase::Warmup => {
                self.start();
                self.print(&warming_up(self.general.warmup_s));
            }
            Phase::Measure => {
                self.start_ns = phase.start_ns;
                self.start();
            }
            _ => {}
        }
    }

    /// The settings of the run, once.
    fn settings(&mut self) {
        if std::mem::replace(&mut self.said_settings, true) {
            return;
        }
        let general = &self.general;
        let text = heading(&Heading {
            threads: general.threads,
            warmup_s: general.warmup_s,
            rate: general.rate,
            report_interval_s: general.report_interval_s,
            checkpoints_s: &general.checkpoints_s,
            validates: general.validates,
            seed: general.rand_seed,
        });
        self.print(&text);
    }

    fn start(&mut self) {
        if !std::mem::replace(&mut self.started, true) {
            self.print(STARTED);
        }
    }

    fn interval(&mut self, interval: &Interval) {
        if !matches!(interval.phase, Phase::Measure | Phase::Drain) {
            return;
        }
        let counts = counted(&interval.tallied.counts);
        self.sql |= counts.queries() + counts.errors + counts.reconnects > 0;
        self.whole.add(interval);
        if self.hooks.intermediate {
            return;
        }
        self.since.add(interval);
        if interval.phase == Phase::Drain {
            return;
        }
        self.gathered.add(interval);
        let every_s = if self.general.report_interval_s > 0.0 { self.general.report_interval_s } else { 1.0 };
        if self.gathered.length_ns() + WITHIN_NS >= (every_s * 1e9) as u64 {
            if self.general.report_interval_s > 0.0 {
                self.line(interval);
            }
            self.gathered.clear();
        }
        let at_s = self.after_start_s(interval.end_ns);
        let has_come = |at: &u64| at_s >= *at as f64 - WITHIN_NS as f64 / 1e9;
        if self.checkpoints_s.front().is_some_and(has_come) {
            self.checkpoints_s.pop_front();
            self.print(&checkpoint_line(at_s));
            self.checkpoint(at_s, None);
        }
        while self.told.front().is_some_and(|told| told.end_ns <= interval.end_ns) {
            let told = self.told.pop_front();
            self.checkpoint(at_s, told.as_ref());
        }
    }

    /// The line of the interval that ends with this one.
    fn line(&mut self, last: &Interval) {
        let (gathered, percentile) = (&self.gathered, self.general.percentile);
        let latency_ms = if percentile > 0.0 && !gathered.times.is_empty() {
            gathered.times.quantile_ns(percentile / 100.0) as f64 / 1e6
        } else {
            0.0
        };
        let at_s = self.after_start_s(last.end_ns);
        let latency = (latency_ms, percentile);
        let mut text =
            interval_line(at_s, gathered.seconds(), self.threads, &gathered.counted, latency, self.sql);
        if self.general.rate > 0.0 {
            text += &queue_line(at_s, last.queued, last.in_flight, self.sql);
        }
        self.print(&text);
    }

    /// The line of a script's checkpoint, and its statistics once all its intervals are there.
    fn checkpoint_told(&mut self, told: &ScriptThreads) {
        let at_s = self.after_start_s(told.end_ns);
        self.print(&checkpoint_line(at_s));
        if self.hooks.cumulative {
            // The script reports it itself.
            self.passed_checkpoint = true;
        } else if !self.since.is_empty() && told.end_ns <= self.since.end_ns {
            self.checkpoint(at_s, Some(told));
        } else {
            self.told.push_back(told.clone());
        }
    }

    fn checkpoint(&mut self, at_s: f64, parts: Option<&ScriptThreads>) {
        self.passed_checkpoint = true;
        let text = statistics(&self.general, &self.since, at_s, parts, self.sql);
        self.print(&text);
        self.since.clear();
    }

    /// The statistics at the end, unless the script reports them itself: since the last checkpoint where there was one. Those
    /// of a run that has failed go to standard error, where nobody takes them for a result.
    fn end(&mut self, unfinished: u64) {
        if self.hooks.cumulative {
            return;
        }
        let is_aside = self.has_failed && unfinished == 0;
        let sum = if self.passed_checkpoint { &self.since } else { &self.whole };
        let mut text = if unfinished > 0 { unfinished_line(unfinished) } else { String::new() };
        text += &statistics(&self.general, sum, self.whole.seconds(), self.parts.as_ref(), self.sql);
        if !is_aside {
            self.print(&text);
        } else if self.general.reports() {
            self.spoken.err += &text;
        }
    }

    fn after_start_s(&self, at_ns: u64) -> f64 {
        at_ns.saturating_sub(self.start_ns) as f64 / 1e9
    }

    fn print(&mut self, text: &str) {
        if self.general.reports() {
            self.say(text);
        }
    }

    fn say(&mut self, text: &str) {
        let to = if self.general.in_json { &mut self.spoken.err } else { &mut self.spoken.out };
        *to += text;
    }

    fn aside(&mut self, message: &str) {
        if self.general.verbosity >= 2 && self.log.asides {
            self.spoken.err += &format!("! {message}\n");
        }
    }
}

/// Statistics of a sum; the total time counts from the start, also after a checkpoint.
fn statistics(
    general: &General,
    sum: &Sum,
    whole_s: f64,
    parts: Option<&ScriptThreads>,
    sql: bool,
) -> String {
    let mut text = String::new();
    if general.histogram && !sum.times.is_empty() {
        text += &histogram_text(&sum.times);
    }
    text += &if sql { sql_statistics(&sum.counted, sum.seconds()) } else { "\n".to_owned() };
    text += &general_statistics(whole_s, sum.counted.events);
    text += &latency_text(&sum.times, general.percentile);
    if let Some(parts) = parts {
        text += &fairness_text(spread(&parts.events, 1.0), spread(&parts.busy_ns, 1e9));
    }
    text
}

fn spread(of: &Connections, unit: f64) -> Spread {
    let stdev = if of.count > 1 { of.stdev.unwrap_or(0.0) } else { 0.0 };
    Spread { mean: of.mean / unit, stdev: stdev / unit }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::bench::line::Line;

    /// `tests/compat/test_recorded_run.py` holds the lab to the same text.
    #[test]
    fn the_text_of_a_recorded_run_is_sysbenchs() {
        let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/compat/recorded");
        let read = |name: &str| std::fs::read_to_string(recorded.join(name)).expect(name);
        let words: Vec<String> = read("run.words").split_whitespace().map(str::to_owned).collect();
        let line = Line::read(&words).expect("a command line");
        let general = General::read(&line).expect("options");
        let mut reporter = Reporter::new(general, line.test, true, Log::new(false));
        let mut text = reporter.begin().out;
        for event in read("run.jsonl").lines() {
            text += &reporter.hear(&serde_json::from_str(event).expect("an event")).out;
        }
        assert_eq!(text, read("run.txt"));
    }
}
