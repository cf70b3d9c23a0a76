//! The intervals of a load, put together from what its parts report.
//!
//! A part is an event loop or an I/O worker. An interval is whole when every part has reported it or has ended, and
//! intervals leave oldest first.

use std::collections::BTreeMap;

use assay_format::event::EngineUse;

use crate::course::timeline::Stretch;
use crate::process::usage::engine_use;

/// One part's report of one interval.
pub(crate) trait Slice {
    /// How far a part has come: all that is known of one that never comes back.
    type LastKnown: Copy;

    /// Number of the part that reports.
    fn part(&self) -> usize;
    fn stretch(&self) -> Stretch;
    /// How far the part had come at the end of the interval.
    fn last_known(&self) -> Self::LastKnown;
    /// The process's use of the machine at the end of the interval, where this report knows.
    fn usage(&mut self) -> Option<EngineUse>;
    /// Adds what another part reports of the interval.
    fn merge(&mut self, other: &Self);
}

/// An interval that every part has reported, or ended before.
pub(crate) struct WholeInterval<S> {
    pub stretch: Stretch,
    /// The process's use of the machine at the interval's end.
    pub usage: EngineUse,
    pub slice: Box<S>,
}

struct Pending<S> {
    stretch: Stretch,
    usage: Option<EngineUse>,
    slice: Box<S>,
    /// Whether each part has reported the interval, by the part's number.
    reported: Vec<bool>,
    /// Parts that have neither reported this interval nor ended.
    missing: usize,
}

#[derive(Clone, Copy)]
struct Part<P> {
    ended: bool,
    /// The instant at which its last report came, or the load began.
    heard: u64,
    /// How far it had come in its last report.
    last_known: Option<P>,
}

pub(crate) struct Intervals<S: Slice> {
    parts: Vec<Part<S::LastKnown>>,
    /// The number of parts that have not ended.
    left: usize,
    /// Intervals that are not whole yet, by the instant of their start.
    pending: BTreeMap<u64, Pending<S>>,
}

impl<S: Slice> Intervals<S> {
    pub(crate) fn new(parts: usize) -> Self {
        let part = Part { ended: false, heard: 0, last_known: None };
        Self { parts: vec![part; parts], left: parts, pending: BTreeMap::new() }
    }

    /// The load begins at `start`: silence counts from here.
    pub(crate) fn begin(&mut self, start: u64) {
        self.parts.iter_mut().for_each(|part| part.heard = start);
    }

    /// Adds a report that came at `now`; gives it back where another report has taken its content.
    pub(crate) fn report(&mut self, mut slice: Box<S>, now: u64) -> Option<Box<S>> {
        let (number, stretch) = (slice.part(), slice.stretch());
        self.parts[number].heard = now;
        self.parts[number].last_known = Some(slice.last_known());
        let Some(pending) = self.pending.get_mut(&stretch.start) else {
            let mut reported = vec![false; self.parts.len()];
            reported[number] = true;
            let missing = self.left - usize::from(!self.parts[number].ended);
            let usage = slice.usage();
            self.pending.insert(stretch.start, Pending { stretch, usage, slice, reported, missing });
            return None;
        };
        pending.stretch.end = pending.stretch.end.max(stretch.end);
        pending.usage = pending.usage.take().or_else(|| slice.usage());
        pending.slice.merge(&slice);
        if !std::mem::replace(&mut pending.reported[number], true) && !self.parts[number].ended {
            pending.missing -= 1;
        }
        Some(slice)
    }

    /// Notes that a part has ended, and reports no interval after this.
    pub(crate) fn end(&mut self, part: usize) {
        if std::mem::replace(&mut self.parts[part].ended, true) {
            return;
        }
        self.left -= 1;
        for pending in self.pending.values_mut().filter(|pending| !pending.reported[part]) {
            pending.missing -= 1;
        }
    }

    /// Takes the oldest interval, if it is whole.
    pub(crate) fn next_whole(&mut self) -> Option<WholeInterval<S>> {
        let oldest = self.pending.first_entry().filter(|oldest| oldest.get().missing == 0)?;
        let Pending { stretch, usage, slice, .. } = oldest.remove();
        Some(WholeInterval { stretch, usage: usage.unwrap_or_else(engine_use), slice })
    }

