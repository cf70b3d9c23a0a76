//! What a script declares, for those who plan a load with it: its options, and whether it makes tables.

use std::collections::BTreeMap;

use mlua::{Table, Value};

use crate::error::ScriptError;

/// What a loaded script says of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Declared {
    /// Its options by name with underscores, and those of every script that are a matter of the workload.
    pub options: BTreeMap<String, DeclaredOption>,
    /// Whether it declares options at all. One for 0.5 does not: it reads each as a global.
    pub declares: bool,
    /// Whether it has the command `prepare`.
    pub prepares: bool,
    /// Whether it has a command `check`, of what the load must not have broken.
    pub checks: bool,
}

/// One option.
#[derive(Debug, Clone, PartialEq)]
pub struct DeclaredOption {
    pub kind: Kind,
    /// The value that it has where nobody gives one.
    pub default: Setting,
    pub help: String,
    /// Whether it may change the rows that `prepare` makes.
    pub shapes: bool,
}

/// The type of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Switch,
    Whole,
    /// Bytes, with a unit or without.
    Size,
    Number,
    /// Also lists, with commas, and names of files.
    Text,
}

/// A default.
#[derive(Debug, Clone, PartialEq)]
pub enum Setting {
    Switch(bool),
    Number(f64),
    Text(String),
}

impl Declared {
    pub(crate) fn read(listed: &Table) -> Result<Self, ScriptError> {
        let options: Table = listed.get("options")?;
        let read = |pair: mlua::Result<(String, Table)>| {
            let (name, option) = pair?;
            Ok((name, DeclaredOption::read(&option)?))
        };
        Ok(Self {
            options: options.pairs().map(read).collect::<Result<_, ScriptError>>()?,
            declares: listed.get("declares")?,
            prepares: listed.get("prepares")?,
            checks: listed.get("checks")?,
        })
    }
}

impl DeclaredOption {
    fn read(option: &Table) -> Result<Self, ScriptError> {
        let kind: String = option.get("kind")?;
        let default: Value = option.get("default")?;
        let number = default.as_f64().or_else(|| default.as_i64().map(|whole| whole as f64));
        Ok(Self {
            kind: match &*kind {
                "switch" => Kind::Switch,
                "whole" => Kind::Whole,
                "size" => Kind::Size,
                "number" => Kind::Number,
                _ => Kind::Text,
            },
            default: match (default.as_boolean(), number) {
                (Some(on), _) => Setting::Switch(on),
                (None, Some(number)) => Setting::Number(number),
                (None, None) => Setting::Text(option.get::<Option<String>>("default")?.unwrap_or_default()),
            },
            help: option.get::<Option<String>>("help")?.unwrap_or_default(),
            shapes: option.get("shapes")?,
        })
    }
}
