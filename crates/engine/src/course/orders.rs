//! Instants that a coordinator tells the load: when it begins, and when its measured window does.

use std::sync::mpsc::{Receiver, channel};

use assay_format::event::Event;
use assay_format::job::Warmup;

use crate::course::{Course, START_DELAY_NS};
use crate::process::clock::UNKNOWN;
use crate::process::failure::Fatal;
use crate::say::doubts::doubt;
use crate::say::emit::emit;

/// The farthest that a told instant lies ahead: a day. One beyond it is in another unit.
const AHEAD_NS: u64 = 24 * 3_600 * 1_000_000_000;

/// A command about the course of a load; its instant is in nanoseconds since the engine's epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Start(u64),
    /// A start that ends the job where it can no longer be kept.
    Go(u64),
    Window(u64),
}

/// Commands on their way to the course, in the order of their arrival.
pub(crate) type Orders = Receiver<Order>;

/// The orders of a job that nobody commands.
pub(crate) fn nobody() -> Orders {
    channel().1
}

/// The refusal of an order: what is wrong, and what to do instead.
pub(crate) fn refused(order: Order, wrong: impl std::fmt::Display, instead: impl Into<String>) -> Fatal {
    let command = match order {
        Order::Start(_) => "start",
        Order::Go(_) => "go",
        Order::Window(_) => "window",
    };
    Fatal::job(format!("ignored the command `{command}`: {wrong}")).hint(instead)
}

/// Says a refusal; the job goes on.
pub(crate) fn refuse(why: &Fatal, now: u64) {
    emit(&Event::Error(why.notice(now)));
}

impl Course<'_> {
    /// Obeys an order that has arrived by `now`.
    ///
    /// # Errors
    /// The job does not wait for it, or its instant is too close or too far.
    pub(super) fn obey(&mut self, order: Order, now: u64) -> Result<(), Fatal> {
        if self.interrupted {
            return Err(refused(order, "the job is ending", "start another job"));
        }
        match order {
            Order::Start(at) => {
                self.hear_start(order)?;
                self.within(order, at, now.saturating_add(START_DELAY_NS), now)?;
                self.told = Some(at);
                Ok(())
            }
            Order::Go(at) => {
                self.hear_start(order)?;
                let earliest = now.saturating_add(START_DELAY_NS);
                if at < earliest {
                    self.missed = Some(too_late(earliest - at));
                    return Ok(());
                }
                self.within(order, at, earliest, now)?;
                self.told = Some(at);
                Ok(())
            }
            Order::Window(at) => self.hear_window(at, now).map(|()| self.place(at)),
        }
    }

    fn hear_start(&self, order: Order) -> Result<(), Fatal> {
        let refused = |wrong: &str, instead: &str| Err(refused(order, wrong, instead));
        if !self.phases.hold {
            return refused("this load starts without a command", "set phases.hold in the job");
        }
        if self.told.is_some() {
            return refused("the start of the load is already set", "stop this job and start another");
        }
        if !self.held {
            return refused(
                "the load is not ready",
                "wait for the progress event of phase connect whose done is its total",
            );
        }
        Ok(())
    }

    fn hear_window(&self, at: u64, now: u64) -> Result<(), Fatal> {
        let refused = |wrong: &str, instead: &str| Err(refused(Order::Window(at), wrong, instead));
        if !matches!(self.phases.warmup, Warmup::UntilTold) {
            return refused(
                "the job's warm-up ends without a command",
                "set phases.warmup to {\"kind\": \"until_told\"} in the job",
            );
        }
        if self.control.measure_start() != UNKNOWN {
            return refused("the window is already set", "stop this job and start another");
        }
        if self.control.start() == UNKNOWN {
            return refused("the load has not started", "wait for the event that phase warmup begins");
        }
        self.within(Order::Window(at), at, self.earliest_window(now), now)
    }

    fn within(&self, order: Order, at: u64, earliest: u64, now: u64) -> Result<(), Fatal> {
        if at < earliest {
            let (late_ms, wall) = ((earliest - at) as f64 / 1e6, earliest + self.clock.epoch_wall_ns());
            let wrong =
                format!("its instant lies {late_ms:.3} ms before the earliest that is possible, {wall}");
            let instead = "tell it earlier, or a later instant; clocks of several machines must agree (hello: epoch_wall_ns)";
            return Err(refused(order, wrong, instead));
        }
        if at > now.saturating_add(AHEAD_NS) {
            let wrong = "its instant is more than a day ahead";
            return Err(refused(order, wrong, "count in nanoseconds since 1970"));
        }
        Ok(())
    }
}

