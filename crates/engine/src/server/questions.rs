//! The server's own count of statements.

use crate::server::ask::ask;
use crate::server::login::Login;

/// Longest wait for an answer: this is never worth holding up a run.
const PATIENCE_NS: u64 = 2_000_000_000;

/// The server's own count of statements since it began, PREPAREs and CLOSEs not among them; absent when it does not say.
pub(crate) fn questions(login: &Login) -> Option<u64> {
    let patience = login.timeout_ns().min(PATIENCE_NS);
    let row = ask(login, "SHOW GLOBAL STATUS LIKE 'Questions'", Some(patience)).ok()?;
    row.get(1).and_then(|count| u64::try_from(*count).ok())
}
