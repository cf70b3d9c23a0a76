//! The conductor of a load, on servers and on disks alike: it hears the parts of the load, keeps the phases, and says the
//! intervals.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};

use assay_format::event::{ErrorEvent, Event, Interval, Phase, Progress, Tallied};
use assay_format::job::Phases;
use assay_tally::Counts;

use crate::course::Course;
use crate::course::accounts::Accounts;
use crate::course::intervals::{Intervals, Slice, Whole};
use crate::course::timeline::{Control, Stretch};
use crate::course::watchdog::Watchdog;
use crate::process::clock::{Clock, ns};
use crate::process::failure::Fatal;
use crate::process::usage::engine_use;
use crate::say::emit::emit;

/// Errors of one code that are said, of all parts together.
const NOTICES: u32 = 3;
/// How often it is said how many are ready.
const PROGRESS_NS: u64 = 1_000_000_000;

/// What the parts of a load tell its conductor.
pub enum Message<L: Load> {
    /// How many more are ready: connections that have logged in and prepared their statements, workers that have opened
    /// their files.
    Ready(u32),
    /// An interval is over for one part.
    Slice(Box<L::Slice>),
    /// Something that only this kind of load has.
    Own(L::Own),
    /// An error that the run survives, for the time line.
    Notice(ErrorEvent),
    Fatal(Fatal),
    End(L::End),
}

/// A whole interval as the load tells it.
pub struct Told {
    pub counted: Counts,
    pub tallied: Tallied,
    /// Operations in flight, and arrivals that wait, at its end.
    pub in_flight: u64,
    pub queued: u64,
}

/// What differs between loads.
pub trait Load {
    type Slice: Slice;
    /// How a part ended.
    type End;
    type Own;

    /// What must be ready before the load begins: how many, and their name.
    fn awaited(&self) -> (u64, &'static str);

    /// Everything is ready; the load begins next.
    fn ready(&mut self) {}

    /// The load begins at `start`.
    fn begin(&mut self, _start: u64) {}

    /// A part has reported an interval, which is put together with those of the others after this.
    fn heard(&mut self, slice: &mut Self::Slice);

    /// An interval is whole: into the totals of the load with it.
    fn whole(&mut self, stretch: &Stretch, slice: &Self::Slice) -> Told;

    /// A report of this part has been read, and can be used anew.
    fn recycle(&mut self, _part: usize, _slice: Self::Slice) {}

    /// A part has ended; returns its number.
    fn ended(&mut self, end: Self::End) -> usize;

    /// A part hangs: what it reported so far is all that will ever be known of it.
    fn give_up(&mut self, part: usize);

    /// # Errors
    /// The load cannot go on.
    fn own(&mut self, message: Self::Own) -> Result<(), Fatal>;

    /// Some time has passed.
    fn look_up(&mut self, _control: &Control, _now: u64) {}
}

pub struct Conductor<'a, L: Load> {
    pub load: L,
    pub clock: Clock,
    pub course: Course<'a>,
    pub accounts: Accounts,
    /// What ended the load: the first error, whose echoes on other connections are not kept.
    pub fatal: Option<Fatal>,
    /// Parts that hang.
    pub hung: Vec<usize>,
    inbox: Receiver<Message<L>>,
    intervals: Intervals<L::Slice>,
    watchdog: Watchdog,
    ready: u64,
    /// When it was last said how many are ready.
    told: u64,
    /// Errors that were said, by code.
    noticed: BTreeMap<Option<u16>, u32>,
}

impl<'a, L: Load> Conductor<'a, L> {
    /// Of a load with so many parts.
    pub fn new(
        load: L,
        parts: usize,
        phases: &'a Phases,
        clock: Clock,
        control: Arc<Control>,
        inbox: Receiver<Message<L>>,
    ) -> Self {
        Self {
            load,
            clock,
            course: Course::new(phases, clock, control),
            accounts: Accounts::default(),
            fatal: None,
            hung: Vec::new(),
            inbox,
            intervals: Intervals::new(parts),
            watchdog: Watchdog::new(ns(phases.interval_ms), ns(phases.drain_ms)),
            ready: 0,
            told: clock.now(),
            noticed: BTreeMap::new(),
        }
    }

