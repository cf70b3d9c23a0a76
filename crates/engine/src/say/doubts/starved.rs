//! The doubt of starvation: a connection, or a terminal, that is served far less than the others was starved.

use super::limits::{STARVED as LIMIT, STARVED_FROM as FROM};
use super::{Doubt, Facts, doubt};
use crate::say::counted::counted;

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let served = facts.served.filter(|served| served.mean >= FROM)?;
    let share = served.min as f64 / served.mean;
    let message = |who: &str| {
        let fewest = counted(served.min, "transaction");
        format!("a {who} was starved: {fewest} where the mean is {:.0}", served.mean)
    };
    (share < LIMIT).then(|| {
        if served.terminals {
            doubt("starved-terminal", message("terminal"), share, LIMIT)
        } else {
            doubt("starved-connection", message("connection"), share, LIMIT)
        }
    })
}
