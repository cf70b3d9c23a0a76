//! The tables of TPC-C: the same however they are loaded, whole after a load that was broken off.

use assay_wire::block_on;
use serde_json::{Value, json};

use super::engine::{database, job, number};
use crate::drive::{carry_out, merge, succeed};
use crate::support::{Server, server};

const TABLES: [&str; 9] =
    ["item", "warehouse", "district", "stock", "customer", "history", "orders", "new_orders", "order_line"];

fn tpcc(server: &Server, name: &str, action: &str, engine: Value) -> Value {
    let mut job = job(server, name, action, json!({"engine": engine}));
    job["workload"] = json!({"name": "tpcc", "options": {}});
    job
}

fn sums(server: &Server, name: &str) -> Vec<i64> {
    TABLES.iter().map(|table| number(server, &format!("CHECKSUM TABLE {name}.{table}"))).collect()
}

/// The job is at fault, and the engine says so.
fn refused(job: &Value, why: &str) {
    let said = carry_out(job);
    let message = said.one("error")["message"].as_str().expect("a message").to_owned();
    assert_eq!(said.exit_code, 2, "{message}");
    assert!(message.contains(why), "{message}");
}

#[test]
#[ignore = "long: four loads of half a million rows, as make test does with other tables"]
fn tables_are_the_same_however_they_are_loaded_and_after_a_broken_load() {
    let server = server();
    database(&server, "tpcc_text");
    succeed(&tpcc(&server, "tpcc_text", "prepare", json!({"loaders": 1, "load_as": "insert"})));
    database(&server, "tpcc_files");
    let prepare = tpcc(&server, "tpcc_files", "prepare", json!({"loaders": 5, "resume": true}));
    let said = succeed(&prepare);
    let whole = sums(&server, "tpcc_text");
    assert_eq!(sums(&server, "tpcc_files"), whole);

    // Chunks that a load broken off would not have: of every table with a large one, and the notes, which come last.
    let mut connection = server.connect(&server.root());
    block_on(async {
        for sql in [
            "USE tpcc_files",
            "DELETE FROM order_line WHERE ol_d_id = 3",
            "DELETE FROM orders WHERE o_d_id = 10",
            "DELETE FROM customer WHERE c_d_id = 1",
            "DELETE FROM stock WHERE s_i_id BETWEEN 20001 AND 30000",
            "DELETE FROM new_orders",
            "DELETE FROM history",
            "DELETE FROM item WHERE i_id > 90000",
            "DELETE FROM district",
            "DELETE FROM assay_tpcc",
            "ALTER TABLE orders DROP INDEX idx_orders",
        ] {
            connection.run(sql).await.expect(sql);
        }
    });
    succeed(&prepare);
    assert_eq!(sums(&server, "tpcc_files"), whole);
    let checked = succeed(&tpcc(&server, "tpcc_files", "check", json!({"loaders": 3})));
    assert!(checked.all("check").len() >= 12);
    assert_eq!(checked.one("done")["rows"].as_i64(), said.one("done")["rows"].as_i64());

    // Rows that a load has left are none that are missing.
    let rows = "SELECT COUNT(*) FROM tpcc_files.history";
    let before = number(&server, rows);
    block_on(connection.run("INSERT INTO history SELECT * FROM history LIMIT 1")).expect("one more");
    succeed(&prepare);
    assert_eq!(number(&server, rows), before + 1);

    // Nor are whole tables made into others.
    let mut prepare = tpcc(&server, "tpcc_files", "prepare", json!({"resume": true}));
    prepare["workload"]["options"] = json!({"foreign_keys": "on"});
    refused(&prepare, "foreign_keys = off, not on");
    let note = "SELECT COUNT(*) FROM tpcc_files.assay_tpcc WHERE name = 'foreign_keys' AND value = 'off'";
    assert_eq!(number(&server, note), 1);

    // Foreign keys come last of all; with them in place tables can only be dropped in order.
    succeed(&tpcc(&server, "tpcc_files", "cleanup", json!({})));
    assert!(succeed(&prepare).one("done")["rows"].as_u64() > Some(400_000));
    assert_eq!(succeed(&prepare).one("done")["rows"], 0, "none was looked at");
    let keys = "SELECT COUNT(*) FROM information_schema.REFERENTIAL_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = 'tpcc_files'";
    assert_eq!(number(&server, keys), 9);
    succeed(&tpcc(&server, "tpcc_files", "cleanup", json!({})));
}

#[test]
fn what_was_left_for_later_is_no_transaction_and_no_rate_goes_with_pacing() {
    let server = server();
    database(&server, "tpcc_later");
    succeed(&tpcc(&server, "tpcc_later", "prepare", json!({"loaders": 2})));

    let mut paced = tpcc(&server, "tpcc_later", "run", json!({}));
    paced["workload"]["options"] = json!({"pacing": "spec"});
    paced["load"]["arrivals"] = json!({"kind": "constant", "rate": 10.0});
    refused(&paced, "cannot be combined with tpcc");

    let mut connection = server.connect(&server.root());
    for sql in [
        "USE tpcc_later",
        "CREATE TRIGGER no_delivery BEFORE DELETE ON new_orders FOR EACH ROW SIGNAL SQLSTATE '45000'",
    ] {
        block_on(connection.run(sql)).expect(sql);
    }
    let mut run = tpcc(&server, "tpcc_later", "run", json!({}));
    merge(
        &mut run,
        json!({
            "load": {"connections": 1, "reconnect_each": 10},
            "phases": {"measure_ms": 0, "max_transactions": 300},
            "errors": {"other": "count"},
        }),
    );
    let said = succeed(&run);
    let (result, deferred) = (said.one("result"), &said.one("result")["deferred"]);
    assert!(deferred["failed"].as_u64() > Some(0), "{deferred}");
    assert_eq!(deferred["failed"], deferred["queued"]);
    assert_eq!(result["kinds"]["delivery_deferred"]["failed"], deferred["failed"]);
    assert_eq!((result["transactions"].as_u64(), result["failed"].as_u64()), (Some(300), Some(0)));
    assert_eq!(result["labels"]["connect"]["count"], 30, "every ten transactions, whatever came between");
}
