//! The life of script threads: events, restarts, errors, coroutines, counters.

use std::future::Future;
use std::task::{Context, Waker};

use assay_script::{Call, Counter, Script};
use assay_wire::block_on;
use rstest::rstest;

use crate::support::{Played, Reply, Rule, origin, play, work};

const CONNECTED: &str = "
function thread_init(tid) con = sysbench.sql.driver():connect() end
function thread_done(tid) con:disconnect() end
";

fn script(rest: &str) -> String {
    format!("{CONNECTED}{rest}")
}

#[test]
fn an_event_that_always_begins_again_ends_with_its_time() {
    let again = Rule { part: "UPDATE", times: 0, reply: Reply::Refused(1213, "deadlock") };
    let mut host = Played { restarts_left: Some(5), ..Played::new(3, &[again]) };
    let source = "
        function thread_init() con = sysbench.sql.driver():connect() end
        function event() con:query('UPDATE t') end";
    assert_eq!(work(source, &[], &mut host), Ok(()));
    let count = |wanted: &str| host.notes.iter().filter(|note| *note == wanted).count();
    assert_eq!((count("restart"), count("query UPDATE t"), count("ended")), (5, 5, 0));
}

#[test]
fn a_thread_begins_works_and_ends() {
    let mut host = Played::new(2, &[]);
    work(&script("function event(tid) con:query('SELECT ' .. tid) end"), &[], &mut host).expect("a life");
    let expected = ["connect", "ready", "query SELECT 0", "ended", "query SELECT 0", "ended", "disconnect"];
    assert_eq!(host.notes, expected);
}

#[test]
fn a_script_names_its_own_memory_at_each_request() {
    let source = script("function event() con:query('SELECT 1') end");
    let mut hosts = [Played::new(3, &[]), Played::new(3, &[])];
    block_on(async {
        let origin = origin(&source, &[]);
        let mut one = Script::open(&origin, 0, &mut hosts[0]).await.expect("a script");
        let mut other = Script::open(&origin, 1, &mut hosts[1]).await.expect("a script");
        // Both are there until the end, so that neither has the memory of the other.
        one.call(&mut hosts[0], Call::Worker(0)).await.expect("a life");
        other.call(&mut hosts[1], Call::Worker(1)).await.expect("a life");
    });
    let parts = hosts.map(|host| {
        // To connect, to be ready, for four events of which the last is none, a statement in three, that it has ended.
        assert!(host.touched.len() >= 9, "{:?}", host.touched);
        let parts = host.touched.into_iter().flatten();
        parts.map(|part| part.cast::<u8>().addr()..part.cast::<u8>().addr() + part.len()).collect::<Vec<_>>()
    });
    assert!(parts.iter().flatten().all(|part| part.start > 0 && !part.is_empty()));
    for one in &parts[0] {
        assert!(parts[1].iter().all(|other| one.end <= other.start || other.end <= one.start));
    }
}

#[test]
fn a_truthy_answer_ends_the_thread_and_its_event_is_not_counted() {
    let mut host = Played::new(5, &[]);
    work(&script("local n = 0 function event() n = n + 1 return n == 2 end"), &[], &mut host)
        .expect("a life");
    assert_eq!(host.notes, ["connect", "ready", "ended", "disconnect"]);
}

#[test]
fn an_ignored_error_begins_the_event_again_after_the_hook() {
    let rule = Rule { part: "UPDATE", times: 2, reply: Reply::Refused(1213, "Deadlock found") };
    let mut host = Played::new(1, &[rule]);
    let source = script(
        "
        function event() con:query('BEGIN') con:query('UPDATE t') con:query('COMMIT') end
        function sysbench.hooks.before_restart_event(e)
          assert(e.errcode == 1 and e.sql_errno == 1213 and e.sql_state == '40001' and e.query == 'UPDATE t')
          assert(e.connection == con and e.sql_errmsg == 'Deadlock found')
          con:query('ROLLBACK')
        end",
    );
    work(&source, &[], &mut host).expect("a life");
    assert_eq!(host.notes.iter().filter(|note| *note == "query ROLLBACK").count(), 2);
    assert_eq!(host.notes.iter().filter(|note| *note == "restart").count(), 2);
    assert_eq!(host.notes.iter().filter(|note| *note == "failed 1213 false").count(), 2);
    assert_eq!(host.notes[host.notes.len() - 3..], ["query COMMIT", "ended", "disconnect"]);
    assert!(host.logged.is_empty(), "{:?}", host.logged);
}

