//! A script in a Lua state of its own, with the connections that it has opened.

use crate::call::Call;
use crate::declared::Declared;
use crate::error::ScriptError;
use crate::fiber::{Stack, Step};
use crate::host::Host;
use crate::options::ScriptOptions;
use crate::request::Answer;
use crate::serving::Serving;
use crate::state::{Origin, State};

/// A loaded script. What it is asked to do is a future over its host.
pub struct Script<H: Host> {
    state: State,
    stack: Stack,
    serving: Serving<H>,
}

impl<H: Host> Script<H> {
    /// Loads a script into a state of its own, as thread `tid`, and reads its options.
    ///
    /// # Errors
    /// The file is not there, or holds no Lua; what the script raised; an option that it does not have.
    pub async fn open(origin: &Origin, tid: u32, host: &mut H) -> Result<Self, ScriptError> {
        let mut script =
            Self { state: State::new(origin, tid)?, stack: Stack::new(), serving: Serving::new() };
        let source = origin.source.as_deref();
        script.call(host, Call::Load { path: &origin.path, source }).await?;
        script.serving.options = script.state.read_options(origin)?;
        Ok(script)
    }

    pub fn options(&self) -> &ScriptOptions {
        &self.serving.options
    }

    /// Whether a command is carried out by all threads.
    ///
    /// # Errors
    /// The script has put something else where its commands are.
    pub fn is_parallel(&self, command: &str) -> Result<bool, ScriptError> {
        self.state.ask("parallel", command)
    }

    /// What the script declares.
    ///
    /// # Errors
    /// The script has put something else where its options are.
    pub fn declared(&self) -> Result<Declared, ScriptError> {
        Declared::read(&self.state.declared()?)
    }

    /// Whether the script has a hook of this name.
    ///
    /// # Errors
    /// The script has put something else where its hooks are.
    pub fn has_hook(&self, name: &str) -> Result<bool, ScriptError> {
        self.state.ask("has_hook", name)
    }

    /// Has the script do something; false where it returned `false`.
    ///
    /// # Errors
    /// What the script raised.
    pub async fn call(&mut self, host: &mut H, call: Call<'_>) -> Result<bool, ScriptError> {
        let Self { state, stack, serving } = self;
        let mut fiber = state.begin(stack, call)?;
        let mut answer = Answer::Nothing;
        loop {
            host.computes(Some(state.whereabouts()));
            let step = fiber.resume(answer);
            host.computes(None);
            state.native().take_added(|counter, amount| host.count(counter, amount));
            let request = match step {
                Step::Asks(request) => {
                    host.waits(state.touched());
                    request
                }
                Step::Ended(ended) => return State::outcome(ended),
                Step::Overflowed => return Err(State::overflow()),
            };
            let mut counted = None;
            let note = |counter| counted = Some(counter);
            answer = serving.serve(&state.slots, host, request, note).await;
            if let Some(counter) = counted {
                state.native().note(counter, 1);
            }
        }
    }

    /// Closes the connections that the script has left open.
    pub async fn leave(mut self, host: &mut H) {
        self.serving.leave(host).await;
    }
}