/// Says that a start was missed by so many nanoseconds; the error that ends the job.
fn too_late(late_ns: u64) -> Fatal {
    let late_ms = late_ns as f64 / 1e6;
    let message = format!("the start of the load came {late_ms:.3} ms too late to be kept");
    emit(&Event::Doubt(doubt("late-start", message.clone(), late_ms, 0.0)));
    Fatal::host(message).hint("start again, and tell the start earlier")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use assay_format::job::Phases;

    use super::*;
    use crate::course::LEAD_NS;
    use crate::process::clock::Clock;

    const MS: u64 = 1_000_000;
    const DAY_MS: u64 = 86_400_000;
    /// The instant at which everything is ready.
    const READY: u64 = 1_000 * MS;

    fn phases(hold: bool, warmup: Warmup) -> Phases {
        Phases { hold, warmup, measure_ms: 500, interval_ms: 100, ..Phases::default() }
    }

    fn course(phases: &Phases) -> (Course<'_>, Clock) {
        let clock = Clock::manual();
        clock.set(READY);
        (Course::new(phases, clock, Arc::default(), nobody()), clock)
    }

    /// What is wrong with an order, and what to do instead; nothing where it was obeyed.
    fn wrong(obeyed: Result<(), Fatal>) -> String {
        obeyed
            .err()
            .map(|why| format!("{}: {}", why.message, why.hint.unwrap_or_default()))
            .unwrap_or_default()
    }

    #[test]
    fn a_held_load_begins_when_it_is_told() {
        let phases = phases(true, Warmup::None);
        let (mut course, clock) = course(&phases);
        let refused = wrong(course.obey(Order::Start(READY + 50 * MS), READY));
        assert!(refused.contains("the load is not ready"), "{refused}");
        assert_eq!(course.ready(), None, "it does not begin by itself");
        assert_eq!((course.due(), course.patience().as_millis()), (None, 1));
        let table = [
            (0, "1002.000 ms before the earliest that is possible, 1002000000"),
            (READY + 2 * MS - 1, "0.000 ms before"),
            (READY + DAY_MS * MS + 1, "more than a day ahead"),
            (u64::MAX, "nanoseconds since 1970"),
        ];
        for (at, words) in table {
            let refused = wrong(course.obey(Order::Start(at), READY));
            assert!(refused.contains(words), "{at}: {refused}");
            assert_eq!((course.told, course.due()), (None, None), "{at}");
        }
        let start = READY + 5_000 * MS;
        assert_eq!(wrong(course.obey(Order::Start(start), READY)), "");
        let again = wrong(course.obey(Order::Start(start + MS), READY));
        assert!(again.contains("start of the load is already set"), "{again}");
        clock.set(start - LEAD_NS - 1);
        assert_eq!(course.due(), None, "nobody hears of it too early");
        clock.set(start - LEAD_NS);
        assert_eq!(course.due(), Some(start));
        assert_eq!(course.due(), None, "the load begins once");
        course.begin(start, |heard| assert_eq!(heard, start));
        assert_eq!((course.control.start(), course.control.measure_start()), (start, start));
        let late = wrong(course.obey(Order::Start(start + 50 * MS), start));
        assert!(late.contains("start of the load is already set"), "{late}");
    }

    #[test]
    fn an_instant_that_is_just_far_enough_ahead_is_obeyed() {
        for at in [READY + START_DELAY_NS, READY + DAY_MS * MS] {
            let phases = phases(true, Warmup::None);
            let (mut course, _) = course(&phases);
            assert_eq!(course.ready(), None);
            assert_eq!(wrong(course.obey(Order::Start(at), READY)), "", "{at}");
            assert_eq!(course.told, Some(at));
        }
    }

    #[test]
    fn a_start_that_must_be_kept_ends_the_load_where_it_is_missed() {
        let phases = phases(true, Warmup::None);
        let (mut course, _) = course(&phases);
        let refused = wrong(course.obey(Order::Go(READY + 50 * MS), READY));
        assert!(refused.contains("ignored the command `go`: the load is not ready"), "{refused}");
        assert_eq!(course.ready(), None);
        assert_eq!(wrong(course.obey(Order::Go(READY + START_DELAY_NS), READY)), "");
        assert_eq!((course.told.take(), course.missed.is_none()), (Some(READY + START_DELAY_NS), true));
        let far = wrong(course.obey(Order::Go(READY + DAY_MS * MS + 1), READY));
        assert!(far.contains("more than a day ahead"), "{far}");
        assert_eq!(wrong(course.obey(Order::Go(READY - 5 * MS), READY)), "");
        let missed = course.missed.take().expect("it is too late");
        assert_eq!((missed.exit_code(), course.told), (6, None));
        assert!(missed.message.contains("came 7.000 ms too late"), "{}", missed.message);
    }

    #[test]
    fn a_load_that_begins_by_itself_or_ends_is_told_nothing() {
        let phases = phases(false, Warmup::UntilTold);
        let (mut course, _) = course(&phases);
        assert_eq!(course.ready(), Some(READY + START_DELAY_NS));
        let refused = wrong(course.obey(Order::Start(READY + 50 * MS), READY));
        assert!(refused.contains("set phases.hold"), "{refused}");
        course.interrupted = true;
        for order in [Order::Start(READY + 50 * MS), Order::Window(READY + 900 * MS)] {
            let refused = wrong(course.obey(order, READY));
            assert!(refused.contains("the job is ending"), "{refused}");
        }
    }

    #[test]
    fn a_window_is_placed_where_it_is_told() {
        let start = READY + START_DELAY_NS;
        // Since the start, in milliseconds: now, the told instant, and what is wrong with it.
        let table = [
            (0, 200, ""),
            (0, 199, "1.000 ms before the earliest that is possible, 1202000000"),
            (99, 200, ""),
            (100, 299, "before the earliest"),
            (100, 300, ""),
            (1_234, 1_400, ""),
            (1_234, 1_399, "before the earliest"),
            (1_234, 5_555, ""),
            (1_234, 1_234 + DAY_MS + 1, "more than a day ahead"),
        ];
        for (now_ms, told_ms, words) in table {
            let phases = phases(false, Warmup::UntilTold);
            let (mut course, clock) = course(&phases);
            let window = Order::Window(start + told_ms * MS);
            let early = wrong(course.obey(window, READY));
            assert!(early.contains("the load has not started"), "{early}");
            course.begin(start, |_| {});
            clock.set(start + now_ms * MS);
            course.look_up(&[]);
            assert_eq!(course.control.measure_start(), UNKNOWN, "nothing else places it");
            let refused = wrong(course.obey(window, start + now_ms * MS));
            let placed = (course.control.measure_start(), course.control.measure_end());
            if words.is_empty() {
                assert_eq!((refused.as_str(), course.steady), ("", None), "{told_ms} at {now_ms}");
                assert_eq!(placed, (start + told_ms * MS, start + (told_ms + 500) * MS));
                let again = wrong(course.obey(window, start + now_ms * MS));
                assert!(again.contains("window is already set"), "{again}");
            } else {
                assert!(refused.contains(words), "{told_ms} at {now_ms}: {refused}");
                assert_eq!(placed, (UNKNOWN, UNKNOWN), "{told_ms} at {now_ms}");
            }
        }
    }

    #[test]
    fn a_warm_up_of_another_kind_is_not_ended_by_telling() {
        let steady = Warmup::UntilSteady { window_ms: 1_000, tolerance: 0.05, cap_ms: 5_000 };
        for warmup in [Warmup::None, Warmup::Fixed { duration_ms: 300 }, steady] {
            let phases = phases(false, warmup);
            let (mut course, _) = course(&phases);
            course.begin(READY, |_| {});
            let before = course.control.measure_start();
            let refused = wrong(course.obey(Order::Window(READY + 900 * MS), READY));
            assert!(refused.contains("until_told"), "{refused}");
            assert_eq!(course.control.measure_start(), before);
        }
    }
}
