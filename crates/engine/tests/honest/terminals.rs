//! Terminals that share connections: who waits for whom, and for how long.

use assay_nullserver::Behaviour;
use assay_nullserver::fault::{Delay, InjectedError, When};
use serde_json::{Value, json};

use super::null::{MS, Null, both, count, in_a_quiet_moment, near, times, transactions};
use crate::drive::{carry_out, succeed};

fn delayed() -> Null {
    let delay = Some(Delay::Constant { ns: 5 * MS });
    Null::start(Behaviour { delay, ..Behaviour::default() })
}

#[test]
fn terminals_wait_for_a_connection_and_that_is_their_time() {
    let null = delayed();
    in_a_quiet_moment(|| {
        let said = succeed(&null.job(json!({
            "load": {"connections": 4, "terminals": 16},
            // The first round finds connections free.
            "phases": {"warmup": {"kind": "fixed", "duration_ms": 300}, "measure_ms": 1000},
        })));
        let result = said.result();
        assert_eq!(result["latency"], "response");
        assert!(result.get("pacing").is_none(), "there is no schedule");
        assert_eq!((count(&result["connections"], "count"), count(&result["terminals"], "count")), (4, 16));
        let transactions = count(result, "transactions");
        assert_eq!(times(result, "response").count(), transactions);
        // Four are served at once: the other twelve make three rounds.
        let (wait, service) = (times(result, "wait"), times(result, "service"));
        assert!(service.quantile_ns(0.001) >= 5 * MS - 5_000);
        let sum = wait.mean_ns() + service.mean_ns();
        assert!(
            (times(result, "response").mean_ns() / sum - 1.0).abs() < 1e-3,
            "nothing is lost between them"
        );
        // However long the machine takes to serve one: twelve wait wherever four are served.
        near("wait", wait.mean_ns(), 3.0 * service.mean_ns(), 0.05, 0.0)?;
        // First come, first served.
        let served = &result["terminals"];
        if count(served, "max") - count(served, "min") > 2 {
            return Err(format!(
                "one event loop was ahead of the other, or a terminal of its turn: {served}"
            ));
        }
        for kind in ["starved-terminal", "starved-connection", "conservation", "carried-over"] {
            assert!(!said.has_doubt(kind), "{kind}: {:?}", said.all("doubt"));
        }
        if said.has_doubt("littles-law") {
            return Err(format!("waiting is missing from Little's law: {:?}", said.all("doubt")));
        }
        Ok(())
    });
}

#[test]
fn thousands_of_terminals_think_over_a_few_connections() {
    let null = Null::quiet();
    in_a_quiet_moment(|| {
        let said = succeed(&null.job(json!({
            "load": {"connections": 4, "terminals": 3000, "think": {"kind": "exponential", "mean_ms": 3000.0}},
            "phases": {"warmup": {"kind": "fixed", "duration_ms": 300}, "measure_ms": 1500},
            "engine": {"threads": 2},
        })));
        let result = said.result();
        assert_eq!(count(&result["terminals"], "count"), 3000);
        near("transactions", count(result, "transactions") as f64, 1500.0, 0.1, 0.0)?;
        let thought = result["mean_think_ms"].as_f64().expect("a time");
        near("think", thought * 1e6, 3e9, 0.1, 0.0)?;
        near("response", times(result, "response").quantile_ns(0.5) as f64, 0.0, 0.0, 5e6)
    });
}

#[test]
fn a_number_of_transactions_is_kept_and_errors_are_tried_again() {
    in_a_quiet_moment(|| {
        let error = Some(InjectedError { code: 1213, when: When::Every(10) });
        let null = Null::start(Behaviour { error, ..Behaviour::default() });
        let said = succeed(&null.job(json!({
            "load": {"connections": 4, "terminals": 50, "reconnect_each": 7},
            "phases": {"measure_ms": 0, "max_transactions": 400},
        })));
        let result = said.result();
        let injected = null.count("Assay_injected_errors");
        assert_eq!((count(result, "transactions"), count(result, "failed")), (400, 0));
        assert_eq!((count(result, "retries"), null.count("Com_rollback")), (injected, injected));
        assert!(!said.has_doubt("conservation"), "{:?}", said.all("doubt"));
        let served = &result["terminals"];
        if count(served, "max") - count(served, "min") > 1 {
            return Err(format!("others had a whole turn while one was tried again: {served}"));
        }
        Ok(())
    });
}

#[test]
fn no_terminal_is_lost_however_many_wait() {
    let null = Null::quiet();
    let load = json!({"connections": 2, "terminals": 200, "queue_limit": 1});
    let said = succeed(&null.job(both(transactions(4000), json!({"load": load}))));
    let served = &said.result()["terminals"];
    assert_eq!((count(served, "count"), count(said.result(), "dropped")), (200, 0));
    assert!(count(served, "min") > 0, "{served}");
}

#[test]
fn a_terminal_that_thinks_does_not_outlive_the_window() {
    let null = Null::quiet();
    let said = succeed(&null.job(json!({
        "load": {"terminals": 100, "connections": 2, "think": {"kind": "constant", "mean_ms": 3_600_000.0}},
        "phases": {"measure_ms": 100},
    })));
    assert_eq!((count(said.result(), "abandoned"), count(said.result(), "dropped")), (0, 0));
}

#[test]
fn what_does_not_go_together_is_refused() {
    let null = Null::quiet();
    let refuse = |load: Value, part: &str| {
        let said = carry_out(&null.job(both(json!({"load": {"connections": 4}}), json!({"load": load}))));
        assert_eq!(said.exit_code, 2);
        let message = said.one("error")["message"].as_str().expect("a message").to_owned();
        assert!(message.contains(part), "{message}");
    };
    refuse(json!({"terminals": 3}), "load.terminals: 3 terminals use no more than as many connections");
    refuse(
        json!({"terminals": 8, "arrivals": {"kind": "constant", "rate": 1.0}}),
        "load.terminals: cannot be combined with an open loop",
    );
    refuse(json!({"deferred_file": "x.csv"}), "defers no work");
}
