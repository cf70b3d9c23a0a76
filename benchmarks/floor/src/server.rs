//! The server: answers every request at once.

use std::io;
use std::os::fd::OwnedFd;
use std::thread;

use clap::ValueEnum;

use crate::poll::{Poll, block, receive, send};
use crate::sizes::Sizes;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    Loop,
    /// As MySQL and MariaDB do: every request wakes a sleeping thread.
    Threads,
}

/// Until the last connection is closed.
pub(crate) fn serve(kind: Kind, sockets: &[OwnedFd], sizes: &Sizes) -> io::Result<()> {
    match kind {
        Kind::Loop => serve_all(sockets, sizes),
        Kind::Threads => thread::scope(|scope| {
            let threads: Vec<_> = sockets
                .iter()
                .enumerate()
                .map(|(number, socket)| scope.spawn(move || serve_one(socket, sizes, number % sizes.turns())))
                .collect();
            threads.into_iter().try_for_each(|thread| thread.join().expect("serve_one does not panic"))
        }),
    }
}

/// Serves one connection, waiting in `recv` for each request.
fn serve_one(socket: &OwnedFd, sizes: &Sizes, mut turn: usize) -> io::Result<()> {
    block(socket)?;
    let reply = vec![2; sizes.longest()];
    let mut buffer = vec![0; sizes.longest()];
    loop {
        let mut missing = sizes.at(turn).request;
        while missing > 0 {
            match receive(socket, &mut buffer)? {
                None => {}
                Some(0) => return Ok(()),
                Some(count) => missing -= count,
            }
        }
        match send(socket, &reply[..sizes.at(turn).reply]) {
            Err(error) if left_by_client(&error) => return Ok(()),
            other => other?,
        }
        turn = sizes.after(turn);
    }
}

/// Serves all connections in one epoll loop.
fn serve_all(sockets: &[OwnedFd], sizes: &Sizes) -> io::Result<()> {
    let reply = vec![2; sizes.longest()];
    let mut buffer = vec![0; sizes.longest()];
    let mut turns: Vec<usize> = (0..sockets.len()).map(|number| number % sizes.turns()).collect();
    let mut missing: Vec<usize> = turns.iter().map(|&turn| sizes.at(turn).request).collect();
    let mut left = sockets.len();
    let mut gone = vec![false; sockets.len()];
    let mut poll = Poll::of(sockets)?;
    while left > 0 {
        poll.turn(|number| {
            if gone[number] {
                return Ok(());
            }
            let socket = &sockets[number];
            let mut served = || -> io::Result<bool> {
                while let Some(count) = receive(socket, &mut buffer)? {
                    if count == 0 {
                        return Ok(false);
                    }
                    missing[number] -= count;
                    if missing[number] > 0 {
                        continue;
                    }
                    let turn = turns[number];
                    turns[number] = sizes.after(turn);
                    missing[number] = sizes.at(turns[number]).request;
                    // Whatever comes next, a request or the end, is another edge.
                    return match send(socket, &reply[..sizes.at(turn).reply]) {
                        Err(error) if left_by_client(&error) => Ok(false),
                        other => other.map(|()| true),
                    };
                }
                Ok(true)
            };
            if !served()? {
                gone[number] = true;
                left -= 1;
            }
            Ok(())
        })?;
    }
    Ok(())
}

fn left_by_client(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset)
}
