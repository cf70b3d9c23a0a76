//! run: what is sent, counted and timed.

use assay_tally::Histogram;
use serde_json::{Value, json};

use super::engine::{database, job, number};
use crate::drive::succeed;
use crate::support::{Server, server};

fn prepared(server: &Server, name: &str) {
    database(server, name);
    succeed(&job(server, name, "prepare", json!({})));
}

fn count(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap_or_else(|| panic!("{key} in {value}"))
}

#[test]
fn twenty_statements_a_transaction_prepared_or_not() {
    let server = server();
    prepared(&server, "counted");
    for (seed, ps_mode) in [(1, "auto"), (2, "disable")] {
        let changes = json!({
            // Of its own: with the same seed the second run writes the values that are there, and changes nothing.
            "seed": seed,
            "target": {"ps_mode": ps_mode},
            "phases": {"measure_ms": 0, "max_transactions": 60},
            // Alone, so that no transaction is tried twice.
            "load": {"connections": 1},
        });
        let said = succeed(&job(&server, "counted", "run", changes));
        let result = said.one("result");
        assert_eq!(count(result, "transactions"), 60);
        assert_eq!(count(result, "reads"), 14 * 60);
        assert_eq!(count(result, "writes"), 4 * 60, "{ps_mode}");
        assert_eq!(count(result, "other"), 2 * 60);
        assert_eq!(count(result, "sent_statements"), 20 * 60);
        // Other tests use this server meanwhile.
        assert!(count(result, "server_questions") >= 20 * 60);
        assert_eq!(result["labels"]["point_select"]["count"], 10 * 60);
        assert_eq!(result["labels"]["commit"]["count"], 60);
    }
}

#[test]
fn intervals_add_up_to_the_result_and_the_warm_up_is_apart() {
    let server = server();
    prepared(&server, "added_up");
    let changes =
        json!({"phases": {"warmup": {"kind": "fixed", "duration_ms": 250}}, "engine": {"threads": 2}});
    let said = succeed(&job(&server, "added_up", "run", changes));
    let result = said.one("result");
    let intervals = said.all("interval");
    let of = |phase: &str| intervals.iter().filter(|line| line["phase"] == phase).collect::<Vec<_>>();

    let (warmup, measure) = (of("warmup"), of("measure"));
    assert_eq!((warmup.len(), measure.len()), (3, 4));
    for key in ["transactions", "queries", "reads", "writes", "other"] {
        let sum: u64 = measure.iter().map(|line| count(line, key)).sum();
        assert_eq!(sum, count(result, key), "{key}");
    }
    let before: u64 = warmup.iter().map(|line| count(line, "transactions")).sum();
    assert!(before > 0);
    assert_eq!(count(&result["warmup"], "transactions"), before);

    for pair in intervals.windows(2) {
        assert_eq!(pair[0]["end_ns"], pair[1]["start_ns"], "no gap on the time line");
    }
    let mut merged = Histogram::default();
    // An interval in which no transaction has ended has none of their latencies.
    for text in measure.iter().filter_map(|line| line["labels"]["transaction"]["service"].as_str()) {
        merged.merge(&Histogram::decode(text).expect("an HDR histogram"));
    }
    let text = result["labels"]["transaction"]["service"].as_str().expect("a histogram");
    let whole = Histogram::decode(text).expect("an HDR histogram");
    assert_eq!(merged.count(), count(result, "transactions"));
    assert_eq!(merged.quantile_ns(0.95), whole.quantile_ns(0.95));
}

#[test]
fn every_connection_works_even_when_there_are_many_more_than_threads() {
    let server = server();
    prepared(&server, "crowded");
    let changes = json!({
        "workload": {"name": "oltp_point_select"},
        "load": {"connections": 120},
        "engine": {"threads": 2},
    });
    let said = succeed(&job(&server, "crowded", "run", changes));
    let connections = &said.one("result")["connections"];
    assert_eq!(connections["count"], 120);
    assert!(count(connections, "min") > 0);
}

#[test]
fn deadlocks_are_tried_again_and_counted_apart() {
    let server = server();
    database(&server, "deadlocked");
    let options = json!({"tables": 1, "table_size": 12, "rand_type": "uniform"});
    let workload = json!({"workload": {"name": "oltp_write_only", "options": options}});
    succeed(&job(&server, "deadlocked", "prepare", workload.clone()));
    let mut run = job(&server, "deadlocked", "run", workload);
    run["load"]["connections"] = json!(24);
    run["phases"]["measure_ms"] = json!(1000);
    let said = succeed(&run);
    let result = said.one("result");
    let deadlocks = result["errors"]["1213"].as_u64().unwrap_or(0);
    assert!(deadlocks > 0, "24 writers on 12 rows meet: {:?}", result["errors"]);
    assert!(count(result, "retries") > 0);
    assert_eq!(count(result, "failed"), 0);
    assert_eq!(number(&server, "SELECT COUNT(*) FROM deadlocked.sbtest1"), 12, "no half transaction stays");
}

#[test]
fn an_open_loop_keeps_its_schedule_and_all_three_times() {
    let server = server();
    prepared(&server, "open");
    let changes = json!({
        "workload": {"name": "oltp_point_select"},
        "load": {"connections": 8, "arrivals": {"kind": "constant", "rate": 500.0}},
        "phases": {"measure_ms": 1000},
    });
    let said = succeed(&job(&server, "open", "run", changes));
    let result = said.one("result");
    let transaction = &result["labels"]["transaction"];
    let ended = count(transaction, "count") + count(result, "drained");
    assert_eq!(ended, 500, "whatever the window wanted ended in it or in the drain");
    let decode =
        |key: &str| Histogram::decode(transaction[key].as_str().expect(key)).expect("an HDR histogram");
    let (wait, service, response) = (decode("wait"), decode("service"), decode("response"));
    assert_eq!((wait.count(), response.count()), (500, 500), "and is in the window's histograms");
    assert!(response.mean_ns() >= service.mean_ns());
    let sum = wait.mean_ns() + service.mean_ns();
    assert!((response.mean_ns() - sum).abs() <= sum * 0.002, "response = wait + service");
}

#[test]
fn all_twelve_workloads_run() {
    let server = server();
    let workloads = [
        "oltp_read_only",
        "oltp_read_write",
        "oltp_write_only",
        "oltp_point_select",
        "oltp_update_index",
        "oltp_update_non_index",
        "oltp_insert",
        "oltp_delete",
        "bulk_insert",
        "select_random_points",
        "select_random_ranges",
        "select",
    ];
    for name in workloads {
        let options = match name {
            "bulk_insert" => json!({"tables": 2}),
            "select_random_points" | "select_random_ranges" => json!({"tables": 1, "table_size": 500}),
            _ => json!({"tables": 2, "table_size": 500}),
        };
        let database_name = format!("each_{name}");
        database(&server, &database_name);
        let mut work = job(&server, &database_name, "prepare", json!({"load": {"connections": 2}}));
        work["workload"] = json!({"name": name, "options": options});
        succeed(&work);
        work["action"] = json!("run");
        work["phases"] = json!({"measure_ms": 0, "max_transactions": 40});
        let said = succeed(&work);
        let result = said.one("result");
        assert_eq!(count(result, "transactions"), 40, "{name}");
        assert_eq!(count(result, "failed"), 0, "{name}");
    }
}
