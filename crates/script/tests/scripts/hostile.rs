//! Scripts that mean harm, or look like it: each gets an error with its line, or what it asks for. None ends the process.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use assay_script::{Call, DryRun, Origin, Script, ScriptError, Watch};
use assay_wire::block_on;

use crate::support::{Played, Reply, Rule, origin, play};

/// Events of a run: the first are interpreted, the last are compiled.
const EVENTS: u64 = 25;
/// Bytes that a script may use.
const MEMORY: usize = 80 << 20;

/// What a script has come to: `Ok`, or its error.
type Outcome = Result<(), String>;

/// Reads a script as a plan does, and lists what it declares.
fn read(source: &str) -> Outcome {
    let read = Origin { sandbox: Some(Arc::default()), memory_bytes: MEMORY, ..origin(source, &[]) };
    let listed = block_on(async {
        let mut host = DryRun::default();
        let mut script = Script::open(&read, 0, &mut host).await?;
        let listed = script.declared(&mut host).await.map(drop);
        script.leave(&mut host).await;
        listed
    });
    listed.map_err(|error: ScriptError| error.message)
}

/// Runs a script's thread.
fn run(source: &str) -> Outcome {
    let rows = Rule { part: "SELECT", times: 0, reply: Reply::Rows(vec![["1", "a"], ["2", "b"]]) };
    let run = Origin { memory_bytes: MEMORY, ..origin(source, &[]) };
    play(&run, &mut Played::new(EVENTS, &[rows]), Call::Worker(0)).map(drop).map_err(|error| error.message)
}

