//! A call of a script on a stack of its own, left and gone on with wherever compiled code asks for something.
//!
//! Lua's own coroutines would do, but no trace of the compiler crosses a yield: a script that yields for each statement is
//! interpreted. A stack that the processor itself changes is to compiled code a function that returns later. So a request
//! costs a script what it costs sysbench, a call of C, and passes through whatever the script is in: a coroutine of its own,
//! a sort, a file that is being loaded.

use std::ffi::c_void;
use std::io;
use std::ptr::{self, NonNull};

use corosensei::stack::{DefaultStack, Stack as _};
use corosensei::{Coroutine, CoroutineResult, Yielder};
use mlua::Value;
use mlua::ffi::lua_State;

use crate::door::Door;
use crate::edge::{self, Edge};
use crate::error::ScriptError;
use crate::request::{Answer, Request};

/// Bytes of a stack, of which only those take memory that are used.
const STACK_BYTES: usize = (512 << 10) + 2 * edge::GUARD;

/// The stack that calls of one script have in turns.
pub(crate) struct Stack(Option<DefaultStack>);

/// What a call has come to: whether it succeeded, and what it returned or raised.
pub(crate) type Ended = mlua::Result<(bool, Value)>;

/// How a fiber has ended.
pub(crate) enum End {
    Returned(Ended),
    /// Where it met the end of its stack, or no memory: its Lua state is never used again.
    GivenUp,
}

/// The way from a fiber back to its driver.
pub(crate) type Transport = Yielder<Answer, Request<'static>>;

/// A call that goes on.
pub(crate) struct Fiber<'a> {
    coroutine: Option<Coroutine<Answer, Request<'static>, End>>,
    stack: &'a mut Stack,
    edge: Edge,
    door: *mut Door,
}

/// How a resume ended.
pub(crate) enum Step<'a> {
    Asks(Request<'a>),
    Ended(Ended),
    GivenUp,
}

impl Stack {
    pub(crate) fn new() -> Self {
        Self(None)
    }

    /// Gives back the memory that the last call has used: loading a script takes more than its events do.
    fn trim(&self) {
        if let Some(stack) = &self.0 {
            let (low, high) = (stack.limit().get(), stack.base().get());
            // SAFETY: the stack's own pages, in which no call is.
            unsafe { give_back(low, high) };
        }
    }

    /// Begins a call, which returns whether it has succeeded, then a value.
    ///
    /// # Errors
    /// There is no memory for a stack.
    ///
    /// # Safety
    /// `door` is that of `state`, in which the call runs, and both outlive the fiber.
    pub(crate) unsafe fn begin(
        &mut self,
        door: *mut Door,
        state: *mut lua_State,
        call: impl FnOnce() -> Ended + 'static,
    ) -> Result<Fiber<'_>, ScriptError> {
        let stack = match self.0.take() {
            Some(stack) => stack,
            None => guarded()
                .map_err(|error| ScriptError::new(format!("no memory for the stack of a script: {error}")))?,
        };
        let low = stack.limit().get();
        let coroutine = Coroutine::with_stack(stack, move |way: &Transport, _| {
            // SAFETY: as the caller promises; nobody else looks at the door while the state runs.
            unsafe { (*door).open(Some(NonNull::from(way))) };
            let ended = call();
            // SAFETY: as above.
            unsafe { (*door).open(None) };
            End::Returned(ended)
        });
        let edge = Edge { low, state, handler: coroutine.trap_handler() };
        Ok(Fiber { coroutine: Some(coroutine), stack: self, edge, door })
    }
}

/// A stack with an end that nobody may touch.
fn guarded() -> io::Result<DefaultStack> {
    let stack = DefaultStack::new(STACK_BYTES)?;
    let low = ptr::with_exposed_provenance_mut::<c_void>(stack.limit().get());
    // SAFETY: the lowest pages of a new stack, of which nothing is used.
    if unsafe { libc::mprotect(low, edge::GUARD, libc::PROT_NONE) } != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(stack)
}

/// Bytes below the request that a call waits in: the change of stacks needs some of them.
const BELOW: usize = 2048;
const PAGE: usize = 4096;

/// Gives the memory of a part of a stack back.
///
/// # Safety
/// Nothing that is in it will be used: the kernel has empty pages there when they are used next.
unsafe fn give_back(low: usize, high: usize) {
    // SAFETY: as the caller promises.
    unsafe {
        libc::madvise(ptr::with_exposed_provenance_mut::<c_void>(low), high - low, libc::MADV_DONTNEED)
    };
}

impl Fiber<'_> {
    /// Gives back the memory below the request that the call waits in, once something was compiled: the compiler of Lua goes
    /// deep, and what it has compiled does not.
    fn trim(&self) {
        // SAFETY: the door outlives the fiber, and nobody else looks at it while the call waits. A stack grows downwards: what
        // is below the frame that changes stacks is nobody's.
        unsafe {
            if let Some(depth) = (*self.door).depth_after_compiling() {
                give_back(self.edge.low, (depth - BELOW) & !(PAGE - 1));
            }
        }
    }

    /// Lets the call go on with the answer to its request; the first answer is that to none.
    pub(crate) fn resume(&mut self, answer: Answer) -> Step<'_> {
        let coroutine = self.coroutine.as_mut().expect("a call that has ended is not resumed");
        match edge::on(&self.edge, || coroutine.resume(answer)) {
            // What a request refers to lasts until the next resume, which needs this fiber for itself.
            CoroutineResult::Yield(request) => {
                if matches!(request, Request::Next { .. }) {
                    self.trim();
                }
                Step::Asks(request)
            }
            CoroutineResult::Return(ended) => {
                self.stack.0 = self.coroutine.take().map(Coroutine::into_stack);
                self.stack.trim();
                match ended {
                    End::Returned(ended) => Step::Ended(ended),
                    End::GivenUp => Step::GivenUp,
                }
            }
        }
    }
}

impl Drop for Fiber<'_> {
    /// Leaves a call that is not over where it is: compiled Lua cannot be unwound.
    fn drop(&mut self) {
        if let Some(coroutine) = &mut self.coroutine
            && coroutine.started()
        {
            // SAFETY: what lies on the stack is never dropped, nor used again. One reference to the Lua state is there as
            // well, so that the state, which refers to the stack, is never closed.
            unsafe { coroutine.force_reset() };
        }
    }
}
