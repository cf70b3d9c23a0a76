//! Standard output of a script: what it prints, and what programs print that it starts, becomes events.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::os::fd::AsRawFd;
use std::sync::{Mutex, OnceLock};
use std::thread::{self, JoinHandle};

use assay_format::event::{Event, ScriptOutput};

use crate::process::failure::Fatal;
use crate::process::poison::unpoisoned;
use crate::say::emit::emit;
use crate::say::output::divert;

/// Bytes of one event at most.
const PIECE_BYTES: usize = 64 << 10;

unsafe extern "C" {
    /// The C library's standard output, which Lua prints to.
    static stdout: *mut libc::FILE;
}

/// Standard output while scripts run.
pub(super) struct Captured {
    reading: JoinHandle<()>,
}

/// The end of the pipe that standard output leads to.
static END: OnceLock<Mutex<End>> = OnceLock::new();

struct End {
    pipe: File,
    /// A line that is not whole yet.
    waiting: Vec<u8>,
}

impl Captured {
    /// Reads what is written to standard output from now on.
    ///
    /// # Errors
    /// The kernel has no descriptor or thread left.
    pub(super) fn begin() -> Result<Self, Fatal> {
        let failed = |error| Fatal::host(format!("cannot read what the script prints: {error}"));
        let pipe = File::from(divert(settle).map_err(failed)?);
        let descriptor = pipe.as_raw_fd();
        // SAFETY: the descriptor is that of the pipe. The stream is the C library's own; nothing was written to it yet.
        unsafe {
            libc::fcntl(descriptor, libc::F_SETFL, libc::O_NONBLOCK);
            libc::setvbuf(stdout, std::ptr::null_mut(), libc::_IOLBF, PIECE_BYTES);
        }
        let end = END.get_or_init(|| Mutex::new(End { pipe, waiting: Vec::new() }));
        let reading = thread::Builder::new()
            .name("script-output".into())
            .spawn(move || while wait(descriptor) && !unpoisoned(end.lock()).read(false) {});
        Ok(Self { reading: reading.map_err(failed)? })
    }

    /// Waits until everything was read that was written by now. Programs that a script has left behind keep standard
    /// output open: they are not waited for.
    pub(super) fn end(self) {
        // SAFETY: all streams of the C library, by its own rules; the descriptors are open.
        unsafe {
            libc::fflush(std::ptr::null_mut());
            let nowhere = libc::open(c"/dev/null".as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
            if nowhere >= 0 {
                libc::dup2(nowhere, libc::STDOUT_FILENO);
                libc::close(nowhere);
            }
        }
        for _ in 0..PATIENCE {
            if self.reading.is_finished() {
                return;
            }
            thread::sleep(NAP);
        }
    }
}

const NAP: std::time::Duration = std::time::Duration::from_millis(2);
/// Naps until output that nobody ends is given up: a second.
const PATIENCE: u32 = 500;

/// Says what the script has printed by now, so that what is said next comes after it.
fn settle() {
    // SAFETY: a stream of the C library, which locks it itself. The pipe is read by a thread of its own meanwhile.
    unsafe { libc::fflush(stdout) };
    if let Some(end) = END.get() {
        unpoisoned(end.lock()).read(true);
    }
}

/// Waits until there is something to read; false where the descriptor is none.
fn wait(descriptor: i32) -> bool {
    let mut asked = libc::pollfd { fd: descriptor, events: libc::POLLIN, revents: 0 };
    // SAFETY: one entry, which lives on this stack.
    unsafe { libc::poll(&raw mut asked, 1, -1) };
    asked.revents & libc::POLLNVAL == 0
}

impl End {
    /// Says what there is, in whole lines as far as they are not too long, or `all` of it; returns whether nobody holds
    /// the other end any more.
    fn read(&mut self, all: bool) -> bool {
        let mut piece = [0; 4096];
        let over = loop {
            match self.pipe.read(&mut piece) {
                Ok(0) => break true,
                Ok(read) => self.waiting.extend_from_slice(&piece[..read]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => break error.kind() != ErrorKind::WouldBlock,
            }
            if self.waiting.len() > PIECE_BYTES {
                self.say(false);
            }
        };
        self.say(all || over);
        over
    }

    fn say(&mut self, all: bool) {
        let whole = self.waiting.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let said = if all || self.waiting.len() - whole > PIECE_BYTES { self.waiting.len() } else { whole };
        if said > 0 {
            say(&String::from_utf8_lossy(&self.waiting[..said]), false);
            self.waiting.drain(..said);
        }
    }
}

/// Says a text of a script.
pub(super) fn say(text: &str, error: bool) {
    emit(&Event::Output(ScriptOutput { text: text.to_owned(), error }));
}
