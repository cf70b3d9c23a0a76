//! The doubt of misses: reads that find nothing are cheap, and seldom what an application sends.

use assay_workload::StatementAccount;

use super::{Doubt, Facts, doubt};
use crate::say::counted::counted;

/// Share of reads that may find no row.
const LIMIT: f64 = 0.2;
/// Reads of one statement that tell enough of it.
const ENOUGH: u64 = 20;

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let (missed, reads) = facts.reads?;
    let share = share_of(missed, reads);
    if share <= LIMIT {
        return of_one_statement(facts);
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

/// The doubt of statements that find too little where all reads together find enough.
fn of_one_statement(facts: &Facts) -> Option<Doubt> {
    let share = |one: &StatementAccount| share_of(one.misses, one.reads);
    let statements = facts.account.iter().flat_map(|account| &account.statements);
    let doubted: Vec<_> = statements.filter(|one| one.reads >= ENOUGH && share(one) > LIMIT).collect();
    let worst = doubted.iter().max_by(|one, other| share(one).total_cmp(&share(other)))?;
    let others = match doubted.len() as u64 - 1 {
        0 => String::new(),
        more => format!("; and too many in {}", counted(more, "other statement")),
    };
    let message = format!(
        "{}: {:.0} % of {} found no row: what is drawn for them is seldom in the tables{others}",
        worst.place,
        share(worst) * 100.0,
        counted(worst.reads, "read")
    );
    Some(doubt("misses", message, share(worst), LIMIT))
}

fn share_of(missed: u64, reads: u64) -> f64 {
    missed as f64 / reads.max(1) as f64
}
