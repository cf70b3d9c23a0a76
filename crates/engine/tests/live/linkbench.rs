//! LinkBench: tables that are the same however they are loaded, and counts that hold whatever goes wrong in a load.

use std::sync::atomic::{AtomicBool, Ordering};

use assay_wire::{Discard, block_on};
use serde_json::{Value, json};

use super::engine::{database, job, number};
use crate::drive::{carry_out, merge, succeed};
use crate::support::{Server, server};

const TABLES: [&str; 3] = ["linktable", "counttable", "nodetable"];

fn linkbench(server: &Server, name: &str, action: &str, options: &Value, changes: Value) -> Value {
    let mut job = job(server, name, action, changes);
    let mut all = json!({"maxid1": 5001, "nlinks_func": "zipf", "nlinks_mean": 4.0, "partitions": 4});
    merge(&mut all, options.clone());
    job["workload"] = json!({"name": "linkbench", "options": all});
    job
}

fn sums(server: &Server, name: &str) -> Vec<i64> {
    TABLES.iter().map(|table| number(server, &format!("CHECKSUM TABLE {name}.{table}"))).collect()
}

#[test]
fn graphs_are_the_same_however_they_are_loaded_and_after_a_broken_load() {
    let server = server();
    let prepare = |name: &str, engine: Value| {
        linkbench(&server, name, "prepare", &json!({}), json!({"engine": engine}))
    };
    database(&server, "graph_text");
    let said = succeed(&prepare("graph_text", json!({"loaders": 1, "load_as": "insert"})));
    let whole = sums(&server, "graph_text");
    for (name, way) in [("graph_files", "file"), ("graph_bulk", "bulk")] {
        database(&server, name);
        succeed(&prepare(name, json!({"loaders": 3, "load_as": way})));
        assert_eq!(sums(&server, name), whole, "{way}");
    }
    // Bytes above ASCII are there as they were made, one byte each.
    let bytes =
        "SELECT SUM(CHAR_LENGTH(data) = LENGTH(data) AND data REGEXP '[^ -~]') FROM graph_text.nodetable";
    assert!(number(&server, bytes) > 4_000);

    let mut connection = server.connect(&server.root());
    block_on(async {
        for sql in [
            "USE graph_files",
            "DELETE FROM linktable WHERE link_type = 123456790 AND id1 BETWEEN 2049 AND 4096",
            "DELETE FROM linktable WHERE link_type = 123456789 AND id1 > 4096",
            "DELETE FROM counttable WHERE id <= 2048",
            "DELETE FROM nodetable WHERE id > 2048",
            "DELETE FROM assay_linkbench",
            "ALTER TABLE linktable DROP INDEX id1_type",
        ] {
            connection.run(sql).await.expect(sql);
        }
    });
    succeed(&prepare("graph_files", json!({"loaders": 2, "resume": true})));
    assert_eq!(sums(&server, "graph_files"), whole);
    let check = linkbench(&server, "graph_files", "check", &json!({}), json!({}));
    let checked = succeed(&check);
    assert_eq!(checked.all("check").len(), 3);
    assert_eq!(checked.one("done")["rows"], said.one("done")["rows"]);
    succeed(&linkbench(&server, "graph_bulk", "cleanup", &json!({}), json!({})));
}

#[test]
fn every_statement_of_a_packet_is_counted() {
    // What the server counts is this test's alone.
    let server = Server::start();
    database(&server, "graph_packets");
    let options = json!({"compat": "java", "maxid1": 1001, "nlinks_func": "const", "nlinks_default": 2,
        "addlink": 30.0, "deletelink": 10.0, "updatelink": 20.0, "countlink": 0.0, "getlink": 5.0,
        "getlinklist": 10.0, "getnode": 5.0, "addnode": 10.0, "updatenode": 5.0, "deletenode": 5.0});
    let ask = |action, changes| linkbench(&server, "graph_packets", action, &options, changes);
    succeed(&ask("prepare", json!({})));
    let run = json!({"load": {"connections": 8}, "phases": {"measure_ms": 2000, "interval_ms": 500}});
    let ran = succeed(&ask("run", run));
    let result = ran.one("result");
    let (sent, counted) = (&result["sent_statements"], &result["server_questions"]);
    assert!(counted.as_u64().is_some_and(|count| count > 100), "{result}");
    let doubts = ran.all("doubt");
    assert!(doubts.iter().all(|doubt| doubt["kind"] != "conservation"), "{sent} {counted}: {doubts:?}");
}

#[test]
fn counts_hold_under_deadlocks() {
    let server = server();
    for compat in ["intended", "java"] {
        let name = format!("graph_{compat}");
        database(&server, &name);
        // Few ids, many connections, writes only.
        let options = json!({"compat": compat, "maxid1": 9, "nlinks_func": "const", "nlinks_default": 2,
            "addlink": 40.0, "deletelink": 40.0, "updatelink": 20.0, "countlink": 0.0, "getlink": 0.0,
            "getlinklist": 0.0, "getnode": 0.0, "addnode": 0.0, "updatenode": 0.0, "deletenode": 0.0});
        let ask = |action, changes| linkbench(&server, &name, action, &options, changes);
        succeed(&ask("prepare", json!({})));
        let run = json!({"load": {"connections": 32}, "phases": {"measure_ms": 2000, "interval_ms": 500}});
        // Another client takes the same locks in the other order: counts before links.
        let over = AtomicBool::new(false);
        let ran = std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut connection = server.connect(&server.root());
                while !over.load(Ordering::Relaxed) {
                    for sql in ["BEGIN", "counttable WHERE id > 0", "linktable WHERE id1 > 0", "ROLLBACK"] {
                        let sql = match sql.split_once(' ') {
                            Some((table, ids)) => format!("SELECT * FROM {name}.{table} {ids} FOR UPDATE"),
                            None => sql.to_owned(),
                        };
                        // It is as often the one that is rolled back.
                        let _ = block_on(connection.query(sql.as_bytes(), &mut Discard));
                    }
                }
            });
            let ran = carry_out(&ask("run", run));
            over.store(true, Ordering::Relaxed);
            ran
        });
        assert_eq!(ran.exit_code, 0, "{:#?}", ran.events);
        let result = ran.one("result");
        assert!(result["errors"]["1213"].as_u64().is_some_and(|count| count > 0), "{}", result["errors"]);
        assert_eq!(result["failed"], json!(0));
        let counters = &result["counters"];
        for name in ["links_added", "links_rewritten", "links_restored", "links_hidden", "links_not_there"] {
            assert!(counters[name].as_u64().is_some_and(|count| count > 0), "{compat} {name}: {counters}");
        }
        succeed(&ask("check", json!({})));
        // The check sees one count too many.
        let mut connection = server.connect(&server.root());
        let spoil = format!("UPDATE {name}.counttable SET count = count + 1 LIMIT 1");
        block_on(connection.run(&spoil)).expect("a spoilt count");
        let refused = carry_out(&ask("check", json!({})));
        let broken: Vec<&Value> =
            refused.all("check").into_iter().filter(|check| check["violations"] != 0).collect();
        assert_eq!(broken.len(), 1, "{broken:?}");
        assert_eq!((&broken[0]["name"], &broken[0]["violations"]), (&json!("counts-match"), &json!(1)));
    }
}
