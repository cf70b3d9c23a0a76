//! One event loop of one thread: epoll in edge-triggered mode, timers, and a run queue.
//!
//! A connection is one task, boxed once for its whole life; an operation allocates nothing and takes no lock. A task
//! is polled when its socket has news, when its timer is due, or when somebody put it on the run queue, so no wakers
//! are needed.

pub mod alarm;
pub mod deadline;
pub mod socket;

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::future::Future;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use crate::process::clock::Clock;
use crate::reactor::alarm::Alarm;

/// Number of a task within its event loop.
pub type TaskId = u32;

pub type Task<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

const READABLE: u8 = 1;
const WRITABLE: u8 = 2;
/// The peer has closed, or the connection is broken. Edge-triggered epoll says so once: it must outlive every read but
/// the last.
const HUNG_UP: u8 = 4;
const CLOSED: i32 = libc::EPOLLRDHUP | libc::EPOLLHUP | libc::EPOLLERR;
const BATCH: usize = 256;
/// In place of a task: the alarm rang.
const ALARM: u64 = u64::MAX;

/// When the loop should next call its owner, whatever else happens.
pub enum Next {
    At(u64),
    Stop,
}

/// The part of the loop that tasks and sockets share.
pub struct Reactor {
    epoll: OwnedFd,
    alarm: Alarm,
    pub clock: Clock,
    /// What is known of each task's socket since it last said "would block".
    readiness: Box<[Cell<u8>]>,
    run_queue: RefCell<Vec<TaskId>>,
    timers: RefCell<BinaryHeap<Reverse<(u64, TaskId)>>>,
    batch_returned: Cell<u64>,
}

impl Reactor {
    /// # Errors
    /// The kernel has no descriptor left.
    pub fn new(tasks: usize, clock: Clock) -> io::Result<Rc<Self>> {
        // SAFETY: epoll_create1 takes no pointers; the descriptor it returns is ours alone.
        let epoll = unsafe {
            let fd = libc::epoll_create1(libc::EPOLL_CLOEXEC);
            if fd < 0 {
                return Err(io::Error::last_os_error());
            }
            OwnedFd::from_raw_fd(fd)
        };
        let alarm = Alarm::new(clock)?;
        control(&epoll, libc::EPOLL_CTL_ADD, alarm.as_raw_fd(), libc::EPOLLIN | libc::EPOLLET, ALARM)?;
        Ok(Rc::new(Self {
            epoll,
            alarm,
            clock,
            readiness: vec![Cell::new(0); tasks].into_boxed_slice(),
            run_queue: RefCell::new(Vec::with_capacity(tasks)),
            timers: RefCell::default(),
            batch_returned: Cell::new(0),
        }))
    }

    /// Instant at which epoll returned the batch whose task is being polled; of a task on the run queue, the instant of
    /// its turn. From then until an answer is read the answer waits in this process, not at the server.
    #[allow(dead_code, reason = "read by the tally, which begins to record how long answers wait")]
    #[inline]
    pub fn batch_returned(&self) -> u64 {
        self.batch_returned.get()
    }

    /// Has `task` polled in this turn of the loop.
    pub fn wake(&self, task: TaskId) {
        self.run_queue.borrow_mut().push(task);
    }

    /// Watches `fd` for `task`; nothing is known of it yet.
    pub fn attach(&self, fd: RawFd, task: TaskId, writable: bool) -> io::Result<()> {
        self.readiness[task as usize].set(0);
        self.control(libc::EPOLL_CTL_ADD, fd, task, writable)
    }

    /// Asks for, or no longer for, news that `fd` can be written: a unix socket would report every byte its peer
    /// takes, so this is on only while a write is stuck.
    pub fn want_write(&self, fd: RawFd, task: TaskId, writable: bool) -> io::Result<()> {
        self.control(libc::EPOLL_CTL_MOD, fd, task, writable)
    }

    fn control(&self, operation: i32, fd: RawFd, task: TaskId, writable: bool) -> io::Result<()> {
        let mut events = libc::EPOLLIN | libc::EPOLLRDHUP | libc::EPOLLET;
        if writable {
            events |= libc::EPOLLOUT;
        }
        control(&self.epoll, operation, fd, events, task.into())
    }

    #[inline]
    pub fn is_readable(&self, task: TaskId) -> bool {
        self.readiness[task as usize].get() & READABLE != 0
    }

    #[inline]
    pub fn is_writable(&self, task: TaskId) -> bool {
        self.readiness[task as usize].get() & WRITABLE != 0
    }

    /// The socket of `task` would block.
    #[inline]
    pub fn clear_readable(&self, task: TaskId) {
        let cell = &self.readiness[task as usize];
        cell.set(cell.get() & !READABLE);
    }

    /// A read of the socket of `task` got less than it asked for: there is no more for now, unless the peer has closed,
    /// whose end is still to be read and is announced no second time. Returns whether the socket is empty.
    #[inline]
    pub fn drained(&self, task: TaskId) -> bool {
        let cell = &self.readiness[task as usize];
        let known = cell.get();
        if known & HUNG_UP != 0 {
            return false;
        }
        cell.set(known & !READABLE);
        true
    }

    pub fn clear_writable(&self, task: TaskId) {
        let cell = &self.readiness[task as usize];
        cell.set(cell.get() & !WRITABLE);
    }

