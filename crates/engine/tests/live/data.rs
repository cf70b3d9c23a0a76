//! prepare, check, cleanup.

use serde_json::{Value, json};

use super::engine::{database, job, number};
use crate::drive::{carry_out, merge, succeed};
use crate::support::server;

#[test]
fn the_rows_are_the_same_however_many_connections_load_them() {
    let server = server();
    let mut sums = Vec::new();
    for (name, loaders, load_as) in [
        ("loaded_by_1", 1, "auto"),
        ("loaded_by_5", 5, "auto"),
        ("loaded_as_files", 5, "file"),
        ("loaded_in_bulk", 2, "bulk"),
        ("loaded_as_text", 2, "insert"),
    ] {
        database(&server, name);
        let options = json!({"tables": 2, "table_size": 30_000});
        let changes =
            json!({"engine": {"loaders": loaders, "load_as": load_as}, "workload": {"options": options}});
        let said = succeed(&job(&server, name, "prepare", changes));
        assert_eq!(said.one("done")["rows"], 60_000);
        sums.push([1, 2].map(|table| number(&server, &format!("CHECKSUM TABLE {name}.sbtest{table}"))));
    }
    for sum in &sums {
        assert_eq!(sum, &sums[0]);
    }
    assert_ne!(sums[0][0], sums[0][1], "tables have rows of their own");
}

#[test]
fn generators_load_the_rows_that_one_would_load() {
    let server = server();
    let options = json!({"workload": {"options": {"tables": 3, "table_size": 7_000}}});
    let sums = ["loaded_alone", "loaded_together"].map(|name| {
        database(&server, name);
        let prepare = |first: u32, threads: u32, step: Value| {
            let part = json!({"load": {"part": {"first_loop": first, "loops": 3}}});
            let mut changes = options.clone();
            if !step.is_null() {
                merge(&mut changes, part);
                merge(&mut changes, json!({"engine": {"threads": threads, "prepare_step": step}}));
            }
            succeed(&job(&server, name, "prepare", changes)).one("done")["rows"].as_u64().expect("rows")
        };
        if name == "loaded_alone" {
            assert_eq!(prepare(0, 3, Value::Null), 21_000);
        } else {
            assert_eq!(prepare(0, 2, json!("tables")), 0);
            let shares = [prepare(0, 2, json!("rows")), prepare(2, 1, json!("rows"))];
            assert_eq!(shares, [14_000, 7_000], "of 21 chunks");
            assert_eq!(prepare(0, 2, json!("finish")), 21_000);
        }
        let sql = format!("SELECT COUNT(*) FROM {name}.sbtest3 FORCE INDEX (k_3) WHERE k > 0");
        assert_eq!(number(&server, &sql), 7_000);
        [1, 2, 3].map(|table| number(&server, &format!("CHECKSUM TABLE {name}.sbtest{table}")))
    });
    assert_eq!(sums[0], sums[1]);
}

/// Counted by the server itself, for a user that does nothing else.
#[test]
fn statements_hold_as_many_rows_as_asked() {
    let server = server();
    let mut root = server.connect(&server.root());
    let mut run = |sql: String| assay_wire::block_on(root.run(&sql)).expect(&sql);
    run("SET GLOBAL userstat = 1".into());
    for (way, rows, statements) in [
        ("insert", 1, 4_000),
        ("insert", 10, 400),
        ("insert", 300, 4 * 4), // of each transaction of 1000 the last has 100
        ("insert", 1_000, 4),
        ("bulk", 100, 40),
        ("file", 500, 8),
    ] {
        let name = format!("{way}_of_{rows}");
        database(&server, &name);
        run(format!("CREATE OR REPLACE USER {name}@localhost"));
        run(format!("GRANT ALL ON *.* TO {name}@localhost"));
        let changes = json!({
            "target": {"user": name},
            "workload": {"options": {"tables": 1, "table_size": 4_000, "create_secondary": false}},
            "engine": {"load_as": way, "rows_per_statement": rows},
        });
        let done = succeed(&job(&server, &name, "prepare", changes)).one("done").clone();
        assert_eq!((&done["loaded_as"], &done["load_statements"]), (&json!(way), &json!(statements)));
        let of_user = format!("FROM information_schema.user_statistics WHERE user = '{name}'");
        assert_eq!(number(&server, &format!("SELECT rows_inserted {of_user}")), 4_000, "{name}");
        let counted = number(&server, &format!("SELECT update_commands {of_user}"));
        assert_eq!(counted, statements + 1, "{name}, and its CREATE TABLE");
    }
}

