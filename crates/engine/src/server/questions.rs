//! The server's own count of statements.

use std::ops::Deref;

use crate::server::ask::{Inquiry, Numbers};
use crate::server::login::Login;

/// Longest wait for an answer: this is never worth holding up a run.
const PATIENCE_NS: u64 = 2_000_000_000;

/// The server's own count of statements since it began, PREPAREs and CLOSEs not among them; absent when it does not say.
pub(crate) fn questions(inquiry: &mut Inquiry<impl Deref<Target = Login>>) -> Option<u64> {
    let patience = inquiry.login().timeout_ns().min(PATIENCE_NS);
    let mut row = Numbers::default();
    inquiry.ask(&[], "SHOW GLOBAL STATUS LIKE 'Questions'", Some(patience), &mut row).ok()?;
    row.0.get(1).and_then(|count| u64::try_from(*count).ok())
}
