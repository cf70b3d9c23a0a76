//! Keeps the phases of a run, and says what came of it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};

use crate::course::Course;
use crate::course::timeline::Control;
use crate::ledger::Book;
use crate::load::collector::Collector;
use crate::load::conservation::conservation;
use crate::load::doubts::doubts;
use crate::load::message::Message;
use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::process::signal;
use crate::say::emit::emit;
use crate::server::login::Login;
use crate::server::questions::questions;
use assay_format::event::{Doubt, ErrorEvent, Event, Phase, Progress};
use assay_format::job::Job;

/// Errors of one code that are said, of all event loops together.
const NOTICES: u32 = 3;

/// Keeps the phases of a run.
pub struct Conductor<'a> {
    job: &'a Job,
    clock: Clock,
    course: Course<'a>,
    inbox: Receiver<Message>,
    collector: Collector,
    fatal: Option<Fatal>,
    /// Errors that were said, by code.
    noticed: BTreeMap<Option<u16>, u32>,
    login: &'a Login,
    /// The server's count of questions before the load.
    questions_before: Option<u64>,
    /// Where acknowledged commits are written down, if they are.
    pub book: Option<Book>,
    /// The tables are not of the size that the load is for.
    pub ill_sized: Option<Doubt>,
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
            course: Course::new(&job.phases, clock, control),
            inbox,
            collector,
            fatal: None,
            noticed: BTreeMap::new(),
            login,
            questions_before: None,
            book: None,
            ill_sized: None,
        }
    }

    /// Follows the phases until every event loop has ended.
    pub fn conduct(&mut self) {
        let total = u64::from(self.job.load.connections);
        let mut connected = 0;
        let mut told = self.clock.now();
        loop {
            match self.inbox.recv_timeout(self.course.patience()) {
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
            self.course.look_up(&self.collector.warmup_rates);
        }
    }

    /// A ledger that cannot be written ends the run: without it there is nothing to look for afterwards.
    fn write_down(&mut self, page: &str) {
        if let Some(book) = &mut self.book
            && let Err(fatal) = book.write(page)
        {
            self.book = None;
            self.fatal.get_or_insert(fatal);
            self.course.control.abort();
        }
    }

    fn notice(&mut self, error: ErrorEvent) {
        let said = self.noticed.entry(error.code).or_default();
        if *said < NOTICES {
            *said += 1;
            emit(&Event::Error(error));
        }
    }

    /// All connections are ready.
    fn begin(&mut self) {
        self.questions_before = questions(self.login);
        self.course.begin(|start| self.collector.begin(start));
    }

    /// Says the result and the doubts; returns the exit code.
    pub fn conclude(mut self, threads: usize) -> i32 {
        let complete = self.fatal.is_none() && !self.course.interrupted;
        if let Some(fatal) = &self.fatal {
            emit(&Event::Error(fatal.event(self.clock.now())));
        }
        if let Some(mut result) = self.collector.result(complete) {
            let facts = self.collector.facts(threads, self.course.steady);
            // A server that has just failed is not asked once more.
            if let (Some(before), None) = (self.questions_before, &self.fatal) {
                // The second asking counts itself.
                result.server_questions = questions(self.login).map(|after| after.saturating_sub(before + 1));
            }
            let elapsed_s = (self.clock.now() - self.course.control.start()) as f64 / 1e9;
            let counted = conservation(&result, &facts, elapsed_s);
            for doubt in doubts(&result, &facts).into_iter().chain(counted).chain(self.ill_sized) {
                emit(&Event::Doubt(doubt));
            }
            emit(&Event::Result(Box::new(result)));
        }
        match (&self.fatal, self.course.interrupted) {
            (Some(fatal), _) => fatal.exit_code(),
            (None, true) => signal::INTERRUPTED,
            (None, false) => 0,
        }
    }
}
