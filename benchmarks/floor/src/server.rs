//! The server: answers every request at once.

use std::io;
use std::os::fd::OwnedFd;

use crate::poll::{Poll, receive, send};
use crate::sizes::Sizes;

/// Until the last connection is closed.
pub(crate) fn serve(sockets: &[OwnedFd], sizes: &Sizes) -> io::Result<()> {
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
