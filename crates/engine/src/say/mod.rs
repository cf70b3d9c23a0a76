//! What the engine says: events, written by a thread of its own, and the phrases in them.

pub mod counted;
pub mod doubts;
pub mod emit;
pub mod hello;
pub mod output;
pub mod tallied;
