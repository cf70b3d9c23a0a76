//! Requests of a script, as its coroutine yields them, and what they are answered with.

use std::ffi::c_void;
use std::ptr;

use mlua::{IntoLuaMulti, LightUserData, Lua, MultiValue, String as LuaString, Table, Value};

use crate::error::{ScriptError, SqlError};

/// Number of a connection, or of a statement on it, within its script.
pub(crate) type Number = usize;

#[derive(Debug)]
pub(crate) enum Request {
    Connect,
    Query { connection: Number, sql: LuaString },
    Prepare { connection: Number, sql: String },
    Bind { connection: Number, statement: Number, kinds: Vec<u32> },
    Execute { connection: Number, statement: Number, values: MultiValue },
    Close { connection: Number, statement: Number },
    Disconnect { connection: Number },
    Reconnect { connection: Number },
    Ready,
    Next { ended: bool },
    Ended,
    Restart,
    Sleep { ns: u64 },
}

/// The operations of requests. What is yielded for one begins with its mark, which is its address here: no value of a
/// script is equal to it.
static OPERATIONS: [&str; 13] = [
    "connect",
    "query",
    "prepare",
    "bind",
    "execute",
    "close",
    "disconnect",
    "reconnect",
    "ready",
    "next",
    "ended",
    "restart",
    "sleep",
];

/// The marks of the operations, by their names.
pub(crate) fn marks() -> impl Iterator<Item = (&'static str, LightUserData)> {
    OPERATIONS.iter().map(|name| (*name, LightUserData(ptr::from_ref(name).cast_mut().cast())))
}

/// The operation whose mark a value is.
pub(crate) fn operation(value: &Value) -> Option<&'static str> {
    let Value::LightUserData(LightUserData(mark)) = value else { return None };
    OPERATIONS.iter().find(|name| ptr::from_ref(*name).cast::<c_void>() == mark.cast_const()).copied()
}

impl Request {
    /// Reads what was yielded for an operation behind its mark.
    ///
    /// # Errors
    /// The values are no request: a script has called a method with something else.
    pub(crate) fn read(lua: &Lua, operation: &str, mut values: MultiValue) -> Result<Self, ScriptError> {
        let mut number = || number(values.pop_front());
        Ok(match operation {
            "execute" => Self::Execute { connection: number()?, statement: number()?, values },
            "query" => Self::Query { connection: number()?, sql: text(lua, values.pop_front())? },
            "next" => {
                Self::Next { ended: values.pop_front().is_some_and(|ended| ended == Value::Boolean(true)) }
            }
            "connect" => Self::Connect,
            "prepare" => {
                Self::Prepare { connection: number()?, sql: text(lua, values.pop_front())?.to_string_lossy() }
            }
            "bind" => Self::Bind {
                connection: number()?,
                statement: number()?,
                kinds: lua
                    .unpack::<Table>(values.pop_front().unwrap_or(Value::Nil))?
                    .sequence_values()
                    .collect::<Result<_, _>>()?,
            },
            "close" => Self::Close { connection: number()?, statement: number()? },
            "disconnect" => Self::Disconnect { connection: number()? },
            "reconnect" => Self::Reconnect { connection: number()? },
            "ready" => Self::Ready,
            "ended" => Self::Ended,
            "restart" => Self::Restart,
            "sleep" => Self::Sleep { ns: nanoseconds(values.pop_front()) },
            other => return Err(ScriptError::new(format!("a request of an unknown kind: {other}"))),
        })
    }
}

fn number(value: Option<Value>) -> Result<Number, ScriptError> {
    let number = match value {
        Some(Value::Integer(number)) => usize::try_from(number).ok(),
        Some(Value::Number(number)) => Some(number as usize),
        _ => None,
    };
    number.ok_or_else(|| ScriptError::new("a connection or statement that is none"))
}

fn text(lua: &Lua, value: Option<Value>) -> Result<LuaString, ScriptError> {
    let text = lua.coerce_string(value.unwrap_or(Value::Nil))?;
    text.ok_or_else(|| ScriptError::new("a statement must be a text"))
}

fn nanoseconds(value: Option<Value>) -> u64 {
    match value {
        Some(Value::Integer(ns)) => u64::try_from(ns).unwrap_or(0),
        Some(Value::Number(ns)) => ns as u64,
        _ => 0,
    }
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

/// Kinds of answers to a statement, as the prelude knows them.
const DONE: u8 = 0;
const ROWS: u8 = 1;
const IGNORED: u8 = 2;
const FATAL: u8 = 3;

impl Answer {
    /// What the coroutine is resumed with.
    pub(crate) fn values(self, lua: &Lua) -> Result<MultiValue, ScriptError> {
        Ok(match self {
            Self::Nothing => MultiValue::new(),
            Self::Flag(flag) => flag.into_lua_multi(lua)?,
            Self::Number(number) => number.into_lua_multi(lua)?,
            // Lua's numbers hold 53 bits of an insert id.
            Self::Done { affected, insert_id } => {
                (DONE, affected as f64, insert_id as f64).into_lua_multi(lua)?
            }
            Self::Rows { rows, fields, serial } => {
                (ROWS, rows as f64, fields, serial as f64).into_lua_multi(lua)?
            }
            Self::Failed { error, ignored } => {
                let kind = if ignored { IGNORED } else { FATAL };
                (kind, error.code, error.state, error.message).into_lua_multi(lua)?
            }
            Self::Refused(error) => {
                (Value::Nil, error.code, error.state, error.message).into_lua_multi(lua)?
            }
        })
    }
}
