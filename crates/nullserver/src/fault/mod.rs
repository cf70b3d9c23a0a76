//! What goes wrong, and when: pure functions of (seed, connection, statement) and of time since the origin.

mod behaviour;
mod delay;
pub(crate) mod error;
mod freeze;
mod misdeed;
mod random;
mod time;
mod when;

pub use self::behaviour::{Behaviour, Dribble, Fate, Outcome};
pub use self::delay::{Delay, parse_probability};
pub use self::error::InjectedError;
pub use self::freeze::Freeze;
pub use self::misdeed::{Deed, Misdeed, Stage};
pub use self::time::parse_duration_ns;
pub use self::when::When;
