//! Requests of a script, and what they are answered with.

use crate::error::SqlError;
use crate::statement::Params;

/// Number of a connection, or of a statement on it, within its script.
pub(crate) type Number = usize;

/// What a script asks for; texts and parameters are where the script has them.
#[derive(Clone, Copy)]
pub(crate) enum Request<'a> {
    Connect,
    Query { connection: Number, sql: &'a [u8] },
    Prepare { connection: Number, sql: &'a [u8] },
    Execute { connection: Number, statement: Number, params: Params<'a> },
    Close { connection: Number, statement: Number },
    Disconnect { connection: Number },
    Reconnect { connection: Number },
    Ready,
    Next { ended: bool },
    Over { ended: bool },
    Restart,
    Sleep { ns: u64 },
    Log { line: &'a [u8] },
}

/// The answer to a request.
#[derive(Debug, PartialEq)]
pub(crate) enum Answer {
    Nothing,
    Flag(bool),
    Number(Number),
    /// A statement without a result set.
    Done {
        affected: u64,
        insert_id: u64,
    },
    /// A statement with a result set; `serial` names its rows, 0 where they are not kept.
    Rows {
        rows: u64,
        fields: usize,
        serial: u64,
    },
    /// A statement that failed; `ignored`: its event begins again.
    Failed {
        error: SqlError,
        ignored: bool,
    },
    /// No connection, or no prepared statement.
    Refused(SqlError),
}
