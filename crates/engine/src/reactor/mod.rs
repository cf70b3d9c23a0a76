//! One event loop of one thread: epoll in edge-triggered mode, timers, and a run queue.
//!
//! A connection is one task, boxed once for its whole life; an operation allocates nothing and takes no lock. A task
//! is polled when one of its sockets has news, when its timer is due, or when somebody put it on the run queue, so no
//! wakers are needed.

pub(crate) mod alarm;
pub(crate) mod deadline;
mod event_loop;
mod fetched;
mod receives;
mod ring;
mod sends;
mod slot;
pub(crate) mod socket;
#[cfg(test)]
mod tests;

use std::cell::{Cell, OnceCell, RefCell};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::future::Future;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::pin::Pin;
use std::rc::Rc;
use std::task::Poll;

use crate::process::clock::Clock;
use crate::reactor::alarm::Alarm;
use crate::reactor::fetched::{Fetched, Touched};
use crate::reactor::receives::{Read, Receives};
use crate::reactor::sends::Sends;
use crate::reactor::slot::{HUNG_UP, OWING, READABLE, RECEIVED, SlotId, Slots, WAITING, WRITABLE};

pub(crate) use crate::reactor::event_loop::EventLoop;
pub(crate) use crate::reactor::fetched::Lasting;

/// Number of a task within its event loop.
pub(crate) type TaskId = u32;

pub(crate) type Task<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// The word under which epoll reports the alarm, in place of a slot's.
const ALARM: u64 = u64::MAX;

/// Nanoseconds for which a loop of one task must not be wanted, so that it may wait for an answer by receiving it: two
/// ticks of most kernels.
const RECEIVE_NS: u64 = 8_000_000;

/// The bit by which epoll says that there is something to read.
const IN: u32 = libc::EPOLLIN as u32;

/// The instant at which the loop should next call its owner, whatever else happens; or that it should stop.
pub(crate) enum Next {
    At(u64),
    Stop,
}

/// The part of the loop that tasks and sockets share.
pub(crate) struct Reactor {
    epoll: OwnedFd,
    alarm: Alarm,
    pub clock: Clock,
    slots: Slots,
    run_queue: RefCell<Vec<TaskId>>,
    timers: RefCell<BinaryHeap<Reverse<(u64, TaskId)>>>,
    waited_ns: Cell<u64>,
    /// What each task will touch when it is polled next; absent where no task says so.
    touched: OnceCell<Box<[Fetched]>>,
    receives: Option<Receives>,
    /// The socket whose answer the task that was polled last waits for; absent where it waits for something else.
    awaited: Cell<Option<SlotId>>,
    sends: Option<Sends>,
    /// Whether commands wait for others of the tasks that are being polled.
    gathers: Cell<bool>,
    /// What sockets still have to send of commands that were handed over together.
    owed: RefCell<Vec<(SlotId, Vec<u8>)>>,
}

