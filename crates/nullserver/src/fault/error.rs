//! Server errors that are sent in place of a reply.

use crate::fault::When;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InjectedError {
    pub code: u16,
    pub when: When,
}

/// SQLSTATE and message of a server error code; the state is as servers send it, the words are ours.
pub(crate) fn describe(code: u16) -> (&'static str, &'static str) {
    match code {
        1020 => ("HY000", "Record has changed since last read (injected)"),
        1040 => ("08004", "Too many connections (injected)"),
        1062 => ("23000", "Duplicate entry (injected)"),
        1146 => ("42S02", "Table does not exist (injected)"),
        1205 => ("HY000", "Lock wait timeout exceeded (injected)"),
        1213 => ("40001", "Deadlock found; try restarting transaction (injected)"),
        1290 => ("HY000", "The server is read-only (injected)"),
        1317 => ("70100", "Query execution was interrupted (injected)"),
        _ => ("HY000", "Injected error"),
    }
}