/// Checks the rows of a table: a script's second line, and what its error says, or `""` for none.
fn check(rows: &[(&str, &str)], outcome: impl Fn(&str) -> Outcome) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(statements, expected)| {
            let found = outcome(statements);
            let is_right = match &found {
                Ok(()) => expected.is_empty(),
                Err(message) => !expected.is_empty() && message.contains(expected) && message.len() < 70_000,
            };
            (!is_right).then(|| format!("{statements}\n  expected {expected:?}, got {found:.300?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const HELPERS: &str = "local O, M = {}, setmetatable sysbench.cmdline.options = O; local function deep() return coroutine.wrap(deep)() end local function bomb() local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end end";

/// What stands beside the functions of a script that is read.
const READ: &[(&str, &str)] = &[
    ("O.a = { 'h', M({}, { __tostring = function() error('mine') end }), 5 }", "a.lua:2: mine"),
    ("O.a = { 'h', M({}, { __tostring = function() error({}) end }), 5 }", "table: 0x"),
    ("O.a = { 'h', M({}, { __tostring = function() error() end }), 5 }", "nil"),
    ("O.a = { 'h', M({}, { __tostring = function() return 5 end }), 5 }", ""),
    ("O.a = { 'h', M({}, { __tostring = function() return 'd' end }), 5 }", ""),
    ("O.a = { 'h', M({}, { __tostring = function() deep() end }), 5 }", "stack overflow"),
    ("O.a = { 'h', M({}, { __tostring = function() bomb() end }), 5 }", "needs more memory"),
    ("O.a = { 'h', M({}, { __tostring = function() coroutine.yield() end }), 5 }", "attempt to yield"),
    ("O.a = { 'h', M({}, { __tostring = coroutine.wrap(function() coroutine.yield('d') end) }), 5 }", ""),
    ("O.a = { 'h', M({}, { __tostring = function() os.execute('x') end }), 5 }", "os.execute is not there"),
    ("O.a = { 'h', M({}, { __tostring = function() io.open('x', 'w') end }), 5 }", "io.open is not there"),
    ("O.a = { 'h', M({}, { __tostring = function() ffi.cast('int', 1) end }), 5 }", "ffi.cast is not there"),
    ("O.a = M({}, { __index = function(_, k) error('mine') end })", "a.lua:2: mine"),
    ("O.a = M({}, { __index = function(_, k) deep() end })", "stack overflow"),
    ("O.a = M({}, { __index = function(_, k) return k == 1 and 'h' or nil end })", ""),
    ("O.a = M({}, { __index = function(t, k) return t[k] end })", "stack overflow"),
    ("sysbench.cmdline.options = M({}, { __pairs = function() error('no') end, __len = error })", ""),
    (
        "M(sysbench.cmdline, { __index = function() error('mine') end }) sysbench.cmdline.options = nil",
        "a.lua:2: mine",
    ),
    ("M(sysbench, { __newindex = function() error('mine') end })", "a.lua:2: mine"),
    ("M(sysbench, { __newindex = function(_, _, v) M(v, { __index = error }) end })", ""),
    ("sysbench.cmdline = nil", "attempt to index field 'cmdline'"),
    ("sysbench = nil", "attempt to index"),
    ("sysbench = 5", "attempt to index"),
    ("sysbench = M({}, { __index = function() error('mine') end })", "a.lua:2: mine"),
    ("sysbench.cmdline.commands = M({}, { __index = function() error('mine') end })", "a.lua:2: mine"),
    ("sysbench.cmdline.commands = M({}, { __index = function() deep() end })", "stack overflow"),
    ("sysbench.cmdline.commands = 5", ""),
    ("sysbench.cmdline.commands = { prepare = 5 }", "wrong table structure in sysbench.cmdline.commands"),
    ("sysbench.cmdline.prepare_reads = M({}, { __index = function() error('mine') end })", "a.lua:2: mine"),
    ("sysbench.cmdline.prepare_reads = { 5, {} }", ""),
    (
        "M(_G, { __index = function(_, k) error('mine ' .. k) end }) local x = nowhere",
        "a.lua:2: mine nowhere",
    ),
    ("M(_G, { __newindex = function() error('mine') end }) new = 1", "a.lua:2: mine"),
    (
        "getmetatable('').__index = function() error('mine') end O.a = { 'h', 'a', sysbench.cmdline.ARG_LIST }",
        "a.lua:2: mine",
    ),
    ("getmetatable('').__index = nil O.a = { 'h', '1' }", "attempt to index a string value"),
    ("string.find, string.gsub, tostring, pairs, ipairs, type = nil", "attempt to call global 'type'"),
    (
        "for name in pairs(_G) do if name ~= '_G' and name ~= 'sysbench' then _G[name] = nil end end",
        "attempt to index global 'jit'",
    ),
    ("O.a = { 'h', ('x'):rep(9e6) }", "declares more than 8 MB of options"),
    ("O.a = { ('x'):rep(9e6), 5 }", "declares more than 8 MB of options"),
    ("O[('x'):rep(9e6)] = { 'h', 5 }", "declares more than 8 MB of options"),
    (
        "local s = ('x'):rep(1e6) for i = 1, 20 do O['o' .. i] = { s, s } end",
        "declares more than 8 MB of options",
    ),
    (
        "local s, l = ('x'):rep(1e6), {} for i = 1, 99 do l[i] = s end O.mysql_ignore_errors = { 'h', l }",
        "declares more than 8 MB of options",
    ),
    ("for i = 1, 2e4 do O['o' .. i] = { 'h', i } end", ""),
    ("O.a = { 'h', {{}} }", "option --a: place 1 of its default is a table"),
    ("O.a = { 'h', { 1, 'b', true } }", "option --a: place 3 of its default is a boolean"),
    ("O.a = { 'h', M({}, { __index = function() return 'x' end }) }", ""),
    ("O.a = { 'h', function() end }", ""),
    ("O.a = { 'h', 0 / 0 }", ""),
    ("O.a = { 'h', 1 / 0 } O.b = { 'h', -1 / 0 }", ""),
    ("O.a = { 'h', 5LL } O.b = { 'h', 5, 'no type' } O.c = { 'h', 5, {} } O.d = { 'h', 5, 99 }", ""),
    ("O.a = { {}, 5 } O.b = { 5, 5 } O.c = { true } O.d = {}", ""),
    ("O['a-b'] = { 'h', 1 } O.a_b = { 'h', 2 }", ""),
    ("O[''] = { 'h', 1 } O['='] = { 'h', 1 } O['_'] = { 'h', 1 } O['\\0'] = { 'h', 1 }", ""),
    ("O['größe'] = { 'Größe', '\\255' } O['\\255'] = { '\\255', 1 }", ""),
    ("O[1] = { 'h', 1 }", "wrong table structure in sysbench.cmdline.options"),
    ("O.a = 5", "wrong table structure in sysbench.cmdline.options"),
    ("O.a = { 'h', 'perhaps', sysbench.cmdline.ARG_BOOL }", "invalid option: --a=perhaps"),
    ("O.a = { 'h', 'many', sysbench.cmdline.ARG_SIZE }", "invalid option: --a=many"),
    ("O.threads = { 'h', 'x' } O.rand_type = { 'h', 'odd' }", "invalid option: --"),
    ("O.threads = { 'h', 0 / 0 }", "invalid option: --threads=NaN"),
    ("O.percentile = { 'h', M({}, { __tostring = deep }), 5 }", "stack overflow"),
    ("sysbench.opt = 5", ""),
    ("bomb()", "needs more memory"),
    ("deep()", "a.lua:2: stack overflow"),
    ("local s = 'x' while true do s = s .. s end", "needs more memory"),
    ("('x'):rep(2e9)", "needs more memory"),
    ("string.format('%99999d', 1)", "a.lua:2: invalid"),
    ("table.concat({}, 'x', 1, 1e9)", "a.lua:2: invalid value"),
    ("unpack({}, 1, 1e8)", "a.lua:2: too many results"),
    ("error(M({}, { __tostring = function() error('no') end }))", "a.lua:2: no"),
    ("error(M({}, { __tostring = function() return {} end }))", "a.lua:2: an error that is no text"),
    ("error(M({}, { __tostring = deep }))", "stack overflow"),
    ("error(coroutine.create(print))", "thread: 0x"),
    ("error(('x'):rep(9e6))", "a.lua:2: xxx"),
    ("load(function() return '\\27LJ\\2' end)()", "a.lua:2: attempt to call"),
    ("loadstring(string.dump(function() end), 'x', 'b')()", "a.lua:2: attempt to call"),
    ("os[('x'):rep(1e6)]()", "is not there while a script is only read"),
    ("os[M({}, { __tostring = function() error('mine') end })]()", "a.lua:2: mine"),
    ("coroutine.yield()", "a.lua:2: attempt to yield"),
    ("table.sort({ 3, 2, 1 }, coroutine.yield)", "a.lua:2: attempt to yield"),
    ("('x'):gsub('x', coroutine.yield)", "a.lua:2: attempt to yield"),
    ("local co co = coroutine.create(function() coroutine.resume(co) end) assert(coroutine.resume(co))", ""),
    ("sysbench.rand.uniform(coroutine.running(), 1)", "a.lua:2: bad argument #1"),
    ("sysbench.hooks = M({}, { __index = function() deep() end })", ""),
    ("collectgarbage('setpause', 0) collectgarbage('stop') collectgarbage('step', -1)", ""),
];

#[test]
fn what_runs_while_a_script_is_read_has_the_limits_of_its_text() {
    check(READ, |statements| read(&format!("{HELPERS}\n{statements}\nfunction event() end")));
}

const RUN_HELPERS: &str = "local M, R, T = setmetatable, sysbench.rand, sysbench.sql.type local ffi = require('ffi') local function deep() return coroutine.wrap(deep)() end local nan, huge = 0 / 0, 1 / 0; local function nowhere(of) return ffi.cast(of or 'int *', 8) end";

/// What an event does with a connection `con`, a statement `stmt`, its parameters `n` and `s`, and a result `rs`.
fn in_event(statements: &str) -> String {
    format!(
        "{RUN_HELPERS} function thread_init() drv = sysbench.sql.driver() con = drv:connect() stmt = con:prepare('SELECT ?, ?') n, s = stmt:bind_create(T.BIGINT), stmt:bind_create(T.VARCHAR, 9) stmt:bind_param(n, s) n:set(1) s:set('s') rs = con:query('SELECT') end function event()\n{statements}\nend"
    )
}

/// What an event does.
const RUN: &[(&str, &str)] = &[
    // Addresses that lead nowhere.
    ("nowhere()[0] = 1", "a.lua:2: there is no memory at an address"),
    ("return nowhere()[0]", "a.lua:2: there is no memory at an address"),
    ("ffi.copy(nowhere(), 'xx')", "a.lua:2: there is no memory at an address"),
    ("ffi.string(nowhere('char *'))", "a.lua:2: there is no memory at an address"),
    ("ffi.fill(nowhere(), 9)", "a.lua:2: there is no memory at an address"),
    ("nowhere('int (*)()')()", "there is no memory at an address"),
    ("pcall(function() nowhere()[0] = 1 end)", "a.lua:2: there is no memory at an address"),
    ("coroutine.wrap(function() nowhere()[0] = 1 end)()", "a.lua:2: there is no memory at an address"),
    (
        "for i = 1, 1e4 do if i > 9e3 then nowhere()[0] = 1 end end",
        "a.lua:2: there is no memory at an address",
    ),
    (
        "ffi.cast('const void **', stmt[0])[1] = nowhere('void *') stmt:execute()",
        "there is no memory at an address",
    ),
    (
        "ffi.cast('const void **', stmt[0])[0] = nowhere('void *') stmt:execute()",
        "there is no memory at an address",
    ),
    ("local p = ffi.cast('int64_t *', s) p[1] = 8 stmt:execute()", "there is no memory at an address"),
    (
        "stmt[0] = ffi.cast(ffi.typeof('$ *', ffi.typeof(stmt[0])), 8) stmt:execute()",
        "no memory at an address",
    ),
    // What a statement refers to is kept, whatever a script forgets or puts in its place.
    (
        "local t = con:prepare('SELECT ?') stmt[0] = t[0] t = nil collectgarbage() collectgarbage() stmt:execute()",
        "",
    ),
    (
        "local c = drv:connect() local t = c:prepare('SELECT ?') t.connection, t[1], c = nil, nil, nil for _ = 1, 3 do collectgarbage() end t:execute()",
        "",
    ),
    (
        "do local a, b = stmt:bind_create(T.INT), stmt:bind_create(T.CHAR, 9) stmt:bind_param(a, b) b:set('x') end collectgarbage() collectgarbage() stmt:execute()",
        "",
    ),
    ("con[0] = nowhere('void *') con:prepare('SELECT ?')", "a.lua:2: calling 'prepare' on bad self"),
    ("con[0] = ffi.new('char[1]') con:prepare('SELECT ?')", "a.lua:2: calling 'prepare' on bad self"),
    ("con[0] = 'text' con:prepare('SELECT ?')", "a.lua:2: calling 'prepare' on bad self"),
    ("con[0] = nil con:query('SELECT') con[0] = stmt[0]", ""),
    ("stmt[0] = ffi.new('char[1]') stmt:bind_param(n, s)", "a.lua:2: calling 'bind_param' on bad self"),
    ("stmt[0] = ffi.new('char[1]') stmt:close()", "a.lua:2: calling 'close' on bad self"),
    ("con[2] = 99 con:query('SELECT')", "a.lua:2: SQL error, errno = 2006"),
    ("con[2] = -1 con:query('SELECT')", "a.lua:2: SQL error, errno = 2006"),
    ("con[2] = nan con:query('SELECT')", "a.lua:2: "),
    ("con[2] = huge con:query('SELECT')", "a.lua:2: SQL error, errno = 2006"),
    ("con[2] = {} con:query('SELECT')", "a.lua:2: "),
    ("con[2] = nil con:prepare('SELECT')", "a.lua:2: "),
    ("rs.serial = {} rs:fetch_row()", "a.lua:2: "),
    ("rs.serial = 99 assert(rs:fetch_row() == nil)", ""),
    ("rs.connection = nil rs:fetch_row()", "a.lua:2: "),
    // Closed, freed, begun anew.
    ("con:disconnect() con:query('SELECT')", "a.lua:2: "),
    ("con:disconnect() con:disconnect()", ""),
    ("con:disconnect() con:prepare('SELECT')", "a.lua:2: "),
    ("con:disconnect() stmt:execute()", "a.lua:2: SQL error, errno = 2006"),
    ("con:disconnect() stmt:close() stmt:close()", ""),
    ("con:disconnect() rs:fetch_row()", ""),
    ("con:disconnect() con:reconnect() con:query('SELECT') stmt:execute() stmt:close() return true", ""),
    ("con:reconnect() stmt:execute() con:reconnect() stmt:bind_param(n) stmt:execute()", ""),
    ("stmt:close() stmt:execute()", "a.lua:2: SQL error, errno = 2030"),
    ("stmt:close() stmt:close() stmt:bind_param(n)", ""),
    (
        "local t = con:prepare('SELECT ?') t:close() local u = con:prepare('SELECT ?') t:close() u:execute()",
        "",
    ),
    ("local r = con:query('SELECT') r:free() r:free()", "db_free_results() failed"),
    ("local r = con:query('SELECT') r:free() assert(r:fetch_row() == nil)", ""),
    ("local r = con:query('SELECT') con:query('SELECT') r:free()", "db_free_results() failed"),
    ("local r = stmt:execute() r:free() r:free()", ""),
    ("con:query('UPDATE'):free() con:query('UPDATE').fetch_row()", ""),
    ("setmetatable(con, nil) con:query('SELECT')", "a.lua:2: attempt to call method 'query'"),
    ("setmetatable(con, getmetatable(stmt)) con:execute()", "a.lua:2: "),
    ("setmetatable({}, getmetatable(con)):query('SELECT')", "a.lua:2: "),
    ("setmetatable({}, getmetatable(stmt)):execute()", "a.lua:2: calling 'execute' on bad self"),
    ("setmetatable({}, getmetatable(rs)):fetch_row()", "a.lua:2: "),
    ("getmetatable(con).__index = nil con:query('SELECT')", "a.lua:2: attempt to call method 'query'"),
    ("getmetatable(stmt).execute = function() error('mine') end stmt:execute()", "a.lua:2: mine"),
    // Numbers.
    ("R.uniform(nan, 1)", "a.lua:2: bad argument #1 to 'uniform'"),
    ("R.uniform(1, huge)", "a.lua:2: bad argument #2 to 'uniform'"),
    (
        "R.uniform(9, 1) R.uniform(-5, -9) R.uniform(0, 2 ^ 53) R.uniform(-2 ^ 63, 2 ^ 63) R.uniform(1LL, 5ULL)",
        "",
    ),
    ("R.special(9, 1) R.gaussian(9, 1) R.pareto(9, 1) R.zipfian(9, 1) R.default(9, 1)", ""),
    ("R.zipfian(0, 2 ^ 40) R.pareto(0, 2 ^ 40) R.gaussian(-1e9, 1e9)", ""),
    ("R.zipfian(nan, nan)", "a.lua:2: bad argument #1 to 'zipfian'"),
    ("R.varstring(9, 1)", "a.lua:2: bad argument #2 to 'varstring'"),
    ("R.varstring(0, 1e12)", "a.lua:2: bad argument #2 to 'varstring'"),
    ("R.varstring(nan, 1)", "a.lua:2: bad argument #1 to 'varstring'"),
    ("R.string('') R.string(('#'):rep(1e5)) R.string('\\0#\\255@')", ""),
    ("R.string(nil)", "a.lua:2: bad argument #1 to 'string'"),
    ("R.unique(nan)", ""),
    ("n:set(nan)", "a.lua:2: bad argument #1 to 'set'"),
    ("n:set(huge)", "a.lua:2: bad argument #1 to 'set'"),
    ("n:set(2 ^ 63)", "a.lua:2: bad argument #1 to 'set'"),
    ("n:set(18446744073709551615ULL)", "a.lua:2: bad argument #1 to 'set'"),
    ("n:set(M({}, { __tostring = function() return '5' end }))", "a.lua:2: bad argument #1 to 'set'"),
    ("n:set() s:set(nil) n:set(false) s:set_rand_str('##') stmt:execute()", ""),
    ("n:set_rand_str('##')", "a.lua:2: calling 'set_rand_str' on bad self"),
    ("stmt:bind_create(99)", "a.lua:2: Unsupported argument type: 99"),
    ("stmt:bind_create(T.CHAR, -1)", "a.lua:2: bad argument #2 to 'bind_create'"),
    ("stmt:bind_create(T.CHAR, 2 ^ 40)", "a.lua:2: bad argument #2 to 'bind_create'"),
    ("stmt:bind_param(n, s, n, s, n, s, n, s, n, s) stmt:execute() stmt:bind_param() stmt:execute()", ""),
    ("stmt:bind_param(ffi.new('char[8]'))", "a.lua:2: bad argument #1 to 'bind_param'"),
    ("stmt:bind_param(ffi.cast('void *', n))", "a.lua:2: bad argument #1 to 'bind_param'"),
    ("return -9223372036854775808LL / -1LL + 1LL / 0LL + 1LL % 0LL", ""),
    // Texts.
    ("con:query(('x'):rep(1e5)) con:query('') con:query('\\0') con:query('\\255') con:prepare('\\255')", ""),
    ("con:query({})", "a.lua:2: a statement must be a text"),
    ("con:query(M({}, { __tostring = deep }))", "a.lua:2: a statement must be a text"),
    ("con:bulk_insert_next('(1)')", "db_bulk_insert_next() failed"),
    ("con:bulk_insert_init('I') con.bulk = nil con:bulk_insert_done()", ""),
    ("con:bulk_insert_init('I') con.bulk = 5 con:bulk_insert_next('(1)')", "a.lua:2: "),
    ("con:bulk_insert_init('I') con:bulk_insert_next(('x'):rep(2e6)) con:bulk_insert_done()", ""),
    // Who runs, and how it goes on.
    ("sysbench.tid = 'x' sysbench.opt = nil thread_id = {} con:query('SELECT') R.default(1, 9)", ""),
    ("sysbench.opt = 5 sysbench.sql.driver()", "a.lua:2: attempt to index field 'opt'"),
    ("sysbench.error = nil error('mine')", "a.lua:2: "),
    ("sysbench.hooks = M({}, { __index = function() deep() end }) error({ errcode = 1 })", "stack overflow"),
    ("event = nil", "attempt to call a nil value"),
    ("coroutine.yield()", "a.lua:2: attempt to yield"),
    ("coroutine.wrap(function() con:query('SELECT') coroutine.yield() end)()", ""),
    ("local c = coroutine.wrap(function() pcall(coroutine.yield) con:query('SELECT') end) c() c()", ""),
    ("table.sort({ 3, 1, 2 }, function(a, b) con:query('SELECT') return a < b end)", ""),
    ("thread_run(0)", ""),
    ("error(M({}, { __tostring = function() return {} end }))", "a.lua:2: an error that is no text"),
    ("error(M({}, { __tostring = deep }))", "stack overflow"),
    ("error({ sql_errno = {} })", "number expected, got table"),
    ("error(newproxy(true))", "a.lua:2: userdata: 0x"),
    (
        "debug.setmetatable(nil, { __index = function() error('mine') end }) local x = nothing.at",
        "a.lua:2: mine",
    ),
    ("debug.setmetatable(0, { __index = function() deep() end }) local x = (5).at", "stack overflow"),
    ("load('\\27LJ\\2\\0')()", "a.lua:2: attempt to call"),
    ("jit.opt.start('hotloop=1', 'maxtrace=1') jit.off() jit.on() jit.flush() collectgarbage('stop')", ""),
    ("local p = newproxy(true) getmetatable(p).__gc = function() error('mine') end p = nil", ""),
    ("kept = ffi.gc(ffi.new('int[1]'), function() deep() end)", ""),
    ("kept = ffi.gc(ffi.new('int[1]'), function() con:query('SELECT') end)", ""),
];

#[test]
fn what_a_script_does_to_the_interface_is_an_error_with_its_line_or_right() {
    check(RUN, |statements| run(&in_event(statements)));
}

#[test]
fn whatever_a_script_computes_it_computes_where_its_host_hears_of_it() {
    let says = "function() pcall(sysbench.sql.driver, 'odd') end";
    for object in [
        format!(
            "sysbench.cmdline.options = {{ a = {{ 'h', setmetatable({{}}, {{ __tostring = {says} }}), 5 }} }}"
        ),
        format!("sysbench.cmdline.prepare_reads = setmetatable({{}}, {{ __index = {says} }})"),
        format!("sysbench.cmdline.commands = setmetatable({{}}, {{ __index = {says} }})"),
        format!("sysbench.hooks = setmetatable({{}}, {{ __index = {says} }})"),
    ] {
        let (turns, is_on) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(false)));
        let heard = (turns.clone(), is_on.clone());
        let watch: Watch = Box::new(move |whereabouts| {
            heard.0.set(heard.0.get() + 1);
            heard.1.set(whereabouts.is_some());
        });
        let mut host = DryRun { watch: Some(watch), ..DryRun::default() };
        block_on(async {
            let mut script = Script::open(&origin(&object, &[]), 0, &mut host).await.unwrap();
            script.declared(&mut host).await.unwrap();
            script.is_parallel(&mut host, "prepare").await.unwrap();
            script.has_hook(&mut host, "report_cumulative").await.unwrap();
            assert!(!host.log.is_empty(), "{object}");
            let before = turns.get();
            script.leave(&mut host).await;
            assert_eq!((turns.get(), is_on.get()), (before + 2, false), "its state is closed");
        });
    }
}
