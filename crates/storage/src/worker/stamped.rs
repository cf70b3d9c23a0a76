//! A verified worker's writes: what their blocks hold, and which of them are under way.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::ledger::Ledger;
use crate::pattern::{Request, Space};
use crate::spec::StorageJob;
use crate::stamp::Stamp;

const CHANCE_BITS: u32 = 12;

#[derive(Debug)]
pub(super) struct Stamped<'a> {
    ledger: &'a Ledger,
    space: Space,
    grain: u64,
    /// The blocks that are being written to, by file and offset.
    open: BTreeSet<u64>,
}

/// A number for a new load, so that blocks of an earlier one are never taken for its own: microseconds since 1970, so that
/// a later load has a larger number, and chance for loads that begin together.
pub fn new_run() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros() as u64;
    now << CHANCE_BITS | RandomState::new().build_hasher().finish() >> (64 - CHANCE_BITS)
}

impl<'a> Stamped<'a> {
    pub(super) fn new(job: &StorageJob, space: Space, ledger: &'a Ledger) -> Self {
        Self { ledger, space, grain: job.access.grain(), open: BTreeSet::new() }
    }

    fn block(&self, request: &Request) -> u64 {
        let per_file = self.space.usable() / self.grain;
        u64::from(request.file) * per_file + (request.offset - self.space.from) / self.grain
    }

    /// Whether this write has to wait: of two in flight to one block either could land last.
    pub(super) fn waits(&self, request: &Request, number: u64) -> bool {
        self.open.contains(&self.block(request)) || self.ledger.full(number)
    }

    pub(super) fn begin(&mut self, request: &Request, number: u64) -> Stamp {
        self.open.insert(self.block(request));
        self.ledger.begin(number);
        Stamp { file: request.file, offset: request.offset, run: self.ledger.origin.run, write: number }
    }

    pub(super) fn end(&mut self, request: &Request, number: u64) {
        self.open.remove(&self.block(request));
        self.ledger.acknowledge(number);
    }

    /// Notes that every file was made durable, with nothing in flight.
    pub(super) fn synced(&self, number: u64) {
        self.ledger.durable(number);
    }
}
