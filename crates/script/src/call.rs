//! What a script is asked to do.

use mlua::{IntoLua, Lua, Value};

use crate::error::ScriptError;

/// One thing that a script is asked to do, from its beginning to its end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Call<'a> {
    /// The life of a script thread: thread_init(), the events, thread_done().
    Worker(u32),
    /// A command such as `prepare`.
    Command(&'a str),
    /// What stands before all threads of a run: init(), and whether there are events at all.
    Begin,
    /// A global function such as `done`, where the script has it.
    Function(&'a str),
    /// A hook for reports, with its figures by name; false where the script does not have it.
    Report { hook: &'a str, figures: &'a [(&'a str, f64)] },
    /// Load the script itself.
    Load { path: &'a str, source: Option<&'a str> },
}

impl Call<'_> {
    /// The name of the function of the prelude.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Worker(_) => "worker",
            Self::Command(_) => "command",
            Self::Begin => "begin",
            Self::Function(_) => "call",
            Self::Report { .. } => "report",
            Self::Load { .. } => "load",
        }
    }

    /// Its arguments.
    pub(crate) fn arguments(self, lua: &Lua) -> Result<Vec<Value>, ScriptError> {
        Ok(match self {
            Self::Begin => Vec::new(),
            Self::Worker(tid) => vec![tid.into_lua(lua)?],
            Self::Command(name) | Self::Function(name) => vec![name.into_lua(lua)?],
            Self::Report { hook, figures } => {
                let table = lua.create_table_from(figures.iter().copied())?;
                vec![hook.into_lua(lua)?, Value::Table(table)]
            }
            Self::Load { path, source } => vec![path.into_lua(lua)?, source.into_lua(lua)?],
        })
    }
}
