//! The end of the stack that a script runs on: calls of each other without end run into it. And memory that is not there.
//!
//! Lua bounds its own stack, but not that of C, of which each coroutine within another takes some, and each function of C
//! that calls one of Lua. Near the end a state gets no more memory, which Lua raises as an error. A call that needs none runs
//! into pages that nobody may touch, and ends there: the script is told where, and its state is never used again. So ends a
//! call in which a script reads or writes at an address where there is no memory.

use std::cell::Cell;
use std::ffi::{CStr, c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;

use corosensei::trap::CoroutineTrapHandler;
use mlua::ffi::{self, lua_State};

use crate::error::ScriptError;
use crate::fiber::End;

/// Bytes that nobody may touch: more than any function has on its stack at once.
pub(crate) const GUARD: usize = 64 << 10;
/// Bytes before them in which a state gets no more memory.
const NARROW: usize = 64 << 10;
/// Bytes that the C library has at least when a state gives memory back.
const LEAST: usize = 16 << 10;
/// Frames of Lua that are looked at for the script's place, at either end.
const NEAREST: c_int = 60;

/// A stack on which a script runs now.
pub(crate) struct Edge {
    /// Its lowest address.
    pub low: usize,
    /// The Lua state that runs on it.
    pub state: *mut lua_State,
    pub handler: CoroutineTrapHandler<End>,
}

/// The function of a script in which the end was met, and the line where that is known.
#[derive(Clone, Copy)]
struct Place {
    file: [u8; 60],
    line: c_int,
}

/// What ends a call from outside of Lua.
#[derive(Clone, Copy)]
enum Met {
    /// The end of the stack.
    End,
    /// An address at which there is no memory.
    Nowhere,
}

thread_local! {
    static RUNS: Cell<*const Edge> = const { Cell::new(ptr::null()) };
    /// What the script that runs met first, and where.
    static MET: Cell<Option<(Met, Place)>> = const { Cell::new(None) };
    /// Where the last error was raised.
    static RAISED: Cell<Place> = const { Cell::new(Place::UNKNOWN) };
}

/// How much of its stack a script has left.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Room {
    Ample,
    /// The state gets no more memory.
    Narrow,
    /// The C library is not to be called.
    Least,
}

/// The room on the stack that runs now; that of a thread's own is ample.
#[inline]
pub(crate) fn room() -> Room {
    // SAFETY: what runs on a stack is there until it is left.
    let Some(edge) = (unsafe { RUNS.get().as_ref() }) else { return Room::Ample };
    let here = MaybeUninit::<u8>::uninit();
    match here.as_ptr().addr().wrapping_sub(edge.low + GUARD) {
        left if left < LEAST => Room::Least,
        left if left < NARROW => Room::Narrow,
        _ => Room::Ample,
    }
}

/// Notes that the script has been refused memory for want of room.
#[cold]
pub(crate) fn note() {
    note_met(Met::End);
}

#[cold]
fn note_met(met: Met) {
    // SAFETY: as above; the state runs on this thread, and its frames are only read.
    if let Some(edge) = unsafe { RUNS.get().as_ref() }
        && MET.get().is_none()
    {
        // SAFETY: as above.
        MET.set(Some((met, unsafe { place(edge.state) })));
    }
}

/// A handler of Lua's errors: notes the place, and leaves the error as it is. Where Lua's own stack is at its end, there is no
/// room for one that is written in Lua.
pub(crate) unsafe extern "C-unwind" fn note_place(lua: *mut lua_State) -> c_int {
    // SAFETY: Lua calls it in this state, whose frames are only read.
    let place = unsafe { place(lua) };
    // An error that the prelude raises once more has the place where it was raised first.
    if place.line > 0 {
        RAISED.set(place);
    }
    1
}

/// The place that was noted last, as it stands before a message.
pub(crate) fn noted_place() -> String {
    RAISED.replace(Place::UNKNOWN).before_message()
}

/// Has something run on a stack.
pub(crate) fn on<T>(edge: &Edge, run: impl FnOnce() -> T) -> T {
    listen();
    MET.set(None);
    let _before = Before(RUNS.replace(edge));
    run()
}

/// What has run before, and runs again when this goes: also when a panic of the host passes through.
struct Before(*const Edge);

impl Drop for Before {
    fn drop(&mut self) {
        RUNS.set(self.0);
    }
}

/// The error of a script that has met something since it was resumed last, if it has.
pub(crate) fn met() -> Option<ScriptError> {
    let (met, place) = MET.take()?;
    let what = match met {
        Met::End => "stack overflow: functions of the script call each other too deep",
        Met::Nowhere => {
            "there is no memory at an address that the script uses: look for a pointer of ffi that points nowhere"
        }
    };
    Some(ScriptError::new(format!("{}{what}", place.before_message())))
}

impl Place {
    const UNKNOWN: Self = Self { file: [0; 60], line: 0 };

    fn before_message(self) -> String {
        let file = CStr::from_bytes_until_nul(&self.file).map(CStr::to_string_lossy).unwrap_or_default();
        if file.is_empty() { String::new() } else { format!("{file}:{}: ", self.line) }
    }
}

