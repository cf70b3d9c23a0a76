//! The insert benchmark: its tables keep their size, its conditions find what does not belong there.

use assay_wire::block_on;
use serde_json::{Value, json};

use super::engine::{database, job, number};
use crate::drive::{carry_out, succeed};
use crate::support::{Server, server};

const ROWS: i64 = 5000;
const BATCH: i64 = 20;

fn work(server: &Server, name: &str, action: &str, options: Value) -> Value {
    let mut job = job(server, name, action, json!({"phases": {"measure_ms": 0, "max_transactions": 400}}));
    job["workload"] = json!({"name": "insert_benchmark", "options": options});
    job
}

#[test]
fn rows_are_those_of_the_load_and_of_the_counters() {
    let server = server();
    database(&server, "purchases");
    let options = json!({"rows": ROWS, "rows_per_commit": BATCH, "queries": 25, "delete_tail": "on"});
    let job = |action: &str| work(&server, "purchases", action, options.clone());
    succeed(&job("prepare"));
    assert!(succeed(&job("check")).all("doubt").is_empty());
    let said = succeed(&job("run"));
    let result = said.one("result");
    assert_eq!(result["transactions"], 400);
    let kind = |name: &str| result["kinds"][name]["times"]["count"].as_i64().expect("a count");
    // Shares are exact within each hundred of a connection; four connections may end anywhere in theirs.
    assert!((96..=104).contains(&kind("query")), "{}", result["kinds"]);
    let (inserted, deleted) = (&result["counters"]["rows_inserted"], &result["counters"]["rows_deleted"]);
    assert_eq!(inserted.as_i64(), Some(BATCH * kind("insert")));
    assert_eq!(deleted.as_i64(), Some(BATCH * kind("delete")));
    assert!((0..=4).contains(&(kind("insert") - kind("delete"))), "{}", result["kinds"]);

    let rows = ROWS + BATCH * (kind("insert") - kind("delete"));
    assert_eq!(number(&server, "SELECT COUNT(*) FROM purchases.purchases_index"), rows);
    // The oldest are gone, whoever deleted them, and none between them is left.
    let first = "SELECT MIN(transactionid) FROM purchases.purchases_index";
    assert_eq!(number(&server, first), BATCH * kind("delete") + 1);
    let checked = succeed(&job("check"));
    assert_eq!(checked.all("check").len(), 4);
    assert_eq!(checked.one("done")["rows"].as_i64(), Some(rows));

    let mut connection = server.connect(&server.root());
    let foreign =
        "UPDATE purchases.purchases_index SET productid = 10000 ORDER BY transactionid DESC LIMIT 2";
    block_on(connection.run(foreign)).expect(foreign);
    let broken = carry_out(&job("check"));
    assert_eq!(broken.exit_code, 4, "{:#?}", broken.events);
    let value =
        broken.all("check").into_iter().find(|check| check["name"] == "values").expect("the condition");
    assert_eq!(value["violations"], 2);
    assert!(value["places"][0].as_str().is_some_and(|place| place.contains("transactionid = ")), "{value}");
}

#[test]
fn a_condition_reads_the_index_that_it_names() {
    let server = server();
    database(&server, "indexed");
    succeed(&work(&server, "indexed", "prepare", json!({"rows": 1000})));
    // What a condition sums by an index must come from that index; no name means the rows, in the order of their key.
    for (index, read) in [
        ("PRIMARY", ""),
        ("marketsegment", "marketsegment"),
        ("registersegment", "registersegment"),
        ("pdc", "pdc"),
    ] {
        let sql =
            format!("SELECT COUNT(*), SUM(customerid) FROM indexed.purchases_index FORCE INDEX ({index})");
        assert_eq!(used(&server, &sql), read);
    }
}

/// The index that the server reads for a query of one table; empty: none.
fn used(server: &Server, sql: &str) -> String {
    let mut connection = server.connect(&server.root());
    let mut key = None;
    let mut take = |row: &assay_wire::Row<'_>| {
        let at = row.columns().iter().position(|column| column.name() == "key").expect("EXPLAIN");
        key = row.bytes(at).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    };
    block_on(connection.query(format!("EXPLAIN {sql}").as_bytes(), &mut take)).expect(sql);
    key.unwrap_or_default()
}
