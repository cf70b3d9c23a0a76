//! The doubt of huge results: a query of megabytes measures the network and the client more than the server.

use super::{Doubt, Facts, doubt};

/// Bytes of an answer.
const LIMIT: f64 = 1_000_000.0;

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let statements = facts.account.as_ref()?.statements.iter().filter(|one| one.reads > 0);
    let (worst, bytes) = statements
        .map(|one| (one, one.bytes as f64 / one.reads as f64))
        .filter(|(_, bytes)| *bytes > LIMIT)
        .max_by(|(_, one), (_, other)| one.total_cmp(other))?;
    let message = format!("{}: an answer has {:.1} MB of rows on average", worst.place, bytes / 1e6);
    Some(doubt("huge-result", message, bytes, LIMIT))
}
