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
