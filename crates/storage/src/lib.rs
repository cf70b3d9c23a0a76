//! File and block I/O as a load: which bytes are touched ([`pattern`]), by which system calls ([`device`]), how the
//! operations of one worker follow each other ([`worker`]). What is measured goes to a [`Watch`]; nothing here
//! knows of jobs, events or phases.

mod check;
pub mod device;
mod disk;
mod error;
mod expected;
mod files;
mod flusher;
mod ledger;
mod memory;
pub mod pattern;
mod spec;
mod stamp;
mod verify;
mod watch;
mod worker;

pub use crate::check::check;
pub use crate::disk::{Disk, DiskCounts, beneath, counts};
pub use crate::error::StorageError;
pub use crate::expected::Expected;
pub use crate::files::{Layout, Made, Opened};
pub use crate::flusher::Flusher;
pub use crate::ledger::{Account, Ledger, Origin};
pub use crate::spec::{
    Access, Batch, Blocks, Distribution, Io, IoKind, Order, Range, Share, StorageJob, SyncEach, SyncKind,
    SyncOpen, Think, Verify, Zone,
};
pub use crate::verify::{Finding, Findings, Flaw, read_back};
pub use crate::watch::{OperationKind, TimedIo, Watch};
pub use crate::worker::{Worker, WorkerEnd, new_run, run_worker};
