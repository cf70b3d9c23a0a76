//! Work that is not a measurement: a list of pieces, done by a few connections of one event loop.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::Future;
use std::rc::Rc;

use assay_wire::Connection;

use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::process::signal;
use crate::reactor::socket::Socket;
use crate::reactor::{EventLoop, Next, Reactor, Task};
use crate::server::login::Login;

/// How often the owner hears of progress.
const REPORT_NS: u64 = 500_000_000;

/// What the connections of a pool share.
pub struct Shared<P> {
    pieces: RefCell<VecDeque<P>>,
    failure: RefCell<Option<Fatal>>,
    /// Counted by the work itself, in whatever unit it has.
    pub done: Cell<u64>,
}

impl<P> Shared<P> {
    pub fn add_done(&self, amount: u64) {
        self.done.set(self.done.get() + amount);
    }
}

/// Does all `pieces` with `connections` connections; `work` does one piece. `report` hears the amount done.
///
/// # Errors
/// The first failure of a piece; the others are dropped. `Ok(false)`: a signal ended it early.
pub fn work_off<P, W, F>(
    login: &Login,
    clock: Clock,
    connections: usize,
    pieces: Vec<P>,
    work: W,
    mut report: impl FnMut(u64),
) -> Result<bool, Fatal>
where
    P: 'static,
    W: Fn(Rc<Shared<P>>, Connection<Socket>, P) -> F,
    F: Future<Output = Result<Connection<Socket>, Fatal>>,
{
    let connections = connections.min(pieces.len());
    let shared = Rc::new(Shared {
        pieces: RefCell::new(pieces.into()),
        failure: RefCell::default(),
        done: Cell::new(0),
    });
    let reactor = Reactor::new(connections, clock)
        .map_err(|error| Fatal::host(format!("cannot make an event loop: {error}")))?;
    let work = &work;
    let task = |number| {
        let (shared, reactor) = (shared.clone(), reactor.clone());
        async move {
            let outcome = async {
                let mut connection = login.open(&reactor, number).await?;
                loop {
                    let next = shared.pieces.borrow_mut().pop_front();
                    let Some(piece) = next else { break };
                    connection = work(shared.clone(), connection, piece).await?;
                }
                let _ = connection.quit().await;
                Ok(())
            };
            if let Err(fatal) = outcome.await {
                shared.failure.borrow_mut().get_or_insert(fatal);
            }
        }
    };
    let tasks: Vec<Task<'_>> =
        (0..connections as u32).map(|number| Box::pin(task(number)) as Task<'_>).collect();
    let mut told = clock.now();
    let left = EventLoop::new(reactor.clone(), tasks).run(|now| {
        if shared.failure.borrow().is_some() || signal::received() {
            return Next::Stop;
        }
        if now >= told + REPORT_NS {
            told = now;
            report(shared.done.get());
        }
        Next::At(now + REPORT_NS / 10)
    });
    match shared.failure.take() {
        Some(fatal) => Err(fatal),
        None => {
            if left > 0 {
                // Broken off by a signal: how far it has come is what is wanted to know.
                report(shared.done.get());
            }
            Ok(left == 0)
        }
    }
}
