//! Open loop: every arrival is accounted for.

use assay_nullserver::{Behaviour, fault::Delay};
use serde_json::json;

use super::null::{MS, Null, count, histogram, times};
use crate::drive::{carry_out, succeed};

#[test]
fn the_rate_that_was_asked_for_is_the_rate_that_arrives() {
    let null = Null::quiet();
    for threads in [1, 2] {
        let said = succeed(&null.job(json!({
            "load": {"connections": 16, "arrivals": {"kind": "constant", "rate": 1600.0}},
            "phases": {"warmup": {"kind": "fixed", "duration_ms": 250}, "measure_ms": 1250},
            "engine": {"threads": threads},
        })));
        let result = said.result();
        let pacing = &result["pacing"];
        assert_eq!(count(pacing, "arrivals"), 2000);
        assert_eq!(
            times(result, "response").count(),
            2000,
            "everything scheduled in the window was answered"
        );
        assert_eq!(count(result, "dropped"), 0);
        assert_eq!(result["latency"], "response");
        assert_eq!(histogram(&pacing["lateness"]).count(), count(pacing, "prompt"));
        assert!(count(pacing, "prompt") > 0);

        let measured = said.all("interval").into_iter().filter(|interval| interval["phase"] == "measure");
        let arrivals: Vec<u64> = measured.map(|interval| count(&interval["pacing"], "arrivals")).collect();
        let whole = arrivals.len() - 1;
        assert_eq!(
            arrivals[..whole],
            vec![160; whole],
            "by the instant they were wanted, not by when they came"
        );
    }
}

#[test]
fn an_overloaded_server_is_not_the_end_and_every_drop_has_a_cause() {
    // Two connections serve 200 a second at most; a thousand are wanted.
    let delay = Some(Delay::Constant { ns: 10 * MS });
    let null = Null::start(Behaviour { delay, ..Behaviour::default() });
    let said = succeed(&null.job(json!({
        "load": {"connections": 2, "queue_limit": 50, "arrivals": {"kind": "constant", "rate": 1000.0}},
        "phases": {"warmup": {"kind": "fixed", "duration_ms": 300}, "measure_ms": 1000, "drain_ms": 100},
    })));
    let result = said.result();
    let (full, unserved) =
        (count(&result["drops"], "queue-full"), count(&result["drops"], "unserved-at-end"));
    assert!(full > 500 && unserved > 0, "{}", result["drops"]);
    assert_eq!(count(result, "dropped"), full + unserved);
    let doubt = said.all("doubt").into_iter().find(|doubt| doubt["kind"] == "dropped").expect("a doubt");
    assert!(doubt["message"].as_str().expect("text").contains("of 1,000 arrivals"), "{doubt}");
    // Statements and transactions are counted over the same time: what ended in the window.
    let labels = &result["labels"];
    assert_eq!(count(&labels["transaction"], "count"), count(result, "transactions"));
    assert_eq!(count(&labels["point_select"], "count"), count(result, "queries"));
    let arrivals = count(&result["pacing"], "arrivals");
    assert_eq!(arrivals, 1000);
    assert_eq!(times(result, "response").count() + full, arrivals, "no arrival is unaccounted for");
    let unended = &labels["transaction"]["unended"];
    assert_eq!(count(unended, "count"), unserved + count(result, "abandoned"));
    assert_eq!(histogram(&unended["wait"]).count(), unserved);
    let bounds = histogram(&unended["response"]);
    assert!(bounds.quantile_ns(0.0) >= 100 * MS * 99 / 100, "each was wanted before the drain");
    assert!(count(result, "carried_over") >= 48, "the warm-up left a full queue");
    assert!(said.has_doubt("carried-over"));
    assert!(times(result, "wait").mean_ns() > 100e6, "the queue's time is the user's time");
}

#[test]
fn a_recorded_trace_is_replayed_to_its_end() {
    let null = Null::quiet();
    let path = null.dir.path().join("trace");
    std::fs::write(&path, "# nanoseconds\n0\n50000000\n50000000\n50000000 # three at once\n250000000\n")
        .expect("written");
    let said = succeed(&null.job(json!({
        "load": {"arrivals": {"kind": "trace_file", "path": path}},
        "phases": {"measure_ms": 60_000},
    })));
    let result = said.result();
    assert_eq!(times(result, "response").count(), 5);
    assert_eq!(count(&result["pacing"], "arrivals"), 5);
    let elapsed = result["elapsed_s"].as_f64().expect("a time");
    assert!((0.25..50.0).contains(&elapsed), "{elapsed}: the last arrival is the end");

    std::fs::write(&path, "5\n4\n").expect("written");
    let said = carry_out(&null.job(json!({"load": {"arrivals": {"kind": "trace_file", "path": path}}})));
    assert_eq!(said.exit_code, 2);
    let message = said.one("error")["message"].as_str().expect("a message");
    assert!(message.contains("trace") && message.contains("earlier"), "{message}");
}
