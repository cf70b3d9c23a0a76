//! A run as one JSON object: what sysbench's text says, errors by code, and every statement's times.

use assay_format::job::Job;
use assay_tally::Histogram;
use serde_json::{Map, Value, json};

use crate::bench::reporter::Reporter;
use crate::bench::text::per_s;
use crate::bench::totals::{WHOLE, times_of};

/// Names and shares of percentiles.
const SHARES: &[(&str, f64)] =
    &[("p50", 0.5), ("p75", 0.75), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99), ("p99_9", 0.999)];

/// The object as text, with a line end; empty where nothing was measured.
pub(super) fn summary(job: &Job, reporter: &Reporter) -> String {
    let Some(result) = &reporter.result else { return String::new() };
    let (counted, seconds) = (&reporter.whole.counted, reporter.whole.seconds());
    let (counts, name) = (&result.tallied.counts, &job.workload.name);
    let labels: Map<String, Value> = result
        .tallied
        .labels
        .iter()
        .filter(|(label, times)| times.count > 0 || *label == WHOLE)
        .map(|(label, times)| (label.clone(), times_ms(times.count, times_of(times).as_ref())))
        .collect();
    let told = json!({
        "script": name.strip_prefix("lua:").unwrap_or(name),
        "options": job.workload.options,
        "seed": job.seed,
        "threads": job.load.connections,
        "elapsed_s": seconds,
        "complete": result.window.complete,
        "events": counted.events,
        "events_per_s": per_s(counted.events, seconds),
        "queries": {"read": counted.reads, "write": counted.writes, "other": counted.other},
        "queries_per_s": per_s(counted.queries(), seconds),
        "errors": counts.errors,
        "error_count": counts.errors.values().sum::<u64>(),
        "reconnects": counted.reconnects,
        "restarts": counts.retries,
        "latency_is": result.window.latency,
        "labels": labels,
        "abandoned": result.window.abandoned,
        "unserved": counts.dropped,
        "doubts": reporter.doubts,
    });
    serde_json::to_string_pretty(&told).expect("plain data") + "\n"
}

fn times_ms(count: u64, times: Option<&Histogram>) -> Value {
    let mut told = Map::from_iter([("count".to_owned(), Value::from(count))]);
    if let Some(times) = times.filter(|times| !times.is_empty()) {
        let ms = |ns: u64| Value::from(ns as f64 / 1e6);
        told.insert("min_ms".into(), ms(times.quantile_ns(0.0)));
        told.insert("mean_ms".into(), Value::from(times.mean_ns() / 1e6));
        told.insert("max_ms".into(), ms(times.max_ns()));
        told.extend(SHARES.iter().map(|(name, share)| ((*name).to_owned(), ms(times.quantile_ns(*share)))));
    }
    Value::Object(told)
}
