//! The client: one request in flight on every connection.

use std::io;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use crate::poll::{Poll, receive, send};
use crate::sizes::Sizes;

/// The work and the cost of the client in the measured time.
pub(crate) struct Measured {
    pub(crate) round_trips: u64,
    pub(crate) elapsed_s: f64,
    pub(crate) user_us: u64,
    pub(crate) system_us: u64,
}

/// How often the clock is read.
const LOOK_EVERY: u64 = 1_024;

pub(crate) fn drive(sockets: &[OwnedFd], sizes: &Sizes, time: Duration) -> io::Result<Measured> {
    let request = vec![1; sizes.longest()];
    // A reply that fits comes with one call, as in a client that reads into a buffer of its own.
    let mut buffer = vec![0; sizes.longest().max(4_096)];
    let mut turns = vec![0_usize; sockets.len()];
    let mut missing: Vec<usize> = vec![0; sockets.len()];
    let mut poll = Poll::of(sockets)?;
    // Connections start at different turns: a load in its stride has all kinds of messages under way.
    for number in 0..sockets.len() {
        turns[number] = number % sizes.turns();
        missing[number] = sizes.at(turns[number]).reply;
        send(&sockets[number], &request[..sizes.at(turns[number]).request])?;
    }
    let mut round_trips = 0_u64;
    let mut until = |poll: &mut Poll, end: Instant| -> io::Result<u64> {
        let first = round_trips;
        let mut look = round_trips + LOOK_EVERY;
        loop {
            poll.turn(|number| {
                let socket = &sockets[number];
                while let Some(count) = receive(socket, &mut buffer)? {
                    if count == 0 {
                        return Err(io::Error::other("the server has gone"));
                    }
                    missing[number] -= count;
                    if missing[number] > 0 {
                        continue;
                    }
                    round_trips += 1;
                    let turn = sizes.after(turns[number]);
                    turns[number] = turn;
                    missing[number] = sizes.at(turn).reply;
                    // Nothing can have come yet: the next edge says so.
                    return send(socket, &request[..sizes.at(turn).request]);
                }
                Ok(())
            })?;
            // A few connections make less than that many round trips in a long time; they can afford the look.
            if round_trips >= look || sockets.len() < 8 {
                look = round_trips + LOOK_EVERY;
                if Instant::now() >= end {
                    return Ok(round_trips - first);
                }
            }
        }
    };
    until(&mut poll, Instant::now() + time / 5)?;
    let (start, before) = (Instant::now(), cpu_us());
    let round_trips = until(&mut poll, start + time)?;
    let (elapsed, after) = (start.elapsed(), cpu_us());
    Ok(Measured {
        round_trips,
        elapsed_s: elapsed.as_secs_f64(),
        user_us: after.0 - before.0,
        system_us: after.1 - before.1,
    })
}

/// User and system time of this process, in microseconds.
fn cpu_us() -> (u64, u64) {
    // SAFETY: getrusage fills the structure, for which zeroes are valid.
    let usage = unsafe {
        let mut usage = std::mem::zeroed::<libc::rusage>();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        usage
    };
    let us = |time: libc::timeval| time.tv_sec as u64 * 1_000_000 + time.tv_usec as u64;
    (us(usage.ru_utime), us(usage.ru_stime))
}
