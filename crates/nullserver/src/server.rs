//! A running null server: its threads, its addresses, its counters.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;

use anyhow::{Context, bail};

use crate::Behaviour;
use crate::counters::{Counters, totals};
use crate::desk::Desk;
use crate::event_loop::{EventLoop, Reception};
use crate::inbox::Inbox;
use crate::protocol::answers::{Answers, Content};
use crate::protocol::session::Service;
use crate::sys::clock::now_ns;
use crate::sys::listener::Listener;

/// The options of a server: where it listens, what it answers, what it does wrong.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Path of a unix socket to make.
    pub socket: Option<PathBuf>,
    /// Port on 127.0.0.1; 0 takes a free one.
    pub port: Option<u16>,
    /// Event loops; 0 counts as 1.
    pub threads: usize,
    pub content: Content,
    pub behaviour: Behaviour,
}

/// Stops, and removes its socket, when dropped.
#[derive(Debug)]
pub struct Server {
    port: Option<u16>,
    origin_ns: u64,
    inboxes: Vec<Arc<Inbox>>,
    counters: Vec<Arc<Counters>>,
    threads: Vec<JoinHandle<std::io::Result<()>>>,
}

impl Server {
    /// Listens, then returns: a client may connect at once.
    ///
    /// # Errors
    /// Neither socket nor port given, or one that cannot be had; no descriptors or threads left.
    pub fn start(options: &Options) -> anyhow::Result<Self> {
        let (mut listeners, mut port) = (Vec::new(), None);
        if let Some(path) = &options.socket {
            listeners.push(Listener::unix(path)?);
        }
        if let Some(wanted) = options.port {
            let (listener, taken) = Listener::loopback(wanted)?;
            listeners.push(listener);
            port = Some(taken);
        }
        if listeners.is_empty() {
            bail!("no address to listen on: give --socket PATH, --port NUMBER, or both");
        }

        let loops = options.threads.max(1);
        let counters: Vec<_> = (0..loops).map(|_| Arc::new(Counters::new())).collect();
        let inboxes = (0..loops).map(|_| Inbox::new().map(Arc::new)).collect::<std::io::Result<Vec<_>>>()?;
        let reserve = File::open("/dev/null").ok();
        let mut reception = Some(Reception { listeners, inboxes: inboxes.clone(), last_id: 0, reserve });
        let origin_ns = now_ns();
        let mut server = Self { port, origin_ns, inboxes, counters, threads: Vec::new() };
        for number in 0..loops {
            let service = Service {
                content: options.content.clone(),
                answers: Answers::new(&options.content),
                refuse_logins: options.behaviour.refuse_logins,
                counters: Arc::clone(&server.counters[number]),
                all_counters: server.counters.clone(),
            };
            let desk = Desk::new(service, options.behaviour);
            let inbox = Arc::clone(&server.inboxes[number]);
            let event_loop = EventLoop::new(desk, inbox, reception.take(), origin_ns)?;
            let thread = std::thread::Builder::new()
                .name(format!("null-{number}"))
                .spawn(move || event_loop.run())
                .context("cannot start a thread")?;
            server.threads.push(thread);
        }
        Ok(server)
    }

    /// The port on 127.0.0.1, if it listens on one.
    pub fn port(&self) -> Option<u16> {
        self.port
    }

    /// The instant on CLOCK_MONOTONIC at which the freeze pattern starts, in nanoseconds.
    pub fn origin_ns(&self) -> u64 {
        self.origin_ns
    }

    /// The status variables as `SHOW GLOBAL STATUS` gives them.
    pub fn status(&self) -> Vec<(&'static str, u64)> {
        totals(&self.counters)
    }

    /// The value of a status variable; `None` if there is none of that name.
    pub fn counter(&self, name: &str) -> Option<u64> {
        self.status().into_iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Closes every connection and waits for the threads.
    ///
    /// # Errors
    /// A thread had ended earlier on a failed system call.
    pub fn stop(mut self) -> anyhow::Result<()> {
        self.end()
    }

    fn end(&mut self) -> anyhow::Result<()> {
        for inbox in &self.inboxes {
            inbox.stop();
        }
        for thread in self.threads.drain(..) {
            match thread.join() {
                Ok(result) => result.context("an event loop failed")?,
                Err(_) => bail!("an event loop panicked"),
            }
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A failure has nobody to go to here; `stop` reports it.
        let _ = self.end();
    }
}
