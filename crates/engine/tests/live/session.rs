//! The session that statements rely on, whatever the server gives, and what of the work the server has kept.

use serde_json::{Value, json};

use assay_wire::block_on;

use super::engine::{database, job, number};
use crate::drive::{Said, carry_out, merge, succeed};
use crate::support::{Server, server};

/// Sessions of users without privileges over the server; `init_connect` is not run for others.
const SESSIONS: [(&str, &str, &str); 12] = [
    ("autocommit", "0", "1"),
    ("sql_mode", "'ORACLE,NO_BACKSLASH_ESCAPES'", "@@global.sql_mode"),
    ("time_zone", "'-05:00'", "@@global.time_zone"),
    ("completion_type", "1", "0"),
    ("foreign_key_checks", "0", "1"),
    ("unique_checks", "0", "1"),
    ("sql_auto_is_null", "1", "0"),
    ("sql_safe_updates", "1", "0"),
    ("sql_big_selects", "0", "1"),
    ("sql_select_limit", "0", "18446744073709551615"),
    ("tx_read_only", "1", "0"),
    ("wait_timeout", "28800", "28800"),
];

/// Makes the users `odd` (every setting other than usual), `open` (autocommit off) and `idle` (left for a second at most).
fn users(server: &Server, name: &str) {
    let own = |(variable, odd, usual): (&str, &str, &str)| {
        let value = match variable {
            "autocommit" => format!("IF(USER() LIKE 'odd@%' OR USER() LIKE 'open@%', {odd}, {usual})"),
            "wait_timeout" => format!("IF(USER() LIKE 'idle@%', 1, {usual})"),
            _ => format!("IF(USER() LIKE 'odd@%', {odd}, {usual})"),
        };
        format!("{variable} = {value}")
    };
    let init = SESSIONS.map(own).join(", ").replace('\'', "''");
    database(server, name);
    let mut root = server.connect(&server.root());
    block_on(async {
        root.run(&format!("SET GLOBAL init_connect = 'SET {init}'")).await.expect("init_connect");
        for user in ["odd", "open", "idle"] {
            root.run(&format!("CREATE USER IF NOT EXISTS {user}@'%'")).await.expect("a user");
            root.run(&format!("GRANT ALL ON {name}.* TO {user}@'%'")).await.expect("rights");
        }
    });
}

fn count(said: &Said, key: &str) -> u64 {
    said.one("result")[key].as_u64().unwrap_or_else(|| panic!("{key} in {:#}", said.one("result")))
}

fn doubted(said: &Said) -> bool {
    said.all("doubt").iter().any(|doubt| doubt["kind"] == "uncommitted")
}

fn rows(server: &Server, name: &str, table: &str) -> i64 {
    number(server, &format!("SELECT COUNT(*) FROM {name}.{table}"))
}

#[test]
fn the_engines_statements_mean_the_same_in_every_session() {
    let server = server();
    let name = "odd_session";
    users(&server, name);
    let as_odd = |action: &str, workload: &str, changes: Value| {
        let options = json!({});
        let mut made = job(&server, name, action, json!({"target": {"user": "odd"}}));
        made["workload"] = json!({"name": workload, "options": options});
        merge(&mut made, changes);
        succeed(&made)
    };
    for load_as in ["file", "bulk", "insert"] {
        let changes = json!({"engine": {"load_as": load_as}});
        as_odd("prepare", "smallbank", merged(changes, json!({"workload": {"options": {"accounts": 1000}}})));
        let check = as_odd("check", "smallbank", json!({"workload": {"options": {"accounts": 1000}}}));
        assert!(check.all("doubt").is_empty(), "{load_as}");
        as_odd("cleanup", "smallbank", json!({"workload": {"options": {"accounts": 1000}}}));
    }
    let table = json!({"workload": {"options": {"tables": 1, "table_size": 100}}});
    as_odd("prepare", "oltp_insert", table.clone());
    for ps_mode in ["auto", "disable"] {
        let before = rows(&server, name, "sbtest1");
        let load = json!({
            "target": {"ps_mode": ps_mode},
            "phases": {"measure_ms": 0, "max_transactions": 40},
            "load": {"connections": 2},
        });
        let said = as_odd("run", "oltp_insert", merged(table.clone(), load));
        assert_eq!(rows(&server, name, "sbtest1") - before, 40, "{ps_mode}: every transaction is kept");
        assert_eq!((count(&said, "ended_open"), count(&said, "left_open")), (0, 0));
        assert!(!doubted(&said));
        let session = &said.one("result")["session"];
        let in_force = |variable: &str| session[variable].as_str().unwrap_or_default().to_owned();
        assert_eq!((in_force("autocommit"), in_force("time_zone")), ("ON".into(), "+00:00".into()));
        assert!(!in_force("sql_mode").contains("ORACLE"), "{session}");
        assert_eq!(in_force("character_set_client"), "utf8mb4");
    }
}

