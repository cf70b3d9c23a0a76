//! What a script declares, for those who plan a load with it: its options, and whether it makes tables.

use std::collections::BTreeMap;

use crate::error::ScriptError;
use crate::told::Told;

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
    pub(crate) fn read(listed: &Told) -> Result<Self, ScriptError> {
        let read = |name, option: Told| Ok((name, DeclaredOption::read(&option)?));
        Ok(Self {
            options: listed.table("options")?.each(read)?.into_iter().collect(),
            declares: listed.flag("declares")?,
            prepares: listed.flag("prepares")?,
            checks: listed.flag("checks")?,
        })
    }
}

impl DeclaredOption {
    fn read(option: &Told) -> Result<Self, ScriptError> {
        Ok(Self {
            kind: match option.text("kind")?.as_deref() {
                Some("switch") => Kind::Switch,
                Some("whole") => Kind::Whole,
                Some("size") => Kind::Size,
                Some("number") => Kind::Number,
                _ => Kind::Text,
            },
            default: match (option.value("default")?.as_boolean(), option.number("default")?) {
                (Some(on), _) => Setting::Switch(on),
                (None, Some(number)) => Setting::Number(number),
                (None, None) => Setting::Text(option.text("default")?.unwrap_or_default()),
            },
            help: option.text("help")?.unwrap_or_default(),
            shapes: option.flag("shapes")?,
        })
    }
}
