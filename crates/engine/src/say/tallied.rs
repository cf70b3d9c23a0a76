//! Tallies in the form of events.

use std::collections::BTreeMap;

use assay_format::event::{Counts, LabelTimes, Pacing, Reading, UnendedTimes};
use assay_tally::{Counts as Tallied, Histogram, LabelRecorder, Recorder, Unended};

/// The counters of a tally as the event has them.
pub(crate) fn counts(tallied: &Tallied) -> Counts {
    Counts {
        counters: BTreeMap::new(),
        transactions: tallied.transactions,
        queries: tallied.queries(),
        reads: tallied.reads,
        writes: tallied.writes,
        other: tallied.other,
        errors: tallied.errors.clone(),
        retries: tallied.retries,
        failed: tallied.failed,
        reconnects: tallied.reconnects,
        timeouts: tallied.timeouts,
        dropped: tallied.dropped(),
        drops: [("queue-full", tallied.queue_full), ("unserved-at-end", tallied.unserved)]
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .map(|(cause, count)| (cause.to_owned(), count))
            .collect(),
    }
}

/// The pacing of a recorder: how well the schedule was kept; absent where there is none.
pub(crate) fn pacing(recorder: &Recorder) -> Option<Pacing> {
    recorder.lateness.as_ref().map(|lateness| Pacing {
        arrivals: recorder.counts.arrivals,
        prompt: lateness.count(),
        lateness: lateness.encode(),
    })
}

/// The reading lateness of a recorder: the time that answers waited to be read; absent where none was.
pub(crate) fn reading(recorder: &Recorder) -> Option<Reading> {
    let lateness = &recorder.reading;
    (!lateness.is_empty()).then(|| Reading { answers: lateness.count(), lateness: lateness.encode() })
}

/// The histograms of a recorder under their names; labels that saw nothing are left out.
pub(crate) fn labels<'a>(
    names: impl Iterator<Item = (&'a str, usize)>,
    recorder: &Recorder,
) -> BTreeMap<String, LabelTimes> {
    let named = names.map(|(name, number)| (name, &recorder.labels[number]));
    named
        .filter(|(_, label)| !label.response().is_empty())
        .map(|(name, label)| (name.to_owned(), label_times(label)))
        .collect()
}

/// The times of one label.
pub(crate) fn label_times(label: &LabelRecorder) -> LabelTimes {
    let (wait, response) = match &label.open {
        Some(open) => (Some(open.0.encode()), Some(open.1.encode())),
        None => (None, None),
    };
    LabelTimes {
        count: label.service.count(),
        service: label.service.encode(),
        wait,
        response,
        unended: None,
    }
}

/// The times of operations that never ended; absent where all did.
pub(crate) fn unended_times(unended: &Unended) -> Option<UnendedTimes> {
    let some = |histogram: &Histogram| (!histogram.is_empty()).then(|| histogram.encode());
    Some(UnendedTimes {
        count: unended.count(),
        service: some(&unended.service),
        wait: some(&unended.wait),
        response: some(&unended.response)?,
    })
}