/// The place in a script, by the frames of a thread of Lua: the innermost, or where calls at the tail have replaced the nearest
/// ones, one of the outermost.
///
/// # Safety
/// The state is in a call, or has stopped in one for good.
unsafe fn place(state: *mut lua_State) -> Place {
    // SAFETY: as the caller promises; frames are only read.
    unsafe {
        let has = |level: c_int| ffi::lua_getstack(state, level, &mut std::mem::zeroed()) != 0;
        let (mut depth, mut beyond) = (0, NEAREST);
        while has(beyond) {
            (depth, beyond) = (beyond, 2 * beyond);
        }
        while beyond - depth > 1 {
            let middle = depth.midpoint(beyond);
            if has(middle) {
                depth = middle;
            } else {
                beyond = middle;
            }
        }
        let outermost = (depth - NEAREST).max(NEAREST)..=depth;
        (0..NEAREST).chain(outermost).find_map(|level| at(state, level)).unwrap_or(Place::UNKNOWN)
    }
}

/// The place of a frame, where there is one and it is of a script.
///
/// # Safety
/// As above.
unsafe fn at(state: *mut lua_State, level: c_int) -> Option<Place> {
    // SAFETY: as the caller promises, and a zeroed description of a frame is filled.
    unsafe {
        let mut frame: ffi::lua_Debug = std::mem::zeroed();
        if ffi::lua_getstack(state, level, &raw mut frame) == 0 {
            return None;
        }
        // A function that is called keeps the line of its caller; that of the innermost may be in a register.
        let asked = if level == 0 { c"S" } else { c"Sl" };
        ffi::lua_getinfo(state, asked.as_ptr(), &raw mut frame);
        if frame.source.is_null() || *frame.source.cast::<u8>() != b'@' {
            return None;
        }
        let mut file = [0; 60];
        for (to, from) in file.iter_mut().take(59).zip(&frame.short_src) {
            *to = *from as u8;
        }
        let line = if frame.currentline > 0 { frame.currentline } else { frame.linedefined };
        // LuaJIT's own functions have no lines.
        (line > 0).then_some(Place { file, line })
    }
}

static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

/// Installs the handler of this process, once.
fn listen() {
    BEFORE.get_or_init(|| {
        // SAFETY: the handler looks at what its thread runs on, and leaves everything else to the one before.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = trapped as *const () as libc::sighandler_t;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigemptyset(&raw mut action.sa_mask);
            let mut before: libc::sigaction = std::mem::zeroed();
            libc::sigaction(libc::SIGSEGV, &raw const action, &raw mut before);
            before
        }
    });
}

/// Ends the call that has touched the end of its stack, or memory that is not there.
unsafe extern "C" fn trapped(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel's own arguments. The thread has stopped inside of the script, whose stack is given up.
    unsafe {
        if let Some(edge) = RUNS.get().as_ref() {
            let is_end = (*info).si_addr().addr().wrapping_sub(edge.low) < GUARD;
            note_met(if is_end { Met::End } else { Met::Nowhere });
            leave(edge, &mut *context.cast());
            return;
        }
        // Not ours: as if this handler were not there.
        let Some(before) = BEFORE.get() else { return };
        if before.sa_sigaction == libc::SIG_DFL || before.sa_sigaction == libc::SIG_IGN {
            libc::sigaction(signal, before, ptr::null_mut());
        } else if before.sa_flags & libc::SA_SIGINFO != 0 {
            let handler = before.sa_sigaction;
            let handler: unsafe extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) =
                std::mem::transmute(handler);
            handler(signal, info, context);
        } else {
            let handler: unsafe extern "C" fn(c_int) = std::mem::transmute(before.sa_sigaction);
            handler(signal);
        }
    }
}

/// Has the interrupted thread go on where the fiber ends.
///
/// # Safety
/// The context is that of a thread which runs on the stack of this edge.
#[cfg(target_arch = "x86_64")]
unsafe fn leave(edge: &Edge, context: &mut libc::ucontext_t) {
    // SAFETY: as the caller promises.
    let to = unsafe { edge.handler.setup_trap_handler(|| End::GivenUp) };
    let registers = &mut context.uc_mcontext.gregs;
    for (register, value) in [
        (libc::REG_RIP, to.rip),
        (libc::REG_RSP, to.rsp),
        (libc::REG_RBP, to.rbp),
        (libc::REG_RDI, to.rdi),
        (libc::REG_RSI, to.rsi),
    ] {
        registers[register as usize] = value as i64;
    }
}

/// Has the interrupted thread go on where the fiber ends.
///
/// # Safety
/// As above.
#[cfg(target_arch = "aarch64")]
unsafe fn leave(edge: &Edge, context: &mut libc::ucontext_t) {
    // SAFETY: as the caller promises.
    let to = unsafe { edge.handler.setup_trap_handler(|| End::GivenUp) };
    let machine = &mut context.uc_mcontext;
    (machine.pc, machine.sp) = (to.pc, to.sp);
    (machine.regs[0], machine.regs[1], machine.regs[29], machine.regs[30]) = (to.x0, to.x1, to.x29, to.lr);
}
