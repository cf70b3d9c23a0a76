//! A server that falls silent never hangs the engine, wherever it does.

use std::os::unix::net::UnixListener;

use assay_nullserver::Behaviour;
use assay_nullserver::fault::When;
use serde_json::json;

use super::null::{Null, both, count, histogram, transactions};
use super::proxy::Proxy;
use crate::drive::{carry_out, finish, start, succeed};

fn hanging() -> Null {
    Null::start(Behaviour { hang: Some(When::After(30)), ..Behaviour::default() })
}

#[test]
fn in_an_operation_that_has_a_limit() {
    let null = hanging();
    // Longer than a busy machine takes for an answer that does come. All connections hang at the same time, each once.
    let limits = json!({"operation_timeout_ms": 1_200, "on_error": {"timeout": "retry"}});
    let changes = json!({"errors": limits, "load": {"connections": 12}, "engine": {"threads": 2}});
    let said = succeed(&null.job(both(transactions(400), changes)));
    let result = said.result();
    let hangs = null.count("Assay_injected_hangs");
    assert!(hangs >= 10, "{hangs}");
    assert_eq!(count(result, "timeouts"), hangs);
    assert_eq!(count(result, "reconnects"), hangs);
    assert_eq!(count(result, "transactions"), 400);
    assert_eq!(result["errors"], json!({}), "a timeout is no server error and no lost connection");
    assert!(said.all("error")[0]["message"].as_str().expect("text").contains("within 1200 ms"));
}

#[test]
fn in_an_operation_that_must_not() {
    let null = hanging();
    let said =
        carry_out(&null.job(both(transactions(400), json!({"errors": {"operation_timeout_ms": 100}}))));
    assert_eq!(said.exit_code, 5);
}

#[test]
fn in_the_drain() {
    // Early enough that each connection hangs within the window, however slow the machine is.
    let null = Null::start(Behaviour { hang: Some(When::After(2)), ..Behaviour::default() });
    let said = succeed(&null.job(json!({"phases": {"measure_ms": 300, "drain_ms": 100}})));
    let result = said.result();
    assert_eq!(count(result, "abandoned"), 4);
    assert!(said.has_doubt("abandoned"));
    assert!(!said.has_doubt("no-transactions"));
}

#[test]
fn what_the_server_never_answers_is_among_the_times_whoever_wanted_it() {
    const DRAIN_MS: u64 = 100;
    // The load; how many never end: in flight, and waiting for a connection to the end.
    let table = [
        (json!({"connections": 4}), 4, 0),
        (json!({"connections": 2, "terminals": 20}), 2, 18),
        (
            json!({"connections": 2, "queue_limit": 64, "arrivals": {"kind": "constant", "rate": 100.0}}),
            2,
            24,
        ),
    ];
    for (load, in_flight, waiting) in table {
        // Each connection hangs at its third statement, within the window on however slow a machine.
        let null = Null::start(Behaviour { hang: Some(When::After(2)), ..Behaviour::default() });
        let said = succeed(&null.job(json!({
            "load": load, "phases": {"measure_ms": 300, "drain_ms": DRAIN_MS}, "engine": {"threads": 1},
        })));
        let result = said.result();
        let whole = &result["labels"]["transaction"];
        let unended = &whole["unended"];
        assert_eq!(count(result, "abandoned"), in_flight, "{load}");
        assert_eq!(count(unended, "count"), in_flight + waiting, "{load}");
        let bounds = histogram(&unended["response"]);
        assert!(bounds.quantile_ns(0.0) >= DRAIN_MS * 990_000, "{load}: {}", bounds.quantile_ns(0.0));
        // The histogram of the label has all of them.
        let all = whole.get("response").unwrap_or(&whole["service"]);
        assert_eq!(histogram(all).count(), count(whole, "count") + in_flight + waiting, "{load}");
        assert!(histogram(all).quantile_ns(0.99) >= DRAIN_MS * 990_000, "{load}");
    }
}

#[test]
fn from_the_first_operation_on() {
    let null = Null::start(Behaviour { hang: Some(When::After(0)), ..Behaviour::default() });
    let said = succeed(&null.job(json!({"phases": {"measure_ms": 200, "drain_ms": 100}})));
    assert_eq!(count(said.result(), "transactions"), 0);
    assert!(said.has_doubt("no-transactions"));
}

#[test]
fn a_signal_while_a_question_waits_is_an_interrupt() {
    const QUERY: u8 = 0x03;
    let null = Null::quiet();
    let proxy = Proxy::before(&null, Some(QUERY));
    let child = start(&null.job(json!({"target": {"socket": proxy.socket(), "connect_timeout_ms": 60_000}})));
    while null.count("Connections") < 1 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    std::thread::sleep(std::time::Duration::from_millis(200));
    // SAFETY: the child is ours and has not been waited for.
    unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
    let said = finish(child);
    assert_eq!(said.exit_code, 130, "{:#?}", said.events);
    assert!(said.all("error").is_empty(), "an interrupt is no error");
}

#[test]
fn a_limit_beyond_all_clocks_is_no_limit() {
    let null = Null::quiet();
    let said = carry_out(&null.job(json!({
        "target": {"connect_timeout_ms": u64::MAX},
        "phases": {"measure_ms": 200, "drain_ms": u64::MAX},
        "errors": {"operation_timeout_ms": u64::MAX},
    })));
    assert_eq!(said.exit_code, 0, "{:#?}", said.events);
}

#[test]
fn where_nobody_listens() {
    let null = Null::quiet();
    let path = null.dir.path().join("gone.sock");
    let said = carry_out(&null.job(json!({"target": {"socket": path}})));
    assert_eq!(said.exit_code, 3);
    let expected = format!("cannot connect to {}: no such file or directory", path.display());
    assert_eq!(said.one("error")["message"], expected);
}

#[test]
fn at_the_login() {
    let null = Null::quiet();
    let path = null.dir.path().join("silent.sock");
    let _listener = UnixListener::bind(&path).expect("a socket");
    let said = carry_out(&null.job(json!({"target": {"socket": path, "connect_timeout_ms": 200}})));
    assert_eq!(said.exit_code, 3);
    assert!(said.one("error")["message"].as_str().expect("text").contains("no login within 200 ms"));
}

#[test]
fn while_statements_are_prepared_and_questions_asked() {
    const QUERY: u8 = 0x03;
    const PREPARE: u8 = 0x16;
    for (command, words) in [(PREPARE, "did not prepare"), (QUERY, "did not answer")] {
        let null = Null::quiet();
        let proxy = Proxy::before(&null, Some(command));
        let target = json!({"socket": proxy.socket(), "connect_timeout_ms": 1_500});
        let said = carry_out(&null.job(json!({"target": target})));
        assert_eq!(said.exit_code, 5, "{:#?}", said.events);
        assert!(said.one("error")["message"].as_str().expect("text").contains(words));
    }
}