#[test]
fn an_error_that_is_not_ignored_names_the_place_in_the_script() {
    let rule = Rule { part: "SELECT", times: 0, reply: Reply::Refused(1146, "no such table") };
    let source = script("function event()\n  con:query('SELECT 1')\nend");
    let mut host = Played::new(1, std::slice::from_ref(&rule));
    let message = work(&source, &[], &mut host).expect_err("an error");
    let expected =
        "`thread_run' function failed: a.lua:5: SQL error, errno = 1146, state = '40001': no such table";
    assert_eq!(message, expected);
    assert!(host.logged[0].starts_with("FATAL: mysql_drv_query() returned error 1146"), "{:?}", host.logged);

    // A name of Lua's own that the script uses for something else changes nothing.
    let source = script("debug = true\nfunction event()\n  con:query('SELECT 1')\nend");
    let mut host = Played::new(1, std::slice::from_ref(&rule));
    let message = work(&source, &[], &mut host).expect_err("an error");
    assert_eq!(message, expected.replace(":5:", ":6:"));

    // The script sees the same through pcall, and the hook may have it ignored.
    let caught = script(
        "
        function event()
          local ok, e = pcall(con.query, con, 'SELECT 1')
          assert(not ok and type(e) == 'string' and e:find('errno = 1146'), tostring(e))
          assert(con.sql_errno == 1146 and con.error == sysbench.sql.error.FATAL)
          sysbench.hooks.sql_error_ignorable = function(e) return e.sql_errno == 1146 end
          ok, e = pcall(con.query, con, 'SELECT 1')
          assert(not ok and type(e) == 'table' and e.errcode == sysbench.error.RESTART_EVENT)
        end",
    );
    work(&caught, &[], &mut Played::new(1, &[rule])).expect("caught");
}

#[test]
fn a_lost_connection_that_is_ignored_is_opened_again_and_its_statements_prepared() {
    let rule = Rule { part: "SELECT ?", times: 1, reply: Reply::Refused(2013, "lost") };
    let source = script(
        "
        function event()
          if not s then s = con:prepare('SELECT ?') p = s:bind_create(sysbench.sql.type.INT) s:bind_param(p) end
          p:set(41) s:execute()
        end",
    );
    // The first is the preparation itself.
    let prepared = Rule { part: "prepare SELECT ?", times: 0, reply: Reply::Changed(0) };
    let mut host = Played::new(1, &[prepared, rule]);
    work(&source, &[("mysql-ignore-errors", "2013,1213")], &mut host).expect("a life");
    let expected = [
        "connect",
        "ready",
        "prepare SELECT ?",
        "execute SELECT ? [Int(41)]",
        "connect",
        "failed 2013 true",
        "restart",
        "prepare SELECT ?",
        "execute SELECT ? [Int(41)]",
        "ended",
        "disconnect",
    ];
    assert_eq!(host.notes, expected);
}

#[test]
fn requests_pass_through_coroutines_of_the_script() {
    let rule = Rule { part: "SELECT", times: 0, reply: Reply::Rows(vec![["1", "x"], ["2", "y"]]) };
    let source = script(
        "
        function event()
          local rows = coroutine.wrap(function()
            local inner = coroutine.create(function() return con:query('SELECT 1') end)
            local ok, rs = coroutine.resume(inner)
            assert(ok and rs.nrows == 2 and rs.nfields == 2)
            for i = 1, rs.nrows do coroutine.yield(rs:fetch_row()) end
          end)
          local first, second, third = rows(), rows(), rows()
          assert(first[1] == '1' and first[2] == 'x' and second[1] + 0 == 2 and third == nil)
          local a, b = con:query_row('SELECT 2')
          assert(a == '1' and b == 'x')
          assert(coroutine.running() == nil)
          local ok, message = pcall(coroutine.yield, 1)
          assert(not ok and message:find('across C-call boundary', 1, true))
        end",
    );
    work(&source, &[], &mut Played::new(1, &[rule])).expect("a life");
}

