//! The engine against a known truth: a null server whose delays and faults are planned in advance.
//!
//! What holds by construction is asserted as it is. Times are those of a machine that may be busy: those tests compare
//! with the plan, with how late others wake at the same time and with a job beside theirs, never with a speed, and are given a few tries.

mod believed;
mod canary;
mod closed;
mod conservation;
mod deadlines;
mod delays;
mod errors;
mod fleet;
mod freeze;
mod goodbyes;
mod hung;
mod input;
pub(crate) mod null;
mod open;
mod orders;
mod proxy;
mod stall;
mod stream;
mod terminals;
