//! The isolation level of connections.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    /// As SQL has it; nothing where the server decides.
    fn level(self) -> Option<&'static str> {
        match self {
            Self::Server => None,
            Self::ReadCommitted => Some("READ COMMITTED"),
            Self::RepeatableRead => Some("REPEATABLE READ"),
            Self::Serializable => Some("SERIALIZABLE"),
        }
    }

    /// The statement that sets it on a connection, where there is one.
    pub(crate) fn statement(self) -> Option<String> {
        self.level().map(|level| format!("SET SESSION TRANSACTION ISOLATION LEVEL {level}"))
    }
}
