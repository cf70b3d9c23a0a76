//! One Lua state, with the prelude in it.

use std::cell::UnsafeCell;
use std::collections::BTreeMap;
use std::mem::ManuallyDrop;
use std::ptr::{self, NonNull};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use mlua::{Function, IntoLua, LightUserData, Lua, MultiValue, Table, Value, ffi};

use crate::door::Door;
use crate::edge;
use crate::error::{ScriptError, SqlError, without_own_place};
use crate::fiber::{Fiber, Stack, Step};
use crate::host::Touched;
use crate::inputs::Inputs;
use crate::memory::{Memory, allocate};
use crate::native::{Slots, table};
use crate::options::ScriptOptions;
use crate::prelude;
use crate::random::Native;
use crate::request::Answer;
use crate::results::most_bytes;
use crate::running::Whereabouts;
use crate::unique::Lane;

/// A script and the options that it was given: what each of its states is made from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The file, or the name of a module.
    pub path: String,
    /// The text itself, where it is in no file.
    pub source: Option<String>,
    /// Texts of the files that the script loads, by their paths; absent: it loads those that it finds.
    pub files: Option<Arc<BTreeMap<String, String>>>,
    /// Options by name, dashes or underscores, each with its text; a bare one has an empty text.
    pub given: Arc<BTreeMap<String, String>>,
    /// The command line, the program first.
    pub argv: Vec<String>,
    pub command: Option<String>,
    /// The random numbers of a thread are a function of this and its number.
    pub seed: u64,
    /// Script threads of the run; one more state makes reports, and one is beside them all.
    pub threads: u32,
    /// Whether state 0 is the one beside the threads, not that of the first of them.
    pub beside_threads: bool,
    /// Given to read what a script declares: it then has nothing with which it could act, and what it has first tried to use
    /// of that is noted here.
    pub sandbox: Option<Arc<OnceLock<String>>>,
    /// Bytes that one state may use; 0: any number.
    pub memory_bytes: usize,
    /// Where it is noted what a command reads.
    pub inputs: Inputs,
}

impl Origin {
    /// The part of state `tid` in numbers that come once in a run.
    fn lane(&self, tid: u32) -> Lane {
        let last = self.threads.max(tid).saturating_add(1);
        let first = if self.beside_threads && tid == 0 { last } else { tid };
        Lane { first, of: last.saturating_add(1) }
    }
}

/// Bytes of a Lua thread itself, without its stack.
const THREAD_BYTES: usize = 128;
/// Percent of what is in use at which the collector begins again.
const PAUSE: i32 = 120;

pub(crate) struct State {
    lua: Lua,
    inner: Table,
    pub slots: Rc<Slots>,
    /// Goes after everything that refers to the state, and before what the state refers to.
    open: Open,
    /// Reached from Lua by address: it stays where it is, and goes after the state.
    native: Box<UnsafeCell<Native>>,
    /// Where the script computes, which other threads read: it stays where it is as long as the state.
    pub whereabouts: Rc<Whereabouts>,
}

impl State {
    /// A state for thread `tid`, the script not loaded yet.
    ///
    /// # Errors
    /// There is no memory for it.
    pub(crate) fn new(origin: &Origin, tid: u32) -> Result<Self, ScriptError> {
        let mut open = Open::new()?;
        let native = Box::new(UnsafeCell::new(Native::new(origin.seed, tid, origin.lane(tid))));
        let slots = Rc::new(Slots::new(most_bytes(origin.threads)));
        let whereabouts = Rc::<Whereabouts>::default();
        let lua = open.lua();
        let told = table(&lua, origin, tid, native.get(), &slots)?;
        // SAFETY: nobody looks at it yet.
        unsafe { (*native.get()).door.count_compiled(whereabouts.count()) };
        told.set("compiled_lines", LightUserData(whereabouts.lines().cast_mut().cast()))?;
        let inner = prelude::install(&lua, &told)?;
        if let Some(sandbox) = origin.sandbox.clone() {
            let note = move |_: &Lua, name: String| {
                // The first is kept.
                let _ = sandbox.set(name);
                Ok(())
            };
            told.set("note_blocked", lua.create_function(note)?)?;
            prelude::part(&lua, "sandbox")?.call::<()>((told, inner.clone()))?;
        }
        // A state is collected once its script is loaded. Until then it may grow to twice of what it is now.
        // SAFETY: a setting of the collector, of an open state.
        unsafe { ffi::lua_gc(open.state.as_ptr(), ffi::LUA_GCRESTART, -1) };
        if origin.memory_bytes > 0 {
            open.memory.limit_to(origin.memory_bytes);
        }
        let entered = &*whereabouts;
        // SAFETY: the address of the state is kept, nothing of it is used.
        unsafe { lua.exec_raw::<()>((), |state| entered.enter(state))? };
        Ok(Self { lua, inner, slots, open, native, whereabouts })
    }

    /// Where the state is, for other threads.
    pub(crate) fn whereabouts(&self) -> Rc<Whereabouts> {
        self.whereabouts.clone()
    }

    /// What the state touches first when it goes on: the frames of its request, its half of the driver, its Lua thread.
    #[inline]
    pub(crate) fn touched(&self) -> Touched {
        let native = self.native.get();
        // SAFETY: no Lua runs, so nobody else looks at it.
        let frames = unsafe { (*native).door.frames() };
        let thread = self.open.state.as_ptr().cast::<u8>();
        let native = ptr::slice_from_raw_parts(native.cast::<u8>(), size_of::<Native>());
        [frames, native, ptr::slice_from_raw_parts(thread, THREAD_BYTES)]
    }

