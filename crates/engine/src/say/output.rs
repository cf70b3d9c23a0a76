//! Standard output behind a queue: a reader that is slow holds up nobody who measures.
//!
//! A thread of its own writes the lines. What waits for it is bounded: beyond that, intervals and progress are left out,
//! and how many were is said; everything else is kept, for there are few of them.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::mem::ManuallyDrop;
use std::os::fd::{FromRawFd, OwnedFd};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

use crate::process::failure::Fatal;
use crate::process::poison::unpoisoned;
use crate::process::signal;

/// Bytes of lines that may wait before some are left out.
const QUEUE_BYTES: usize = 64 << 20;
/// The time that a reader may take nothing at all after a signal before its last lines are given up.
const PATIENCE: Duration = Duration::from_secs(5);
const NAP: Duration = Duration::from_millis(50);

static OUTPUT: OnceLock<Output> = OnceLock::new();
static UNWRITTEN: OnceLock<String> = OnceLock::new();
/// Says what was written to standard output by now, where that is given away.
static SETTLE: OnceLock<fn()> = OnceLock::new();
/// The descriptor that events are written to.
static TARGET: AtomicI32 = AtomicI32::new(libc::STDOUT_FILENO);

#[derive(Default)]
struct Queue {
    lines: VecDeque<Vec<u8>>,
    bytes: usize,
    left_out: u64,
    /// The number of lines that were written.
    written: u64,
    /// Whether the writer is writing a line that it has taken out of the queue.
    writing: bool,
}

#[derive(Default)]
struct Output {
    queue: Mutex<Queue>,
    changed: Condvar,
}

impl Queue {
    fn add(&mut self, line: Vec<u8>) {
        self.bytes += line.len();
        self.lines.push_back(line);
    }

    fn push(&mut self, line: Vec<u8>, left_out: impl FnOnce(u64) -> Vec<u8>) {
        if self.left_out > 0 {
            let count = std::mem::take(&mut self.left_out);
            self.add(left_out(count));
        }
        self.add(line);
    }

    fn offer(&mut self, line: Vec<u8>) {
        if self.bytes + line.len() > QUEUE_BYTES {
            self.left_out += 1;
        } else {
            self.add(line);
        }
    }
}

/// Puts a line that must be read into the queue; `left_out` makes the line that says how many were not kept before it.
pub(crate) fn push(line: Vec<u8>, left_out: impl FnOnce(u64) -> Vec<u8>) {
    held().push(line, left_out);
    output().changed.notify_all();
}

/// Puts a line into the queue that may be left out while the reader is behind.
pub(crate) fn offer(line: Vec<u8>) {
    held().offer(line);
    output().changed.notify_all();
}

/// Has what others wrote to standard output said before the next event.
pub(crate) fn settle() {
    if let Some(settle) = SETTLE.get() {
        settle();
    }
}

/// Whether nothing can be written any more, because the reader has closed its end or the disk is full: what is left to do
/// is to end, and to clean up.
pub(crate) fn reader_gone() -> bool {
    UNWRITTEN.get().is_some()
}

/// Waits until the reader has everything, and closes standard output: a thread that hangs in the kernel keeps the process
/// from ending, but not its reader from seeing the end. After a signal, a reader that takes nothing is not waited for.
///
/// # Errors
/// The last events did not reach the reader, or the file that they were written to.
pub(crate) fn close() -> Result<(), Fatal> {
    let mut queue = held();
    let mut seen = (queue.written, Instant::now());
    while (queue.writing || !queue.lines.is_empty()) && !reader_gone() {
        if queue.written != seen.0 || !signal::interrupted() {
            seen = (queue.written, Instant::now());
        }
        if seen.1.elapsed() > PATIENCE {
            let _ = UNWRITTEN.set("their reader takes none".to_owned());
            break;
        }
        queue = unpoisoned(output().changed.wait_timeout(queue, NAP)).0;
    }
    drop(queue);
    // Some file systems say only now that they had no room for what was written.
    // SAFETY: what is not written by now is given up.
    if unsafe { libc::close(TARGET.load(Ordering::Relaxed)) } != 0 {
        note_unwritten(&io::Error::last_os_error());
    }
    match UNWRITTEN.get() {
        None => Ok(()),
        Some(reason) => Err(Fatal::host(format!("the last events are lost: {reason}"))),
    }
}

