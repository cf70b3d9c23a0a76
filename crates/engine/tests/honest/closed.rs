//! Closed loop: think time belongs to nobody's latency, and time is conserved.

use assay_nullserver::{Behaviour, fault::Delay};
use serde_json::json;

use super::canary::Canary;
use super::null::{MS, Null, count, in_a_quiet_moment, near, times};
use crate::drive::{carry_out, succeed};

#[test]
fn thinking_is_no_service() {
    let delay = Some(Delay::Constant { ns: 5 * MS });
    let null = Null::start(Behaviour { delay, ..Behaviour::default() });
    for kind in ["constant", "exponential"] {
        in_a_quiet_moment(|| {
            let canary = Canary::start();
            let said = succeed(&null.job(json!({
                "load": {"connections": 8, "think": {"kind": kind, "mean_ms": 15.0}},
                "phases": {"measure_ms": 1000},
            })));
            let late = canary.end();
            let result = said.result();
            assert_eq!(result["latency"], "service");
            assert!(result.get("pacing").is_none());
            assert!(count(result, "transactions") > 0);
            let service = times(result, "service");
            assert!(service.quantile_ns(0.001) >= 5 * MS - 5_000, "{}", service.quantile_ns(0.001));
            near("service", service.quantile_ns(0.5) as f64, 5e6, 0.02, 2e6 + 2.0 * late.quantile_ns(0.5))?;
            let thought = result["mean_think_ms"].as_f64().expect("a time");
            near("think", thought * 1e6, 15e6, 0.2, 2e6 + 2.0 * late.mean_ns())?;
            if said.has_doubt("littles-law") {
                return Err("think time is missing from Little's law".into());
            }
            Ok(())
        });
    }
}

#[test]
fn a_schedule_and_think_time_exclude_each_other() {
    let null = Null::quiet();
    let arrivals = json!({"kind": "constant", "rate": 1.0});
    let cases = [
        json!({"think": {"kind": "constant", "mean_ms": 1.0}, "arrivals": arrivals}),
        json!({"think": {"kind": "exponential", "mean_ms": 0.0}}),
    ];
    for load in cases {
        let said = carry_out(&null.job(json!({"load": load})));
        assert_eq!(said.exit_code, 2);
        assert!(said.one("error")["message"].as_str().expect("a message").contains("load.think"));
    }
}

#[test]
fn a_long_thought_does_not_outlive_the_window() {
    let null = Null::quiet();
    let said = succeed(&null.job(json!({
        "load": {"think": {"kind": "constant", "mean_ms": 3_600_000.0}},
        "phases": {"measure_ms": 100},
    })));
    assert_eq!(said.result()["abandoned"], 0, "who thinks has nothing in flight");
}

#[test]
fn every_connection_is_opened_anew_as_often_as_asked() {
    let null = Null::quiet();
    // Long enough that a moment in which the machine does something else is a small share of it; of one event loop,
    // whose connections end together: of two, one may have done its share of the transactions long before the other.
    let job = null.job(json!({
        "load": {"connections": 4, "reconnect_each": 5},
        "phases": {"measure_ms": 0, "max_transactions": 20_000},
        "engine": {"threads": 1},
    }));
    in_a_quiet_moment(|| {
        let said = succeed(&job);
        let result = said.result();
        assert_eq!(count(result, "transactions"), 20_000);
        let connects = result["labels"]["connect"]["count"].as_u64().expect("a count");
        // 4000 if the four share evenly; each may have begun a five that it did not end.
        assert!((3996..=4000).contains(&connects), "{connects}");
        assert_eq!(count(result, "reconnects"), 0, "nothing was lost");
        assert!(!said.has_doubt("conservation"), "{:?}", said.all("doubt"));
        if said.has_doubt("littles-law") {
            return Err(format!("connecting is missing from Little's law: {:?}", said.all("doubt")));
        }
        Ok(())
    });
}