    /// The state's random numbers and counters, while no Lua runs.
    pub(crate) fn native(&mut self) -> &mut Native {
        self.native.get_mut()
    }

    /// Begins a call of one of the prelude's functions for the driver, by its name.
    ///
    /// # Errors
    /// There is no memory for it.
    pub(crate) fn begin<'a>(
        &self,
        stack: &'a mut Stack,
        name: &str,
        arguments: Vec<Value>,
    ) -> Result<Fiber<'a>, ScriptError> {
        // SAFETY: no Lua runs, so nobody else looks at it.
        if unsafe { (*self.native.get()).door.is_open() } {
            return Err(ScriptError::new("the script has ended in a call that did not return"));
        }
        let mut values = MultiValue::from_vec(arguments);
        values.push_front(name.into_lua(&self.lua)?);
        let carry_out: Function = self.inner.raw_get("carry_out")?;
        // SAFETY: this state's own, where it stays; a fiber that is left keeps the Lua state, and nobody runs it any more.
        unsafe {
            stack.begin(&raw mut (*self.native.get()).door, self.open.state.as_ptr(), move || {
                carry_out.call(values)
            })
        }
    }

    /// What a call has come to: what it returned.
    ///
    /// # Errors
    /// What the script raised.
    pub(crate) fn outcome(ended: mlua::Result<(bool, Value)>) -> Result<Value, ScriptError> {
        let (succeeded, value) = ended?;
        if succeeded { Ok(value) } else { Err(raised(&value)) }
    }

    /// What a call has come to that was given up.
    pub(crate) fn given_up() -> ScriptError {
        edge::met().unwrap_or_else(|| ScriptError::new("the script was ended"))
    }

    /// Has the state draw by these options from now on, and its heap stay near to what it needs: with thousands of states, what
    /// loading has left behind is most of their memory.
    pub(crate) fn settle(&mut self, options: &ScriptOptions) {
        // SAFETY: a setting of the collector, of an open state.
        unsafe { ffi::lua_gc(self.open.state.as_ptr(), ffi::LUA_GCSETPAUSE, PAUSE) };
        self.native().configure(options.rand.clone());
    }

    pub(crate) fn lua(&self) -> &Lua {
        &self.lua
    }

    /// Closes the state on the stack of its calls: what it finalises is the script's, too.
    pub(crate) fn close(mut self, stack: Stack) {
        // A call that was given up is still in the state, for ever.
        if !self.native.get_mut().door.is_open() {
            let door = &raw mut self.native.get_mut().door;
            self.open.closing = Some((stack, door));
        }
    }
}

/// A Lua state with its memory. It stays for ever unless it is closed.
struct Open {
    state: NonNull<ffi::lua_State>,
    memory: ManuallyDrop<Box<Memory>>,
    /// The stack and the door that closing it needs.
    closing: Option<(Stack, *mut Door)>,
}

impl Drop for Open {
    fn drop(&mut self) {
        let Some((mut stack, door)) = self.closing.take() else { return };
        let state = self.state.as_ptr();
        // SAFETY: whatever was made with the state has gone before, and what its requests refer to goes after it.
        unsafe {
            let close = move || {
                ffi::lua_close(state);
                Ok((true, Value::Nil))
            };
            let Ok(mut fiber) = stack.begin(door, state, close) else { return };
            let mut step = fiber.resume(Answer::Nothing);
            while let Step::Asks(_) = step {
                step = fiber.resume(Answer::Refused(SqlError::at_the_end()));
            }
            if let Step::Ended(_) = step {
                ManuallyDrop::drop(&mut self.memory);
            }
        }
    }
}

impl Open {
    /// A state with the libraries of LuaJIT.
    fn new() -> Result<Self, ScriptError> {
        let mut memory = Box::new(Memory::new());
        // SAFETY: the memory stays where it is for as long as the state. Scripts are the user's own programs, and may use
        // what a program can: the C library, the debugger.
        let state = unsafe {
            let state = ffi::lua_newstate(allocate, ptr::from_mut(&mut *memory).cast());
            if !state.is_null() {
                ffi::lua_gc(state, ffi::LUA_GCSTOP, 0);
                ffi::luaL_openlibs(state);
            }
            state
        };
        let state =
            NonNull::new(state).ok_or_else(|| ScriptError::new("no memory for the state of a script"))?;
        Ok(Self { state, memory: ManuallyDrop::new(memory), closing: None })
    }

    fn lua(&self) -> Lua {
        // SAFETY: the state is open, and what is made with this goes before it.
        unsafe { Lua::get_or_init_from_ptr(self.state.as_ptr()) }.clone()
    }
}

/// What a script raised, as an error.
fn raised(value: &Value) -> ScriptError {
    let text = match value {
        Value::Error(error) => return (**error).clone().into(),
        Value::String(text) => without_own_place(&text.to_string_lossy()).to_owned(),
        // Only the script could say more of it.
        _ => "an error that is no text".to_owned(),
    };
    if text.ends_with("not enough memory") {
        if let Some(met) = edge::met() {
            return met;
        }
        return ScriptError::new("the script needs more memory than a script may have (not enough memory)");
    }
    ScriptError::new(text)
}
