//! The watch over scripts that compute: one that asks for nothing any more keeps its event loop for itself.
//!
//! Compiled Lua never looks up: nobody can stop it from inside the process. So the job ends without it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::process::failure::Fatal;

/// The time between two looks.
const NAP: Duration = Duration::from_millis(100);
/// The time that a script may compute without asking for anything.
const LONGEST: Duration = Duration::from_secs(30);
/// As long as that once its job is to end.
const LONGEST_AT_END: Duration = Duration::from_secs(2);
/// The count of a thread whose work is over.
const OVER: u64 = u64::MAX;

/// What a thread's scripts do: a number that is odd while one of them computes, and changes whenever one begins or ends to.
#[derive(Default)]
pub(super) struct Computing(AtomicU64);

impl Computing {
    #[inline]
    pub(super) fn turn(&self) {
        self.0.store(self.0.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    /// The thread's work is over.
    pub(super) fn end(&self) {
        self.0.store(OVER, Ordering::Relaxed);
    }
}

/// Watches over the scripts of a thread, in a thread of its own. `ending`: whether the job is to end; `runaway` hears of a
/// script that computes without an end, once.
pub(super) fn watch(
    ending: impl Fn() -> bool + Send + 'static,
    runaway: impl FnOnce(Fatal) + Send + 'static,
) -> Arc<Computing> {
    let computing = Arc::<Computing>::default();
    let watched = computing.clone();
    let look = move || {
        let (mut seen, mut since) = (0, Instant::now());
        let mut late = None;
        loop {
            thread::sleep(NAP);
            let count = watched.0.load(Ordering::Relaxed);
            if count == OVER {
                return;
            }
            if count != seen {
                (seen, since, late) = (count, Instant::now(), None);
            }
            if count % 2 == 0 {
                continue;
            }
            if ending() {
                late.get_or_insert_with(Instant::now);
            }
            let too_late = late.is_some_and(|late| late.elapsed() > LONGEST_AT_END);
            if since.elapsed() > LONGEST || too_late {
                let seconds = since.elapsed().as_secs();
                let message = format!(
                    "script: it computes for {seconds} s and asks for nothing: no statement, no next event"
                );
                return runaway(Fatal::job(message).hint("look for a loop in it that does not end"));
            }
        }
    };
    // Without a watch such a script is found by the watchdog over the event loops, later and with fewer words.
    let _ = thread::Builder::new().name("script-watch".into()).spawn(look);
    computing
}
