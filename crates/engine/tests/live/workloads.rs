//! YCSB, TATP and SmallBank: their tables are the same however they are loaded, a load leaves them consistent, what breaks
//! them is found.

use std::sync::atomic::{AtomicU32, Ordering};

use assay_wire::block_on;
use rstest::rstest;
use serde_json::{Value, json};

use super::engine::{database, job, number};
use crate::drive::{Said, carry_out};
use crate::support::{Server, server};

fn carry(server: &Server, workload: &str, name: &str, action: &str, options: Value, changes: Value) -> Said {
    let mut job = job(server, name, action, changes);
    job["workload"] = json!({"name": workload, "options": options});
    carry_out(&job)
}

fn done(said: &Said) -> &Said {
    assert_eq!(said.exit_code, 0, "{:#?}", said.events);
    said
}

/// Carries a statement out in a database.
fn run(server: &Server, name: &str, sql: &str) {
    let mut connection = server.connect(&server.root());
    for sql in [&format!("USE {name}"), sql] {
        block_on(connection.run(sql)).expect(sql);
    }
}

const NONE: fn() -> Value = || json!({});

#[rstest]
#[case("ycsb", json!({"recordcount": 2_500, "workload": "d", "insertproportion": 0.3}), &["usertable"], &["DELETE FROM assay_ycsb"])]
#[case("ycsb", json!({"recordcount": 2_500, "insertorder": "ordered", "zeropadding": 8, "workload": "e"}), &["usertable"],
    &["DELETE FROM usertable WHERE YCSB_KEY BETWEEN 'user00001000' AND 'user00001999'", "DELETE FROM assay_ycsb"])]
#[case("tatp", json!({"subscribers": 2_500}), &["subscriber", "access_info", "special_facility", "call_forwarding"],
    &["DELETE FROM call_forwarding WHERE s_id BETWEEN 1001 AND 2000", "DELETE FROM access_info WHERE s_id > 2000",
      "DELETE FROM access_info WHERE s_id <= 1000"])]
#[case("smallbank", json!({"accounts": 2_500, "ledger": "on"}), &["accounts", "savings", "checking", "ledger"],
    &["DELETE FROM savings WHERE custid > 2000", "DELETE FROM accounts WHERE custid <= 1000", "DELETE FROM ledger",
      "DELETE FROM assay_smallbank"])]
fn tables_are_the_same_however_they_are_loaded_and_whole_after_a_run(
    #[case] workload: &str,
    #[case] options: Value,
    #[case] tables: &[&str],
    #[case] broken_off: &[&str],
    #[values("auto", "disable")] ps_mode: &str,
) {
    let server = server();
    let order = options.get("insertorder").and_then(Value::as_str).unwrap_or_default();
    let [text, files] = ["text", "files"].map(|way| format!("{workload}{order}_{way}_{ps_mode}"));
    let sums = |name: &str| -> Vec<i64> {
        tables.iter().map(|table| number(&server, &format!("CHECKSUM TABLE {name}.{table}"))).collect()
    };
    for (name, loaders, load_as) in [(&text, 1, "insert"), (&files, 5, "auto")] {
        database(&server, name);
        let engine = json!({"engine": {"loaders": loaders, "load_as": load_as}});
        done(&carry(&server, workload, name, "prepare", options.clone(), engine));
    }
    assert_eq!(sums(&text), sums(&files));

    // What a load that was broken off would not have, put there by the next one.
    for sql in broken_off {
        run(&server, &files, sql);
    }
    let resume = json!({"engine": {"resume": true}});
    done(&carry(&server, workload, &files, "prepare", options.clone(), resume));
    assert_eq!(sums(&text), sums(&files));

    let changes = json!({
        "target": {"ps_mode": ps_mode}, "load": {"connections": 8},
        "phases": {"measure_ms": 0, "max_transactions": 2_000},
    });
    let first = carry(&server, workload, &files, "run", options.clone(), changes.clone());
    let counters = &done(&first).one("result")["counters"];
    assert!(
        counters.as_object().is_some_and(|counters| counters.values().any(|count| *count != 0)),
        "{counters}"
    );
    // A second run goes on with the tables as the first has left them.
    let mut again = changes;
    again["seed"] = json!(8);
    let second = carry(&server, workload, &files, "run", options.clone(), again);
    assert_eq!(done(&second).one("result")["errors"], json!({}));
    done(&carry(&server, workload, &files, "check", options.clone(), NONE()));
    done(&carry(&server, workload, &files, "cleanup", options, NONE()));
    assert_eq!(
        number(
            &server,
            &format!("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = '{files}'")
        ),
        0
    );
}

/// What `check` says is broken, with the places.
fn broken(server: &Server, workload: &str, name: &str, options: Value) -> String {
    let said = carry(server, workload, name, "check", options, NONE());
    let found = said.all("check").into_iter().filter(|check| check["violations"] != 0);
    found.map(|check| format!("{}: {}", check["name"], check["places"])).collect::<Vec<_>>().join("; ")
}

/// Everything to twenty customers, so that transactions meet.
fn hot(isolation: &str, read_locks: &str) -> Value {
    json!({
        "accounts": 2_000, "hotspot_size": 20, "hotspot_probability": 100, "ledger": "on",
        "isolation": isolation, "read_locks": read_locks, "send_payment": 20, "min_balance": 0, "max_balance": 100,
    })
}

