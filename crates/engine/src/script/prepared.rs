//! The prepared statements of a script's threads, and what the server allows. Only the script knows how many it needs, so
//! its first thread goes ahead of the others: where there is no room, the error can name what all of them need.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::script::link::Servers;
use crate::script::thread::Crew;

/// Nanoseconds for which the other threads wait at most: a script may have its first thread wait for them.
const AHEAD_NS: u64 = 1_000_000_000;
/// Nanoseconds between two looks at the first thread.
const NAP_NS: u64 = 2_000_000;
/// How long the server may take to say what it allows.
const PATIENCE: Duration = Duration::from_secs(2);

/// What is not known yet.
const UNKNOWN: u64 = u64::MAX;

/// The statements that the threads of a load hold prepared.
pub(super) struct PreparedCount {
    threads: u64,
    held: AtomicU64,
    /// Number of statements that the server was asked to prepare, and of which it has not said whether it did.
    asked: AtomicU64,
    /// Number of statements that the first thread holds prepared after its thread_init().
    first: AtomicU64,
    /// What all threads held prepared, and what they asked for, when the server first refused another one.
    full: OnceLock<(u64, u64)>,
    allowed: OnceLock<Option<u64>>,
}

impl PreparedCount {
    pub(super) fn new(threads: u32) -> Self {
        Self {
            threads: threads.into(),
            held: AtomicU64::new(0),
            asked: AtomicU64::new(0),
            first: AtomicU64::new(UNKNOWN),
            full: OnceLock::new(),
            allowed: OnceLock::new(),
        }
    }

    pub(super) fn ask(&self) {
        self.asked.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes the answer to one that was asked for.
    pub(super) fn answered(&self, is_held: bool) {
        self.asked.fetch_sub(1, Ordering::Relaxed);
        self.held.fetch_add(is_held.into(), Ordering::Relaxed);
    }

    pub(super) fn remove(&self, count: u32) {
        self.held.fetch_sub(count.into(), Ordering::Relaxed);
    }

    /// Notes that thread `tid` is ready, and holds so many statements.
    pub(super) fn ready(&self, tid: u32, count: u32) {
        if tid == 0 {
            self.first.store(count.into(), Ordering::Relaxed);
        }
    }

    /// Notes that the server has no room for another one.
    pub(super) fn note_full(&self) {
        self.full.get_or_init(|| (self.held.load(Ordering::Relaxed), self.asked.load(Ordering::Relaxed)));
    }

    /// What to do about a server that had no room for one more statement of a thread that holds `own`.
    pub(super) fn remedy(&self, servers: Option<&Servers>, own: u32) -> String {
        let first = self.first.load(Ordering::Relaxed);
        let at_least = u64::from(own) + 1;
        let (each, known) =
            if first == UNKNOWN || first < at_least { (at_least, false) } else { (first, true) };
        let least = if known { "" } else { "at least " };
        let threads = self.threads;
        let mut need = each * threads;
        let otherwise = "use fewer threads or tables, or --db-ps-mode=disable";
        let (held, asked) = self.full.get().copied().unwrap_or((0, 0));
        let allowed =
            self.allowed.get_or_init(|| servers.and_then(|servers| servers.statements_allowed(PATIENCE)));
        let Some(allowed) = *allowed else {
            return format!(
                "{threads} threads with {least}{each} prepared statements each need {least}{need}: raise \
                 max_prepared_stmt_count at the server, {otherwise}"
            );
        };
        // A small difference is of statements that the server had prepared, and whose answers were on their way.
        let others = Some(allowed.saturating_sub(held)).filter(|others| *others > asked).unwrap_or(0);
        let beside = if others > 0 { format!(", beside {others} of other clients") } else { String::new() };
        need += others;
        format!(
            "{threads} threads with {least}{each} prepared statements each{beside} need {least}{need}, but the server \
             allows {allowed}: SET GLOBAL max_prepared_stmt_count = {need}, {otherwise}"
        )
    }
}

/// Waits until the first thread is ready, where this is another one of a load with a server.
pub(super) async fn let_first_go_ahead(crew: &Crew, task: u32, tid: u32) {
    if tid == 0 || crew.servers.is_none() {
        return;
    }
    let reactor = &crew.shard.reactor;
    let limit = reactor.clock.now() + AHEAD_NS;
    while crew.prepared.first.load(Ordering::Relaxed) == UNKNOWN && !crew.control.aborted() {
        let now = reactor.clock.now();
        if now >= limit {
            return;
        }
        reactor.sleep_until(task, now + NAP_NS).await;
    }
}
