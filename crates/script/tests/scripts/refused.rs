//! What a script sees of statements that the server refuses, by the function that sent them; as sysbench 1.0.20 has it.

use assay_script::Call;

use crate::support::{Played, Reply, Rule, origin, play};

const REFUSED: Rule = Rule { part: "missing", times: 0, reply: Reply::Refused(1146, "no such table") };
const DEADLOCK: Rule = Rule { part: "missing", times: 0, reply: Reply::Refused(1213, "deadlock") };
/// Loads a row by the functions of 0.5.
const LOADS: &str = "db_bulk_insert_init('INSERT INTO missing VALUES') db_bulk_insert_next('(1)')
    db_bulk_insert_done()";

/// Carries out a command of a script whose `event()` and `prepare()` are these lines; returns what the host has noted.
fn carry_out(command: &str, lines: &str, rule: &Rule) -> (Result<bool, String>, Played) {
    let source =
        format!("function work()\n{lines}\nend\nfunction event() work() end\nfunction prepare() work() end");
    let mut origin = origin(&source, &[]);
    origin.command = Some(command.into());
    let mut host = Played::new(1, std::slice::from_ref(rule));
    let call = if command == "run" { Call::Worker(0) } else { Call::Command("prepare") };
    let outcome = play(&origin, &mut host, call).map_err(|error| error.message);
    (outcome, host)
}

#[test]
fn the_functions_of_older_scripts_say_their_names() {
    let lines = "
        local function failing(f, ...) local ok, e = pcall(f, ...) assert(not ok) return e end
        assert(failing(db_query, 'SELECT missing') == 'db_query() failed')
        assert(failing(db_prepare, 'SELECT missing') == 'db_prepare() failed')
        db_query('SELECT missing')";
    let (outcome, host) = carry_out("run", lines, &REFUSED);
    assert_eq!(outcome, Err("`thread_run' function failed: a.lua:6: db_query() failed".into()));
    let text = "FATAL: mysql_drv_query() returned error 1146 (no such table) for query 'SELECT missing'";
    assert_eq!(host.logged.iter().filter(|line| *line == text).count(), 2);
}

#[test]
fn a_run_goes_on_where_the_functions_of_older_scripts_did_and_counts_the_error() {
    for rule in [&REFUSED, &DEADLOCK] {
        let (outcome, host) = carry_out("run", LOADS, rule);
        assert_eq!(outcome, Ok(true));
        assert_eq!(host.notes.iter().filter(|note| note.starts_with("failed 1")).count(), 1);
        assert!(host.notes.contains(&"ended".to_owned()), "{:?}", host.notes);
    }
}

#[test]
fn a_run_does_not_go_on_without_its_connection() {
    let lost = Rule { part: "missing", times: 0, reply: Reply::Refused(2013, "lost") };
    let (outcome, _) = carry_out("run", LOADS, &lost);
    assert_eq!(outcome, Err("`thread_run' function failed: a.lua:3: db_bulk_insert_done() failed".into()));
}

#[test]
fn a_command_does_not_go_on_without_what_it_should_have_loaded() {
    let (outcome, _) = carry_out("prepare", LOADS, &REFUSED);
    assert_eq!(outcome, Err("`prepare' function failed: a.lua:3: db_bulk_insert_done() failed".into()));
}

/// The preparation itself succeeds.
fn executes(reply: Reply) -> (Result<bool, String>, Played) {
    let lines = "local s = db_prepare('SELECT 1 FROM t') db_execute(s)";
    let prepared = Rule { part: "prepare SELECT", times: 0, reply: Reply::Changed(0) };
    let refused = Rule { part: "SELECT", times: 1, reply };
    let mut origin = origin(&format!("function event() {lines} end"), &[]);
    origin.command = Some("run".into());
    let mut host = Played::new(1, &[prepared, refused]);
    let outcome = play(&origin, &mut host, Call::Worker(0)).map_err(|error| error.message);
    (outcome, host)
}

#[test]
fn an_older_statement_that_is_refused_is_counted_and_one_to_be_ignored_begins_the_event_again() {
    let (outcome, host) = executes(Reply::Refused(1146, "no such table"));
    assert_eq!(outcome, Ok(true));
    let text = "FATAL: mysql_stmt_execute() returned error 1146 (no such table) for query 'SELECT 1 FROM t'";
    assert_eq!(host.logged, [text]);
    assert!(!host.notes.contains(&"restart".to_owned()));

    let (outcome, host) = executes(Reply::Refused(1213, "deadlock"));
    assert_eq!(outcome, Ok(true));
    assert!(host.notes.contains(&"restart".to_owned()), "{:?}", host.notes);
}

#[test]
fn rows_of_a_connection_that_are_refused_say_which_function_sent_them() {
    let lines = "
        local con = sysbench.sql.driver():connect()
        con:bulk_insert_init('INSERT INTO missing VALUES')
        con:bulk_insert_next('(1)')
        local ok, e = pcall(con.bulk_insert_done, con)
        assert(not ok and e == 'db_bulk_insert_done() failed', tostring(e))
        local row = '(\\'' .. ('x'):rep(300000) .. '\\')'
        con:bulk_insert_init('INSERT INTO missing VALUES')
        con:bulk_insert_next(row)
        con:bulk_insert_next(row)";
    let (outcome, _) = carry_out("run", lines, &REFUSED);
    assert_eq!(outcome, Err("`thread_run' function failed: a.lua:11: db_bulk_insert_next() failed".into()));
}

#[test]
fn a_row_that_is_no_text_is_refused_at_its_place() {
    let lines = "
        local con = sysbench.sql.driver():connect()
        con:bulk_insert_init('INSERT INTO t VALUES')
        con:bulk_insert_next(nil)";
    let (outcome, _) = carry_out("run", lines, &REFUSED);
    let words = "a.lua:5: a statement must be a text, not a value of the type nil";
    assert_eq!(outcome, Err(format!("`thread_run' function failed: {words}")));
}

#[test]
fn a_statement_takes_as_many_of_its_parameters_as_it_has_marks() {
    let lines = "
        local con = sysbench.sql.driver():connect()
        local s = con:prepare('SELECT ?')
        local a, b = s:bind_create(sysbench.sql.type.INT), s:bind_create(sysbench.sql.type.INT)
        a:set(1) b:set(2)
        s:bind_param(a, b)
        s:execute()
        s:execute()";
    let (outcome, host) = carry_out("run", lines, &REFUSED);
    assert_eq!(outcome, Ok(true));
    assert!(host.notes.contains(&"execute SELECT ? [Int(1)]".to_owned()), "{:?}", host.notes);
    let once = ["FATAL: Wrong number of parameters to mysql_stmt_bind_param"];
    assert_eq!(host.logged, once, "and not at each execution");
}
