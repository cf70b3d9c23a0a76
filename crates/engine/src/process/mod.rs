//! The process: its clock, the signals it hears, what it uses of the machine, and how it ends.

pub(crate) mod clock;
pub(crate) mod descriptors;
pub(crate) mod failure;
pub(crate) mod heap;
pub(crate) mod identity;
pub(crate) mod panics;
pub(crate) mod parent;
pub(crate) mod poison;
pub(crate) mod priority;
pub(crate) mod scheduling;
pub(crate) mod signal;
pub(crate) mod usage;
