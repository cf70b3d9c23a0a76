//! Keeps the phases of a run, and says what came of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use crate::clock::Clock;
use crate::collector::Collector;
use crate::doubts::doubts;
use crate::emit::emit;
use crate::event::{ErrorEvent, Event, Phase, PhaseStart, Progress};
use crate::failure::Fatal;
use crate::job::{Job, Warmup};
use crate::ledger::Book;
use crate::login::Login;
use crate::message::Message;
use crate::questions::{conservation, questions};
use crate::signal;
use crate::steady::is_level;
use crate::timeline::{Control, UNKNOWN};

/// How often the conductor looks up from its messages: at signals, and at the steadiness of the warm-up.
const LOOK_UP: Duration = Duration::from_millis(20);
/// Between the last login and the first operation.
const START_DELAY_NS: u64 = 2_000_000;
/// Errors of one code that are said, of all event loops together.
const NOTICES: u32 = 3;

/// Keeps the phases of a run.
pub struct Conductor<'a> {
    job: &'a Job,
    clock: Clock,
    control: Arc<Control>,
    inbox: Receiver<Message>,
    collector: Collector,
    fatal: Option<Fatal>,
    interrupted: bool,
    /// Phases that were announced.
    announced: BTreeSet<u64>,
    /// Errors that were said, by code.
    noticed: BTreeMap<Option<u16>, u32>,
    login: &'a Login,
    /// The server's count of questions before the load.
    questions_before: Option<u64>,
    /// Where acknowledged commits are written down, if they are.
    pub book: Option<Book>,
}

impl<'a> Conductor<'a> {
    pub fn new(
        job: &'a Job,
        clock: Clock,
        control: Arc<Control>,
        inbox: Receiver<Message>,
        collector: Collector,
        login: &'a Login,
    ) -> Self {
        Self {
            job,
            clock,
            control,
            inbox,
            collector,
            fatal: None,
            interrupted: false,
            announced: BTreeSet::new(),
            noticed: BTreeMap::new(),
            login,
            questions_before: None,
            book: None,
        }
    }

    /// Follows the phases until every event loop has ended.
    pub fn conduct(&mut self) {
        let total = u64::from(self.job.load.connections);
        let mut connected = 0;
        let mut told = self.clock.now();
        loop {
            match self.inbox.recv_timeout(LOOK_UP) {
                Ok(Message::Connected) => {
                    connected += 1;
                    if connected == total {
                        self.begin();
                    } else if self.clock.now() - told > 1_000_000_000 {
                        told = self.clock.now();
                        emit(&Event::Progress(Progress {
                            phase: Phase::Connect,
                            done: connected,
                            total,
                            unit: "connections".into(),
                            elapsed_s: told as f64 / 1e9,
                        }));
                    }
                }
                Ok(Message::Slice(slice)) => self.collector.slice(*slice),
                Ok(Message::Ledger(page)) => self.write_down(&page),
                Ok(Message::Notice(error)) => self.notice(error),
                Ok(Message::Fatal(fatal)) => {
                    // The first is the cause; the others are its echo on other connections.
                    self.fatal.get_or_insert(fatal);
                }
                Ok(Message::End(end)) => self.collector.end(end),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if self.collector.all_ended() {
                return;
            }
            self.look_up();
        }
    }

    /// A ledger that cannot be written ends the run: without it there is nothing to look for afterwards.
    fn write_down(&mut self, page: &str) {
        if let Some(book) = &mut self.book
            && let Err(fatal) = book.write(page)
        {
            self.book = None;
            self.fatal.get_or_insert(fatal);
            self.control.abort();
        }
    }

    fn notice(&mut self, error: ErrorEvent) {
        let said = self.noticed.entry(error.code).or_default();
        if *said < NOTICES {
            *said += 1;
            emit(&Event::Error(error));
        }
    }

    /// All connections are ready: the load begins, and with it the time line.
    fn begin(&mut self) {
        self.questions_before = questions(self.login);
        let phases = &self.job.phases;
        let start = self.clock.now() + START_DELAY_NS;
        match phases.warmup {
            Warmup::None => self.place_window(start),
            Warmup::Fixed { duration_ms } => {
                self.announce(Phase::Warmup, start, Some(duration_ms));
                self.place_window(start + duration_ms * 1_000_000);
            }
            Warmup::UntilSteady { cap_ms, .. } => self.announce(Phase::Warmup, start, Some(cap_ms)),
        }
        self.collector.begin(start);
        self.control.begin(start);
    }

    fn place_window(&mut self, start: u64) {
        let length = self.job.phases.measure_ms;
        self.control.place_window(start, (length > 0).then_some(length * 1_000_000));
        self.announce(Phase::Measure, start, (length > 0).then_some(length));
    }

    fn announce(&mut self, phase: Phase, start: u64, planned_ms: Option<u64>) {
        if self.announced.insert(start) {
            emit(&Event::Phase(PhaseStart { phase, start_ns: start, planned_ms }));
        }
    }

    fn look_up(&mut self) {
        if signal::received() && !self.interrupted {
            self.interrupted = true;
            self.control.end_by(self.clock.now());
            if self.control.start() == UNKNOWN {
                self.control.abort();
            }
        }
        let Warmup::UntilSteady { window_ms, tolerance, cap_ms } = self.job.phases.warmup else { return };
        let (start, now) = (self.control.start(), self.clock.now());
        if start == UNKNOWN || self.control.measure_start() != UNKNOWN || self.interrupted {
            return;
        }
        let level = is_level(&self.collector.warmup_rates, window_ms * 1_000_000, tolerance);
        if level || now >= start + cap_ms * 1_000_000 {
            // On the interval grid, and far enough ahead that every event loop hears of it before.
            let interval = self.job.phases.interval_ms * 1_000_000;
            let passed = (now - start) / interval;
            self.place_window(start + (passed + 2) * interval);
            self.collector.steady = Some(level);
        }
    }

    /// Says the result and the doubts; returns the exit code.
    pub fn conclude(mut self, threads: usize) -> i32 {
        let complete = self.fatal.is_none() && !self.interrupted;
        if let Some(fatal) = &self.fatal {
            emit(&Event::Error(fatal.event(self.clock.now())));
        }
        if let Some(mut result) = self.collector.result(complete) {
            let facts = self.collector.facts(self.job, threads);
            // A server that has just failed is not asked once more.
            if let (Some(before), None) = (self.questions_before, &self.fatal) {
                // The second asking counts itself.
                result.server_questions = questions(self.login).map(|after| after.saturating_sub(before + 1));
            }
            let elapsed_s = (self.clock.now() - self.control.start()) as f64 / 1e9;
            for doubt in doubts(&result, &facts).into_iter().chain(conservation(&result, &facts, elapsed_s)) {
                emit(&Event::Doubt(doubt));
            }
            emit(&Event::Result(Box::new(result)));
        }
        match (&self.fatal, self.interrupted) {
            (Some(fatal), _) => fatal.exit_code(),
            (None, true) => signal::INTERRUPTED,
            (None, false) => 0,
        }
    }
}
