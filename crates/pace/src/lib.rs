//! The planned starts of operations: load shapes as pure arithmetic on instants. No clock, no I/O.
//!
//! An instant is a `u64`: nanoseconds since the start of the phase. A [`Schedule`] gives the instants of one
//! [`Share`] of the [`Arrivals`]; every instant is a function of its number (and the seed), so that nothing drifts
//! over a long phase and a generator that falls behind cannot shift what comes after.

mod error;
mod schedule;
mod shape;

pub use crate::error::ShapeError;
pub use crate::schedule::{Schedule, Share};
pub use crate::shape::trace::parse_trace;
pub use crate::shape::{Arrivals, Step};
