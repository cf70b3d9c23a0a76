//! The prelude: the Lua half of the interface, in the order in which its parts need each other.

use std::sync::OnceLock;

use mlua::{ChunkMode, Function, Lua, Table};

use crate::error::{OWN_CODE, ScriptError};

/// Makes a list of names with the texts of their files.
macro_rules! parts {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("lua/", $name, ".lua")))),+]
    };
}

/// What every state has.
const PARTS: &[(&str, &str)] =
    parts!["core", "ffi", "sysbench", "rand", "commands", "sql", "binding", "legacy", "interpreted"];

/// What a state has when it needs it: for a moment, or from then on.
const OTHERS: &[(&str, &str)] = parts![
    "arguments",
    "calls",
    "closed",
    "connections",
    "counters",
    "declared",
    "draw",
    "errors",
    "histogram",
    "inputs",
    "load",
    "nearest",
    "older",
    "options",
    "own_files",
    "report",
    "sandbox",
    "setting",
    "texts",
    "wide",
];

/// The parts as Lua's byte code without names and lines: compiled once a process, as there may be thousands of states.
static COMPILED: OnceLock<Vec<(&str, Vec<u8>)>> = OnceLock::new();

fn compile(&(name, text): &(&'static str, &str)) -> (&'static str, Vec<u8>) {
    (name, stripped(name, text).expect("the prelude is Lua"))
}

/// Code without names and lines. Only Lua's own function leaves them out: that of its interface in C has no such choice.
fn stripped(name: &str, text: &str) -> mlua::Result<Vec<u8>> {
    let lua = Lua::new();
    let function = lua.load(text).set_name(format!("=assay/{name}.lua")).into_function()?;
    let dump: Function = lua.globals().get::<Table>("string")?.get("dump")?;
    Ok(dump.call::<mlua::String>((function, true))?.as_bytes().to_vec())
}

/// A part of the prelude, as a function.
///
/// # Errors
/// The state has no memory for it.
pub(crate) fn part(lua: &Lua, name: &str) -> mlua::Result<Function> {
    let parts = COMPILED.get_or_init(|| PARTS.iter().chain(OTHERS).map(compile).collect());
    let code = parts.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, code)| code);
    lua.load(code).set_name(format!("={OWN_CODE}")).set_mode(ChunkMode::Binary).into_function()
}

/// Runs the prelude in a fresh state; returns what its parts know of each other. `native` is what they are told.
///
/// # Errors
/// The state has no memory for it.
pub(crate) fn install(lua: &Lua, native: &Table) -> Result<Table, ScriptError> {
    let inner = lua.create_table()?;
    inner.set("part", lua.create_function(|lua, name: String| part(lua, &name))?)?;
    for (name, _) in PARTS {
        part(lua, name)?.call::<()>((native.clone(), inner.clone()))?;
    }
    Ok(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_of_the_prelude_has_neither_names_nor_lines() {
        for part in PARTS.iter().chain(OTHERS) {
            let (name, code) = compile(part);
            let file = format!("assay/{name}.lua");
            assert!(!code.windows(file.len()).any(|bytes| bytes == file.as_bytes()), "{name}");
        }
    }
}
