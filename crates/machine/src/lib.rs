//! Loads on the machine itself: its processors, memory, scheduler and mutexes, as sysbench's tests without files and
//! without SQL have them. An event is one call of [`Work::event`]; nothing here knows of clocks, jobs or phases.

mod block;
mod check;
mod cpu;
mod error;
mod lock;
mod memory;
mod mutex;
mod spec;
mod work;
mod yields;

pub use crate::check::check;
pub use crate::error::MachineError;
pub use crate::spec::{MachineLoad, MemoryAccess, MemoryOperation, MemoryScope};
pub use crate::work::{OnWork, Shared, Work};
