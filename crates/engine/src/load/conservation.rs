//! Conservation: the server counts statements too. What it counted is set beside what was sent.

use assay_format::event::{Doubt, RunResult};

use crate::load::doubts::Facts;
use crate::say::counted::{counted, thousands, were};
use crate::say::doubts::doubt;

/// Share of the statements by which the counts may differ.
const TOLERANCE: f64 = 0.001;
/// Looking at the server around the load, and goodbyes that come late.
const AROUND: u64 = 10;
/// A lab watches the server meanwhile: its samples, in statements per second, rounded up.
const SAMPLES_PER_SECOND: u64 = 5;

/// Compares the server's count with ours. `elapsed_s` is the time between its two readings.
pub fn conservation(result: &RunResult, facts: &Facts, elapsed_s: f64) -> Option<Doubt> {
    let (sent, heard) = (result.server.loops.sent_statements, result.server.server_questions?);
    let slack = (sent as f64 * TOLERANCE) as u64 + AROUND;
    // Some servers count the goodbye of each connection; what a broken or silent one still did nobody knows.
    let goodbyes = result.window.connections.count + facts.reconnects;
    let least = sent.saturating_sub(slack + facts.unsure);
    let most = sent + slack + facts.unsure + goodbyes + SAMPLES_PER_SECOND * elapsed_s.ceil() as u64;
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
    Some(doubt("conservation", message, heard.abs_diff(sent) as f64 / sent.max(1) as f64, TOLERANCE))
}
