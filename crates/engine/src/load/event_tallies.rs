//! Tallies of a load on a server in the form of events: by the names of its workload.

use std::collections::BTreeMap;

use assay_format::event::{Counts, KindTally, Tallied};
use assay_tally::{Histogram, KindCounts, LabelRecorder, Recorder};
use assay_workload::READS_COUNTERS;

use crate::load::names::Names;
use crate::say::tallied::{counts, label_times, labels, pacing, reading};

/// The counters of a recorder, the workload's own among them.
fn all_counts(names: &Names, recorder: &Recorder) -> Counts {
    let own = names.counters.iter().zip(&recorder.counters);
    let counters = own.map(|(name, count)| (name.to_string(), *count)).collect();
    Counts { counters, ..counts(&recorder.counts) }
}

/// The tally of an event: everything that a recorder holds. How a schedule was kept is told where there is one alone.
pub(crate) fn tallied(names: &Names, recorder: &Recorder, scheduled: bool) -> Tallied {
    Tallied {
        counts: all_counts(names, recorder),
        labels: labels(names.labels(), recorder),
        kinds: kinds(names, recorder),
        pacing: scheduled.then(|| pacing(recorder)).flatten(),
        reading: reading(recorder),
        io_bytes: None,
    }
}

/// The tally of each kind of transaction, by its name.
fn kinds(names: &Names, recorder: &Recorder) -> BTreeMap<String, KindTally> {
    let times = &recorder.labels[names.first_kind()..];
    let kinds = names.kinds.iter().zip(&recorder.kinds).zip(times).enumerate();
    let kind = |number: usize, counts: &KindCounts, label: &LabelRecorder| KindTally {
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
    kinds.map(|(number, ((name, counts), label))| (name.to_string(), kind(number, counts, label))).collect()
}

/// Reads that found no row, and all of them, where the workload counts them.
pub(crate) fn reads_of(counters: &BTreeMap<String, u64>) -> Option<(u64, u64)> {
    let [reads, misses] = READS_COUNTERS;
    Some((*counters.get(misses)?, *counters.get(reads)?))
}
