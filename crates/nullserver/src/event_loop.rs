//! One thread, many connections: readiness in, turns out. Delays wait in a heap behind one timer and never block
//! the loop; a freeze does block it, on purpose.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;

use crate::connection::{Connection, Next};
use crate::counters::Counter;
use crate::desk::Desk;
use crate::inbox::Inbox;
use crate::protocol::reply::put_error;
use crate::sys::clock::{now_ns, sleep_until};
use crate::sys::epoll::{self, BOTH_EDGES, Epoll, Events, READ, READ_EDGE};
use crate::sys::listener::Listener;
use crate::sys::socket;
use crate::sys::timer::Timer;

/// Events of one wait.
const BATCH: usize = 512;

const WAKE: u64 = u64::MAX;
const TIMER: u64 = u64::MAX - 1;
/// Listener n is this minus n.
const LISTENER: u64 = u64::MAX - 2;
const LOWEST_SPECIAL: u64 = u64::MAX - 8;

/// A connection's place, and how often that place was given away: an old event or alarm does not fit a new tenant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Token {
    place: u32,
    tenancy: u32,
}

impl Token {
    fn to_word(self) -> u64 {
        u64::from(self.tenancy) << 32 | u64::from(self.place)
    }

    fn of_word(word: u64) -> Self {
        Self { place: word as u32, tenancy: (word >> 32) as u32 }
    }
}

#[derive(Debug, Default)]
struct Place {
    tenancy: u32,
    connection: Option<Box<Connection>>,
}

/// Takes connections in and deals them out to the loops in turn.
#[derive(Debug)]
pub(crate) struct Reception {
    pub(crate) listeners: Vec<Listener>,
    pub(crate) inboxes: Vec<Arc<Inbox>>,
    pub(crate) last_id: u32,
    /// Given up for a moment when no descriptor is left, to tell a client so.
    pub(crate) reserve: Option<File>,
}

pub(crate) struct EventLoop {
    epoll: Epoll,
    timer: Timer,
    inbox: Arc<Inbox>,
    reception: Option<Reception>,
    origin_ns: u64,
    desk: Desk,
    places: Vec<Place>,
    free: Vec<u32>,
    alarms: BinaryHeap<Reverse<(u64, Token)>>,
}

impl EventLoop {
    pub(crate) fn new(
        desk: Desk,
        inbox: Arc<Inbox>,
        reception: Option<Reception>,
        origin_ns: u64,
    ) -> io::Result<Self> {
        let (epoll, timer) = (Epoll::new()?, Timer::new()?);
        epoll.add(inbox.wake.as_fd(), READ_EDGE, WAKE)?;
        epoll.add(timer.as_fd(), READ_EDGE, TIMER)?;
        for (number, listener) in reception.iter().flat_map(|reception| &reception.listeners).enumerate() {
            epoll.add(listener.as_fd(), READ, LISTENER - number as u64)?;
        }
        let (places, free, alarms) = (Vec::new(), Vec::new(), BinaryHeap::new());
        Ok(Self { epoll, timer, inbox, reception, origin_ns, desk, places, free, alarms })
    }

    /// Until the inbox says stop.
    pub(crate) fn run(mut self) -> io::Result<()> {
        let mut events = Events::with_capacity(BATCH);
        loop {
            self.epoll.wait(&mut events)?;
            for event in &events {
                // Asked each time: a batch of a thousand connections takes milliseconds.
                self.freeze();
                let ready = epoll::ready(event);
                match ready.token {
                    WAKE => {
                        if self.inbox.stopped() {
                            return Ok(());
                        }
                        for (fd, id) in self.inbox.take() {
                            self.open(fd, id);
                        }
                    }
                    TIMER => {}
                    LOWEST_SPECIAL.. => self.accept((LISTENER - ready.token) as usize),
                    word => {
                        let token = Token::of_word(word);
                        if let Some(connection) = tenant(&mut self.places, token) {
                            let next = connection.on_ready(
                                ready.readable,
                                ready.writable,
                                ready.hung_up,
                                &mut self.desk,
                            );
                            self.follow(token, next);
                        }
                    }
                }
            }
            self.ring()?;
        }
    }

