//! The reactor with real sockets, whose other ends the tests hold.

mod batch;
mod only;

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use assay_wire::Stream;

use crate::process::clock::Clock;
use crate::reactor::socket::Socket;
use crate::reactor::{EventLoop, Next, Reactor, Task, TaskId};

const SOON_NS: u64 = 1_000_000;
const LONG_NS: u64 = 60_000_000_000;

fn reactor(tasks: usize) -> Rc<Reactor> {
    Reactor::new(tasks, Clock::start()).expect("a reactor")
}

/// A socket of `task`, and its peer.
fn pair(reactor: &Rc<Reactor>, task: TaskId) -> (Socket, UnixStream) {
    let (ours, theirs) = UnixStream::pair().expect("a pair of sockets");
    ours.set_nonblocking(true).expect("a non-blocking socket");
    (Socket::watched(ours.into(), reactor.clone(), task, false).expect("a watched socket"), theirs)
}

async fn read(socket: &mut Socket) -> Vec<u8> {
    let mut buffer = [0; 64];
    let count = poll_fn(|cx| socket.poll_read(cx, &mut buffer)).await.expect("bytes");
    buffer[..count].to_vec()
}

/// Runs the tasks to their end; fails the test when that takes a minute.
fn finish(reactor: Rc<Reactor>, tasks: Vec<Task<'_>>) {
    let end = reactor.clock.now() + LONG_NS;
    let left = EventLoop::new(reactor, tasks)
        .run(|now| if now >= end { Next::Stop } else { Next::At(now + SOON_NS) });
    assert_eq!(left, 0, "tasks that were never woken");
}

#[test]
fn a_task_hears_each_of_its_sockets() {
    let reactor = reactor(1);
    let ((mut first, mut peer_of_first), (mut second, mut peer_of_second)) =
        (pair(&reactor, 0), pair(&reactor, 0));
    let heard = RefCell::new(Vec::new());
    let task = async {
        // Whichever speaks: one poll looks at both.
        for _ in 0..2 {
            let mut buffer = [0; 8];
            let said = poll_fn(|cx| {
                for (name, socket) in [("first", &mut first), ("second", &mut second)] {
                    if let Poll::Ready(count) = socket.poll_read(cx, &mut buffer) {
                        return Poll::Ready((name, count.expect("bytes")));
                    }
                }
                Poll::Pending
            });
            let said = said.await;
            heard.borrow_mut().push(said);
            // The other one speaks only now that this one was heard.
            peer_of_first.write_all(b"one").expect("a peer");
        }
    };
    peer_of_second.write_all(b"four").expect("a peer");
    finish(reactor.clone(), vec![Box::pin(task)]);
    assert_eq!(*heard.borrow(), [("second", 4), ("first", 3)]);
}

#[test]
fn sockets_of_one_task_are_not_taken_for_one_another() {
    let reactor = reactor(1);
    let ((mut loud, mut peer_of_loud), (mut quiet, _peer)) = (pair(&reactor, 0), pair(&reactor, 0));
    peer_of_loud.write_all(b"x").expect("a peer");
    let task = async {
        assert_eq!(read(&mut loud).await, b"x");
        assert!(!quiet.has_unread() && !loud.has_unread());
        let asked = quiet.poll_read(&mut Context::from_waker(Waker::noop()), &mut [0; 8]);
        assert!(asked.is_pending());
    };
    finish(reactor.clone(), vec![Box::pin(task)]);
}

