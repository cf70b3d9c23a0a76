//! What a terminal still sends when the load is over (here the rows that `bulk_insert` has gathered) follows the job's
//! policy like any statement.

use assay_nullserver::Behaviour;
use assay_nullserver::fault::{InjectedError, When};
use serde_json::{Value, json};

use super::null::{Null, both, count, transactions};
use crate::drive::{Said, carry_out};

/// Two connections and five terminals, whose only statements are their last ones.
fn gathered(behaviour: Behaviour, errors: Value) -> (Said, Null) {
    let null = Null::start(behaviour);
    let changes = json!({
        "load": {"connections": 2, "terminals": 5},
        "errors": errors,
    });
    let mut job = null.job(both(transactions(10), changes));
    job["workload"] = json!({"name": "bulk_insert"});
    let said = carry_out(&job);
    (said, null)
}

fn failing(code: u16, when: When) -> Behaviour {
    Behaviour { error: Some(InjectedError { code, when }), ..Behaviour::default() }
}

/// Over all intervals: the window is over when terminals say goodbye.
fn sum(said: &Said, counter: &str) -> u64 {
    said.all("interval").into_iter().map(|interval| count(interval, counter)).sum()
}

#[test]
fn a_deadlock_at_the_end_is_tried_again() {
    let (said, _null) = gathered(failing(1213, When::Every(3)), json!({}));
    assert_eq!(said.exit_code, 0, "{:#?}", said.events);
    assert_eq!(said.one("result")["complete"], true);
    assert!(sum(&said, "retries") > 0);
    assert_eq!(sum(&said, "failed"), 0);
}

#[test]
fn errors_at_the_end_that_are_to_be_counted_are() {
    for (behaviour, errors) in [
        (failing(1062, When::After(0)), json!({"on_error": {"1062": "count"}})),
        (
            Behaviour { reset: Some(When::After(0)), ..Behaviour::default() },
            json!({"on_error": {"lost": "count"}}),
        ),
        (
            Behaviour { hang: Some(When::After(0)), ..Behaviour::default() },
            json!({"operation_timeout_ms": 100, "on_error": {"timeout": "count"}}),
        ),
    ] {
        let (said, _null) = gathered(behaviour, errors);
        assert_eq!(said.exit_code, 0, "{:#?}", said.events);
        assert_eq!(said.one("result")["complete"], true);
        assert_eq!(sum(&said, "failed"), 5, "one of each terminal");
    }
}

#[test]
fn an_error_at_the_end_that_stops_the_run_stops_it() {
    let (said, _null) = gathered(failing(1062, When::After(0)), json!({}));
    assert_eq!(said.exit_code, 4);
    assert_eq!(said.one("result")["complete"], false);
}
