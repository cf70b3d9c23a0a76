//! The prelude: the Lua half of the interface, in the order in which its parts need each other.

use mlua::{Lua, Table};

use crate::error::ScriptError;

/// Makes a list of names with the texts of their files.
macro_rules! parts {
    ($($name:literal),+ $(,)?) => {
        &[$((concat!("=assay/", $name, ".lua"), include_str!(concat!("lua/", $name, ".lua")))),+]
    };
}

const PARTS: &[(&str, &str)] = parts![
    "core", "ffi", "sysbench", "rand", "nearest", "options", "commands", "sql", "binding", "report",
    "legacy",
];

/// Runs the prelude in a fresh state; returns what its parts know of each other. `native` is what they are told.
///
/// # Errors
/// The state has no memory for it.
pub(crate) fn install(lua: &Lua, native: &Table) -> Result<Table, ScriptError> {
    let inner = lua.create_table()?;
    for (name, text) in PARTS {
        lua.load(*text).set_name(*name).call::<()>((native.clone(), inner.clone()))?;
    }
    Ok(inner)
}
