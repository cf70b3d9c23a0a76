//! The parts of a script's threads in its load: events, and the time that they took.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use assay_format::event::{Event, ScriptThreads};

use crate::course::accounts::spread;
use crate::process::poison::unpoisoned;
use crate::say::emit::emit;

/// One thread's part; only that thread adds to it.
#[derive(Default)]
struct Share {
    events: AtomicU64,
    busy_ns: AtomicU64,
}

/// The part of each thread, by its number.
pub(super) struct Shares {
    all: Vec<Share>,
    /// What was said by the last checkpoint.
    said: Mutex<Vec<(u64, u64)>>,
}

impl Shares {
    pub(super) fn new(threads: u32) -> Self {
        let none = (0, 0);
        Self {
            all: (0..threads).map(|_| Share::default()).collect(),
            said: Mutex::new(vec![none; threads as usize]),
        }
    }

    /// Adds an event of a thread.
    #[inline]
    pub(super) fn add(&self, tid: u32, busy_ns: u64) {
        if let Some(Share { events, busy_ns: busy }) = self.all.get(tid as usize) {
            events.store(events.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
            busy.store(busy.load(Ordering::Relaxed) + busy_ns, Ordering::Relaxed);
        }
    }

    /// Says the parts since the last time.
    pub(super) fn say(&self, checkpoint: bool, end_ns: u64) {
        let mut said = unpoisoned(self.said.lock());
        let (mut events, mut busy_ns) = (Vec::new(), Vec::new());
        for (share, before) in self.all.iter().zip(said.iter_mut()) {
            let now = (share.events.load(Ordering::Relaxed), share.busy_ns.load(Ordering::Relaxed));
            events.push(now.0 - before.0);
            busy_ns.push(now.1 - before.1);
            *before = now;
        }
        let (events, busy_ns) = (spread(&events), spread(&busy_ns));
        emit(&Event::Threads(ScriptThreads { checkpoint, end_ns, events, busy_ns }));
    }
}