    /// Follows the phases until every part has ended; false when some hang.
    pub fn conduct(&mut self) -> bool {
        while !self.intervals.all_ended() {
            match self.inbox.recv_timeout(self.course.patience()) {
                Ok(message) => self.hear(message),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.course.look_up(self.accounts.rates());
            let now = self.clock.now();
            self.load.look_up(&self.course.control, now);
            let silent = self.intervals.longest_silent();
            if silent.is_some() && self.watchdog.hung(now, &self.course.control, silent) {
                self.leave_behind();
            }
        }
        self.hung.is_empty()
    }

    fn hear(&mut self, message: Message<L>) {
        match message {
            Message::Ready(more) => self.count_ready(more),
            Message::Slice(mut slice) => {
                self.load.heard(&mut slice);
                let part = slice.part();
                if let Some(read) = self.intervals.report(slice, self.clock.now()) {
                    self.load.recycle(part, *read);
                }
                self.flush();
            }
            Message::Own(message) => {
                if let Err(fatal) = self.load.own(message) {
                    self.fatal.get_or_insert(fatal);
                    self.course.control.abort();
                }
            }
            Message::Notice(error) => self.notice(error),
            Message::Fatal(fatal) => {
                self.fatal.get_or_insert(fatal);
            }
            Message::End(end) => {
                let part = self.load.ended(end);
                self.intervals.end(part);
                self.flush();
            }
        }
    }

    fn count_ready(&mut self, more: u32) {
        self.ready += u64::from(more);
        let (total, unit) = self.load.awaited();
        let now = self.clock.now();
        if self.ready == total {
            self.load.ready();
            let Self { course, load, accounts, intervals, .. } = self;
            course.begin(|start| {
                intervals.begin(start);
                accounts.begin(start, engine_use());
                load.begin(start);
            });
        } else if now - self.told > PROGRESS_NS {
            self.told = now;
            emit(&Event::Progress(Progress {
                phase: Phase::Connect,
                done: self.ready,
                total,
                unit: unit.into(),
                elapsed_s: now as f64 / 1e9,
            }));
        }
    }

    fn notice(&mut self, error: ErrorEvent) {
        let said = self.noticed.entry(error.code).or_default();
        if *said < NOTICES {
            *said += 1;
            emit(&Event::Error(error));
        }
    }

    /// Goes on without the parts that hang: the intervals that waited for them go out without them.
    fn leave_behind(&mut self) {
        self.hung = self.intervals.left().collect();
        for &part in &self.hung {
            self.load.give_up(part);
            self.intervals.end(part);
        }
        self.flush();
    }

    /// Says the intervals that are whole, oldest first.
    fn flush(&mut self) {
        while let Some(Whole { stretch, usage, slice }) = self.intervals.next_whole() {
            let told = self.load.whole(&stretch, &slice);
            self.accounts.enter(&stretch, &told.counted, &usage);
            if stretch.end > stretch.start {
                emit(&Event::Interval(Box::new(Interval {
                    phase: stretch.phase,
                    index: stretch.index,
                    start_ns: stretch.start,
                    end_ns: stretch.end,
                    in_flight: told.in_flight,
                    queued: told.queued,
                    tallied: told.tallied,
                    engine: self.accounts.used(usage),
                })));
            }
            self.load.recycle(slice.part(), *slice);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use assay_format::event::EngineUse;

    use super::*;

    /// A part's report of an interval in which nothing happened.
    struct Report(usize);

    impl Slice for Report {
        fn part(&self) -> usize {
            self.0
        }

        fn stretch(&self) -> Stretch {
            Stretch { phase: Phase::Warmup, index: 0, start: 0, end: 0 }
        }

        fn usage(&mut self) -> Option<EngineUse> {
            None
        }

        fn merge(&mut self, _other: &Self) {}
    }

    #[derive(Default)]
    struct Parts {
        whole: usize,
        given_up: Vec<usize>,
    }

    impl Load for Parts {
        type Slice = Report;
        type End = usize;
        type Own = &'static str;

        fn awaited(&self) -> (u64, &'static str) {
            (2, "parts")
        }

        fn heard(&mut self, _report: &mut Report) {}

        fn whole(&mut self, _stretch: &Stretch, _report: &Report) -> Told {
            self.whole += 1;
            Told { counted: Counts::default(), tallied: Tallied::default(), in_flight: 0, queued: 0 }
        }

        fn ended(&mut self, part: usize) -> usize {
            part
        }

        fn give_up(&mut self, part: usize) {
            self.given_up.push(part);
        }

        fn own(&mut self, message: &'static str) -> Result<(), Fatal> {
            Err(Fatal::host(message))
        }
    }

    #[test]
    fn a_part_that_hangs_is_left_behind_and_the_first_error_is_the_cause() {
        let phases = Phases { drain_ms: 0, ..Phases::default() };
        let control = Arc::new(Control::default());
        let (messages, inbox) = channel();
        let mut conductor =
            Conductor::new(Parts::default(), 2, &phases, Clock::start(), control.clone(), inbox);
        for message in [
            Message::Own("the first error"),
            Message::Fatal(Fatal::host("its echo")),
            Message::Slice(Box::new(Report(0))),
            Message::End(0),
        ] {
            messages.send(message).unwrap_or_else(|_| unreachable!("the inbox is there"));
        }
        // Part 1 says nothing, and keeps its end of the channel.
        assert!(!conductor.conduct());
        assert!(control.aborted());
        assert_eq!(conductor.fatal.unwrap().message, "the first error");
        assert_eq!((conductor.hung, conductor.load.given_up), (vec![1], vec![1]));
        assert_eq!(conductor.load.whole, 1, "the interval that waited for it goes out without it");
        drop(messages);
    }
}
