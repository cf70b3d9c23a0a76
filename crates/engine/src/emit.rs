//! The only place that prints: event lines on standard output, each flushed whole.

use std::collections::BTreeMap;
use std::io::Write;

use assay_tally::{Counts as Tallied, LabelRecorder, Recorder};

use crate::event::{Counts, Event, LabelTimes, Pacing};

/// Writes one event line. A reader that has gone away ends the process quietly: nobody is listening.
#[expect(clippy::exit, reason = "without its reader the engine has no purpose")]
pub fn emit(event: &Event) {
    let mut line = serde_json::to_vec(event).expect("events are plain data");
    line.push(b'\n');
    let mut output = std::io::stdout().lock();
    if output.write_all(&line).and_then(|()| output.flush()).is_err() {
        std::process::exit(6);
    }
}

/// The counters of a tally as the event has them.
pub fn counts(tallied: &Tallied) -> Counts {
    Counts {
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

/// How the schedule was kept; absent in a closed loop.
pub fn pacing(recorder: &Recorder) -> Option<Pacing> {
    recorder.lateness.as_ref().map(|lateness| Pacing {
        arrivals: recorder.counts.arrivals,
        prompt: lateness.count(),
        lateness: lateness.encode(),
    })
}

/// The histograms of a recorder under their names; labels that saw nothing are left out.
pub fn labels(names: &[String], recorder: &Recorder) -> BTreeMap<String, LabelTimes> {
    let named = names.iter().zip(&recorder.labels);
    named
        .filter(|(_, label)| !label.service.is_empty())
        .map(|(name, label)| (name.clone(), label_times(label)))
        .collect()
}

fn label_times(label: &LabelRecorder) -> LabelTimes {
    let (wait, response) = match &label.open {
        Some(open) => (Some(open.0.encode()), Some(open.1.encode())),
        None => (None, None),
    };
    LabelTimes { count: label.service.count(), service: label.service.encode(), wait, response }
}
