//! The process: its clock, the signals it hears, what it uses of the machine, and how it ends.

pub mod clock;
pub mod descriptors;
pub mod failure;
pub mod heap;
pub mod panics;
pub mod signal;
pub mod usage;