fn merged(mut into: Value, changes: Value) -> Value {
    merge(&mut into, changes);
    into
}

#[test]
fn work_that_nobody_commits_is_counted_apart_and_doubted() {
    let server = server();
    let name = "uncommitted";
    users(&server, name);
    let native = json!({"workload": {"name": "oltp_insert", "options": {"tables": 1, "table_size": 100}}});
    succeed(&job(&server, name, "prepare", native.clone()));
    let load = json!({
        "target": {"user": "open"},
        "load": {"connections": 2},
        "phases": {"measure_ms": 0, "max_transactions": 40},
    });
    // Varied by a study: the session keeps what the server has.
    let left =
        merged(native, json!({"target": {"server_session": ["autocommit", "innodb_buffer_pool_size"]}}));
    let script = |body: &str| {
        let source = format!(
            "function thread_init() con = sysbench.sql.driver():connect() n = 0 end
             local insert = 'INSERT INTO sbtest1 (k, c, pad) VALUES (1, 1, 1)'
             function event() n = n + 1 {body} end"
        );
        json!({"workload": {"name": "lua:a.lua", "script": {"source": source}, "options": null}})
    };
    // The server says that it has rolled back, and commits what follows.
    let whole = "con:query('BEGIN') con:query(insert) con:query('COMMIT')";
    let deadlock = |then: &str| {
        let error = "SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213";
        format!("con:query('BEGIN') con:query(insert) pcall(con.query, con, \"{error}\") {then}")
    };
    let in_tens = "con:query(insert) if n % 10 == 0 then con:query('COMMIT') end";
    let cases = [
        // What is sent; ended open, never committed, connections left open; rows that are there afterwards.
        ("native", left, (40, 40, 2), 0),
        ("without COMMIT", script("con:query(insert)"), (40, 40, 2), 0),
        ("COMMIT", script("con:query('BEGIN') con:query(insert) con:query('COMMIT')"), (0, 0, 0), 40),
        ("BEGIN alone", script("con:query('BEGIN') con:query(insert)"), (40, 1, 1), 39),
        ("ROLLBACK", script("con:query(insert) con:query('ROLLBACK')"), (0, 0, 0), 0),
        ("ten to a COMMIT", script(in_tens), (36, 0, 0), 40),
        ("SET", script("con:query('SET autocommit = 1') con:query(insert)"), (0, 0, 0), 40),
        ("prepared", script("st = st or con:prepare(insert) st:execute()"), (40, 40, 2), 0),
        ("rolled back and not begun again", script(&deadlock("con:query('COMMIT')")), (40, 40, 0), 40),
        ("begun again", script(&deadlock(&format!("con:query('ROLLBACK') {whole}"))), (0, 0, 0), 40),
    ];
    for (what, changes, expected, kept) in cases {
        // One thread, where the place of the last BEGIN or COMMIT matters.
        let alone = if matches!(what, "BEGIN alone" | "ten to a COMMIT") { 1 } else { 2 };
        let mut made = merged(job(&server, name, "run", load.clone()), changes);
        made["load"]["connections"] = json!(alone);
        if made["workload"]["options"].is_null() {
            made["workload"]["options"] = json!({});
        }
        let before = rows(&server, name, "sbtest1");
        let said = succeed(&made);
        let found = (count(&said, "ended_open"), count(&said, "uncommitted"), count(&said, "left_open"));
        assert_eq!(found, expected, "{what}");
        assert_eq!(rows(&server, name, "sbtest1") - before, kept, "{what}");
        assert_eq!(doubted(&said), found.1 + found.2 > 0, "{what}");
        assert_eq!(said.one("result")["session"]["autocommit"], "OFF", "{what}: the session is recorded");
    }
}

