//! What the server did, kept for real: a client's own counts can be checked against these.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

macro_rules! counters {
    ($($counter:ident => $name:literal),* $(,)?) => {
        /// A counter, named as its status variable.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Counter { $($counter),* }

        const NAMES: &[(Counter, &str)] = &[$((Counter::$counter, $name)),*];
    };
}

counters! {
    Questions => "Questions",
    Queries => "Queries",
    ComSelect => "Com_select",
    ComInsert => "Com_insert",
    ComReplace => "Com_replace",
    ComUpdate => "Com_update",
    ComDelete => "Com_delete",
    ComBegin => "Com_begin",
    ComCommit => "Com_commit",
    ComRollback => "Com_rollback",
    ComSetOption => "Com_set_option",
    ComChangeDb => "Com_change_db",
    ComOther => "Com_assay_other",
    ComAdmin => "Com_admin_commands",
    ComStmtPrepare => "Com_stmt_prepare",
    ComStmtExecute => "Com_stmt_execute",
    ComStmtClose => "Com_stmt_close",
    ComStmtReset => "Com_stmt_reset",
    ComMulti => "Com_multi",
    BytesReceived => "Bytes_received",
    BytesSent => "Bytes_sent",
    Connections => "Connections",
    Disconnections => "Assay_disconnections",
    RefusedLogins => "Access_denied_errors",
    InjectedErrors => "Assay_injected_errors",
    InjectedResets => "Assay_injected_resets",
    InjectedHangs => "Assay_injected_hangs",
    Misdeeds => "Assay_misdeeds",
    DelayedReplies => "Assay_delayed_replies",
    Alarms => "Assay_alarms",
    AlarmLatenessNs => "Assay_alarm_lateness_ns",
}

/// The counters of one event loop, which alone writes them.
#[derive(Debug)]
pub(crate) struct Counters([AtomicU64; NAMES.len()]);

impl Counters {
    pub(crate) fn new() -> Self {
        Self(std::array::from_fn(|_| AtomicU64::new(0)))
    }

    #[inline]
    pub(crate) fn add(&self, counter: Counter, amount: u64) {
        let cell = &self.0[counter as usize];
        // One writer: no locked instruction is needed.
        cell.store(cell.load(Ordering::Relaxed).wrapping_add(amount), Ordering::Relaxed);
    }

    fn get(&self, counter: Counter) -> u64 {
        self.0[counter as usize].load(Ordering::Relaxed)
    }
}

/// Name and value of every counter, summed over the event loops.
pub(crate) fn totals(loops: &[Arc<Counters>]) -> Vec<(&'static str, u64)> {
    let sum = |counter| loops.iter().map(|counters| counters.get(counter)).sum::<u64>();
    let mut totals: Vec<_> = NAMES.iter().map(|&(counter, name)| (name, sum(counter))).collect();
    let connected = sum(Counter::Connections).saturating_sub(sum(Counter::Disconnections));
    totals.push(("Threads_connected", connected));
    totals
}
