//! The watch over scripts that compute: one that asks for nothing any more keeps its event loop for itself.
//!
//! Compiled Lua never looks up: nobody can stop it from inside the process. So the job ends without it.

use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use assay_format::event::ErrorKind;
use assay_script::Whereabouts;

use crate::course::timeline::Control;
use crate::load::message::Message;
use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::process::signal;
use crate::process::usage::{micros, usage_of};
use crate::script::link::Servers;

/// The time between two looks.
const NAP: Duration = Duration::from_millis(100);
/// How long a script may compute without asking for anything, and by which clock.
pub(super) struct Patience {
    longest: Duration,
    now: fn() -> Duration,
}

/// The patience with scripts that run.
pub(super) const RUNNING: Patience = Patience { longest: Duration::from_secs(30), now: wall };
/// The patience with scripts that are read, in processor time: a busy machine takes none away from them. The lab ends this
/// process a second later.
pub(super) const READING: Patience = Patience { longest: Duration::from_secs(3), now: processor };

fn wall() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

fn processor() -> Duration {
    let usage = usage_of(libc::RUSAGE_SELF);
    Duration::from_micros(micros(usage.ru_utime) + micros(usage.ru_stime))
}

/// The time that a script may compute so once its job is to end.
const LONGEST_AT_END: Duration = Duration::from_secs(2);
/// The count of a thread whose work is over.
const OVER: u64 = u64::MAX;

/// What a thread's scripts do: a number that is odd while one of them computes, and changes whenever one begins or ends to.
#[derive(Default)]
pub(super) struct Computing {
    turns: AtomicU64,
    /// The place of the script that computes, or has last computed.
    whereabouts: AtomicPtr<Whereabouts>,
}

impl Computing {
    #[inline]
    pub(super) fn turn(&self, whereabouts: Option<&Whereabouts>) {
        if let Some(whereabouts) = whereabouts {
            self.whereabouts.store(ptr::from_ref(whereabouts).cast_mut(), Ordering::Relaxed);
        }
        self.turns.store(self.turns.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    /// The thread's work is over.
    pub(super) fn end(&self) {
        self.turns.store(OVER, Ordering::Relaxed);
    }

    /// The place of a script that has computed for a long time and goes on.
    fn place(&self) -> Option<String> {
        // SAFETY: the state was entered and was not left since: its script computes.
        unsafe { self.whereabouts.load(Ordering::Relaxed).as_ref().and_then(|script| script.place()) }
    }
}

/// Watches over the scripts of a thread, in a thread of its own. `ending`: whether the job is to end; `runaway` hears of a
/// script that computes without an end, once.
pub(super) fn watch(
    patience: Patience,
    ending: impl Fn() -> bool + Send + 'static,
    runaway: impl FnOnce(Fatal) + Send + 'static,
) -> Arc<Computing> {
    let computing = Arc::<Computing>::default();
    let watched = computing.clone();
    let look = move || {
        let (mut seen, mut since) = (0, (patience.now)());
        let mut late = None;
        loop {
            thread::sleep(NAP);
            let count = watched.turns.load(Ordering::Relaxed);
            if count == OVER {
                return;
            }
            if count != seen {
                (seen, since, late) = (count, (patience.now)(), None);
            }
            if count % 2 == 0 {
                continue;
            }
            if ending() {
                late.get_or_insert_with(Instant::now);
            }
            let too_late = late.is_some_and(|late| late.elapsed() > LONGEST_AT_END);
            let computed = (patience.now)().saturating_sub(since);
            if computed > patience.longest || too_late {
                let seconds = computed.as_secs();
                let place = watched.place().map_or(String::new(), |place| format!("{place}: "));
                let message = format!(
                    "script: {place}it computes for {seconds} s and asks for nothing: no statement, no next event"
                );
                return runaway(Fatal::job(message).hint("look for a loop in it that does not end"));
            }
        }
    };
    // Without a watch such a script is found by the watchdog over the event loops, later and with fewer words.
    let _ = thread::Builder::new().name("script-watch".into()).spawn(look);
    computing
}

/// Time after the end of the window in which events may end without anybody asking whether the server is alive; and for
/// an answer to that.
const LATE: Duration = Duration::from_secs(10);

/// How long events that are going on may take to end after a signal. sysbench does not wait for them.
const AFTER_SIGNAL: Duration = Duration::from_secs(1);

/// Ends a load whose events do not end because its server hangs: one that does not greet a new client any more. After a signal
/// they have a moment.
pub(super) fn watch_servers(
    servers: Arc<Servers>,
    control: Arc<Control>,
    messages: Sender<Message>,
    clock: Clock,
) {
    let patience_ns = LATE.as_nanos() as u64;
    let look = move || {
        let (mut asked, mut signalled) = (0, None);
        while !control.aborted() && Arc::strong_count(&control) > 1 {
            thread::sleep(NAP);
            if signal::interrupted() && signalled.get_or_insert_with(Instant::now).elapsed() > AFTER_SIGNAL {
                return control.abort();
            }
            let now = clock.now();
            if now < control.measure_end().max(asked).saturating_add(patience_ns) {
                continue;
            }
            if let Err(place) = servers.greet(LATE) {
                let message = format!(
                    "the server {place} does not answer: it did not greet a new client within {} s, and events that began \
                     before the time limit do not end",
                    LATE.as_secs()
                );
                let _ = messages.send(Message::Fatal(Fatal::new(ErrorKind::Lost, message)));
                control.abort();
            }
            asked = clock.now();
        }
    };
    // Without it the load ends with its drain.
    let _ = thread::Builder::new().name("server-watch".into()).spawn(look);
}
