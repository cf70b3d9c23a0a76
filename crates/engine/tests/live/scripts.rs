//! Scripts for sysbench on a real MariaDB: commands, loads, what they print, and what ends them.

use serde_json::{Value, json};

use crate::drive::{Said, carry_out, succeed};
use crate::engine::{database, job, number};
use crate::support::{Server, server};

/// A job for a script that comes with the engine.
fn bundled(server: &Server, name: &str, action: &str, workload: &str, changes: Value) -> Value {
    let mut job = job(server, name, action, json!({"workload": {"name": workload}}));
    crate::drive::merge(&mut job, changes);
    job
}

/// A job for a script as text.
fn written(server: &Server, name: &str, action: &str, source: &str, changes: Value) -> Value {
    let mut job = job(server, name, action, json!({}));
    job["workload"] = json!({"name": "lua:a.lua", "script": {"source": source}});
    crate::drive::merge(&mut job, changes);
    job
}

/// What a script printed.
fn printed(said: &Said) -> String {
    said.all("output").iter().filter_map(|event| event["text"].as_str()).collect()
}

fn message(said: &Said) -> &str {
    said.one("error")["message"].as_str().unwrap_or_default()
}

#[test]
fn oltp_read_write_is_prepared_run_and_cleaned_up() {
    let server = server();
    let name = "script_oltp";
    database(&server, name);
    let said = succeed(&bundled(&server, name, "prepare", "lua:oltp_read_write", json!({})));
    assert!(printed(&said).contains("Inserting 1000 records into 'sbtest2'"), "{}", printed(&said));
    let rows = number(&server, &format!("SELECT COUNT(*) FROM {name}.sbtest1"));
    let indexed = format!("SELECT COUNT(*) FROM {name}.sbtest2 FORCE INDEX (k_2) WHERE k BETWEEN 1 AND 1000");
    assert_eq!((rows, number(&server, &indexed)), (1000, 1000));

    let phases = json!({"measure_ms": 0, "max_transactions": 200});
    let said = succeed(&bundled(&server, name, "run", "lua:oltp_read_write", json!({"phases": phases})));
    let result = said.one("result");
    // 14 reads, 4 writes, 2 others: an update that finds no change, or a row that another has deleted, is another.
    let (reads, writes, other) = (&result["reads"], &result["writes"], &result["other"]);
    let sum = |value: &Value| value.as_u64().unwrap_or(0);
    assert_eq!(result["transactions"], 200, "{result:#}");
    let restarts = sum(&result["retries"]);
    assert!(sum(reads) >= 2800 && sum(writes) + sum(other) >= 1200, "{reads} {writes} {other}");
    if restarts == 0 {
        assert_eq!((sum(reads), sum(writes) + sum(other)), (2800, 1200));
    }
    assert!(result["labels"]["select"]["count"].as_u64() >= Some(2800), "{:#}", result["labels"]);
    let unsure = said.all("doubt").iter().filter(|doubt| doubt["kind"] == "conservation").count();
    assert_eq!(unsure, 0, "the server counts the same statements");

    succeed(&bundled(&server, name, "cleanup", "lua:oltp_read_write", json!({})));
    let left = format!("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = '{name}'");
    assert_eq!(number(&server, &left), 0);
}

#[test]
fn a_script_begins_in_its_main_state_and_ends_there() {
    let server = server();
    let name = "script_states";
    database(&server, name);
    let source = "
        sysbench.cmdline.options = {word = {'A word', 'none'}}
        function init()
          main = sysbench.sql.driver():connect()
          main:query('CREATE TABLE t (tid INT, n INT)')
          print('init ' .. sysbench.opt.word)
        end
        function done() print('done ' .. main:query_row('SELECT COUNT(DISTINCT tid) FROM t')) end
        function thread_init(tid)
          assert(main == nil)
          one, two = sysbench.sql.driver():connect(), sysbench.sql.driver():connect()
        end
        function event(tid)
          one:query('INSERT INTO t VALUES (' .. tid .. ', 1)')
          local count = two:query_row('SELECT COUNT(*) FROM t WHERE tid = ' .. tid)
          if count + 0 == 3 then one:reconnect() end
          two:query('BEGIN') two:query('COMMIT')
        end";
    let phases = json!({"measure_ms": 0, "max_transactions": 40});
    let changes = json!({"phases": phases, "workload": {"options": {"word": "given"}}});
    let said = succeed(&written(&server, name, "run", source, changes));
    let result = said.one("result");
    assert_eq!(printed(&said), "init given\ndone 4\n");
    assert_eq!([&result["reads"], &result["writes"], &result["other"]], [40, 40, 80]);
    assert_eq!(result["connections"]["count"], 4);
}