#[test]
fn statements_that_cannot_be_sent_are_refused() {
    let server = server();
    database(&server, "too_many_rows");
    let changes = json!({"engine": {"load_as": "insert", "rows_per_statement": 1_001}});
    let said = carry_out(&job(&server, "too_many_rows", "prepare", changes));
    let message = said.one("error")["message"].as_str().expect("a message");
    assert_eq!(said.exit_code, 2);
    assert!(message.contains("rows_per_statement") && message.contains("1000"), "{message}");
}

#[test]
fn an_index_that_comes_first_is_the_same_index() {
    let server = server();
    database(&server, "indexed_first");
    succeed(&job(&server, "indexed_first", "prepare", json!({"engine": {"index_first": true}})));
    let sql = "SELECT COUNT(*) FROM indexed_first.sbtest1 FORCE INDEX (k_1) WHERE k > 0";
    assert_eq!(number(&server, sql), 1000);
}

#[test]
fn another_seed_makes_other_rows() {
    let server = server();
    let sums = [1, 2].map(|seed| {
        let name = format!("seeded_{seed}");
        database(&server, &name);
        succeed(&job(&server, &name, "prepare", json!({"seed": seed})));
        number(&server, &format!("CHECKSUM TABLE {name}.sbtest1"))
    });
    assert_ne!(sums[0], sums[1]);
}

#[test]
fn a_second_prepare_is_refused_and_changes_nothing() {
    let server = server();
    database(&server, "prepared_twice");
    let prepare = job(&server, "prepared_twice", "prepare", json!({}));
    succeed(&prepare);
    let said = carry_out(&prepare);
    let error = said.one("error");
    assert_eq!((said.exit_code, &error["code"]), (4, &json!(1050)));
    assert!(error["hint"].as_str().expect("a hint").contains("cleanup"));
    assert_eq!(number(&server, "SELECT COUNT(*) FROM prepared_twice.sbtest1"), 1000);
}

#[test]
fn a_broken_load_is_resumed_without_double_rows() {
    let server = server();
    database(&server, "resumed");
    let changes = json!({"workload": {"options": {"tables": 1, "table_size": 30_000}}});
    let mut prepare = job(&server, "resumed", "prepare", changes);
    succeed(&prepare);
    let whole = number(&server, "CHECKSUM TABLE resumed.sbtest1");
    // As a kill leaves it: chunks missing, the index not there yet.
    let mut root = server.connect(&server.root());
    assay_wire::block_on(async {
        for sql in ["DELETE FROM resumed.sbtest1 WHERE id > 12000", "DROP INDEX k_1 ON resumed.sbtest1"] {
            root.run(sql).await.expect(sql);
        }
    });
    prepare["engine"] = json!({"resume": true});
    let said = carry_out(&prepare);
    assert!([0, 4].contains(&said.exit_code), "{:#?}", said.events);
    if said.exit_code == 0 {
        assert_eq!(number(&server, "CHECKSUM TABLE resumed.sbtest1"), whole);
    }
}

#[test]
fn check_names_a_table_that_has_lost_rows() {
    let server = server();
    database(&server, "checked");
    succeed(&job(&server, "checked", "prepare", json!({})));
    assert!(succeed(&job(&server, "checked", "check", json!({}))).all("doubt").is_empty());
    let mut root = server.connect(&server.root());
    assay_wire::block_on(root.run("DELETE FROM checked.sbtest2 WHERE id = 5")).expect("a row less");
    let said = succeed(&job(&server, "checked", "check", json!({})));
    let message = said.one("doubt")["message"].as_str().expect("a message");
    assert!(message.contains("sbtest2") && message.contains("999"), "{message}");
}

#[test]
fn cleanup_leaves_an_empty_database() {
    let server = server();
    database(&server, "cleaned");
    succeed(&job(&server, "cleaned", "prepare", json!({})));
    let mut root = server.connect(&server.root());
    assay_wire::block_on(root.run("DROP TABLE cleaned.sbtest2")).expect("a table less");
    let said = succeed(&job(&server, "cleaned", "cleanup", json!({})));
    assert_eq!(said.one("done")["tables"], 1, "those that were there");
    let tables = "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'cleaned'";
    assert_eq!(number(&server, tables), 0);
    // Nothing to drop is no error: cleaning up twice is safe.
    let said = succeed(&job(&server, "cleaned", "cleanup", json!({})));
    assert_eq!(said.one("done")["tables"], 0);
}
