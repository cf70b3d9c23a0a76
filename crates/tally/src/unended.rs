//! Operations that never ended: what is known of their times is that they are at least this long.

use crate::{Histogram, LabelRecorder, Times};

/// An operation that had not ended when its load was over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnendedOperation {
    /// The instant at which it was wanted.
    pub scheduled: u64,
    /// The instant at which its first byte left; none of one that still waited for a connection.
    pub started: Option<u64>,
}

/// The times that operations had taken when their load was over: lower bounds of what they would have been.
#[derive(Debug, Clone, Default)]
pub struct Unended {
    pub service: Histogram,
    pub wait: Histogram,
    pub response: Histogram,
}

impl Unended {
    /// Adds an operation of a load that was over at `end`. The wait of one that had started is known, and is no bound.
    pub fn add(&mut self, begun: UnendedOperation, end: u64) {
        let started = begun.started.unwrap_or(end);
        let times = Times { scheduled: begun.scheduled, started, ended: end };
        self.response.record(times.response());
        if begun.started.is_some() {
            self.service.record(times.service());
        } else {
            self.wait.record(times.wait());
        }
    }

    pub fn is_empty(&self) -> bool {
        self.response.is_empty()
    }

    /// The number of operations.
    pub fn count(&self) -> u64 {
        self.response.count()
    }
}

impl LabelRecorder {
    /// Puts operations that never ended among the others, each with the time that it had taken: so no percentile is
    /// better for their never ending.
    pub fn include(&mut self, unended: &Unended) {
        match &mut self.open {
            Some(open) => {
                self.service.merge(&unended.service);
                open.0.merge(&unended.wait);
                open.1.merge(&unended.response);
            }
            // Without a schedule nothing waits for a connection.
            None => self.service.merge(&unended.service),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Recorder, Scheduled, Shape};

    #[test]
    fn what_never_ended_is_among_the_times_as_long_as_it_had_taken() {
        let mut unended = Unended::default();
        unended.add(UnendedOperation { scheduled: 1_000, started: Some(3_000) }, 9_000);
        unended.add(UnendedOperation { scheduled: 2_000, started: None }, 9_000);
        assert_eq!((unended.count(), unended.service.count(), unended.wait.count()), (2, 1, 1));
        for (scheduled, responses, longest) in [(Scheduled::All, 3, 8_000), (Scheduled::Nothing, 2, 6_000)] {
            let mut recorder = Recorder::new(Shape::of_labels(1, scheduled));
            recorder.record(0, &Times { scheduled: 100, started: 200, ended: 300 });
            let label = &mut recorder.labels[0];
            label.include(&unended);
            assert_eq!((label.service.count(), label.response().count()), (2, responses));
            assert!(label.response().max_ns().abs_diff(longest) < 10);
        }
    }
}