#[test]
fn the_counters_and_sleeps_of_the_c_interface_are_the_hosts() {
    let source = script(
        "
        ffi.cdef[[ void sb_counter_inc(int, sb_counter_type); int usleep(unsigned int); int printf(const char *, ...); ]]
        function event(tid)
          ffi.C.sb_counter_inc(tid, ffi.C.SB_CNT_ERROR)
          con:query('BEGIN')
          assert(ffi.C.sb_counter_val(tid, ffi.C.SB_CNT_ERROR) == 1 and ffi.C.sb_counter_val(tid, 0) == 1)
          assert(ffi.C.usleep(1500) == 0)
          os.execute('sleep 0.5')
          local big = sysbench.rand.uniform_uint64()
          assert(type(big) == 'cdata' and tonumber(big % 4294967296) < 4294967296)
        end",
    );
    let mut host = Played::new(1, &[]);
    work(&source, &[], &mut host).expect("a life");
    assert_eq!(host.counted, [(Counter::Error, 1)]);
    assert!(host.notes.contains(&"sleep 1500000".into()) && host.notes.contains(&"sleep 500000000".into()));
}

/// Lua that says whether something was compiled, and where that is.
const COMPILED: &str = "
        local util = package.preload['jit.util']()
        local function compiled() return (select(2, util.tracemc(1))) end
";

#[test]
fn a_script_is_compiled_with_the_twentieth_event_of_its_thread() {
    let source = script(
        "
        local number, seen = 0, {}
        function event()
          number = number + 1
          seen[number] = compiled() ~= nil
          con:query('DO 1')
        end
        function thread_done()
          for place, is_compiled in ipairs(seen) do
            assert(place == 20 or is_compiled == (place > 20), place)
          end
        end",
    );
    work(&format!("{COMPILED}{source}"), &[], &mut Played::new(40, &[])).expect("a life");
}

#[rstest]
#[case::where_it_says_nothing("", "", false)]
#[case::where_it_says_when("jit.opt.start('hotloop=2')", "", true)]
#[case::where_the_command_line_does("", "opt=hotloop=2", true)]
#[case::where_the_command_line_has_none("jit.opt.start('hotloop=2')", "off", false)]
fn a_script_is_compiled_when_it_says(#[case] says: &str, #[case] command: &str, #[case] is_compiled: bool) {
    let source = script(&format!(
        "
        {says}
        function event()
          for number = 1, 100 do end
        end
        function thread_done()
          assert((compiled() ~= nil) == {is_compiled})
        end"
    ));
    work(&format!("{COMPILED}{source}"), &[("luajit-cmd", command)], &mut Played::new(3, &[]))
        .expect("a life");
}

#[test]
fn a_command_that_luajit_does_not_have_is_an_error() {
    let message = work(&script(""), &[("luajit_cmd", "of")], &mut Played::new(1, &[])).expect_err("an error");
    assert_eq!(message, "--luajit-cmd=of: neither a command of LuaJIT nor a module jit.of");
}

#[test]
fn a_thread_run_of_the_script_is_not_compiled_before_either() {
    let source = script(
        "
        ffi.cdef[[ bool sb_more_events(int); ]]
        local number = 0
        function thread_run(tid)
          while ffi.C.sb_more_events(tid) do
            number = number + 1
            assert(number >= 20 or not compiled())
          end
        end
        function thread_done()
          assert(compiled())
        end",
    );
    work(&format!("{COMPILED}{source}"), &[], &mut Played::new(60, &[])).expect("a life");
}

#[test]
fn the_unwinder_of_the_system_does_not_know_compiled_code() {
    // With thousands of states it would look through the code of each, for every error.
    let source = script(
        "
        ffi.cdef[[ void *_Unwind_Find_FDE(void *, void *); int printf(const char *, ...); ]]
        local bases = ffi.new('void *[3]')
        local function known(address) return ffi.C._Unwind_Find_FDE(ffi.cast('void *', address), bases) ~= nil end
        function event()
          con:query('DO 1')
        end
        function thread_done()
          assert(known(ffi.cast('intptr_t', ffi.C.printf)), 'the unwinder can be asked')
          assert(not known(compiled() + 1))
        end",
    );
    work(&format!("{COMPILED}{source}"), &[], &mut Played::new(40, &[])).expect("a life");
}