    pub(crate) fn all_ended(&self) -> bool {
        self.left == 0
    }

    /// The parts that have not ended.
    pub(crate) fn left(&self) -> impl Iterator<Item = usize> {
        let parts = self.parts.iter().enumerate();
        parts.filter(|(_, part)| !part.ended).map(|(number, _)| number)
    }

    /// How far a part had come in its last report; `None` where there was none.
    pub(crate) fn last_known(&self, part: usize) -> Option<S::LastKnown> {
        self.parts[part].last_known
    }

    /// The instant at which the part that has been silent for longest was last heard; `None` when all have ended.
    pub(crate) fn longest_silent(&self) -> Option<u64> {
        self.left().map(|part| self.parts[part].heard).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_format::event::Phase;

    struct Report {
        part: usize,
        start: u64,
        count: u64,
    }

    impl Slice for Report {
        type LastKnown = u64;

        fn part(&self) -> usize {
            self.part
        }

        fn stretch(&self) -> Stretch {
            Stretch { phase: Phase::Measure, index: 0, start: self.start, end: self.start + 10 }
        }

        fn last_known(&self) -> u64 {
            self.start
        }

        fn usage(&mut self) -> Option<EngineUse> {
            (self.part == 0).then(|| EngineUse { user_us: self.start, ..EngineUse::default() })
        }

        fn merge(&mut self, other: &Self) {
            self.count += other.count;
        }
    }

    fn report(intervals: &mut Intervals<Report>, part: usize, start: u64) -> bool {
        intervals.report(Box::new(Report { part, start, count: 1 }), start + 10).is_some()
    }

    fn whole(intervals: &mut Intervals<Report>) -> Vec<(u64, u64)> {
        std::iter::from_fn(|| intervals.next_whole())
            .map(|whole| (whole.stretch.start, whole.slice.count))
            .collect()
    }

    #[test]
    fn an_interval_leaves_when_every_part_has_reported_it_and_all_before_it_have_left() {
        let mut intervals = Intervals::new(2);
        intervals.begin(0);
        assert!(!report(&mut intervals, 1, 0), "the first report is kept");
        assert!(!report(&mut intervals, 1, 10));
        assert_eq!(whole(&mut intervals), []);
        assert_eq!(intervals.longest_silent(), Some(0), "part 0 has not been heard yet");
        assert_eq!((intervals.last_known(0), intervals.last_known(1)), (None, Some(10)), "the last report's");
        assert!(report(&mut intervals, 0, 0), "the second is given back");
        let first = intervals.next_whole().unwrap();
        assert_eq!((first.stretch.start, first.slice.count, first.usage.user_us), (0, 2, 0));
        assert_eq!(whole(&mut intervals), []);
        assert!(report(&mut intervals, 0, 10));
        assert_eq!(whole(&mut intervals), [(10, 2)]);
        assert_eq!(intervals.longest_silent(), Some(20));
    }

    #[test]
    fn nobody_waits_for_a_part_that_has_ended() {
        let mut intervals = Intervals::new(3);
        intervals.end(2);
        report(&mut intervals, 0, 0);
        report(&mut intervals, 0, 10);
        report(&mut intervals, 1, 0);
        assert_eq!(whole(&mut intervals), [(0, 2)]);
        assert_eq!(intervals.left().collect::<Vec<_>>(), [0, 1]);
        intervals.end(1);
        intervals.end(1);
        assert_eq!(whole(&mut intervals), [(10, 1)]);
        intervals.end(0);
        assert!(intervals.all_ended());
        assert_eq!(intervals.longest_silent(), None);
    }

    #[test]
    fn a_last_report_that_comes_after_the_end_of_its_part_counts() {
        let mut intervals = Intervals::new(2);
        intervals.end(0);
        report(&mut intervals, 0, 0);
        assert_eq!(whole(&mut intervals), [], "part 1 is still to report");
        report(&mut intervals, 1, 0);
        assert_eq!(whole(&mut intervals), [(0, 2)]);
    }
}
