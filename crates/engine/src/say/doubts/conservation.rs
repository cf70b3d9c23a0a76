//! Conservation: the server counts statements too. What it counted is set beside what was sent.

use super::limits::{CONSERVATION as LIMIT, CONSERVATION_AROUND as AROUND, SAMPLES_PER_SECOND};
use super::{Doubt, Facts, doubt};
use crate::say::counted::{counted, thousands, were};

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let statements = facts.statements?;
    let (sent, heard) = (statements.sent, statements.counted);
    let slack = (sent as f64 * LIMIT) as u64 + AROUND;
    let least = sent.saturating_sub(slack + statements.unsure);
    let samples = SAMPLES_PER_SECOND * statements.elapsed_s.ceil() as u64;
    let most = sent + slack + statements.unsure + statements.goodbyes + samples;
    if (least..=most).contains(&heard) {
        return None;
    }
    let whose = if heard < sent { "some were lost" } else { "other clients of this server, most likely" };
    let message = format!(
        "{} {} sent, the server counted {}: {whose}",
        counted(sent, "statement"),
        were(sent),
        thousands(heard)
    );
    Some(doubt("conservation", message, heard.abs_diff(sent) as f64 / sent.max(1) as f64, LIMIT))
}
