//! The event loop itself: waits for news, and polls the tasks that they concern.

use std::os::fd::AsRawFd;
use std::rc::Rc;
use std::task::{Context, Waker};

use crate::reactor::slot::{HUNG_UP, READABLE, WRITABLE};
use crate::reactor::{ALARM, Next, Reactor, Task, TaskId};

/// Most sockets whose news one wait brings.
const BATCH: usize = 256;
const CLOSED: i32 = libc::EPOLLRDHUP | libc::EPOLLHUP | libc::EPOLLERR;

/// An event loop with its tasks.
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
                // None: its socket was closed by a task that was polled before it in this batch.
                if let Some(task) = self.reactor.slots.announce(event.u64, readiness(event.events as i32)) {
                    self.poll(task);
                }
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

/// What a slot is told of epoll's `bits`.
#[inline]
fn readiness(bits: i32) -> u8 {
    let mut known = 0;
    if bits & (libc::EPOLLIN | CLOSED) != 0 {
        known |= READABLE;
    }
    if bits & CLOSED != 0 {
        known |= HUNG_UP;
    }
    if bits & (libc::EPOLLOUT | libc::EPOLLHUP | libc::EPOLLERR) != 0 {
        known |= WRITABLE;
    }
    known
}
