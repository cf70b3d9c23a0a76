//! The conductor of a load, on servers and on disks alike: it hears the parts of the load, keeps the phases, and says the
//! intervals.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};

use assay_format::event::{ErrorEvent, Event, Interval, Phase, Progress, Tallied};
use assay_format::job::Phases;
use assay_tally::Counts;

use crate::course::Course;
use crate::course::accounts::Accounts;
use crate::course::intervals::{Intervals, Slice, WholeInterval};
use crate::course::orders::Orders;
use crate::course::timeline::{Control, Stretch};
use crate::course::watchdog::Watchdog;
use crate::process::clock::{Clock, ns};
use crate::process::failure::Fatal;
use crate::process::usage::engine_use;
use crate::say::emit::emit;
use crate::say::notices::Notices;

/// Nanoseconds between two progress events that say how many parts are ready.
const PROGRESS_NS: u64 = 1_000_000_000;

/// A message from a part of a load (an event loop, an I/O worker) to its conductor.
pub(crate) enum Message<L: Load> {
    /// The number that became ready since the last message: connections that have logged in and prepared their
    /// statements, workers that have opened their files.
    Ready(u32),
    /// An interval is over for one part.
    Slice(Box<L::Slice>),
    /// A message that only this kind of load has, such as lines for its ledger.
    Own(L::Own),
    /// An error that the run survives, for the time line.
    Notice(ErrorEvent),
    Fatal(Fatal),
    End(L::End),
}

/// A whole interval in the load's own words, from which its event is made.
pub(crate) struct IntervalFacts {
    pub counted: Counts,
    pub tallied: Tallied,
    /// Operations in flight, and arrivals queued for a connection, at the interval's end.
    pub in_flight: u64,
    pub queued: u64,
}

/// A kind of load: the few steps in which loads on servers and on disks differ for the conductor.
pub(crate) trait Load {
    type Slice: Slice;
    /// The last report of a part: how it ended.
    type End;
    type Own;

    /// The number of connections or workers that must be ready before the load begins, and what people call them.
    fn awaited(&self) -> (u64, &'static str);

    /// Hears that every part is ready and that the load begins next.
    fn ready(&mut self) {}

    /// Hears a part's report of an interval, which is put together with those of the others after this.
    fn heard(&mut self, _slice: &mut Self::Slice) {}

    /// Adds an interval that every part has reported to the totals of the load.
    fn whole(&mut self, stretch: &Stretch, slice: &Self::Slice) -> IntervalFacts;

    /// Takes back the memory of a part's report that has been read.
    fn recycle(&mut self, _part: usize, _slice: Self::Slice) {}

    /// Hears that a part has ended; returns the part's number.
    fn ended(&mut self, end: Self::End) -> usize;

    /// Hears that a part hangs. How far it had come in its last report, where there was one, is all that will ever be
    /// known of it.
    fn give_up(&mut self, part: usize, last_known: Option<<Self::Slice as Slice>::LastKnown>);

    /// Hears a message that only this kind of load has.
    ///
    /// # Errors
    /// The load cannot go on.
    fn own(&mut self, message: Self::Own) -> Result<(), Fatal>;

    /// Looks, now and then while the load goes on, at what only this kind of load watches.
    fn look_up(&mut self, _control: &Control, _now: u64) {}
}

pub(crate) struct Conductor<'a, L: Load> {
    pub load: L,
    pub clock: Clock,
    pub course: Course<'a>,
    pub accounts: Accounts,
    /// The first error, which ended the load, whose echoes on other connections are not kept.
    pub fatal: Option<Fatal>,
    /// Numbers of the parts that hang.
    pub hung: Vec<usize>,
    inbox: Receiver<Message<L>>,
    intervals: Intervals<L::Slice>,
    watchdog: Watchdog,
    ready: u64,
    /// The instant of the last progress event that said how many parts are ready.
    told: u64,
    /// The errors that were said, of all parts together.
    notices: Notices,
}

impl<'a, L: Load> Conductor<'a, L> {
    /// The conductor of a load with `parts` parts.
    pub(crate) fn new(
        load: L,
        parts: usize,
        phases: &'a Phases,
        clock: Clock,
        control: Arc<Control>,
        inbox: Receiver<Message<L>>,
        orders: Orders,
    ) -> Self {
        Self {
            load,
            clock,
            course: Course::new(phases, clock, control, orders),
            accounts: Accounts::default(),
            fatal: None,
            hung: Vec::new(),
            inbox,
            intervals: Intervals::new(parts),
            watchdog: Watchdog::new(ns(phases.interval_ms), ns(phases.drain_ms)),
            ready: 0,
            told: clock.now(),
            notices: Notices::default(),
        }
    }

