//! The engine against a known truth: a null server whose delays and faults are planned in advance.
//!
//! What holds by construction is asserted as it is. Times need a machine that is left alone for a moment: those tests
//! are given a few tries, and compare with the plan and the null server's own lateness, never with a speed.

#[path = "../drive/mod.rs"]
mod drive;

mod believed;
mod closed;
mod conservation;
mod deadlines;
mod delays;
mod errors;
mod freeze;
mod goodbyes;
mod input;
mod null;
mod open;
mod proxy;
mod stall;
mod stream;
mod terminals;
