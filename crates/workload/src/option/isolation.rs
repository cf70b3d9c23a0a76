//! The isolation level of connections.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::statement::Statements;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub(crate) enum Isolation {
    Server,
    ReadCommitted,
    #[default]
    RepeatableRead,
    Serializable,
}

impl Isolation {
    /// The isolation level as SQL has it; `None` where the server decides.
    fn level(self) -> Option<&'static str> {
        match self {
            Self::Server => None,
            Self::ReadCommitted => Some("READ COMMITTED"),
            Self::RepeatableRead => Some("REPEATABLE READ"),
            Self::Serializable => Some("SERIALIZABLE"),
        }
    }

    /// Has connections begin with the statement that sets the level, where there is one.
    pub(crate) fn set_up(self, statements: &mut Statements) {
        if let Some(level) = self.level() {
            statements.set_up(format!("SET SESSION TRANSACTION ISOLATION LEVEL {level}"));
        }
    }
}
