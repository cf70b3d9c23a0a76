//! Sums of intervals: since the start, since the last checkpoint, since the last line.

use assay_format::event::{Counts, Interval, LabelTimes, Tallied};
use assay_tally::Histogram;

use crate::bench::text::Counted;

/// The label of whole events.
pub(super) const WHOLE: &str = "transaction";

/// What happened in a stretch of intervals.
#[derive(Debug, Default)]
pub(super) struct Sum {
    start_ns: Option<u64>,
    pub end_ns: u64,
    pub counted: Counted,
    pub times: Histogram,
}

impl Sum {
    pub(super) fn add(&mut self, interval: &Interval) {
        self.start_ns.get_or_insert(interval.start_ns);
        self.end_ns = interval.end_ns;
        let counts = counted(&interval.tallied.counts);
        self.counted.events += counts.events;
        self.counted.reads += counts.reads;
        self.counted.writes += counts.writes;
        self.counted.other += counts.other;
        self.counted.errors += counts.errors;
        self.counted.reconnects += counts.reconnects;
        if let Some(times) = whole_times(&interval.tallied) {
            self.times.merge(&times);
        }
    }

    pub(super) fn clear(&mut self) {
        (self.start_ns, self.end_ns, self.counted) = (None, 0, Counted::default());
        self.times.clear();
    }

    pub(super) fn length_ns(&self) -> u64 {
        self.start_ns.map_or(0, |start| self.end_ns - start)
    }

    pub(super) fn seconds(&self) -> f64 {
        self.length_ns() as f64 / 1e9
    }

    pub(super) fn is_empty(&self) -> bool {
        self.start_ns.is_none()
    }
}

/// The counters of an interval as sysbench has them.
pub(super) fn counted(counts: &Counts) -> Counted {
    Counted {
        events: counts.transactions,
        reads: counts.reads,
        writes: counts.writes,
        other: counts.other,
        errors: counts.errors.values().sum(),
        reconnects: counts.reconnects,
    }
}

/// The histogram that a label tells: the response where events arrive at a rate, otherwise the service time.
pub(super) fn times_of(label: &LabelTimes) -> Option<Histogram> {
    Histogram::decode(label.response.as_ref().unwrap_or(&label.service))
}

fn whole_times(tallied: &Tallied) -> Option<Histogram> {
    tallied.labels.get(WHOLE).and_then(times_of)
}
