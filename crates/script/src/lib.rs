//! sysbench's Lua scripts, unmodified: LuaJIT with the interface that they expect.
//!
//! A [`Script`] is one Lua state with its connections. It runs as a future over a [`Host`], which opens connections and
//! carries statements to a server; the crate itself knows neither sockets nor threads. [`DryRun`] is a host without a
//! server.
//!
//! What the interface is was written from a description of sysbench 1.0.20's behaviour; no code of it is here.

mod bundled;
mod call;
mod compiled;
mod declared;
mod door;
mod dry;
mod edge;
mod error;
mod fiber;
mod host;
mod inputs;
mod interpreted;
mod memory;
mod native;
mod options;
mod own_files;
mod prelude;
mod random;
mod request;
mod results;
mod running;
mod script;
mod serving;
mod state;
mod statement;
mod told;
mod unique;

pub use crate::bundled::{bundled, bundled_names};
pub use crate::call::Call;
pub use crate::declared::{Declared, DeclaredOption, Kind, Setting};
pub use crate::dry::{DryRun, Watch};
pub use crate::error::{ScriptError, SqlError};
pub use crate::host::{Counter, Host, Touched};
pub use crate::inputs::{Inputs, Noted};
pub use crate::options::ScriptOptions;
pub use crate::results::Results;
pub use crate::running::Whereabouts;
pub use crate::script::Script;
pub use crate::state::Origin;