    /// Follows the phases until every part has ended; false when some hang.
    pub(crate) fn conduct(&mut self) -> bool {
        while !self.intervals.all_ended() {
            match self.inbox.recv_timeout(self.course.patience()) {
                Ok(message) => self.hear(message),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    self.go_on_without_the_rest();
                    break;
                }
            }
            // Nobody hangs whose word has come and was not heard yet.
            while let Ok(message) = self.inbox.try_recv() {
                self.hear(message);
            }
            self.course.look_up(self.accounts.rates());
            if let Some(missed) = self.course.missed.take() {
                self.fatal.get_or_insert(missed);
                self.course.control.abort();
            }
            if let Some(start) = self.course.due() {
                self.begin(start);
            }
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
        if self.course.control.aborted() {
            return;
        }
        self.ready += u64::from(more);
        if self.ready == self.load.awaited().0 {
            self.load.ready();
            match self.course.ready() {
                Some(start) => self.begin(start),
                None => self.say_ready(),
            }
        } else if self.clock.now() - self.told > PROGRESS_NS {
            self.say_ready();
        }
    }

    /// Says how many are ready.
    fn say_ready(&mut self) {
        let (total, unit) = self.load.awaited();
        self.told = self.clock.now();
        emit(&Event::Progress(Progress {
            phase: Phase::Connect,
            done: self.ready,
            total,
            unit: unit.into(),
            elapsed_s: self.told as f64 / 1e9,
        }));
    }

    fn begin(&mut self, start: u64) {
        let Self { course, accounts, intervals, .. } = self;
        course.begin(start, |start| {
            intervals.begin(start);
            accounts.begin(start, engine_use());
        });
    }

    fn notice(&mut self, error: ErrorEvent) {
        if self.notices.is_news(error.code) {
            emit(&Event::Error(error));
        }
    }

    /// Goes on without the parts that hang: the intervals that waited for them go out without them.
    fn leave_behind(&mut self) {
        self.hung = self.intervals.left().collect();
        self.go_on_without_the_rest();
    }

    /// Intervals go out without the parts that have not ended, because they hang or broke off.
    fn go_on_without_the_rest(&mut self) {
        let rest: Vec<usize> = self.intervals.left().collect();
        for part in rest {
            self.load.give_up(part, self.intervals.last_known(part));
            self.intervals.end(part);
        }
        self.flush();
    }

    /// Says the intervals that are whole, oldest first.
    fn flush(&mut self) {
        while let Some(WholeInterval { stretch, usage, slice }) = self.intervals.next_whole() {
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
    use crate::course::orders::nobody;

    /// A part's report of an interval in which nothing happened.
    struct Report(usize);

    impl Slice for Report {
        type LastKnown = &'static str;

        fn part(&self) -> usize {
            self.0
        }

        fn stretch(&self) -> Stretch {
            Stretch { phase: Phase::Warmup, index: 0, start: 0, end: 0 }
        }

        fn last_known(&self) -> &'static str {
            "one interval"
        }

        fn usage(&mut self) -> Option<EngineUse> {
            None
        }

        fn merge(&mut self, _other: &Self) {}
    }

    #[derive(Default)]
    struct Parts {
        whole: usize,
        given_up: Vec<(usize, Option<&'static str>)>,
    }

    impl Load for Parts {
        type Slice = Report;
        type End = usize;
        type Own = &'static str;

        fn awaited(&self) -> (u64, &'static str) {
            (2, "parts")
        }

        fn whole(&mut self, _stretch: &Stretch, _report: &Report) -> IntervalFacts {
            self.whole += 1;
            IntervalFacts { counted: Counts::default(), tallied: Tallied::default(), in_flight: 0, queued: 0 }
        }

        fn ended(&mut self, part: usize) -> usize {
            part
        }

        fn give_up(&mut self, part: usize, last_known: Option<&'static str>) {
            self.given_up.push((part, last_known));
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
            Conductor::new(Parts::default(), 2, &phases, Clock::start(), control.clone(), inbox, nobody());
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
        assert_eq!((conductor.hung, conductor.load.given_up), (vec![1], vec![(1, None)]));
        assert_eq!(conductor.load.whole, 1, "the interval that waited for it goes out without it");
        drop(messages);
    }
}