/// Gives standard output away: events go on to where it led, and whatever else writes to it from now on (a script, and the
/// programs that it starts) can be read from the end that is returned. `settle` has it read before each event.
///
/// # Errors
/// The kernel has no descriptor left.
pub(crate) fn divert(settle: fn()) -> io::Result<OwnedFd> {
    let mut queue = held();
    while (queue.writing || !queue.lines.is_empty()) && !reader_gone() {
        queue = unpoisoned(output().changed.wait_timeout(queue, NAP)).0;
    }
    let mut ends = [0; 2];
    // SAFETY: `ends` has room for two descriptors. Those that these calls make are ours alone. Nothing is written while the
    // queue is held, and afterwards the new descriptor is known.
    unsafe {
        let kept = libc::fcntl(libc::STDOUT_FILENO, libc::F_DUPFD_CLOEXEC, 3);
        if kept < 0 || libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) < 0 {
            return Err(io::Error::last_os_error());
        }
        TARGET.store(kept, Ordering::Relaxed);
        if libc::dup2(ends[1], libc::STDOUT_FILENO) < 0 {
            return Err(io::Error::last_os_error());
        }
        libc::close(ends[1]);
        let _ = SETTLE.set(settle);
        Ok(OwnedFd::from_raw_fd(ends[0]))
    }
}

/// Keeps the first reason for which an event could not be written.
fn note_unwritten(error: &io::Error) {
    let _ = UNWRITTEN.set(error.to_string());
}

fn held() -> MutexGuard<'static, Queue> {
    unpoisoned(output().queue.lock())
}

fn output() -> &'static Output {
    OUTPUT.get_or_init(|| {
        std::thread::Builder::new()
            .name("events".into())
            .spawn(write)
            .expect("a process has room for a second thread");
        Output::default()
    })
}

fn write() {
    loop {
        let mut queue = held();
        let line = loop {
            if let Some(line) = queue.lines.pop_front() {
                break line;
            }
            queue = unpoisoned(output().changed.wait(queue));
        };
        queue.bytes -= line.len();
        queue.writing = true;
        drop(queue);
        // SAFETY: the descriptor is open until `close`, which waits for this thread; it is only borrowed here.
        let mut target = ManuallyDrop::new(unsafe { File::from_raw_fd(TARGET.load(Ordering::Relaxed)) });
        let written = target.write_all(&line);
        if let Err(error) = written {
            // Nobody listens: the job ends as after a signal, so that what it made is removed.
            note_unwritten(&error);
            signal::end();
        }
        let mut queue = held();
        queue.writing = false;
        queue.written += 1;
        if reader_gone() {
            queue.lines.clear();
            queue.bytes = 0;
        }
        drop(queue);
        output().changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_is_bounded_and_what_is_left_out_is_said() {
        let mut queue = Queue::default();
        let interval = || vec![b'i'; 1 << 20];
        for _ in 0..100 {
            queue.offer(interval());
        }
        assert!(queue.bytes <= QUEUE_BYTES);
        let kept = queue.lines.len() as u64;
        assert_eq!((kept, queue.left_out), (64, 36));
        queue.push(b"result".to_vec(), |count| format!("{count} are missing").into_bytes());
        let last: Vec<_> = queue.lines.iter().skip(64).map(|line| String::from_utf8_lossy(line)).collect();
        assert_eq!(last, ["36 are missing", "result"]);
        queue.push(b"end".to_vec(), |_| unreachable!("said once"));
    }
}
