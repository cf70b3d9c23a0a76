//! A loop of one task, which waits for an answer by receiving it.

use std::cell::Cell;
use std::future::poll_fn;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::rc::Rc;
use std::thread::{JoinHandle, sleep, spawn};
use std::time::Duration;

use assay_wire::Stream;
use rstest::rstest;

use super::{SOON_NS, pair, reactor, read, read_all, refuse};
use crate::reactor::{EventLoop, Next, RECEIVE_NS, Reactor, Task};

/// The time after which a peer answers, so that its answer is waited for.
const PAUSE: Duration = Duration::from_micros(200);
/// The time after which a loop is next wanted, so that it may wait for an answer by receiving it.
const LATER_NS: u64 = 10 * RECEIVE_NS;
/// Turns of a loop that nothing ends.
const ROUND_AND_ROUND: u32 = 10_000;

/// Runs a task in a loop that is next wanted so many nanoseconds later; returns how often it was, or `None` where it
/// went round and round.
fn run(task: Task<'_>, reactor: Rc<Reactor>, later_ns: u64) -> Option<u32> {
    let turns = Cell::new(0);
    let left = EventLoop::new(reactor, vec![task]).run(|now| {
        turns.set(turns.get() + 1);
        if turns.get() == ROUND_AND_ROUND { Next::Stop } else { Next::At(now + later_ns) }
    });
    (left == 0).then(|| turns.get())
}

/// Answers each question with itself until the other end is closed.
fn echo(mut peer: UnixStream) -> JoinHandle<()> {
    spawn(move || {
        let mut question = [0; 8];
        while peer.read_exact(&mut question).is_ok() {
            sleep(PAUSE);
            if peer.write_all(&question).is_err() {
                break;
            }
        }
    })
}

/// Whether a hundred answers come to a loop that is wanted so many nanoseconds later, though the kernel refuses the call
/// that waits for news; `None` where it cannot be had to.
fn come_without_news(later_ns: u64) -> Option<bool> {
    if !refuse(libc::SYS_epoll_wait) {
        return None;
    }
    let reactor = reactor(1);
    let (mut socket, peer) = pair(&reactor, 0);
    let echo = echo(peer);
    let task = async move {
        for number in 0..100_u64 {
            let question = number.to_le_bytes();
            let sent = poll_fn(|cx| socket.poll_write(cx, &question)).await.expect("a peer");
            assert_eq!(sent, question.len());
            assert_eq!(read(&mut socket).await, question);
        }
    };
    let turns = run(Box::pin(task), reactor, later_ns);
    echo.join().expect("an end");
    Some(turns.is_some())
}

#[rstest]
#[case::later(LATER_NS, true)]
#[case::soon(RECEIVE_NS / 2, false)]
fn answers_are_waited_for_by_receiving_where_the_loop_is_wanted_later(
    #[case] later_ns: u64,
    #[case] come: bool,
) {
    let found = spawn(move || come_without_news(later_ns)).join().expect("an end");
    assert_eq!(found.unwrap_or(come), come);
}

#[rstest]
#[case::shorter_than_what_is_received_at_once(2047)]
#[case::as_long(2048)]
#[case::longer(5000)]
fn an_answer_is_read_whole_up_to_the_end(#[case] length: usize) {
    let reactor = reactor(1);
    let (mut socket, mut peer) = pair(&reactor, 0);
    let bytes: Vec<u8> = (0..length).map(|place| (place % 251) as u8).collect();
    let wanted = bytes.clone();
    let writer = spawn(move || {
        sleep(PAUSE);
        peer.write_all(&bytes).expect("a peer");
        sleep(PAUSE);
    });
    let task = async move { assert!(read_all(&mut socket).await == wanted) };
    assert!(run(Box::pin(task), reactor, LATER_NS).is_some());
    writer.join().expect("an end");
}

#[test]
fn a_silent_server_keeps_neither_the_loop_nor_other_sockets() {
    const LIMIT_NS: u64 = 50 * SOON_NS;
    let reactor = reactor(1);
    let ((mut silent, _peer), (mut other, mut peer_of_other)) = (pair(&reactor, 0), pair(&reactor, 0));
    let loop_of = reactor.clone();
    let task = async {
        let begin = reactor.clock.now();
        assert!(reactor.until(0, begin + LIMIT_NS, read(&mut silent)).await.is_none());
        // It waited for the silent one last.
        reactor.sleep_until(0, reactor.clock.now() + SOON_NS).await;
        peer_of_other.write_all(b"x").expect("a peer");
        assert_eq!(read(&mut other).await, b"x");
    };
    let turns = run(Box::pin(task), loop_of, LATER_NS);
    assert!(turns.is_some_and(|turns| turns < 20), "it went round {turns:?} times");
}
