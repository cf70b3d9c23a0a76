//! The event loop itself: waits for news, and polls the tasks that they concern.

use std::cell::Cell;
use std::os::fd::AsRawFd;
use std::ptr;
use std::rc::Rc;
use std::task::{Context, Waker};

use crate::reactor::sends::Sends;
use crate::reactor::slot::{HUNG_UP, READABLE, WRITABLE};
use crate::reactor::{ALARM, Next, Reactor, Task, TaskId, receives};

/// Most sockets whose news one wait brings.
const BATCH: usize = 256;
/// The number of polls before its own at which a task's memory is prefetched.
const AHEAD: usize = 2;
/// Bytes of a task's future that are prefetched: what an operation touches is among the first of a future's bytes.
const FETCHED: usize = 1024;
const CACHE_LINE: usize = 64;
const CLOSED: i32 = libc::EPOLLRDHUP | libc::EPOLLHUP | libc::EPOLLERR;

/// An event loop with its tasks.
pub(crate) struct EventLoop<'a> {
    reactor: Rc<Reactor>,
    tasks: Vec<Option<Task<'a>>>,
    live: usize,
}

impl<'a> EventLoop<'a> {
    pub(crate) fn new(reactor: Rc<Reactor>, tasks: Vec<Task<'a>>) -> Self {
        let live = tasks.len();
        Self { reactor, tasks: tasks.into_iter().map(Some).collect(), live }
    }

    /// Runs until every task is done or `turn` says stop; returns how many tasks were cut off. `turn` is called once
    /// a turn with the time, and says when it wants to be called at the latest.
    pub(crate) fn run(mut self, mut turn: impl FnMut(u64) -> Next) -> usize {
        let mut events: Vec<libc::epoll_event> = vec![libc::epoll_event { events: 0, u64: 0 }; BATCH];
        let mut queue = Vec::new();
        let patience_ns = self.reactor.sends.as_ref().map_or(0, Sends::patience_ns);
        (0..self.tasks.len() as TaskId).for_each(|task| self.reactor.wake(task));
        loop {
            let now = self.reactor.clock.now();
            self.reactor.wake_due_timers(now);
            let Next::At(wanted) = turn(now) else { return self.live };
            // Those that were woken come first: an arrival must not wait behind a batch of sockets.
            std::mem::swap(&mut queue, &mut self.reactor.run_queue.borrow_mut());
            self.reactor.waited_ns.set(0);
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
            if let Some(task) = self.reactor.receive_awaited(until, now) {
                self.poll(task);
                self.reactor.keep_unread();
                continue;
            }
            let ready = self.wait(&mut events, until, now);
            // Nobody waits behind others in a batch of one: then the clock is not read.
            let returned = if ready > 1 { self.reactor.clock.now() } else { 0 };
            self.reactor.gather(ready > 1);
            let mut handed_over = 0;
            for (at, event) in events[..ready].iter().enumerate() {
                if ready > 1 && at % receives::MOST == 0 {
                    self.reactor.receive(&events[at..ready.min(at + receives::MOST)]);
                }
                if let Some(later) = events[..ready].get(at + AHEAD) {
                    self.fetch(later.u64);
                }
                if event.u64 == ALARM {
                    continue;
                }
                // None: its socket was closed by a task that was polled before it in this batch.
                if let Some(task) = self.reactor.slots.announce(event.u64, readiness(event.events as i32)) {
                    let waited = if ready > 1 { self.reactor.clock.now() - returned } else { 0 };
                    self.reactor.waited_ns.set(waited);
                    if waited - handed_over > patience_ns {
                        self.reactor.hand_over();
                        handed_over = waited;
                    }
                    self.poll(task);
                }
            }
            self.reactor.gather(false);
            self.reactor.keep_unread();
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

    /// Brings the beginning of a task's future, and what else it will touch, into the processor's caches, a few polls
    /// before it is its turn: of a thousand connections each finds its memory cold.
    #[inline]
    fn fetch(&self, word: u64) {
        let Some(number) = self.reactor.slots.task(word).map(|task| task as usize) else { return };
        if let Some(touched) = self.reactor.touched.get().and_then(|all| all.get(number)) {
            let lasting = touched.lasting.each_ref().map(Cell::get);
            touched.next.get().into_iter().chain(lasting).for_each(|part| fetch(part.cast(), part.len()));
        }
        if let Some(task) = &self.tasks[number] {
            fetch(ptr::from_ref(&**task).cast(), size_of_val(&**task).min(FETCHED));
        }
    }

    #[inline]
    fn poll(&mut self, task: TaskId) {
        let slot = &mut self.tasks[task as usize];
        let Some(future) = slot else { return };
        self.reactor.awaited.set(None);
        if future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready() {
            *slot = None;
            self.live -= 1;
        }
    }
}

/// The readiness that epoll's `bits` mean for a slot.
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

/// Asks the processor to have so many bytes ready.
#[inline]
fn fetch(start: *const u8, bytes: usize) {
    for offset in (0..bytes).step_by(CACHE_LINE) {
        prefetch(start.wrapping_add(offset));
    }
}

/// Asks the processor to have the cache line at `address` ready; a hint that cannot fail.
#[inline]
fn prefetch(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing that the program could see, whatever the address is; every x86_64 has it.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: a prefetch reads nothing that the program could see, whatever the address is; every aarch64 has it.
    unsafe {
        std::arch::asm!("prfm pldl1keep, [{}]", in(reg) address, options(nostack, readonly, preserves_flags));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = address;
}
