//! A thread of the test that sleeps and wakes beside the engine: how late it wakes is the machine's doing alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

pub(crate) struct Canary {
    over: Arc<AtomicBool>,
    thread: JoinHandle<Vec<u64>>,
}

/// How late wake-ups were on a machine, in nanoseconds, in order.
pub(crate) struct Lateness(Vec<u64>);

impl Canary {
    pub(crate) fn start() -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let seen = over.clone();
        let thread = thread::spawn(move || {
            let mut late = Vec::new();
            while !seen.load(Ordering::Relaxed) {
                let asleep = Instant::now();
                let pause = Duration::from_millis(2);
                thread::sleep(pause);
                late.push(asleep.elapsed().saturating_sub(pause).as_nanos() as u64);
            }
            late
        });
        Self { over, thread }
    }

    pub(crate) fn end(self) -> Lateness {
        self.over.store(true, Ordering::Relaxed);
        let mut late = self.thread.join().expect("the canary wakes");
        late.sort_unstable();
        Lateness(late)
    }
}

impl Lateness {
    pub(crate) fn quantile_ns(&self, quantile: f64) -> f64 {
        let rank = (quantile * self.0.len() as f64).ceil() as usize;
        self.0[rank.max(1) - 1] as f64
    }

    pub(crate) fn mean_ns(&self) -> f64 {
        self.0.iter().sum::<u64>() as f64 / self.0.len() as f64
    }
}
