//! A script in a Lua state of its own, with the connections that it has opened.

use mlua::{IntoLua, Value};

use crate::call::Call;
use crate::declared::Declared;
use crate::error::ScriptError;
use crate::fiber::{Stack, Step};
use crate::host::Host;
use crate::options::ScriptOptions;
use crate::request::Answer;
use crate::serving::Serving;
use crate::state::{Origin, State};
use crate::told::Told;

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
        let read = script.run(host, "options", Vec::new()).await?;
        let options = ScriptOptions::read(&Told::new(&read)?)?;
        drop(read);
        // One whole cycle: LuaJIT's full collection goes through everything once more beforehand.
        let step = vec!["step".into_lua(script.state.lua())?, Value::Integer(i32::MAX.into())];
        script.run(host, "collect", step).await?;
        script.state.settle(&options);
        script.serving.options = options;
        Ok(script)
    }

    pub fn options(&self) -> &ScriptOptions {
        &self.serving.options
    }

    /// Whether a command is carried out by all threads.
    ///
    /// # Errors
    /// The script has put something else where its commands are.
    pub async fn is_parallel(&mut self, host: &mut H, command: &str) -> Result<bool, ScriptError> {
        self.ask(host, "parallel", command).await
    }

    /// What the script declares.
    ///
    /// # Errors
    /// The script has put something else where its options are.
    pub async fn declared(&mut self, host: &mut H) -> Result<Declared, ScriptError> {
        let listed = self.run(host, "declared", Vec::new()).await?;
        Declared::read(&Told::new(&listed)?)
    }

    /// Whether the script has a hook of this name.
    ///
    /// # Errors
    /// The script has put something else where its hooks are.
    pub async fn has_hook(&mut self, host: &mut H, name: &str) -> Result<bool, ScriptError> {
        self.ask(host, "has_hook", name).await
    }

    async fn ask(&mut self, host: &mut H, question: &str, of: &str) -> Result<bool, ScriptError> {
        let of = of.into_lua(self.state.lua())?;
        Ok(self.run(host, question, vec![of]).await? == Value::Boolean(true))
    }

    /// Has the script do something; false where it returned `false`.
    ///
    /// # Errors
    /// What the script raised.
    pub async fn call(&mut self, host: &mut H, call: Call<'_>) -> Result<bool, ScriptError> {
        let arguments = call.arguments(self.state.lua())?;
        Ok(self.run(host, call.name(), arguments).await? != Value::Boolean(false))
    }

    /// Has a function of the prelude do something; returns its answer. The script runs nowhere else: here it has a stack with
    /// an end, its memory has a limit, and the host hears how long it computes.
    async fn run(&mut self, host: &mut H, name: &str, arguments: Vec<Value>) -> Result<Value, ScriptError> {
        let Self { state, stack, serving } = self;
        let mut fiber = state.begin(stack, name, arguments)?;
        let mut answer = Answer::Nothing;
        loop {
            host.computes(Some(&state.whereabouts));
            let step = fiber.resume(answer);
            host.computes(None);
            state.native().take_added(|counter, amount| host.count(counter, amount));
            let request = match step {
                Step::Asks(request) => {
                    host.waits(state.touched());
                    request
                }
                Step::Ended(ended) => return State::outcome(ended),
                Step::GivenUp => return Err(State::given_up()),
            };
            let mut counted = None;
            let note = |counter| counted = Some(counter);
            answer = serving.serve(&state.slots, host, request, note).await;
            if let Some(counter) = counted {
                state.native().note(counter, 1);
            }
        }
    }

    /// Closes the connections that the script has left open, then its state, which finalises what the script has asked for.
    pub async fn leave(mut self, host: &mut H) {
        self.serving.leave(host).await;
        let Self { state, stack, .. } = self;
        let whereabouts = state.whereabouts();
        host.computes(Some(&whereabouts));
        state.close(stack);
        host.computes(None);
    }
}
