//! Sockets whose news come in one batch: what is received of them, and sent to them, by one call for all.

use std::cell::RefCell;
use std::future::poll_fn;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use assay_wire::Stream;
use rstest::rstest;

use super::{SOON_NS, finish, pair, reactor, read, read_all, refuse};
use crate::reactor::socket::Socket;
use crate::reactor::{Task, TaskId};

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
