//! What workers tell the main thread.

use crate::course::timeline::Stretch;
use crate::process::failure::Fatal;
use crate::storage::watch::Window;

pub enum Message {
    /// A worker has opened its files and waits at the gate.
    Ready,
    /// A worker has left an interval behind.
    Closed {
        worker: usize,
        stretch: Stretch,
        in_flight: u32,
        /// Its window up to here: all that is known of a worker that never comes back.
        window: Box<Window>,
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

impl WorkerEnd {
    /// The end of a worker that broke off before it could report a window.
    pub fn nothing(worker: usize) -> Self {
        Self { worker, window: Window::default(), abandoned: 0, unserved: 0 }
    }
}
