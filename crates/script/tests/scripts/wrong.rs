//! What a script hands over by mistake is refused in words with its line, whichever face the functions have: it never becomes
//! an address, a length or a count.

use crate::support::{Played, Reply, Rule, work};

/// Events of which the first are interpreted and the last are compiled.
const EVENTS: u64 = 30;

#[test]
fn every_function_refuses_every_wrong_value_with_the_line_of_the_script() {
    let script = include_str!("lua/wrong.lua").replace("EVENTS", &EVENTS.to_string());
    let rows = Rule { part: "SELECT", times: 0, reply: Reply::Rows(vec![["1", "a"], ["2", "b"]]) };
    let mut host = Played::new(EVENTS, &[rows]);
    work(&script, &[], &mut host).unwrap();
    let executed = host.notes.iter().filter(|note| note.starts_with("execute"));
    for note in executed {
        assert!(
            ["execute SELECT ? [", "execute SELECT 2 ["].iter().any(|good| note.starts_with(good)),
            "{note}"
        );
    }
}

#[test]
fn errors_inside_of_the_library_name_the_line_of_the_script() {
    for (statement, expected) in [
        ("sysbench.rand.string(nil)", "a.lua:2: bad argument #1 to 'string' (string expected, got nil)"),
        (
            "sysbench.rand.varstring(-5, -1)",
            "a.lua:2: bad argument #1 to 'varstring' (a number from 0 to 67108864 expected, got -5)",
        ),
        (
            "sysbench.rand.uniform('a', 'b')",
            "a.lua:2: bad argument #1 to 'uniform' (number expected, got string)",
        ),
        (
            "stmt:bind_param('abc')",
            "a.lua:2: bad argument #1 to 'bind_param' (<sql_param> expected, got string)",
        ),
        (
            "stmt.execute(con)",
            "a.lua:2: calling 'execute' on bad self (<sql_statement> expected, got <sql_connection>)",
        ),
        (
            "con.query('SELECT 1')",
            "a.lua:2: calling 'query' on bad self (<sql_connection> expected, got string)",
        ),
    ] {
        let script = format!(
            "function event()\n{statement}\nend\nfunction thread_init() con = sysbench.sql.driver():connect() stmt = con:prepare('SELECT ?') end"
        );
        let error = work(&script, &[], &mut Played::new(1, &[])).unwrap_err();
        assert_eq!(error, format!("`thread_run' function failed: {expected}"));
    }
}

/// There may be a thousand states: what tells of wrong values takes 18 KB in each that has it.
#[test]
fn what_is_right_loads_nothing_that_tells_of_what_is_wrong() {
    let script = "local kinds, before = sysbench.sql.type
        local function kilobytes() collectgarbage() collectgarbage() return collectgarbage('count') end
        function thread_init() con = sysbench.sql.driver():connect() before = kilobytes() end
        function event()
        local stmt = con:prepare('SELECT ?, ?, ?')
        local whole, real = stmt:bind_create(kinds.INT), stmt:bind_create(kinds.DOUBLE)
        local text = stmt:bind_create(kinds.VARCHAR, 120)
        stmt:bind_param(whole, real, text)
        whole:set(sysbench.rand.uniform(1, 9)) real:set(0.5) whole:set(nil)
        text:set(sysbench.rand.string('###')) text:set(sysbench.rand.varstring(1, 9)) text:set(7)
        stmt:execute() stmt:close() con:query('SELECT 1')
        local more = kilobytes() - before
        assert(more < 8, more)
        end";
    work(script, &[], &mut Played::new(1, &[])).unwrap();
}

#[test]
fn words_of_a_script_are_kept_whatever_they_say() {
    for words in ["see assay:0: there", "assay:1: mine", "two\nassay:0: lines"] {
        let script = format!("function event()\nerror({words:?})\nend");
        let error = work(&script, &[], &mut Played::new(1, &[])).unwrap_err();
        assert_eq!(error, format!("`thread_run' function failed: a.lua:2: {words}"));
        let error = work(&format!("error({words:?})"), &[], &mut Played::new(1, &[])).unwrap_err();
        assert_eq!(error, format!("a.lua:1: {words}"));
    }
}

#[test]
fn what_the_driver_reads_as_addresses_is_not_for_scripts_to_write() {
    for fields in ["has", "length", "whole", "real", "holds", "most"] {
        refused(&format!("local p = stmt:bind_create(sysbench.sql.type.VARCHAR, 9) p.{fields} = 3"));
    }
    for field in ["of", "bound", "number", "rows", "fields", "kind", "has_error"] {
        refused(&format!("stmt[0].{field} = 0"));
        refused(&format!("con[0].{field} = 0"));
    }
}

fn refused(statement: &str) {
    let script = format!(
        "function event()\n{statement}\nend\nfunction thread_init() con = sysbench.sql.driver():connect() stmt = con:prepare('SELECT ?') end"
    );
    let error = work(&script, &[], &mut Played::new(1, &[])).unwrap_err();
    assert!(error.contains("a.lua:2: attempt to write to constant location"), "{statement}: {error}");
}

#[test]
fn a_statement_keeps_its_parameters_whatever_a_script_forgets() {
    let script = "function event()
        local stmt = con:prepare('SELECT ?')
        local param = stmt:bind_create(sysbench.sql.type.VARCHAR, 9)
        stmt:bind_param(param) param:set('kept')
        param = nil
        for place = 1, 9 do stmt[place] = nil end
        for _ = 1, 3 do collectgarbage() end
        stmt:execute()
        end
        function thread_init() con = sysbench.sql.driver():connect() end";
    let mut host = Played::new(EVENTS, &[]);
    work(script, &[], &mut host).unwrap();
    let executed: Vec<_> = host.notes.iter().filter(|note| note.starts_with("execute")).collect();
    assert_eq!(executed.len() as u64, EVENTS);
    let expected = format!("{:?}", b"kept");
    assert!(executed.iter().all(|note| note.contains(&expected)), "{executed:?}");
}

#[test]
fn a_script_that_puts_something_else_where_options_and_hooks_are_is_told_or_taken() {
    for other in ["nil", "5", "'words'", "print"] {
        let script = format!("sysbench.hooks = {other}\nfunction event() end");
        work(&script, &[], &mut Played::new(1, &[])).unwrap();
    }
    for other in ["5", "'words'", "print", "true"] {
        let script = format!("sysbench.cmdline.options = {other}\nfunction event() end");
        let error = work(&script, &[], &mut Played::new(1, &[])).unwrap_err();
        assert!(error.contains("wrong table structure in sysbench.cmdline.options"), "{error}");
    }
}