#[rstest]
fn no_money_is_lost_where_connections_meet(
    #[values("read-committed", "repeatable-read", "serializable")] isolation: &str,
) {
    let server = server();
    let name = format!("bank_{}", isolation.replace('-', "_"));
    database(&server, &name);
    let options = hot(isolation, "on");
    done(&carry(&server, "smallbank", &name, "prepare", options.clone(), NONE()));
    let load = json!({"load": {"connections": 32}, "phases": {"measure_ms": 1500}});
    let said = carry(&server, "smallbank", &name, "run", options.clone(), load);
    assert!(done(&said).one("result")["counters"]["overdrawn"].as_u64() > Some(0));
    assert_eq!(broken(&server, "smallbank", &name, options.clone()), "");

    run(&server, &name, "UPDATE checking SET bal = bal + 0.01 WHERE custid = 7");
    let found = broken(&server, "smallbank", &name, options);
    assert!(found.starts_with("\"money-conserved\"") && found.contains("too_much = 0.01"), "{found}");
}

#[test]
fn money_that_a_plain_read_loses_is_missed() {
    let server = server();
    database(&server, "bank_plain");
    // A server that does not know the variable has no such rule either.
    let _ = block_on(server.connect(&server.root()).run("SET GLOBAL innodb_snapshot_isolation = 0"));
    let options = hot("repeatable-read", "off");
    done(&carry(&server, "smallbank", "bank_plain", "prepare", options.clone(), NONE()));
    let load = json!({"load": {"connections": 32}, "phases": {"measure_ms": 3000}});
    done(&carry(&server, "smallbank", "bank_plain", "run", options.clone(), load));
    let found = broken(&server, "smallbank", "bank_plain", options);
    assert!(found.contains("\"money-conserved\""), "{found}");
}

#[rstest]
#[case("ycsb", json!({"recordcount": 1_000}), "UPDATE usertable SET FIELD3 = NULL WHERE YCSB_KEY = 'user6284781860667377211'",
    "\"fields-filled\": [\"YCSB_KEY = user6284781860667377211\"]")]
#[case("ycsb", json!({"recordcount": 1_000}), "DELETE FROM usertable WHERE YCSB_KEY = 'user6284781860667377211'",
    "\"records-filled\": [\"found = 999\"]")]
#[case("tatp", json!({"subscribers": 1_000}), "UPDATE subscriber SET sub_nbr = '000000000001234' WHERE s_id = 234",
    "\"numbers-filled\": [\"s_id = 234, sub_nbr = 000000000001234\"]")]
#[case("tatp", json!({"subscribers": 1_000}), "UPDATE call_forwarding SET start_time = 3 WHERE s_id < 9 LIMIT 1",
    "\"forwardings-belong\"")]
#[case("tatp", json!({"subscribers": 1_000}), "DELETE FROM access_info WHERE s_id = 500", "\"access-infos-filled\": [\"s_id = 500, n = 0\"]")]
#[case("tatp", json!({"subscribers": 1_000, "foreign_keys": "off"}), "DELETE FROM subscriber WHERE s_id = 1000",
    "\"subscribers-filled\": [\"n = 999, first = 1, last = 999, asked = 1000\"]")]
#[case("smallbank", json!({}), "DELETE FROM savings WHERE custid = 77", "\"accounts-filled\": [\"custid = 77, savings = NULL, checking = 77\"]")]
#[case("smallbank", json!({}), "UPDATE savings SET bal = -0.01 WHERE custid = 77", "\"savings-covered\": [\"custid = 77, bal = -0.01\"]")]
fn what_is_planted_is_named(
    #[case] workload: &str,
    #[case] options: Value,
    #[case] sql: &str,
    #[case] expected: &str,
) {
    // Tests run side by side.
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let server = server();
    let name = format!("planted_{workload}_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
    database(&server, &name);
    done(&carry(&server, workload, &name, "prepare", options.clone(), NONE()));
    run(&server, &name, sql);
    let found = broken(&server, workload, &name, options);
    assert!(found.starts_with(expected), "{found}");
}

#[test]
fn the_shares_of_what_finds_nothing_are_those_of_the_description() {
    let server = server();
    database(&server, "tatp_shares");
    let options = json!({"subscribers": 5_000, "update_subscriber_data": 20, "insert_call_forwarding": 20,
        "delete_call_forwarding": 20, "get_new_destination": 35});
    done(&carry(&server, "tatp", "tatp_shares", "prepare", options.clone(), NONE()));
    let load = json!({"load": {"connections": 8}, "phases": {"measure_ms": 2000}});
    let said = carry(&server, "tatp", "tatp_shares", "run", options, load);
    let result = done(&said).one("result");
    let count = |of: &Value| of.as_u64().expect("a count") as f64;
    let total: f64 =
        result["kinds"].as_object().expect("kinds").values().map(|kind| count(&kind["times"]["count"])).sum();
    for (kind, counter, found) in [
        ("get_new_destination", "destinations_missing", 0.148),
        ("get_access_data", "access_infos_missing", 0.625),
        ("update_subscriber_data", "facilities_missing", 0.625),
        ("insert_call_forwarding", "forwardings_refused", 0.3125),
        ("delete_call_forwarding", "forwardings_missing", 0.3125),
    ] {
        let of_kind = count(&result["kinds"][kind]["times"]["count"]);
        let share = 1.0 - count(&result["counters"][counter]) / of_kind;
        // The population of 5000 has a share of its own, within 0.015 of this; the sample's deviation is 0.5 / sqrt(n).
        assert!((share - found).abs() < 0.03 + 3.0 / of_kind.sqrt(), "{kind}: {share} of {of_kind}");
    }
    let qualified = total - count(&result["counters"]["forwardings_refused"]);
    assert!((count(&result["counters"]["qualified"]) - qualified).abs() < 0.5);
    assert_eq!(result["errors"], json!({}));
}
