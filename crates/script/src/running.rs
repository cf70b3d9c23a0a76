//! Where a script is while it computes, asked from another thread.
//!
//! Interpreted code takes a hook at its next instruction. Compiled code takes none: of that, the stack has the function, and
//! the compiler has told at which lines of it loops were compiled.

use std::ffi::{CStr, c_int};
use std::ptr::{self, NonNull};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use mlua::ffi;

/// Lines at which code was compiled, the latest ones.
const LINES: usize = 16;
/// How long interpreted code has until its next instruction.
const SOON: Duration = Duration::from_millis(300);
/// Frames of a stack that are looked at.
const DEEPEST: c_int = 60;

/// What a state of a script says of itself to other threads.
#[derive(Default)]
pub struct Whereabouts {
    /// Its main thread.
    state: AtomicPtr<ffi::lua_State>,
    /// Their number, and the lines.
    compiled: [AtomicU32; LINES + 1],
}

/// The place that a hook has found.
static FOUND: Mutex<Option<String>> = Mutex::new(None);

impl Whereabouts {
    pub(crate) fn enter(&self, state: *mut ffi::lua_State) {
        self.state.store(state, Ordering::Relaxed);
    }

    /// The number of lines at which code was compiled.
    pub(crate) fn count(&self) -> NonNull<AtomicU32> {
        NonNull::from(&self.compiled[0])
    }

    /// The memory that Lua writes lines of compiled code to, their number first.
    pub(crate) fn lines(&self) -> *const AtomicU32 {
        self.compiled.as_ptr()
    }

    /// The file and the line at which a script computes, as far as can be told.
    ///
    /// # Safety
    /// The state computes: it has been resumed, and neither ends nor is closed while this looks.
    pub unsafe fn place(&self) -> Option<String> {
        let state = self.state.load(Ordering::Relaxed);
        if state.is_null() {
            return None;
        }
        *FOUND.lock().unwrap_or_else(PoisonError::into_inner) = None;
        let asked = Instant::now();
        // SAFETY: a hook may be set from anywhere at any time: it only changes which instructions stop.
        unsafe { ffi::lua_sethook(state, Some(hook), ffi::LUA_MASKCOUNT, 1) };
        while asked.elapsed() < SOON {
            thread::sleep(Duration::from_millis(5));
            if let Some(place) = FOUND.lock().unwrap_or_else(PoisonError::into_inner).take() {
                return Some(place);
            }
        }
        // SAFETY: compiled code, or a function of C, computes without end, and leaves the frames of its stack as they are;
        // they are only read.
        unsafe { self.of_stack(state) }
    }

    /// The place of the innermost function of a script on a stack that does not change.
    unsafe fn of_stack(&self, state: *mut ffi::lua_State) -> Option<String> {
        // SAFETY: as the caller says.
        unsafe {
            for level in 0..DEEPEST {
                let mut frame: ffi::lua_Debug = std::mem::zeroed();
                if ffi::lua_getstack(state, level, &raw mut frame) == 0 {
                    return None;
                }
                if ffi::lua_getinfo(state, c"S".as_ptr(), &raw mut frame) == 0 {
                    return None;
                }
                if frame.source.is_null() || *frame.source.cast::<u8>() != b'@' {
                    continue;
                }
                let file = CStr::from_ptr(frame.short_src.as_ptr()).to_string_lossy();
                let (first, last) = (frame.linedefined, frame.lastlinedefined);
                let within = |line: &u32| last <= 0 || (first..=last).contains(&(*line as c_int));
                return Some(match self.latest().find(within) {
                    Some(line) => format!("{file}:{line}"),
                    None => format!("{file}:{first}, in the function that begins there"),
                });
            }
        }
        None
    }

    /// Lines of scripts at which code was compiled, the latest first.
    fn latest(&self) -> impl Iterator<Item = u32> {
        let count = self.compiled[0].load(Ordering::Relaxed) as usize;
        (0..count.min(LINES))
            .map(move |back| self.compiled[1 + (count - 1 - back) % LINES].load(Ordering::Relaxed))
            .filter(|line| *line > 0)
    }
}

/// Keeps the place of the innermost function of a script, once.
unsafe extern "C-unwind" fn hook(state: *mut ffi::lua_State, _: *mut ffi::lua_Debug) {
    // SAFETY: Lua calls this between two instructions of this state.
    unsafe {
        ffi::lua_sethook(state, None, 0, 0);
        for level in 0..DEEPEST {
            let mut frame: ffi::lua_Debug = std::mem::zeroed();
            if ffi::lua_getstack(state, level, ptr::from_mut(&mut frame)) == 0 {
                return;
            }
            ffi::lua_getinfo(state, c"Sl".as_ptr(), &raw mut frame);
            if !frame.source.is_null() && *frame.source.cast::<u8>() == b'@' && frame.currentline > 0 {
                let file = CStr::from_ptr(frame.short_src.as_ptr()).to_string_lossy();
                let place = format!("{file}:{}", frame.currentline);
                *FOUND.lock().unwrap_or_else(PoisonError::into_inner) = Some(place);
                return;
            }
        }
    }
}
