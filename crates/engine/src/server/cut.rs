//! Statements that were under way when their connections were dropped: the server goes on with them unless it is told.

use std::rc::Rc;
use std::sync::{Arc, Mutex};

use assay_wire::{Discard, Error};

use crate::process::clock::Clock;
use crate::process::poison::unpoisoned;
use crate::reactor::{EventLoop, Next, Reactor};
use crate::server::ask::Numbers;
use crate::server::login::Way;

/// Nanoseconds within which all of them are ended, or left to the server.
const PATIENCE_NS: u64 = 2_000_000_000;

/// Connections that were dropped, by the way to their server and its numbers for them.
static CUT: Mutex<Vec<(Arc<Way>, u32)>> = Mutex::new(Vec::new());

/// Notes a connection that was dropped while the server may be at work on its command.
pub(super) fn note(way: Arc<Way>, id: u32) {
    unpoisoned(CUT.lock()).push((way, id));
}

/// Has the servers end what connections that were dropped have left under way. Everybody may end threads of their own.
pub(crate) fn end() {
    let mut ways: Vec<(Arc<Way>, Vec<u32>)> = Vec::new();
    for (way, id) in std::mem::take(&mut *unpoisoned(CUT.lock())) {
        match ways.iter_mut().find(|(other, _)| Arc::ptr_eq(other, &way)) {
            Some((_, ids)) => ids.push(id),
            None => ways.push((way, vec![id])),
        }
    }
    if ways.is_empty() {
        return;
    }
    let Ok(reactor) = Reactor::new(1, Clock::start()) else { return };
    let deadline = reactor.clock.now() + PATIENCE_NS;
    let ending = async {
        for (way, ids) in &ways {
            end_there(&reactor, way, ids, deadline).await;
        }
    };
    // The signal that has ended the work does not end this.
    EventLoop::new(reactor.clone(), vec![Box::pin(ending)]).run(|now| match now {
        now if now < deadline => Next::At(deadline),
        _ => Next::Stop,
    });
}

async fn end_there(reactor: &Rc<Reactor>, way: &Way, ids: &[u32], deadline: u64) {
    let Some(mut connection) = way.enter(reactor, 0, deadline).await else { return };
    let (own, mut known) = (connection.server().connection_id, Numbers::default());
    // A proxy gives numbers of its own, which may be those of strangers at the server behind it; so does a server that has started
    // anew.
    let asked = connection.query(b"SELECT CONNECTION_ID()", &mut known).await;
    if asked.is_err() || known.0 != [i64::from(own)] {
        return;
    }
    for id in ids.iter().filter(|id| **id < own) {
        let answered = connection.query(format!("KILL {id}").as_bytes(), &mut Discard).await;
        if answered.is_err_and(|error| !matches!(error, Error::Server(_))) {
            return;
        }
    }
    let _ = connection.quit().await;
}