    /// Completes at `instant`.
    pub fn sleep_until(&self, task: TaskId, instant: u64) -> impl Future<Output = ()> + '_ {
        let mut armed = false;
        std::future::poll_fn(move |_| {
            if self.clock.now() >= instant {
                return Poll::Ready(());
            }
            if !armed {
                armed = true;
                self.timers.borrow_mut().push(Reverse((instant, task)));
            }
            Poll::Pending
        })
    }

    /// Runs `future` no longer than until `deadline`; `None` when it was not done by then.
    pub async fn until<F: Future>(&self, task: TaskId, deadline: u64, future: F) -> Option<F::Output> {
        let mut future = std::pin::pin!(future);
        let mut limit = std::pin::pin!(self.sleep_until(task, deadline));
        std::future::poll_fn(|cx| match future.as_mut().poll(cx) {
            Poll::Ready(output) => Poll::Ready(Some(output)),
            Poll::Pending => limit.as_mut().poll(cx).map(|()| None),
        })
        .await
    }

    fn wake_due_timers(&self, now: u64) {
        let mut timers = self.timers.borrow_mut();
        while let Some(&Reverse((instant, task))) = timers.peek()
            && instant <= now
        {
            timers.pop();
            self.wake(task);
        }
    }

    fn next_timer(&self) -> u64 {
        self.timers.borrow().peek().map_or(u64::MAX, |Reverse((instant, _))| *instant)
    }
}

fn control(epoll: &OwnedFd, operation: i32, fd: RawFd, events: i32, word: u64) -> io::Result<()> {
    let mut event = libc::epoll_event { events: events as u32, u64: word };
    // SAFETY: both descriptors are open and `event` outlives the call.
    let code = unsafe { libc::epoll_ctl(epoll.as_raw_fd(), operation, fd, &raw mut event) };
    if code < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// The loop itself, with its tasks.
pub struct EventLoop<'a> {
    reactor: Rc<Reactor>,
    tasks: Vec<Option<Task<'a>>>,
    live: usize,
}

impl<'a> EventLoop<'a> {
    pub fn new(reactor: Rc<Reactor>, tasks: Vec<Task<'a>>) -> Self {
        let live = tasks.len();
        Self { reactor, tasks: tasks.into_iter().map(Some).collect(), live }
    }

    /// Runs until every task is done or `turn` says stop; returns how many tasks were cut off. `turn` is called once
    /// a turn with the time, and says when it wants to be called at the latest.
    pub fn run(mut self, mut turn: impl FnMut(u64) -> Next) -> usize {
        let mut events: Vec<libc::epoll_event> = vec![libc::epoll_event { events: 0, u64: 0 }; BATCH];
        let mut queue = Vec::new();
        (0..self.tasks.len() as TaskId).for_each(|task| self.reactor.wake(task));
        loop {
            let now = self.reactor.clock.now();
            self.reactor.wake_due_timers(now);
            let Next::At(wanted) = turn(now) else { return self.live };
            // Those that were woken come first: an arrival must not wait behind a batch of sockets.
            std::mem::swap(&mut queue, &mut self.reactor.run_queue.borrow_mut());
            self.reactor.batch_returned.set(now);
            for task in queue.drain(..) {
                self.poll(task);
            }
            if self.live == 0 {
                return 0;
            }
            let until = if self.reactor.run_queue.borrow().is_empty() {
                wanted.min(self.reactor.next_timer())
            } else {
                now
            };
            let ready = self.wait(&mut events, until, now);
            self.reactor.batch_returned.set(self.reactor.clock.now());
            for event in &events[..ready] {
                if event.u64 == ALARM {
                    continue;
                }
                let (bits, task) = (event.events as i32, event.u64 as TaskId);
                let cell = &self.reactor.readiness[task as usize];
                let mut known = cell.get();
                if bits & (libc::EPOLLIN | CLOSED) != 0 {
                    known |= READABLE;
                }
                if bits & CLOSED != 0 {
                    known |= HUNG_UP;
                }
                if bits & (libc::EPOLLOUT | libc::EPOLLHUP | libc::EPOLLERR) != 0 {
                    known |= WRITABLE;
                }
                cell.set(known);
                self.poll(task);
            }
        }
    }

    /// Waits for news of the sockets, until `until` at the latest. `now` may be old: an alarm for an instant that has
    /// passed meanwhile rings at once.
    fn wait(&self, events: &mut [libc::epoll_event], until: u64, now: u64) -> usize {
        let (epoll, buffer, room) =
            (self.reactor.epoll.as_raw_fd(), events.as_mut_ptr(), events.len() as i32);
        let timeout_ms = if until <= now {
            0
        } else {
            self.reactor.alarm.ring_by(until, now);
            -1
        };
        // SAFETY: `events` outlives the call.
        let ready = unsafe { libc::epoll_wait(epoll, buffer, room, timeout_ms) };
        // A signal ends the wait early; the loop's owner looks at what it meant.
        ready.max(0) as usize
    }

    #[inline]
    fn poll(&mut self, task: TaskId) {
        let slot = &mut self.tasks[task as usize];
        let Some(future) = slot else { return };
        if future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready() {
            *slot = None;
            self.live -= 1;
        }
    }
}