#[test]
fn a_socket_does_not_see_what_its_predecessor_was_told() {
    let reactor = reactor(2);
    // Both become readable in one batch. Whichever task is polled first closes the other's socket and opens a new one in
    // its slot: the event of the closed one is still in the batch.
    let (one, mut peer_of_one) = pair(&reactor, 0);
    let (other, mut peer_of_other) = pair(&reactor, 1);
    let places = [RefCell::new(Some(one)), RefCell::new(Some(other))];
    let (swapped, polls_after) = (Cell::new(None), Cell::new(0));
    let task = |own: usize| {
        let (places, swapped, polls_after, reactor) = (&places, &swapped, &polls_after, &reactor);
        poll_fn(move |_| match swapped.get() {
            None if places[own].borrow().as_ref().is_some_and(Socket::has_unread) => {
                let victim = 1 - own;
                places[victim].replace(None);
                let (fresh, peer) = pair(reactor, victim as TaskId);
                places[victim].replace(Some(fresh));
                swapped.set(Some(victim));
                // Its peer never says a word, and stays.
                std::mem::forget(peer);
                reactor.wake(own as TaskId);
                Poll::Pending
            }
            Some(victim) if victim == own => {
                polls_after.set(polls_after.get() + 1);
                Poll::Ready(())
            }
            Some(victim) => {
                assert!(!places[victim].borrow().as_ref().is_some_and(Socket::has_unread));
                assert_eq!(polls_after.get(), 0, "an old event woke the new socket's task");
                reactor.wake(victim as TaskId);
                Poll::Ready(())
            }
            None => Poll::Pending,
        })
    };
    peer_of_one.write_all(b"x").expect("a peer");
    peer_of_other.write_all(b"x").expect("a peer");
    finish(reactor.clone(), vec![Box::pin(task(0)), Box::pin(task(1))]);
    assert_eq!(polls_after.get(), 1);
}

#[test]
fn the_end_of_a_stream_is_read_after_its_last_bytes() {
    let reactor = reactor(1);
    let (mut socket, mut peer) = pair(&reactor, 0);
    peer.write_all(b"last words").expect("a peer");
    drop(peer);
    let task = async {
        assert_eq!(read(&mut socket).await, b"last words");
        assert_eq!(read(&mut socket).await, b"");
    };
    finish(reactor.clone(), vec![Box::pin(task)]);
}

#[test]
fn a_write_that_is_stuck_goes_on_when_there_is_room() {
    let reactor = reactor(1);
    let (mut socket, mut peer) = pair(&reactor, 0);
    let bytes = vec![7; 4 << 20];
    let reader = std::thread::spawn(move || {
        let mut got = vec![0; 4 << 20];
        peer.read_exact(&mut got).expect("all bytes");
        got
    });
    let task = async {
        let mut sent = 0;
        while sent < bytes.len() {
            sent += poll_fn(|cx| socket.poll_write(cx, &bytes[sent..])).await.expect("a peer that reads");
        }
    };
    finish(reactor.clone(), vec![Box::pin(task)]);
    assert!(reader.join().expect("a reader").iter().all(|byte| *byte == 7));
}

#[test]
fn a_sleep_ends_at_its_instant_and_a_limit_ends_a_wait() {
    let reactor = reactor(2);
    let (mut silent, _peer) = pair(&reactor, 1);
    let sleeper = async {
        let until = reactor.clock.now() + SOON_NS;
        reactor.sleep_until(0, until).await;
        assert!(reactor.clock.now() >= until);
    };
    let waiter = async {
        let deadline = reactor.clock.now() + 2 * SOON_NS;
        assert!(reactor.until(1, deadline, read(&mut silent)).await.is_none());
        assert!(reactor.clock.now() >= deadline);
    };
    finish(reactor.clone(), vec![Box::pin(sleeper), Box::pin(waiter)]);
}

/// Reads to the end of a stream.
async fn read_all(socket: &mut Socket) -> Vec<u8> {
    let mut all = Vec::new();
    loop {
        let more = read(socket).await;
        if more.is_empty() {
            return all;
        }
        all.extend(more);
    }
}

/// Has the kernel refuse a system call of this thread, as many containers do; false where it has no such filters.
fn refuse(call: libc::c_long) -> bool {
    let step =
        |code: u32, otherwise: u8, k: u32| libc::sock_filter { code: code as u16, jt: 0, jf: otherwise, k };
    let answer = libc::BPF_RET | libc::BPF_K;
    let mut filter = [
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0), // the number of the call
        step(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, 1, call as u32),
        step(answer, 0, libc::SECCOMP_RET_ERRNO | libc::EPERM as u32),
        step(answer, 0, libc::SECCOMP_RET_ALLOW),
    ];
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
    // SAFETY: the filter outlives the call, which copies it.
    let codes = unsafe {
        [
            libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0),
            libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program),
        ]
    };
    codes == [0, 0]
}
