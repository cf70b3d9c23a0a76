//! One Lua state, with the prelude in it.

use std::cell::UnsafeCell;
use std::collections::BTreeMap;
use std::mem::ManuallyDrop;
use std::ptr::{self, NonNull};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use mlua::{Function, LightUserData, Lua, MultiValue, Table, Value, ffi};

use crate::call::Call;
use crate::edge;
use crate::error::{ScriptError, without_own_place};
use crate::fiber::{Fiber, Stack};
use crate::host::Touched;
use crate::inputs::Inputs;
use crate::memory::{Memory, allocate};
use crate::native::{Slots, table, texts};
use crate::options::ScriptOptions;
use crate::prelude;
use crate::random::Native;
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
/// Kilobytes after which a step of the collector ends, if its cycle does not before.
const WHOLE_CYCLE_KB: i32 = i32::MAX;
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
    whereabouts: Box<Whereabouts>,
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
        let whereabouts = Box::<Whereabouts>::default();
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
    pub(crate) fn whereabouts(&self) -> &Whereabouts {
        &self.whereabouts
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

    /// Begins a call.
    ///
    /// # Errors
    /// There is no memory for it.
    pub(crate) fn begin<'a>(&self, stack: &'a mut Stack, call: Call<'_>) -> Result<Fiber<'a>, ScriptError> {
        // SAFETY: no Lua runs, so nobody else looks at it.
        if unsafe { (*self.native.get()).door.is_open() } {
            return Err(ScriptError::new("the script has ended in a call that did not return"));
        }
        let api: Table = self.inner.get("api")?;
        let mut values = MultiValue::from_vec(call.arguments(&self.lua)?);
        values.push_front(Value::Function(api.get(call.name())?));
        let protected = self.inner.get("pcall")?;
        // SAFETY: this state's own, where it stays; a fiber that is left keeps the Lua state, and nobody runs it any more.
        unsafe {
            stack.begin(&raw mut (*self.native.get()).door, self.open.state.as_ptr(), protected, values)
        }
    }

    /// What a call has come to: whether it returned anything but `false`.
    ///
    /// # Errors
    /// What the script raised.
    pub(crate) fn outcome(ended: mlua::Result<(bool, Value)>) -> Result<bool, ScriptError> {
        let (succeeded, value) = ended?;
        if succeeded { Ok(value != Value::Boolean(false)) } else { Err(raised(&value)) }
    }

    /// What a call has come to that has run into the end of its stack.
    pub(crate) fn overflow() -> ScriptError {
        edge::met().unwrap_or_else(|| ScriptError::new("stack overflow"))
    }

    /// Reads the options, after the script has declared its own.
    ///
    /// # Errors
    /// An option that there is not, or a value that is none.
    pub(crate) fn read_options(&mut self, origin: &Origin) -> Result<ScriptOptions, ScriptError> {
        let read: Function = self.of_part("options")?.get("read")?;
        let given = texts(&self.lua, &origin.given)?;
        let protected: Function = self.inner.get("pcall")?;
        let (succeeded, message): (bool, Value) = protected.call((read, given))?;
        if !succeeded {
            return Err(raised(&message));
        }
        let sysbench: Table = self.lua.globals().get("sysbench")?;
        let options = ScriptOptions::read(&sysbench.get("opt")?)?;
        // What loading has left behind: with thousands of states, most of their memory. One cycle finds it; LuaJIT's full
        // collection goes through everything once more beforehand. Nor must the heap of one grow to twice of what it needs.
        while !self.lua.gc_step_kbytes(WHOLE_CYCLE_KB)? {}
        // SAFETY: a setting of the collector, of an open state.
        unsafe { ffi::lua_gc(self.open.state.as_ptr(), ffi::LUA_GCSETPAUSE, PAUSE) };
        self.native().configure(options.rand.clone());
        Ok(options)
    }

    /// What the script has declared, as the prelude lists it.
    ///
    /// # Errors
    /// The script has put something else where its options are.
    pub(crate) fn declared(&self) -> Result<Table, ScriptError> {
        let list: Function = self.of_part("declared")?.get("list")?;
        Ok(list.call(())?)
    }

    /// The functions of a part of the prelude that is used once, and needs none of Rust's.
    fn of_part(&self, name: &str) -> mlua::Result<Table> {
        prelude::part(&self.lua, name)?.call((Value::Nil, self.inner.clone()))
    }

    /// Asks the prelude a question that no request can be part of.
    pub(crate) fn ask(&self, name: &str, argument: &str) -> Result<bool, ScriptError> {
        let api: Table = self.inner.get("api")?;
        let question: Function = api.get(name)?;
        Ok(question.call(argument)?)
    }
}

impl Drop for State {
    fn drop(&mut self) {
        // A call that was given up is still in the state, for ever.
        self.open.in_call = self.native.get_mut().door.is_open();
    }
}

/// A Lua state with its memory.
struct Open {
    state: NonNull<ffi::lua_State>,
    memory: ManuallyDrop<Box<Memory>>,
    in_call: bool,
}

impl Drop for Open {
    fn drop(&mut self) {
        if !self.in_call {
            // SAFETY: whatever was made with the state has gone before.
            unsafe {
                ffi::lua_close(self.state.as_ptr());
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
        Ok(Self { state, memory: ManuallyDrop::new(memory), in_call: false })
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
        other => other.to_string().unwrap_or_else(|_| "an error that is no text".into()),
    };
    if text.ends_with("not enough memory") {
        if let Some(overflow) = edge::met() {
            return overflow;
        }
        return ScriptError::new("the script needs more memory than a script may have (not enough memory)");
    }
    ScriptError::new(text)
}
