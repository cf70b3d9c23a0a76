//! The tables of TPC-C: the same however they are loaded, whole after a load that was broken off.

use assay_wire::block_on;
use serde_json::{Value, json};

use crate::drive::succeed;
use crate::engine::{database, job, number};
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

#[test]
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

    // Foreign keys come last of all; with them in place tables can only be dropped in order.
    let mut prepare = tpcc(&server, "tpcc_files", "prepare", json!({"resume": true}));
    prepare["workload"]["options"] = json!({"foreign_keys": "on"});
    succeed(&prepare);
    succeed(&prepare);
    let keys = "SELECT COUNT(*) FROM information_schema.REFERENTIAL_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = 'tpcc_files'";
    assert_eq!(number(&server, keys), 9);
    succeed(&tpcc(&server, "tpcc_files", "cleanup", json!({})));
}
