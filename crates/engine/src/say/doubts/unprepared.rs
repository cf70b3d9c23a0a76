//! The doubt of statements that were to be prepared and went as text: they are parsed each time, which costs more.

use super::{Doubt, Facts, doubt};
use crate::say::counted::counted;

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let count = facts.unprepared;
    if count == 0 {
        return None;
    }
    let message = format!(
        "{} of all connections could not be prepared by the server and went as text, which it parses each time: \
         beside a load whose statements are prepared these figures say nothing",
        counted(count, "statement"),
    );
    Some(doubt("unprepared", message, count as f64, 0.0))
}
