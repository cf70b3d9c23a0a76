//! What workers tell the main thread.

use crate::failure::Fatal;
use crate::storage::watch::Window;
use crate::timeline::Stretch;

pub enum Message {
    /// A worker has opened its files and waits at the gate.
    Ready,
    /// It has left an interval behind.
    Closed {
        stretch: Stretch,
        in_flight: u32,
    },
    Fatal(Fatal),
    End(Box<WorkerEnd>),
}

pub struct WorkerEnd {
    pub worker: usize,
    pub window: Window,
    pub abandoned: u32,
    pub unserved: u64,
}
