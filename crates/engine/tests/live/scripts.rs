//! Scripts for sysbench on a real MariaDB: commands, loads, what they print, and what ends them.

use std::process::{Command, Stdio};
use std::thread;

use serde_json::{Value, json};

use super::engine::{database, job, number};
use crate::drive::{Said, carry_out, succeed};
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
fn an_event_that_sleeps_beyond_the_window_sleeps_to_its_end() {
    let server = server();
    let name = "script_sleeps";
    database(&server, name);
    let source = "
        ffi.cdef('int usleep(unsigned int)')
        function event() ffi.C.usleep(400000) end";
    let said = succeed(&written(&server, name, "run", source, json!({"phases": {"measure_ms": 100}})));
    let threads = said.one("threads");
    assert_eq!(threads["events"]["mean"], 1.0);
    assert!(threads["busy_ns"]["mean"].as_f64().is_some_and(|ns| ns >= 400e6), "{threads}");
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
    let failed = "script: `sysbench.cmdline.call_command' function failed: a.lua:10: no luck";
    assert_eq!((said.exit_code, message(&said)), (2, failed));
    let said = command("other");
    assert_eq!((said.exit_code, message(&said)), (2, "script: Unknown command: other"));
    let said = carry_out(&written(&server, name, "prepare", source, json!({})));
    assert_eq!(message(&said), "script: 'a.lua' test does not implement the 'prepare' command.");
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
    // The thread that failed had 19 before; on a busy machine the others may not have begun.
    assert!(said.one("result")["transactions"].as_u64() >= Some(19), "what was measured is said");
    assert_eq!(said.one("result")["complete"], false);

    let wrong = json!({"workload": {"name": "lua:/nowhere/at/all.lua", "script": {"source": null}}});
    let said = carry_out(&written(&server, name, "run", source, wrong));
    let told = "script: Cannot find benchmark '/nowhere/at/all.lua': no such built-in test, file or module";
    assert_eq!(message(&said), told);
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
fn a_closed_loop_of_a_script_has_an_event_loop_for_each_core() {
    let server = server();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let loops = |load: Value| {
        let dry = json!({"options": {"mysql_dry_run": "on"}});
        let changes = json!({"engine": {"threads": 0}, "load": load, "workload": dry});
        let said = succeed(&written(&server, "none", "run", "function event() end", changes));
        said.one("hello")["threads"].as_u64().unwrap_or(0) as usize
    };
    let connections = 8 * cores;
    assert_eq!(loops(json!({"connections": connections})), cores);
    assert_eq!(loops(json!({"connections": 8})), 1, "few have no need of more");
    let rate = json!({"kind": "poisson", "rate": 500.0});
    assert_eq!(loops(json!({"connections": connections, "arrivals": rate})), (cores / 2).max(1));
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
    assert!(
        message(&said).starts_with("script: a.lua:") && message(&said).contains(": it computes for"),
        "{}",
        message(&said)
    );
    assert!(said.one("result")["transactions"].as_u64() > Some(0), "what was measured is said");
}

/// What the engine answers about a script, and its exit code; the answer of a wrong one is its complaint.
fn listed(workload: &Value) -> (i32, Value) {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_assay-engine"))
        .args(["script", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("an engine");
    serde_json::to_writer(engine.stdin.take().expect("its input"), workload).expect("a script");
    let ended = engine.wait_with_output().expect("its end");
    let code = ended.status.code().expect("a code");
    let complaint = || json!(String::from_utf8_lossy(&ended.stderr));
    (code, serde_json::from_slice(&ended.stdout).unwrap_or_else(|_| complaint()))
}

#[test]
fn a_script_is_listed_with_its_options_and_what_it_consists_of() {
    let own = |source: &str, common: &str| {
        let files = json!({"d/common.lua": common});
        json!({"name": "lua:d/a.lua", "script": {"source": source, "files": files}})
    };
    let source = "print('while it loads')
        require('common')
        function event() end
        function prepare() error('is not called') end";
    let common = "sysbench.cmdline.options = {
          rows = {'Rows', 10}, on = {'Switch', true}, word = {'Word'}, list = {'List', {'a', 'b'}},
          big = {'Bytes', '64K', sysbench.cmdline.ARG_SIZE}, whole = {'Whole', 3, sysbench.cmdline.ARG_INT}}";
    let (code, listing) = listed(&own(source, common));
    assert_eq!(code, 0, "{listing}");
    let options = &listing["options"]["properties"];
    let of = |name: &str| (options[name]["type"].clone(), options[name]["default"].clone());
    assert_eq!(of("rows"), (json!("number"), json!(10)));
    assert_eq!(of("on"), (json!("boolean"), json!(true)));
    assert_eq!(of("word"), (json!(["string", "number"]), json!("")));
    assert_eq!(of("list"), (json!(["string", "number"]), json!("a,b")));
    assert_eq!(of("big"), (json!(["string", "integer"]), json!(65536)));
    assert_eq!(of("whole"), (json!("integer"), json!(3)));
    assert_eq!(of("rand_type").1, "special");
    assert_eq!(options["threads"], json!(null), "the load says it");
    assert_eq!(
        (&listing["prepares"], &listing["options"]["additionalProperties"]),
        (&json!(true), &json!(false))
    );

    let (_, other) = listed(&own(source, &common.replace("10", "20")));
    assert_ne!(listing["identity"], other["identity"], "a file that it loads is part of it");
    let (_, legacy) = listed(&own("function event() end", ""));
    assert_eq!(
        (&legacy["prepares"], &legacy["options"]["additionalProperties"]),
        (&json!(false), &json!(true))
    );
    let (_, bundled) = listed(&json!({"name": "lua:oltp_insert", "script": {"files": {}}}));
    let options = &bundled["options"]["properties"];
    assert_eq!(
        (&options["table_size"]["default"], &options["table_size"]["x-shapes"]),
        (&json!(10_000), &json!(null))
    );
    assert_eq!(options["skip_trx"]["x-shapes"], "load", "the script says what prepare reads");
    let replaced = "require('oltp_common') function create_table() end function event() end";
    let (_, replaced) = listed(&own(replaced, ""));
    assert_eq!(
        replaced["options"]["properties"]["skip_trx"]["x-shapes"],
        json!(null),
        "another function makes them"
    );

    for (wrong, words) in [
        (own("\n x = = 3", ""), "script: d/a.lua:2: unexpected symbol"),
        (own("require('common')", "\nerror('no luck')"), "script: d/common.lua:2: no luck"),
        (json!({"name": "lua:none", "script": {"files": {}}}), "no script none comes with the engine"),
    ] {
        let (code, complaint) = listed(&wrong);
        assert_eq!(code, 2, "{complaint}");
        assert!(complaint.as_str().unwrap_or_default().contains(words), "{complaint}");
    }
}

#[test]
fn a_job_has_the_files_of_its_script_with_it() {
    let server = server();
    let name = "script_files";
    database(&server, name);
    let source = "local common = dofile('common.lua')
        function prepare() common.connect():query('CREATE TABLE t (n INT)') end
        function thread_init() con = common.connect() end
        function event() con:query('INSERT INTO t VALUES (' .. sysbench.opt.value .. ')') end";
    let common = "sysbench.cmdline.options = {value = {'Value', 1}}
        return {connect = function() return sysbench.sql.driver():connect() end}";
    let changes = json!({
        "phases": {"measure_ms": 0, "max_transactions": 8},
        "workload": {"options": {"value": 5}, "script": {"files": {"common.lua": common}}},
    });
    for action in ["prepare", "run"] {
        succeed(&written(&server, name, action, source, changes.clone()));
    }
    assert_eq!(number(&server, &format!("SELECT SUM(n) FROM {name}.t")), 40);
}

#[test]
fn a_script_that_ends_because_its_server_went_away_is_not_to_blame() {
    let server = server();
    let name = "script_lost";
    database(&server, name);
    let source = "
        function thread_init()
          one, two = sysbench.sql.driver():connect(), sysbench.sql.driver():connect()
          id = one:query_row('SELECT CONNECTION_ID()')
        end
        function event()
          two:query('KILL ' .. id)
          one:query('DO 1')
        end";
    let said = carry_out(&written(&server, name, "run", source, json!({"load": {"connections": 1}})));
    assert_eq!(said.exit_code, 5, "{:#?}", said.events);
    let fatal = said.all("error").into_iter().find(|error| error["fatal"] == true).expect("its end");
    let words = fatal["message"].as_str().unwrap_or_default();
    assert!(
        words.starts_with("script: `thread_run' function failed: a.lua:8: SQL error, errno = 20"),
        "{words}"
    );
}
