//! MySQL client protocol: packets, authentication, commands, TLS. Usable alone.

mod outcome;
mod param;
mod row;

pub use crate::outcome::Outcome;
pub use crate::param::Param;
pub use crate::row::{Discard, Row, Rows};
