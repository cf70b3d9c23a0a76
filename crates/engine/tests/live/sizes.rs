//! Tables that are not what the options take them for, and servers that do not keep what they were sent.

use assay_wire::block_on;
use serde_json::{Value, json};

use super::engine::{database, job, number};
use crate::drive::{carry_out, succeed};
use crate::support::{Server, server};

fn of_size(rows: u64) -> Value {
    json!({"workload": {"options": {"tables": 2, "table_size": rows}}})
}

fn resume(changes: Value) -> Value {
    let mut changes = changes;
    changes["engine"] = json!({"resume": true});
    changes
}

#[test]
fn a_load_for_more_rows_than_there_are_is_refused_and_one_for_fewer_doubted() {
    let server = server();
    database(&server, "sized");
    succeed(&job(&server, "sized", "prepare", of_size(1_000)));
    let said = carry_out(&job(&server, "sized", "run", of_size(100_000)));
    let error = said.one("error");
    assert_eq!(said.exit_code, 2, "{error}");
    let message = error["message"].as_str().expect("a message");
    assert!(message.contains("sbtest1 go up to id 1000") && message.contains("100000"), "{message}");
    assert!(error["hint"].as_str().expect("a hint").contains("--table-size 1000"));

    let doubted =
        |said: &crate::drive::Said| said.all("doubt").iter().any(|doubt| doubt["kind"] == "table-size");
    assert!(doubted(&succeed(&job(&server, "sized", "run", of_size(100)))));
    assert!(!doubted(&succeed(&job(&server, "sized", "run", of_size(1_000)))));
    // What a load adds or takes away itself is no fault of the options.
    for name in ["oltp_insert", "oltp_delete", "oltp_insert"] {
        let mut work = job(&server, "sized", "run", of_size(1_000));
        work["workload"]["name"] = json!(name);
        assert!(!doubted(&succeed(&work)), "{name}");
    }
}

#[test]
fn a_broken_load_of_another_size_is_not_gone_on_with() {
    let server = server();
    database(&server, "resized");
    succeed(&job(&server, "resized", "prepare", of_size(5_000)));
    let said = carry_out(&job(&server, "resized", "prepare", resume(of_size(2_000))));
    assert_eq!(said.exit_code, 2, "{:#?}", said.events);
    assert!(
        said.one("error")["message"].as_str().expect("a message").contains("a table_size other than 2000")
    );
    assert_eq!(number(&server, "SELECT COUNT(*) FROM resized.sbtest1"), 5_000);
}

#[test]
fn rows_that_are_cut_to_fit_are_said_with_their_table_and_chunk() {
    let server = Server::start();
    let mut root = server.connect(&server.root());
    block_on(root.run("SET GLOBAL sql_mode = ''")).expect("a lax server");
    for way in ["insert", "bulk", "file"] {
        let name = format!("lax_{way}");
        database(&server, &name);
        let create =
            format!("CREATE TABLE {name}.sbtest1 (id INT PRIMARY KEY, k INT, c CHAR(120), pad CHAR(10))");
        block_on(root.run(&create)).expect(&create);
        let mut changes = resume(json!({"workload": {"options": {"tables": 1, "table_size": 1_000}}}));
        changes["engine"]["load_as"] = json!(way);
        let said = carry_out(&job(&server, &name, "prepare", changes));
        assert_eq!(said.exit_code, 4, "{way}: {:#?}", said.events);
        let message = said.one("error")["message"].as_str().expect("a message");
        // The session is strict whatever the server's is; LOCAL makes warnings of errors all the same.
        let words: &[&str] = match way {
            "file" => &["sbtest1 took", "rows that were sent", "warnings (chunk 0, row numbers 1 to 1000)"],
            _ => &["cannot load sbtest1", "server error 1406"],
        };
        assert!(words.iter().all(|word| message.contains(word)), "{way}: {message}");
        assert_eq!(number(&server, &format!("SELECT COUNT(*) FROM {name}.sbtest1")), 0, "rolled back");
    }
}

#[test]
fn all_connections_that_the_server_allows_can_be_used() {
    let server = Server::start();
    database(&server, "full");
    succeed(&job(&server, "full", "prepare", of_size(1_000)));
    let mut root = server.connect(&server.root());
    block_on(async {
        for sql in [
            "CREATE USER guest@localhost",
            "GRANT ALL ON full.* TO guest@localhost",
            "SET GLOBAL max_connections = 10",
        ] {
            root.run(sql).await.expect(sql);
        }
        root.quit().await.expect("a goodbye");
    });
    let mut changes = of_size(1_000);
    changes["target"] = json!({"user": "guest"});
    changes["load"] = json!({"connections": 10});
    changes["phases"] = json!({"measure_ms": 100});
    for _ in 0..10 {
        succeed(&job(&server, "full", "run", changes.clone()));
    }
}
