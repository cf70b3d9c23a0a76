//! Work that is not a measurement: a list of pieces, done by a few connections on as many threads as there are cores.
//!
//! Each thread has an event loop and a share of the connections; every connection takes the next piece off one list. So
//! rows are made on all cores, and while one connection's answer is awaited others of its loop make theirs.

use std::collections::VecDeque;
use std::future::Future;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use assay_wire::Connection;

use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::process::panics::caught;
use crate::process::poison::unpoisoned;
use crate::process::signal;
use crate::reactor::socket::Socket;
use crate::reactor::{EventLoop, Next, Reactor, Task};
use crate::server::login::Login;

/// Nanoseconds between two reports of progress to the caller.
const REPORT_NS: u64 = 500_000_000;
/// Nanoseconds between two looks of an event loop at whether another has failed, or a signal came.
const NAP_NS: u64 = 50_000_000;

/// The state that all connections of a pool share: the list of pieces, the first failure, the progress.
pub(crate) struct Shared<P> {
    pieces: Mutex<VecDeque<P>>,
    failure: Mutex<Option<Fatal>>,
    /// Whether a piece has failed: then no connection takes another.
    failed: AtomicBool,
    /// The amount of work done, counted by the work itself in its own unit (rows, queries).
    done: AtomicU64,
}

impl<P> Shared<P> {
    fn new(pieces: Vec<P>) -> Self {
        Self {
            pieces: Mutex::new(pieces.into()),
            failure: Mutex::default(),
            failed: AtomicBool::new(false),
            done: AtomicU64::new(0),
        }
    }

    pub(crate) fn add_done(&self, amount: u64) {
        self.done.fetch_add(amount, Ordering::Relaxed);
    }

    fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    fn next(&self) -> Option<P> {
        unpoisoned(self.pieces.lock()).pop_front()
    }

    /// Keeps the first failure of the pool, and has all connections stop.
    fn fail(&self, fatal: Fatal) {
        unpoisoned(self.failure.lock()).get_or_insert(fatal);
        self.failed.store(true, Ordering::Release);
    }
}

/// Does all `pieces` with `connections` connections; `work` does one piece. `report` hears the amount done, in the
/// caller's thread.
///
/// # Errors
/// The first failure of a piece; the others are dropped. `Ok(false)`: a signal ended it early.
pub(crate) fn work_off<P, W, F>(
    login: &Login,
    clock: Clock,
    connections: usize,
    pieces: Vec<P>,
    work: W,
    report: impl FnMut(u64),
) -> Result<bool, Fatal>
where
    P: Send,
    W: Fn(Arc<Shared<P>>, Connection<Socket>, P) -> F + Sync,
    F: Future<Output = Result<Connection<Socket>, Fatal>>,
{
    let threads = thread::available_parallelism().map_or(1, usize::from);
    work_off_on(threads, login, clock, connections, pieces, work, report)
}

/// Does all `pieces` as `work_off` does, on so many threads at most. Work that waits for anything but its connection holds
/// its event loop up: it needs a thread for each connection.
///
/// # Errors
/// The first failure of a piece, as `work_off` tells it.
pub(crate) fn work_off_on<P, W, F>(
    threads: usize,
    login: &Login,
    clock: Clock,
    connections: usize,
    pieces: Vec<P>,
    work: W,
    mut report: impl FnMut(u64),
) -> Result<bool, Fatal>
where
    P: Send,
    W: Fn(Arc<Shared<P>>, Connection<Socket>, P) -> F + Sync,
    F: Future<Output = Result<Connection<Socket>, Fatal>>,
{
    let connections = connections.min(pieces.len());
    let threads = threads.min(connections);
    let shared = Arc::new(Shared::new(pieces));
    let (ended, endings) = channel();
    thread::scope(|scope| {
        for index in 0..threads {
            let (shared, work, ended) = (&shared, &work, ended.clone());
            let share = connections / threads + usize::from(index < connections % threads);
            let body = move || {
                let whole = caught(|| event_loop(login, clock, share, shared, work));
                let _ = ended.send(whole.and_then(|whole| whole).unwrap_or_else(|fatal| {
                    shared.fail(fatal);
                    false
                }));
            };
            let started = thread::Builder::new().name(format!("loader-{index}")).spawn_scoped(scope, body);
            if let Err(error) = started {
                shared.fail(Fatal::host(format!("cannot start a thread: {error}")));
            }
        }
        drop(ended);
        let mut whole = true;
        let mut told = clock.now();
        loop {
            let rest = Duration::from_nanos((told + REPORT_NS).saturating_sub(clock.now()));
            match endings.recv_timeout(rest) {
                Ok(ending) => whole &= ending,
                Err(RecvTimeoutError::Timeout) => {
                    told = clock.now();
                    report(shared.done());
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        match unpoisoned(shared.failure.lock()).take() {
            Some(fatal) => Err(fatal),
            None => {
                if !whole {
                    // Broken off by a signal: how far it has come is what is wanted to know.
                    report(shared.done());
                }
                Ok(whole)
            }
        }
    })
}

/// Runs one thread's share of the connections; false when they were broken off.
fn event_loop<P, W, F>(
    login: &Login,
    clock: Clock,
    connections: usize,
    shared: &Arc<Shared<P>>,
    work: &W,
) -> Result<bool, Fatal>
where
    W: Fn(Arc<Shared<P>>, Connection<Socket>, P) -> F,
    F: Future<Output = Result<Connection<Socket>, Fatal>>,
{
    let reactor = Reactor::new(connections, clock)
        .map_err(|error| Fatal::host(format!("cannot make an event loop: {error}")))?;
    let task = |number| {
        let reactor = reactor.clone();
        async move {
            let outcome = async {
                let mut connection = login.open(&reactor, number).await?;
                while let Some(piece) = shared.next() {
                    connection = work(shared.clone(), connection, piece).await?;
                }
                let _ = connection.quit().await;
                Ok(())
            };
            if let Err(fatal) = outcome.await {
                shared.fail(fatal);
            }
        }
    };
    let tasks = (0..connections as u32).map(|number| Box::pin(task(number)) as Task<'_>).collect();
    let left = EventLoop::new(reactor.clone(), tasks).run(|now| {
        if shared.failed.load(Ordering::Acquire) || signal::received() {
            return Next::Stop;
        }
        Next::At(now + NAP_NS)
    });
    Ok(left == 0)
}
