//! What is said as events: one line each, and the tallies in their form.

use std::collections::BTreeMap;

use assay_tally::{Counts as Tallied, Histogram, KindCounts, LabelRecorder, Recorder};

use crate::event::{Counts, ErrorEvent, Event, Kind, LabelTimes, Pacing};
use crate::load::names::Names;
use crate::say::counted::counted;
use crate::say::doubts::doubt;
use crate::say::output;

/// Says one event. It is written later, by a thread of its own: a reader that is slow misses intervals and progress, and
/// the doubt `events-left-out` says how many.
pub fn emit(event: &Event) {
    let line = line_of(event);
    match event {
        Event::Interval(_) | Event::Progress(_) | Event::Error(ErrorEvent { fatal: false, .. }) => {
            output::offer(line);
        }
        _ => output::push(line, left_out),
    }
}

fn line_of(event: &Event) -> Vec<u8> {
    let mut line = serde_json::to_vec(event).expect("events are plain data");
    line.push(b'\n');
    line
}

fn left_out(count: u64) -> Vec<u8> {
    let message = format!(
        "{} left out (intervals, progress): the reader was too slow; the result has everything",
        counted(count, "event")
    );
    line_of(&Event::Doubt(doubt("events-left-out", message, count as f64, 0.0)))
}

/// The counters of a tally as the event has them.
pub fn counts(tallied: &Tallied) -> Counts {
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

/// How the schedule was kept.
pub fn pacing(recorder: &Recorder) -> Option<Pacing> {
    recorder.lateness.as_ref().map(|lateness| Pacing {
        arrivals: recorder.counts.arrivals,
        prompt: lateness.count(),
        lateness: lateness.encode(),
    })
}

/// The counters of a recorder, the workload's own among them.
pub fn all_counts(names: &Names, recorder: &Recorder) -> Counts {
    let own = names.counters.iter().zip(&recorder.counters);
    let counters = own.map(|(name, count)| ((*name).to_owned(), *count)).collect();
    Counts { counters, ..counts(&recorder.counts) }
}

/// The histograms of a recorder under their names; labels that saw nothing are left out.
pub fn labels(
    names: impl Iterator<Item = (&'static str, usize)>,
    recorder: &Recorder,
) -> BTreeMap<String, LabelTimes> {
    let named = names.map(|(name, number)| (name, &recorder.labels[number]));
    named
        .filter(|(_, label)| !label.service.is_empty())
        .map(|(name, label)| (name.to_owned(), label_times(label)))
        .collect()
}

/// What became of each kind of transaction.
pub fn kinds(names: &Names, recorder: &Recorder) -> BTreeMap<String, Kind> {
    let times = &recorder.labels[names.first_kind()..];
    let kinds = names.kinds.iter().zip(&recorder.kinds).zip(times).enumerate();
    let kind = |number: usize, counts: &KindCounts, label: &LabelRecorder| Kind {
        times: (!label.service.is_empty()).then(|| label_times(label)),
        inside: counts.inside,
        retries: counts.retries,
        failed: counts.failed,
        timeouts: counts.timeouts,
        retry_ns: counts.retry_ns,
        failed_ns: counts.failed_ns,
        think: recorder.thinks.get(number).filter(|think| !think.is_empty()).map(Histogram::encode),
        errors: counts.errors.clone(),
    };
    kinds.map(|(number, ((name, counts), label))| ((*name).to_owned(), kind(number, counts, label))).collect()
}

fn label_times(label: &LabelRecorder) -> LabelTimes {
    let (wait, response) = match &label.open {
        Some(open) => (Some(open.0.encode()), Some(open.1.encode())),
        None => (None, None),
    };
    LabelTimes { count: label.service.count(), service: label.service.encode(), wait, response }
}