#[test]
fn inserts_that_store_nothing_are_doubted() {
    let server = server();
    let name = "unstored";
    database(&server, name);
    block_on(server.connect(&server.root()).run(&format!("CREATE TABLE {name}.t (id INT PRIMARY KEY)")))
        .expect("a table");
    for (sql, stored_nothing) in [
        ("'INSERT IGNORE INTO t VALUES (1)'", 39),
        ("'INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE id = 1'", 40),
        ("'INSERT IGNORE INTO t VALUES (' .. n .. ')'", 0),
    ] {
        let source = format!(
            "function thread_init() con = sysbench.sql.driver():connect() n = 1 end
             function event() n = n + 1 con:query({sql}) end"
        );
        let changes = json!({
            "load": {"connections": 1},
            "phases": {"measure_ms": 0, "max_transactions": 40},
        });
        let mut made = job(&server, name, "run", changes);
        made["workload"] = json!({"name": "lua:a.lua", "script": {"source": source}});
        let said = succeed(&made);
        assert_eq!(count(&said, "unstored"), stored_nothing, "{sql}");
        let doubts = said.all("doubt").iter().filter(|doubt| doubt["kind"] == "unstored").count();
        assert_eq!(doubts, usize::from(stored_nothing > 0), "{sql}");
    }
}

#[test]
fn statements_that_the_server_cannot_prepare_are_doubted_unless_the_load_is_of_text() {
    let server = server();
    let name = "unprepared";
    database(&server, name);
    for (sql, ps_mode, expected) in [
        ("EXECUTE IMMEDIATE 'SELECT 1'", "auto", 2),
        ("EXECUTE IMMEDIATE 'SELECT 1'", "disable", 0),
        ("SELECT 1", "auto", 0),
    ] {
        let source = format!(
            "function thread_init()
               con = sysbench.sql.driver():connect()
               asked = con:prepare(\"{sql}\")
             end
             function event() asked:execute() end"
        );
        let changes = json!({
            "load": {"connections": 2},
            "phases": {"measure_ms": 0, "max_transactions": 10},
        });
        let mut made = job(&server, name, "run", changes);
        made["workload"] = json!({"name": "lua:a.lua", "script": {"source": source}});
        made["target"]["ps_mode"] = ps_mode.into();
        let said = succeed(&made);
        assert_eq!(count(&said, "unprepared"), expected, "{sql}, {ps_mode}");
        let doubts = said.all("doubt").iter().filter(|doubt| doubt["kind"] == "unprepared").count();
        assert_eq!(doubts, usize::from(expected > 0), "{sql}, {ps_mode}");
    }
}

#[test]
fn a_connection_that_the_server_cut_while_idle_is_opened_again_and_counted() {
    let server = server();
    let name = "idle";
    users(&server, name);
    let table =
        json!({"workload": {"name": "oltp_point_select", "options": {"tables": 1, "table_size": 100}}});
    succeed(&job(&server, name, "prepare", table.clone()));
    let load = json!({
        "target": {"user": "idle"},
        "load": {"connections": 3, "arrivals": {"kind": "constant", "rate": 2.0}},
        "phases": {"measure_ms": 4000},
    });
    let said = carry_out(&merged(job(&server, name, "run", table), load));
    assert_eq!(said.exit_code, 0, "{:#?}", said.events);
    assert!(count(&said, "reconnects") > 0, "{:#}", said.one("result"));
    assert_eq!(
        (said.one("result")["errors"].as_object().map_or(0, serde_json::Map::len), count(&said, "failed")),
        (0, 0)
    );
    assert_eq!(count(&said, "transactions"), 8);
}
