//! Takes ledgers to their disk while the load goes on, so that they know nearly all of it when the power goes.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use crate::error::StorageError;
use crate::ledger::Ledger;

/// The pause between two flushes of ledgers; a ledger lags behind by this and by what a flush takes.
const NAP: Duration = Duration::from_millis(20);

/// The thread that takes ledgers to their disks, beside the workers, who only store numbers.
#[derive(Debug)]
pub struct Flusher {
    end: Sender<()>,
    thread: JoinHandle<Result<(), StorageError>>,
}

impl Flusher {
    /// # Errors
    /// No thread can be started.
    pub fn start(ledgers: Vec<Arc<Ledger>>) -> std::io::Result<Self> {
        let (end, ended) = channel();
        let thread = Builder::new().name("ledger".into()).spawn(move || {
            let mut told = vec![0; ledgers.len()];
            loop {
                let over = ended.recv_timeout(NAP) != Err(RecvTimeoutError::Timeout);
                for (ledger, told) in ledgers.iter().zip(&mut told) {
                    ledger.flush(told)?;
                }
                if over {
                    return Ok(());
                }
            }
        })?;
        Ok(Self { end, thread })
    }

    /// Ends the thread after a last flush.
    ///
    /// # Errors
    /// A disk refused: the numbers of a ledger may not be on it.
    pub fn finish(self) -> Result<(), StorageError> {
        drop(self.end);
        self.thread.join().unwrap_or(Ok(()))
    }
}