impl Reactor {
    /// # Errors
    /// The kernel has no descriptor left.
    pub(crate) fn new(tasks: usize, clock: Clock) -> io::Result<Rc<Self>> {
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
            slots: Slots::new(tasks),
            run_queue: RefCell::new(Vec::with_capacity(tasks)),
            timers: RefCell::default(),
            waited_ns: Cell::new(0),
            touched: OnceCell::new(),
            receives: if tasks > 1 { Receives::new() } else { Some(Receives::of_one()) },
            awaited: Cell::new(None),
            sends: if tasks > 1 { Sends::new(tasks) } else { None },
            gathers: Cell::new(false),
            owed: RefCell::default(),
        }))
    }

    /// Nanoseconds for which the task that is being polled had waited for its turn behind others of its batch, since epoll
    /// returned it; 0 for a task on the run queue. So long its answer waited in this process, not at the server.
    #[inline]
    pub(crate) fn waited_ns(&self) -> u64 {
        self.waited_ns.get()
    }

    /// What `task` touches, as far as it has said.
    #[inline]
    fn fetched(&self, task: TaskId) -> Option<&Fetched> {
        let all =
            self.touched.get_or_init(|| (0..self.slots.foreseen()).map(|_| Fetched::nothing()).collect());
        all.get(task as usize)
    }

    /// Notes what `task` will touch when it is polled next, so that it is fetched shortly before.
    #[inline]
    pub(crate) fn will_touch(&self, task: TaskId, touched: Touched) {
        if let Some(fetched) = self.fetched(task) {
            fetched.next.set(touched);
        }
    }

    /// Notes memory that `task` touches whenever it is polled, up to its first so many bytes.
    pub(crate) fn always_touches<T: ?Sized>(&self, task: TaskId, which: Lasting, what: &T, bytes: usize) {
        if let Some(fetched) = self.fetched(task) {
            fetched.keep(which, what, bytes);
        }
    }

    /// Puts `task` on the run queue: it is polled in this turn of the loop.
    pub(crate) fn wake(&self, task: TaskId) {
        self.run_queue.borrow_mut().push(task);
    }

    /// Watches `fd` for `task`; nothing is known of it yet. The slot that it gets is to be given to
    /// [`detach`](Self::detach) before `fd` is closed.
    ///
    /// # Errors
    /// The kernel cannot watch it.
    pub(crate) fn attach(&self, fd: RawFd, task: TaskId, writable: bool) -> io::Result<SlotId> {
        let slot = self.slots.take(task, fd);
        let watched = self.control(libc::EPOLL_CTL_ADD, fd, slot, writable);
        if watched.is_err() {
            self.slots.give_back(slot);
        }
        watched.map(|()| slot)
    }

    /// Forgets a socket that is about to be closed; closing it ends the watch.
    pub(crate) fn detach(&self, slot: SlotId) {
        self.awaited.set(None);
        // Its last command still needs the descriptor, whose number may be another socket's soon.
        self.hand_over();
        if self.owes(slot) {
            self.take_owed(slot);
        }
        if let Some(receives) = self.received(slot) {
            receives.forget(slot);
        }
        self.slots.give_back(slot);
    }

    /// Whether the loop has no more than one task.
    pub(crate) fn is_of_one_task(&self) -> bool {
        self.slots.foreseen() == 1
    }

    /// Notes that the task that is being polled waits for an answer.
    #[inline]
    fn await_answer(&self, slot: SlotId) {
        self.awaited.set(Some(slot));
    }

    /// Waits for the answer that the only task waits for, by receiving it: a call less than waiting for news and then
    /// receiving. Returns the task if there was one; `None` also where the loop is wanted at `until`, too soon for that.
    #[inline]
    fn receive_awaited(&self, until: u64, now: u64) -> Option<TaskId> {
        let slot = self.awaited.get()?;
        if !self.is_of_one_task() || until < now.saturating_add(RECEIVE_NS) {
            return None;
        }
        let receives = self.receives.as_ref()?;
        receives.wait(&self.slots, slot, self.slots.fd(slot)).then(|| self.slots.task_of(slot))
    }

    /// Receives of the first sockets of these events, by one call for all.
    #[inline]
    fn receive(&self, events: &[libc::epoll_event]) {
        if let Some(receives) = &self.receives {
            let readable = events.iter().filter(|event| event.u64 != ALARM && event.events & IN != 0);
            receives.receive(&self.slots, readable.filter_map(|event| self.slots.receivable(event.u64)));
        }
    }

    /// Keeps what tasks have not read of the batch that is over: of their sockets more may be announced from now on.
    #[inline]
    fn keep_unread(&self) {
        if let Some(receives) = &self.receives {
            receives.keep_unread(&self.slots);
        }
    }

    /// What was received, if something of this socket is there.
    #[inline]
    fn received(&self, slot: SlotId) -> Option<&Receives> {
        self.receives.as_ref().filter(|_| self.slots.readiness(slot) & RECEIVED != 0)
    }

    /// Reads what was received of a socket, if something was.
    #[inline]
    fn read_received(&self, slot: SlotId, buffer: &mut [u8]) -> Option<Read> {
        self.received(slot).map(|receives| receives.read(&self.slots, slot, buffer))
    }

    /// Has commands wait for one another from now on, or no longer.
    #[inline]
    fn gather(&self, on: bool) {
        self.gathers.set(on && self.sends.as_ref().is_some_and(Sends::is_usable));
        self.hand_over();
    }

    /// Takes a command to be sent with others; false where it is to be sent now.
    #[inline]
    fn takes_command(&self, slot: SlotId, fd: RawFd, bytes: &[u8]) -> bool {
        let Some(sends) = self.sends.as_ref().filter(|_| self.gathers.get() && Sends::takes(bytes)) else {
            return false;
        };
        // Of two sends to one socket in one call, the kernel may take the second after it had no room for the first.
        if self.slots.readiness(slot) & WAITING != 0 {
            self.hand_over();
            if self.owes(slot) {
                return false;
            }
        }
        self.slots.set(slot, WAITING);
        if sends.put(slot, fd, bytes) {
            self.hand_over();
        }
        true
    }

    /// Sends the commands that have waited for one another. What the kernel does not take, their sockets owe.
    #[inline]
    fn hand_over(&self) {
        if let Some(sends) = &self.sends {
            sends.hand_over(|slot, rest| {
                self.slots.clear(slot, WAITING);
                if !rest.is_empty() {
                    self.owe(slot, rest.to_vec());
                    self.wake(self.slots.task_of(slot));
                }
            });
        }
    }

    /// Whether a socket still has to send something of an earlier command.
    #[inline]
    fn owes(&self, slot: SlotId) -> bool {
        self.slots.readiness(slot) & OWING != 0
    }

    fn owe(&self, slot: SlotId, rest: Vec<u8>) {
        self.slots.set(slot, OWING);
        self.owed.borrow_mut().push((slot, rest));
    }

    /// What a socket owes, in the order of its commands.
    fn take_owed(&self, slot: SlotId) -> Vec<u8> {
        self.slots.clear(slot, OWING);
        let mut rest = Vec::new();
        self.owed.borrow_mut().retain(|(of, bytes)| {
            if *of == slot {
                rest.extend_from_slice(bytes);
            }
            *of != slot
        });
        rest
    }

    /// Asks for, or no longer for, news that `fd` can be written: a unix socket would report every byte its peer
    /// takes, so this is on only while a write is stuck.
    pub(crate) fn want_write(&self, fd: RawFd, slot: SlotId, writable: bool) -> io::Result<()> {
        self.control(libc::EPOLL_CTL_MOD, fd, slot, writable)
    }

    fn control(&self, operation: i32, fd: RawFd, slot: SlotId, writable: bool) -> io::Result<()> {
        let mut events = libc::EPOLLIN | libc::EPOLLRDHUP | libc::EPOLLET;
        if writable {
            events |= libc::EPOLLOUT;
        }
        control(&self.epoll, operation, fd, events, self.slots.word(slot))
    }

    #[inline]
    pub(crate) fn is_readable(&self, slot: SlotId) -> bool {
        self.slots.readiness(slot) & (READABLE | OWING | RECEIVED) != 0
    }

    #[inline]
    pub(crate) fn is_writable(&self, slot: SlotId) -> bool {
        self.slots.readiness(slot) & WRITABLE != 0
    }

    /// Notes that a read of the socket would block.
    #[inline]
    pub(crate) fn clear_readable(&self, slot: SlotId) {
        self.slots.clear(slot, READABLE);
    }

    /// Notes that a read of the socket got less than it asked for: there is no more for now, unless the peer has closed,
    /// whose end is still to be read and is announced no second time. Returns whether the socket is empty.
    #[inline]
    pub(crate) fn drained(&self, slot: SlotId) -> bool {
        if self.slots.readiness(slot) & HUNG_UP != 0 {
            return false;
        }
        self.slots.clear(slot, READABLE);
        true
    }

    /// Notes that a write to the socket would block.
    pub(crate) fn clear_writable(&self, slot: SlotId) {
        self.slots.clear(slot, WRITABLE);
    }

    /// A future that completes at `instant`.
    pub(crate) fn sleep_until(&self, task: TaskId, instant: u64) -> impl Future<Output = ()> + '_ {
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
    pub(crate) async fn until<F: Future>(&self, task: TaskId, deadline: u64, future: F) -> Option<F::Output> {
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
