//! Errors of scripts, and of the statements that they send.

use assay_wire::Error as WireError;

/// The error that ends a script: what it raised, or what the state that it runs in could not do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptError {
    /// What went wrong, with the file and the line where the script says so.
    pub message: String,
}

impl ScriptError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        let mut message = message.into();
        if message.len() > LONGEST {
            let end = (0..=LONGEST).rev().find(|end| message.is_char_boundary(*end));
            message.truncate(end.unwrap_or_default());
            message.push('…');
        }
        Self { message }
    }
}

/// Bytes of a message: a script may raise a text of any length.
const LONGEST: usize = 64 << 10;

impl std::fmt::Display for ScriptError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ScriptError {}

impl From<mlua::Error> for ScriptError {
    fn from(error: mlua::Error) -> Self {
        match error {
            mlua::Error::MemoryError(_) => Self::new("the script needs more memory than a script may have"),
            mlua::Error::CallbackError { cause, .. } => (*cause).clone().into(),
            mlua::Error::RuntimeError(text) | mlua::Error::SyntaxError { message: text, .. } => {
                Self::new(without_own_place(&text))
            }
            other => Self::new(other.to_string()),
        }
    }
}

/// The name of the prelude's code, in which Lua tells no lines.
pub(crate) const OWN_CODE: &str = "assay";

/// What Lua says, without the place before it where that is in the prelude: it would tell a script's author nothing.
pub(crate) fn without_own_place(text: &str) -> &str {
    let after = text.strip_prefix(OWN_CODE).and_then(|rest| rest.strip_prefix(":0: "));
    after.unwrap_or(text)
}

/// The reason why a statement or a login failed, in the words that scripts know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqlError {
    pub code: u16,
    /// SQLSTATE.
    pub state: String,
    pub message: String,
}

/// CR_SERVER_LOST: what the client library says of a connection that broke.
const LOST: u16 = 2013;
/// CR_OUT_OF_MEMORY: what the client library says of a result that it has no room for.
const OUT_OF_MEMORY: u16 = 2008;
/// CR_NO_PREPARE_STMT: what is to be executed is no prepared statement.
const NO_PREPARE_STMT: u16 = 2030;
/// CR_SERVER_GONE_ERROR: what the client library says of one that broke while nothing was asked of it.
const GONE: u16 = 2006;
/// CR_UNKNOWN_ERROR: what this side refused.
const UNKNOWN: u16 = 2000;
/// CR_SERVER_GONE_ERROR, CR_SERVER_HANDSHAKE_ERR, CR_SERVER_LOST, CR_SERVER_LOST_EXTENDED: errors after which sysbench
/// connects again.
const CONNECTION_CODES: [u16; 4] = [GONE, 2011, LOST, 2055];

impl SqlError {
    pub fn new(code: u16, state: &str, message: impl Into<String>) -> Self {
        Self { code, state: state.into(), message: message.into() }
    }

    /// The error that a connection that is gone answers to everything.
    pub fn lost(message: impl Into<String>) -> Self {
        Self::new(LOST, "HY000", message)
    }

    /// The error of a statement that is not prepared, or not any more.
    pub(crate) fn no_statement() -> Self {
        Self::new(NO_PREPARE_STMT, "HY000", "Statement not prepared")
    }

    /// The error of whatever is asked for while a script's state is closed.
    pub(crate) fn at_the_end() -> Self {
        Self::new(UNKNOWN, "HY000", "nothing can be asked for any more")
    }

    /// Whether the connection is gone.
    pub fn is_lost(&self) -> bool {
        CONNECTION_CODES.contains(&self.code)
    }
}

impl From<&WireError> for SqlError {
    fn from(error: &WireError) -> Self {
        match error {
            WireError::Server(server) if !error.is_fatal() => {
                Self::new(server.code, server.state.as_str(), &*server.message)
            }
            WireError::Idle(why) => Self::new(GONE, "HY000", format!("MySQL server has gone away ({why})")),
            WireError::Refused(why) => Self::new(OUT_OF_MEMORY, "HY000", &**why),
            other if other.is_fatal() => {
                Self::lost(format!("Lost connection to MySQL server during query ({other})"))
            }
            other => Self::new(UNKNOWN, "HY000", other.to_string()),
        }
    }
}