#[test]
fn commands_of_a_script_are_carried_out_and_fail_by_their_threads() {
    let server = server();
    let name = "script_commands";
    database(&server, name);
    let source = "
        local function fill()
          local con = sysbench.sql.driver():connect()
          con:query('CREATE TABLE IF NOT EXISTS t (tid INT)')
          con:query('INSERT INTO t VALUES (' .. sysbench.tid .. ')')
          os.execute('echo from tid ' .. sysbench.tid)
        end
        local function fails()
          if sysbench.tid == 2 then
            error('no luck')
          end
        end
        sysbench.cmdline.commands = {
          fill = {fill, sysbench.cmdline.PARALLEL_COMMAND},
          fails = {fails, sysbench.cmdline.PARALLEL_COMMAND},
        }";
    let command = |command: &str| {
        carry_out(&written(
            &server,
            name,
            "command",
            source,
            json!({"workload": {"script": {"command": command}}}),
        ))
    };
    let said = command("fill");
    assert_eq!((said.exit_code, &said.one("done")["action"]), (0, &json!("fill")));
    assert_eq!(number(&server, &format!("SELECT SUM(tid) FROM {name}.t")), 6);
    assert!(printed(&said).contains("from tid 3\n"), "{}", printed(&said));
    let said = command("fails");
    assert_eq!((said.exit_code, message(&said)), (2, "script: `fails' function failed: a.lua:10: no luck"));
    let said = command("other");
    assert_eq!((said.exit_code, message(&said)), (2, "script: Unknown command: other"));
    let said = carry_out(&written(&server, name, "prepare", source, json!({})));
    assert_eq!(message(&said), "script: 'a.lua' test does not have the 'prepare' command");
}

#[test]
fn an_error_in_an_event_ends_the_run_with_its_place() {
    let server = server();
    let name = "script_error";
    database(&server, name);
    let source = "
        function thread_init() con = sysbench.sql.driver():connect() end
        local n = 0
        function event()
          n = n + 1
          con:query('DO 1')
          if n == 20 then
            con:query('SELECT * FROM nowhere')
          end
        end";
    let said = carry_out(&written(&server, name, "run", source, json!({})));
    assert_eq!(said.exit_code, 2, "{:#?}", said.events);
    let fatal: Vec<&str> = said
        .all("error")
        .iter()
        .filter(|event| event["fatal"] == true)
        .filter_map(|event| event["message"].as_str())
        .collect();
    let place = "script: `thread_run' function failed: a.lua:8: SQL error, errno = 1146, state = '42S02'";
    assert!(fatal.len() == 1 && fatal[0].starts_with(place), "{fatal:?}");
    assert!(said.one("result")["transactions"].as_u64() > Some(19), "what was measured is said");
    assert_eq!(said.one("result")["complete"], false);

    let wrong = json!({"workload": {"name": "lua:/nowhere/at/all.lua", "script": {"source": null}}});
    let said = carry_out(&written(&server, name, "run", source, wrong));
    assert!(message(&said).contains("module '/nowhere/at/all' not found"), "{}", message(&said));
}

#[test]
fn a_dry_run_and_a_script_that_does_not_connect_need_no_server() {
    let server = server();
    let nowhere = json!({"target": {"socket": "/nowhere"}, "workload": {"options": {"mysql_dry_run": true}}});
    let said = succeed(&bundled(&server, "none", "run", "lua:oltp_read_only", nowhere));
    let result = said.one("result");
    let transactions = result["transactions"].as_u64().unwrap_or(0);
    let alone = json!({"target": {"socket": "/nowhere"}});
    succeed(&written(&server, "none", "run", "function event() end", alone));
    assert!(transactions > 100 && result["other"].as_u64() >= Some(16 * transactions), "{result:#}");
}

#[test]
fn an_open_loop_has_its_schedule() {
    let server = server();
    let source = "function event() end";
    let load = json!({"arrivals": {"kind": "poisson", "rate": 500.0}});
    let changes = json!({"load": load, "workload": {"options": {"mysql_dry_run": "on"}}});
    let said = succeed(&written(&server, "none", "run", source, changes));
    let result = said.one("result");
    assert_eq!(result["latency"], "response");
    let arrivals = result["pacing"]["arrivals"].as_u64().unwrap_or(0);
    assert!((100..400).contains(&arrivals), "{arrivals} in 0.4 s at 500 a second");
}

#[test]
fn a_script_that_never_comes_back_is_left_behind() {
    let server = server();
    let source = "
        ffi.cdef[[ int poll(void *, unsigned long, int); ]]
        local n = 0
        function event()
          n = n + 1
          if n == 100 and sysbench.tid == 0 then ffi.C.poll(nil, 0, 60000) end
        end";
    let changes = json!({
        "phases": {"measure_ms": 300, "drain_ms": 100},
        "workload": {"options": {"mysql_dry_run": "on"}},
        "engine": {"threads": 2},
    });
    let said = carry_out(&written(&server, "none", "run", source, changes));
    assert_eq!(said.exit_code, 2, "{:#?}", said.events);
    assert!(message(&said).starts_with("script: it computes for"), "{}", message(&said));
    assert!(said.one("result")["transactions"].as_u64() > Some(0), "what was measured is said");
}
