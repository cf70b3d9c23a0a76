//! One Lua state, with the prelude in it.

use std::cell::{RefCell, UnsafeCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use mlua::{Function, Lua, LuaOptions, MultiValue, StdLib, Table, Thread, ThreadStatus, Value};

use crate::call::Call;
use crate::error::ScriptError;
use crate::native::{Log, Slots, table};
use crate::options::ScriptOptions;
use crate::prelude;
use crate::random::Native;
use crate::request::{Request, operation};

/// A script and the options that it was given: what each of its states is made from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The file, or the name of a module.
    pub path: String,
    /// The text itself, where it is in no file.
    pub source: Option<String>,
    /// Options by name, dashes or underscores, each with its text; a bare one has an empty text.
    pub given: BTreeMap<String, String>,
    /// The command line, the program first.
    pub argv: Vec<String>,
    pub command: Option<String>,
    /// The random numbers of a thread are a function of this and its number.
    pub seed: u64,
    /// Bytes that one state may use; 0: any number.
    pub memory_bytes: usize,
}

/// What came of resuming a script.
pub(crate) enum Step {
    Request(Request),
    /// The function has ended: whether it returned anything but `false`, or the error it raised.
    Over(Result<bool, ScriptError>),
}

pub(crate) struct State {
    pub lua: Lua,
    inner: Table,
    pub slots: Rc<Slots>,
    log: Log,
    /// Reached from Lua by address: it stays where it is, and goes after the state.
    native: Box<UnsafeCell<Native>>,
}

impl State {
    /// A state for thread `tid`, the script not loaded yet.
    ///
    /// # Errors
    /// There is no memory for it.
    pub(crate) fn new(origin: &Origin, tid: u32) -> Result<Self, ScriptError> {
        // SAFETY: scripts are the user's own programs, and may use what a program can: the C library, the debugger.
        let lua = unsafe { Lua::unsafe_new_with(StdLib::ALL, LuaOptions::new()) };
        let native = Box::new(UnsafeCell::new(Native::new(origin.seed, tid)));
        let (slots, log) = (Rc::new(Slots::default()), Rc::new(RefCell::default()));
        let told = table(&lua, origin, tid, native.get(), &slots, &log)?;
        let inner = prelude::install(&lua, &told)?;
        if origin.memory_bytes > 0 {
            lua.set_memory_limit(origin.memory_bytes)?;
        }
        Ok(Self { lua, inner, slots, log, native })
    }

    /// The state's random numbers and counters, while no Lua runs.
    pub(crate) fn native(&mut self) -> &mut Native {
        self.native.get_mut()
    }

    /// Lines that the state had to say since the last time.
    pub(crate) fn take_log(&self) -> Vec<String> {
        self.log.take()
    }

    /// Begins a call: the coroutine, and what it is resumed with first.
    ///
    /// # Errors
    /// There is no memory for it.
    pub(crate) fn begin(&self, call: Call<'_>) -> Result<(Thread, MultiValue), ScriptError> {
        let api: Table = self.inner.get("api")?;
        let mut values = MultiValue::new();
        values.push_back(Value::Function(api.get(call.name())?));
        values.extend(call.arguments(&self.lua)?);
        let outermost: Function = self.inner.get("outermost")?;
        Ok((self.lua.create_thread(outermost)?, values))
    }

    /// Lets the script go on.
    pub(crate) fn resume(&self, thread: &Thread, values: MultiValue) -> Result<Step, ScriptError> {
        let mut values: MultiValue = thread.resume(values)?;
        let first = values.pop_front().unwrap_or(Value::Nil);
        if thread.status() == ThreadStatus::Resumable {
            return match operation(&first) {
                Some(operation) => Request::read(&self.lua, operation, values).map(Step::Request),
                None => Err(ScriptError::new("attempt to yield from outside a coroutine")),
            };
        }
        let value = values.pop_front().unwrap_or(Value::Nil);
        Ok(Step::Over(match first {
            Value::Boolean(true) => Ok(value != Value::Boolean(false)),
            _ => Err(raised(&value)),
        }))
    }

    /// Reads the options, after the script has declared its own.
    ///
    /// # Errors
    /// An option that there is not, or a value that is none.
    pub(crate) fn read_options(&mut self, origin: &Origin) -> Result<ScriptOptions, ScriptError> {
        let given = self.lua.create_table_from(origin.given.iter().map(|(name, text)| (&**name, &**text)))?;
        let read: Function = self.inner.get("read_options")?;
        let protected: Function = self.lua.globals().get("pcall")?;
        let (succeeded, message): (bool, Value) = protected.call((read, given))?;
        if !succeeded {
            return Err(raised(&message));
        }
        let sysbench: Table = self.lua.globals().get("sysbench")?;
        let options = ScriptOptions::read(&sysbench.get("opt")?)?;
        self.native().configure(options.rand.clone());
        Ok(options)
    }

    /// Asks the prelude a question that no request can be part of.
    pub(crate) fn ask(&self, name: &str, argument: &str) -> Result<bool, ScriptError> {
        let api: Table = self.inner.get("api")?;
        let question: Function = api.get(name)?;
        Ok(question.call(argument)?)
    }
}

/// What a script raised, as an error.
fn raised(value: &Value) -> ScriptError {
    let text = match value {
        Value::String(text) => text.to_string_lossy(),
        other => other.to_string().unwrap_or_else(|_| "an error that is no text".into()),
    };
    if text.ends_with("not enough memory") {
        return ScriptError::new("the script needs more memory than a script may have (not enough memory)");
    }
    ScriptError::new(text)
}
