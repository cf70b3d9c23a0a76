//! The doubt of misses: reads that find nothing are cheap, and seldom what an application sends.

use super::{Doubt, Facts, doubt};
use crate::say::counted::counted;

/// Share of reads that may find no row.
const LIMIT: f64 = 0.2;

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let (missed, reads) = facts.reads?;
    let share = missed as f64 / reads.max(1) as f64;
    if share <= LIMIT {
        return None;
    }
    let statements = facts.account.iter().flat_map(|account| &account.statements);
    let worst = statements.max_by_key(|one| one.misses).filter(|one| one.misses > 0);
    let most = worst.map_or_else(String::new, |one| format!("; most of them {} ({})", one.place, one.misses));
    let message = format!(
        "{:.0} % of {} found no row: what is drawn for them is seldom in the tables{most}",
        share * 100.0,
        counted(reads, "read")
    );
    Some(doubt("misses", message, share, LIMIT))
}