#[test]
fn a_thread_run_of_the_script_counts_its_own_events() {
    let source = script(
        "
        ffi.cdef[[ bool sb_more_events(int); void sb_event_start(int); void sb_event_stop(int); ]]
        function event() end
        function thread_run(tid)
          while ffi.C.sb_more_events(tid) do
            ffi.C.sb_event_start(tid)
            con:query('DO 1')
            ffi.C.sb_event_stop(tid)
          end
        end",
    );
    let mut host = Played::new(2, &[]);
    work(&source, &[], &mut host).expect("a life");
    assert_eq!(host.notes.iter().filter(|note| *note == "ended").count(), 2);
}

#[test]
fn globals_of_older_scripts_work() {
    let rule = Rule { part: "prepare", times: 0, reply: Reply::Changed(1) };
    let source = "
        function event(thread_id)
          assert(oltp_table_size == '77' and num_threads == 1 and type(sysbench.opt.oltp_table_size) == 'string')
          assert(sb_rand(3, 3) == 3 and sb_rand_uniform(1, 1) == 1 and sb_rand_str('@@'):match('^%l%l$'))
          assert(db_query('UPDATE t') == nil)
          local s = db_prepare('SELECT ?, ?')
          local values = {1, 'a'}
          db_bind_param(s, values)
          db_execute(s)
          values[1] = 2
          db_execute(s)
          db_close(s)
        end";
    let mut host = Played::new(1, &[rule]);
    work(source, &[("oltp-table-size", "77")], &mut host).expect("a life");
    let executed: Vec<&String> = host.notes.iter().filter(|note| note.starts_with("execute")).collect();
    let expected = ["execute SELECT ?, ? [Int(1), Bytes([97])]", "execute SELECT ?, ? [Int(2), Bytes([97])]"];
    assert_eq!(executed, expected.iter().collect::<Vec<_>>());
}

#[test]
fn memory_has_a_limit_that_ends_the_script() {
    let mut eats = origin("local t = {} for i = 1, 1e9 do t[i] = {i} end function event() end", &[]);
    eats.memory_bytes = 32 << 20;
    let error = play(&eats, &mut Played::default(), Call::Worker(0)).expect_err("too much");
    assert!(error.message.contains("memory"), "{error}");
}

#[test]
fn what_a_script_lacks_is_said_with_its_name() {
    let missing = play(&origin("x = 1", &[]), &mut Played::default(), Call::Begin).expect_err("no event");
    assert_eq!(missing.message, "cannot find the event() function in a.lua");
    let broken =
        work("function event() end\nlocal x = nil + 1", &[], &mut Played::default()).expect_err("broken");
    assert!(broken.starts_with("a.lua:2: attempt to perform arithmetic"), "{broken}");
    let wrong = work("function event(", &[], &mut Played::default()).expect_err("no Lua");
    assert!(wrong.starts_with("a.lua:1:"), "{wrong}");
    let fails = work(
        "function event() end function thread_init()\n error('no luck') end",
        &[],
        &mut Played::default(),
    );
    assert_eq!(fails, Err("`thread_init' function failed: a.lua:2: no luck".into()));
}

#[test]
fn a_call_that_is_given_up_while_it_waits_disturbs_no_other() {
    let source = "function event() os.execute('sleep 1') end";
    for _ in 0..3 {
        let mut host = Played { sleeps_for_ever: true, ..Played::new(1, &[]) };
        let sleeper = origin(source, &[]);
        let mut life = Box::pin(async {
            let mut script = Script::open(&sleeper, 0, &mut host).await?;
            script.call(&mut host, Call::Worker(0)).await
        });
        assert!(life.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        drop(life);
        assert!(host.notes.contains(&"sleep 1000000000".into()), "{:?}", host.notes);
        work(source, &[], &mut Played::new(2, &[])).expect("another life");
    }
}
