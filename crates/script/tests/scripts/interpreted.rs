//! Functions of the driver have one face for code that is interpreted and another for code that is compiled. A script sees no
//! difference.

use crate::support::{Played, Reply, Rule, work};

/// Events of which the first are interpreted and the last are compiled.
const EVENTS: usize = 60;

/// A script whose every event says the same, whichever face the functions have.
const SCRIPT: &str = "
local faces, said, first = {}
function thread_init()
    con = sysbench.sql.driver():connect()
    stmt = con:prepare('SELECT ?')
    local kinds = sysbench.sql.type
    whole, real, text = stmt:bind_create(kinds.INT), stmt:bind_create(kinds.DOUBLE), stmt:bind_create(kinds.VARCHAR, 3)
end
function execute(param)
    stmt:bind_param(param)
    return stmt:execute()
end
function say(...)
    for place = 1, select('#', ...) do
        said[#said + 1] = tostring((select(place, ...)))
    end
end
function event()
    said = {}
    faces[debug.getinfo(stmt.execute, 'S').what] = true
    EVENT
    local all = table.concat(said, ' ')
    first = first or all
    assert(all == first, all .. ' is not ' .. first)
end
function thread_done()
    assert(faces.C and faces.Lua)
end";

/// Has a script do something in each event; returns what the host has noted of the first event and of the last.
fn first_and_last(event: &str, rules: &[Rule]) -> [Vec<String>; 2] {
    let mut host = Played::new(EVENTS as u64, rules);
    let ignored = [("mysql-ignore-errors", "1213")];
    work(&SCRIPT.replace("EVENT", event), &ignored, &mut host).unwrap();
    let begins = host.notes.iter().position(|note| note == "ready").unwrap() + 1;
    let events: Vec<_> = host.notes[begins..].split(|note| note.starts_with("ended")).collect();
    [events[0].to_vec(), events[EVENTS - 1].to_vec()]
}

fn rows(part: &'static str) -> Rule {
    Rule { part, times: 0, reply: Reply::Rows(vec![["1", "a"], ["2", "b"]]) }
}

#[test]
fn parameters_take_the_same_values() {
    let event = "
        for _, value in ipairs({ 7, -7.9, 2 ^ 40, 12ULL, true }) do
            whole:set(value) execute(whole)
            real:set(value) execute(real)
        end
        for _, value in ipairs({ 7, -7.9, 'ab', 'abcd', '' }) do
            text:set(value) execute(text)
        end
        for _, value in ipairs({ 2 ^ 63, -2 ^ 64, 0 / 0, 0xffffffffffffffffULL }) do
            say(pcall(whole.set, whole, value))
        end
        say(pcall(real.set, real, 1 / 0)) say(pcall(text.set, text, true))
        for _, param in ipairs({ whole, real, text }) do
            param:set(nil) execute(param)
        end
        text:set('long') execute(text)
        say(pcall(whole.set, whole, 'x')) say(pcall(real.set, real, {}))
        text:set_rand_str('x-y') execute(text)";
    let [first, last] = first_and_last(event, &[rows("SELECT")]);
    assert_eq!(first.len(), 20);
    assert_eq!(first, last);
    assert_eq!(first[..2], ["execute SELECT ? [Int(7)]", "execute SELECT ? [Double(7.0)]"]);
    assert_eq!(last[19], "execute SELECT ? [Bytes([120, 45, 121])]");
}

#[test]
fn draws_refuse_the_same_and_texts_follow_their_formats() {
    let event = "
        for _, draw in ipairs({ sysbench.rand.default, sysbench.rand.uniform, sysbench.rand.pareto }) do
            say(draw(5, 5), pcall(draw, 'x', 1), pcall(draw, 1), draw(3ULL, 3))
        end
        say(sysbench.rand.string('a-b'), #sysbench.rand.string('##@@'), pcall(sysbench.rand.string, nil))";
    first_and_last(event, &[]);
}

#[test]
fn results_and_errors_are_the_same() {
    let event = "
        whole:set(1)
        local result = execute(whole)
        say(result.nrows, result.nfields, tostring(result), result:free(), con.error, stmt.connection == con)
        say(pcall(result.fetch_row, result))
        local update = con:prepare('UPDATE')
        say(update:execute() == nil, con.affected_rows, con.insert_id)
        local refused = con:prepare('refused')
        local succeeded, raised = pcall(refused.execute, refused)
        say(succeeded, raised.sql_errno, con.error, execute(whole).nrows, con.error)
        say(pcall(con.prepare, con, 'broken'))
        say(con.error, execute(whole).nrows, con.error)
        update:close() refused:close()
        say(pcall(refused.execute, refused))";
    let rules = [
        rows("SELECT"),
        Rule { part: "UPDATE", times: 0, reply: Reply::Inserted(9) },
        Rule { part: "prepare broken", times: 0, reply: Reply::Refused(1064, "syntax") },
        Rule { part: "prepare refused", times: 0, reply: Reply::Changed(0) },
        Rule { part: "refused", times: 0, reply: Reply::Refused(1213, "deadlock") },
    ];
    let [first, last] = first_and_last(event, &rules);
    assert!(first.contains(&"failed 1213 false".to_owned()), "{first:?}");
    assert_eq!(first, last);
}

#[test]
fn what_was_compiled_while_all_else_was_interpreted_is_compiled_anew() {
    let script = "
        local function draws(count)
            local sum = 0
            for _ = 1, count do sum = sum + sysbench.rand.uniform(1, 1) end
            return sum
        end
        local traces = {}
        function thread_init()
            jit.attach(function(what) traces[#traces + 1] = what end, 'trace')
            assert(draws(40000) == 40000)
            assert(table.concat(traces):find('stop'), 'not compiled')
        end
        function event() assert(draws(300) == 300) end
        function thread_done()
            local all = table.concat(traces, ' ')
            assert(all:find('flush .*stop'), all)
        end";
    work(script, &[], &mut Played::new(EVENTS as u64, &[])).unwrap();
}

#[rstest::rstest]
#[case::nothing_is_compiled("jit.off()", "C")]
#[case::the_script_says_when("jit.opt.start('hotloop=5')", "Lua")]
fn a_script_that_has_told_the_compiler_keeps_one_face(#[case] told: &str, #[case] face: &str) {
    let script = format!(
        "function thread_init()
            {told}
            con = sysbench.sql.driver():connect()
            stmt = con:prepare('SELECT ?')
        end
        function event()
            stmt:execute()
            local what = debug.getinfo(stmt.execute, 'S').what
            assert(what == '{face}', what)
        end"
    );
    let mut host = Played::new(EVENTS as u64, &[rows("SELECT")]);
    work(&script, &[], &mut host).unwrap();
    assert_eq!(host.notes.iter().filter(|note| note.starts_with("execute")).count(), EVENTS);
}
