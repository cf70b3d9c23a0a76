//! Calls without end are errors with a line of the script, however they call each other: none ends the process.

use std::sync::Arc;

use assay_script::{DryRun, Origin, Script};
use assay_wire::block_on;
use rstest::rstest;

use crate::support::{Played, origin, work};

/// What the script raises where it runs, and where it is only read.
fn both(statements: &str) -> [String; 2] {
    let in_event = format!("function event()\n{statements}\nend");
    let run = work(&in_event, &[], &mut Played::new(1, &[])).unwrap_err();
    let read = Origin {
        sandbox: Some(Arc::default()),
        ..origin(&format!("\n{statements}\nfunction event() end"), &[])
    };
    let read = block_on(async {
        let mut host = DryRun::default();
        Script::open(&read, 0, &mut host).await.map(drop).unwrap_err().message
    });
    [run, read]
}

#[rstest]
#[case::coroutines("local function f() return coroutine.wrap(f)() end f()")]
#[case::kept_coroutines(
    "local all = {} local function f() all[#all + 1] = coroutine.wrap(f) return all[#all]() end f()"
)]
#[case::resumed_coroutines("local function f() assert(coroutine.resume(coroutine.create(f))) end f()")]
#[case::replacements("local function f() return (('x'):gsub('x', f)) end f()")]
#[case::comparators("local function f() table.sort({ 3, 1, 2 }, f) return false end f()")]
#[case::each("local function f() table.foreach({ 1 }, f) end f()")]
#[case::texts(
    "local t = setmetatable({}, { __tostring = function(t) return ('%s'):format(t) end }) tostring(t)"
)]
#[case::indices_of_coroutines(
    "local t t = setmetatable({}, { __index = function(_, k) return coroutine.wrap(function() return t[k] end)() end }) local x = t.a"
)]
#[case::modules(
    "local function f() package.preload.x, package.loaded.x = f, nil return 1, require('x') end f()"
)]
fn calls_without_end_are_an_error_with_the_line_of_the_script(#[case] statements: &str) {
    for message in both(statements) {
        assert!(message.contains("a.lua:2: ") && message.contains("stack overflow"), "{message:.300}");
    }
}

/// Lua itself has no room to tell the line where metamethods, or functions that it has compiled, have filled its own stack: there
/// it asks no handler of errors.
#[rstest]
#[case::functions("local function f() return 1 + f() end f()")]
#[case::own_texts(
    "local t t = setmetatable({}, { __tostring = function() return tostring(t) .. 'x' end }) tostring(t)"
)]
#[case::indices(
    "local t t = setmetatable({}, { __index = function(_, k) return t[k] .. 'x' end }) local x = t.a"
)]
fn calls_that_fill_the_stack_of_lua_are_an_error(#[case] statements: &str) {
    for message in both(statements) {
        assert!(message.contains("stack overflow"), "{message:.300}");
    }
}

#[rstest]
#[case::protected("local function f() return pcall(f) end f()")]
#[case::resumed("local function f() coroutine.resume(coroutine.create(f)) end f()")]
#[case::handlers("local function f() return xpcall(f, f) end f() xpcall(error, function(e) error(e) end)")]
#[case::patterns("local ok = pcall(string.find, ('a'):rep(3e5), ('a?'):rep(3e5) .. 'b')")]
#[case::levels("assert(not loadstring(('('):rep(1e5)))")]
#[case::caught(
    "for _ = 1, 3 do assert(not pcall(function() local function f() return coroutine.wrap(f)() end f() end)) end"
)]
fn a_script_that_catches_them_goes_on(#[case] statements: &str) {
    let script = format!("function event()\n{statements}\nend");
    let mut host = Played::new(2, &[]);
    work(&script, &[], &mut host).unwrap();
    assert_eq!(host.notes.iter().filter(|note| *note == "ended").count(), 2);
}