    /// Stands still if this is the time for it.
    fn freeze(&self) {
        if let Some(freeze) = self.desk.behaviour.freeze
            && let Some(end) = freeze.ends_at(now_ns() - self.origin_ns)
        {
            sleep_until(self.origin_ns + end);
        }
    }

    #[inline]
    fn follow(&mut self, token: Token, next: Next) {
        match next {
            Next::Wait => {}
            Next::WakeAt(instant) => self.alarms.push(Reverse((instant, token))),
            Next::Close => self.close(token),
        }
    }

    /// Resumes every connection whose alarm is due, then sets the timer to the next one.
    fn ring(&mut self) -> io::Result<()> {
        while let Some(&Reverse((instant, token))) = self.alarms.peek() {
            let now = now_ns();
            if instant > now {
                return self.timer.arm(instant);
            }
            self.alarms.pop();
            let counters = &self.desk.service.counters;
            counters.add(Counter::Alarms, 1);
            counters.add(Counter::AlarmLatenessNs, now - instant);
            self.freeze();
            if let Some(connection) = tenant(&mut self.places, token) {
                let next = connection.resume(&mut self.desk);
                self.follow(token, next);
            }
        }
        Ok(())
    }

    fn open(&mut self, fd: OwnedFd, id: u32) {
        let place = self.free.pop().unwrap_or_else(|| {
            self.places.push(Place::default());
            self.places.len() as u32 - 1
        });
        let (connection, next) = Connection::open(fd, id, &mut self.desk);
        let home = &mut self.places[place as usize];
        let token = Token { place, tenancy: home.tenancy };
        let added = self.epoll.add(connection.fd().as_fd(), BOTH_EDGES, token.to_word());
        home.connection = Some(Box::new(connection));
        self.follow(token, if added.is_ok() { next } else { Next::Close });
    }

    fn close(&mut self, token: Token) {
        let home = &mut self.places[token.place as usize];
        home.connection = None;
        home.tenancy = home.tenancy.wrapping_add(1) & 0x7FFF_FFFF;
        self.free.push(token.place);
        self.desk.service.counters.add(Counter::Disconnections, 1);
    }

    /// Takes in everybody who waits at a listener.
    fn accept(&mut self, listener: usize) {
        let Some(mut reception) = self.reception.take() else { return };
        loop {
            match reception.listeners[listener].accept() {
                Ok(None) => break,
                Ok(Some(fd)) => {
                    reception.last_id += 1;
                    let id = reception.last_id;
                    let turn = id as usize % reception.inboxes.len();
                    if Arc::ptr_eq(&reception.inboxes[turn], &self.inbox) {
                        self.open(fd, id);
                    } else {
                        reception.inboxes[turn].hand_over((fd, id));
                    }
                }
                Err(error) if matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE)) => {
                    if !reception.turn_away(listener) {
                        break;
                    }
                }
                // This client's own trouble, such as a firewall's: the others go on.
                Err(_) => break,
            }
        }
        self.reception = Some(reception);
    }
}

impl Reception {
    /// Tells one client that there is no descriptor for it: otherwise it would wait for ever, and the loop would spin.
    fn turn_away(&mut self, listener: usize) -> bool {
        self.reserve = None;
        let client = self.listeners[listener].accept();
        if let Ok(Some(fd)) = &client {
            let mut error = Vec::new();
            let message =
                "Too many connections: the null server's limit of open files (ulimit -n) is reached";
            put_error(&mut error, 0, 1040, "08004", message);
            socket::write(fd.as_fd(), &error);
        }
        let turned_away = matches!(client, Ok(Some(_)));
        drop(client);
        self.reserve = File::open("/dev/null").ok();
        turned_away
    }
}

fn tenant(places: &mut [Place], token: Token) -> Option<&mut Connection> {
    let place = places.get_mut(token.place as usize).filter(|place| place.tenancy == token.tenancy)?;
    place.connection.as_deref_mut()
}
