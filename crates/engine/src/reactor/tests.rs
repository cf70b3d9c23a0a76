//! The reactor with real sockets, whose other ends the tests hold.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use assay_wire::Stream;
use rstest::rstest;

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

#[test]
fn tasks_of_a_batch_wait_for_those_before_them_and_not_for_themselves() {
    const READING: Duration = Duration::from_millis(2);
    let reactor = reactor(2);
    let pairs: Vec<_> = (0..2).map(|task| pair(&reactor, task)).collect();
    let (mut sockets, peers): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
    // Both are there before the loop asks.
    for mut peer in &peers {
        peer.write_all(b"x").expect("a peer");
    }
    let seen = RefCell::new(Vec::new());
    let task = |mut socket: Socket| {
        let (seen, reactor) = (&seen, &reactor);
        async move {
            assert_eq!(read(&mut socket).await, b"x");
            std::thread::sleep(READING);
            seen.borrow_mut().push(reactor.waited_ns());
        }
    };
    let tasks = sockets.drain(..).map(|socket| Box::pin(task(socket)) as Task).collect();
    finish(reactor.clone(), tasks);
    let seen = seen.into_inner();
    let more_ns = seen[1] - seen[0];
    assert!(u128::from(more_ns) >= READING.as_nanos(), "the second waited while the first read: {seen:?}");
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

#[rstest]
#[case::shorter_than_what_is_received_at_once(2047)]
#[case::as_long(2048)]
#[case::longer(5000)]
fn answers_of_a_batch_are_read_whole_in_pieces_up_to_the_end(#[case] length: usize) {
    let reactor = reactor(2);
    let (sockets, peers): (Vec<_>, Vec<_>) = (0..2).map(|task| pair(&reactor, task)).unzip();
    let bytes: Vec<u8> = (0..length).map(|place| (place % 251) as u8).collect();
    for mut peer in peers {
        peer.write_all(&bytes).expect("a peer");
    }
    let task = |mut socket: Socket| {
        let bytes = &bytes;
        async move { assert!(read_all(&mut socket).await == *bytes) }
    };
    finish(reactor.clone(), sockets.into_iter().map(|socket| Box::pin(task(socket)) as Task).collect());
}

/// Answers of one socket that take several batches.
const TURNS: usize = 6;

#[test]
fn an_answer_that_is_not_read_in_its_turn_waits_for_its_task() {
    let reactor = reactor(2);
    let ((mut busy, mut peer_of_busy), (mut idle, mut peer_of_idle)) = (pair(&reactor, 0), pair(&reactor, 0));
    let (closed, mut peer_of_closed) = pair(&reactor, 0);
    let (mut other, mut peer_of_other) = pair(&reactor, 1);
    peer_of_busy.write_all(b"busy").expect("a peer");
    peer_of_idle.write_all(b"first").expect("a peer");
    peer_of_closed.write_all(b"never").expect("a peer");
    peer_of_other.write_all(b"other").expect("a peer");
    // Both are in the next batch, whose answers take the places of those of this one.
    let mut turns = async || {
        for _ in 0..TURNS {
            assert_eq!(read(&mut busy).await, b"busy");
            peer_of_busy.write_all(b"busy").expect("a peer");
            peer_of_other.write_all(b"other").expect("a peer");
        }
    };
    let first = async {
        turns().await;
        peer_of_idle.write_all(b", second").expect("a peer");
        drop(peer_of_idle);
        assert!(idle.has_unread());
        assert_eq!(read_all(&mut idle).await, b"first, second");
        drop(closed);
        let (mut fresh, mut peer) = pair(&reactor, 0);
        assert!(!fresh.has_unread(), "it has the slot of the closed one, and nothing else of it");
        peer.write_all(b"third").expect("a peer");
        turns().await;
        assert_eq!(read(&mut fresh).await, b"third");
    };
    let second = async {
        let mut bytes = 0;
        while bytes < 2 * TURNS * b"other".len() {
            bytes += read(&mut other).await.len();
        }
    };
    finish(reactor.clone(), vec![Box::pin(first), Box::pin(second)]);
}

#[rstest]
fn what_comes_after_an_unread_answer_is_not_lost(#[values(true, false)] in_a_batch: bool) {
    let reactor = reactor(2);
    let ((mut busy, mut peer_of_busy), (mut idle, mut peer_of_idle)) = (pair(&reactor, 0), pair(&reactor, 0));
    peer_of_busy.write_all(b"busy").expect("a peer");
    peer_of_idle.write_all(b"first").expect("a peer");
    let task = async {
        assert_eq!(read(&mut busy).await, b"busy");
        for _ in 0..TURNS {
            if in_a_batch {
                peer_of_busy.write_all(b"busy").expect("a peer");
            }
            peer_of_idle.write_all(b"+").expect("a peer");
            // The news of the idle socket come in this pause, and are not looked at.
            reactor.sleep_until(0, reactor.clock.now() + SOON_NS).await;
        }
        let mut all = Vec::new();
        while all.len() < b"first".len() + TURNS {
            all.extend(read(&mut idle).await);
        }
        assert_eq!(all, b"first++++++");
    };
    finish(reactor.clone(), vec![Box::pin(task)]);
}

/// Has tasks, woken in one batch, send `bytes` in commands of these sizes and close their sockets; returns what
/// arrived at each peer, which begins to read after `pause`.
fn arrived(tasks: usize, bytes: &[u8], sizes: &[usize], pause: Duration) -> Vec<Vec<u8>> {
    let reactor = reactor(tasks);
    let pairs: Vec<_> = (0..tasks as TaskId).map(|task| pair(&reactor, task)).collect();
    let (sockets, peers): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
    let reader = |mut peer: UnixStream| {
        peer.write_all(b"x").expect("a peer");
        std::thread::spawn(move || {
            std::thread::sleep(pause);
            let mut got = Vec::new();
            peer.read_to_end(&mut got).expect("all bytes");
            got
        })
    };
    let readers: Vec<_> = peers.into_iter().map(reader).collect();
    let task = |mut socket: Socket| async move {
        assert_eq!(read(&mut socket).await, b"x");
        let (mut rest, mut sizes) = (bytes, sizes.iter().cycle());
        while !rest.is_empty() {
            let size = rest.len().min(*sizes.next().expect("a size"));
            let sent = poll_fn(|cx| socket.poll_write(cx, &rest[..size])).await.expect("a peer that reads");
            rest = &rest[sent..];
        }
    };
    finish(reactor, sockets.into_iter().map(|socket| Box::pin(task(socket)) as Task).collect());
    readers.into_iter().map(|reader| reader.join().expect("a reader")).collect()
}

#[test]
fn commands_of_one_batch_arrive_though_their_sockets_are_closed_in_it() {
    for got in arrived(2, b"SELECT 1", &[8], Duration::from_millis(20)) {
        assert_eq!(got, b"SELECT 1");
    }
}

#[rstest]
#[case::short(&[8])] // as many as one call hands over
#[case::long(&[1000, 24])] // as many as there is room for
fn commands_of_more_sockets_than_one_call_hands_over_arrive(#[case] sizes: &[usize]) {
    let bytes = vec![b'x'; 2048];
    let got = arrived(200, &bytes, sizes, Duration::ZERO);
    assert_eq!(got.len(), 200);
    assert!(got.iter().all(|got| *got == bytes));
}

#[test]
fn commands_that_the_kernel_does_not_take_at_once_arrive_whole_and_in_order() {
    let bytes: Vec<u8> = (0..1 << 20).map(|place| (place % 251) as u8).collect();
    // Those of more than 1024 bytes are not gathered. The kernel has no more room before anybody reads.
    for got in arrived(2, &bytes, &[1, 1000, 1024, 1025, 3, 70_000], Duration::from_millis(20)) {
        assert!(got == bytes);
    }
}

#[test]
fn commands_of_one_socket_keep_their_order_while_its_peer_makes_room() {
    let bytes: Vec<u8> = (0..8 << 20).map(|place| (place % 251) as u8).collect();
    for got in arrived(2, &bytes, &[1024, 3, 1000], Duration::ZERO) {
        assert!(got == bytes);
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

#[rstest]
#[case::its_setup(libc::SYS_io_uring_setup)]
#[case::each_call(libc::SYS_io_uring_enter)]
fn commands_arrive_once_where_io_uring_is_refused(#[case] call: libc::c_long) {
    let alone = move || {
        if !refuse(call) {
            return Vec::new(); // nothing to try here
        }
        let is_gathering = reactor(2).sends.is_some();
        assert!(!is_gathering || call == libc::SYS_io_uring_enter);
        arrived(2, b"SELECT 1; SELECT 2", &[3, 7], Duration::ZERO)
    };
    for got in std::thread::spawn(alone).join().expect("all commands") {
        assert_eq!(got, b"SELECT 1; SELECT 2");
    }
}
