//! What the engine says: events, written by a thread of its own, and the phrases in them.

pub(crate) mod answer;
pub(crate) mod counted;
pub(crate) mod doubts;
pub(crate) mod emit;
pub(crate) mod hello;
pub(crate) mod notices;
pub(crate) mod output;
pub(crate) mod tallied;
