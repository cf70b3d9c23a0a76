//! Standard output of a script: what it prints, and what programs print that it starts, becomes events.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::thread::{self, JoinHandle};

use assay_format::event::{Event, ScriptOutput};

use crate::process::failure::Fatal;
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

impl Captured {
    /// Reads what is written to standard output from now on.
    ///
    /// # Errors
    /// The kernel has no descriptor or thread left.
    pub(super) fn begin() -> Result<Self, Fatal> {
        let failed = |error| Fatal::host(format!("cannot read what the script prints: {error}"));
        let end = File::from(divert().map_err(failed)?);
        // SAFETY: the stream is the C library's own; nothing was written to it yet.
        unsafe { libc::setvbuf(stdout, std::ptr::null_mut(), libc::_IOLBF, PIECE_BYTES) };
        let reading = thread::Builder::new().name("script-output".into()).spawn(move || read(end));
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

/// Says what comes, in whole lines as far as they are not too long.
fn read(mut end: File) {
    debug_assert!(end.as_raw_fd() > libc::STDERR_FILENO);
    let (mut waiting, mut piece) = (Vec::new(), vec![0; PIECE_BYTES]);
    loop {
        let read = match end.read(&mut piece) {
            Ok(read) => read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => 0,
        };
        let _ = waiting.write_all(&piece[..read]);
        let whole = waiting.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let said = if read == 0 || waiting.len() - whole > PIECE_BYTES { waiting.len() } else { whole };
        if said > 0 {
            say(&String::from_utf8_lossy(&waiting[..said]), false);
            waiting.drain(..said);
        }
        if read == 0 {
            return;
        }
    }
}

/// Says a text of a script.
pub(super) fn say(text: &str, error: bool) {
    emit(&Event::Output(ScriptOutput { text: text.to_owned(), error }));
}
