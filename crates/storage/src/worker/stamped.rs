//! The account of a verified worker: which write was the last to each block.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};

use crate::pattern::{Request, Space};
use crate::spec::StorageJob;
use crate::stamp::Stamp;
use crate::verify::Written;

#[derive(Debug)]
pub struct Stamped {
    written: Written,
    space: Space,
    grain: u64,
}

impl Stamped {
    pub fn new(job: &StorageJob, space: Space) -> Self {
        let grain = job.access.grain();
        let blocks = space.usable() / grain * u64::from(space.files);
        // Whoever runs the same job again must not take the blocks of the last time for those of this one.
        let run = RandomState::new().build_hasher().finish();
        Self { written: Written { run, last: vec![0; blocks as usize], open: BTreeMap::new() }, space, grain }
    }

    fn block(&self, request: &Request) -> u64 {
        let per_file = self.space.usable() / self.grain;
        u64::from(request.file) * per_file + (request.offset - self.space.from) / self.grain
    }

    /// Whether its block is being written to: of two writes in flight either could land last.
    pub fn writes(&self, request: &Request) -> bool {
        self.written.open.contains_key(&self.block(request))
    }

    pub fn begin(&mut self, request: &Request, seed: u64, sequence: u64) -> Stamp {
        self.written.open.insert(self.block(request), sequence);
        Stamp { seed, file: request.file, offset: request.offset, run: self.written.run, sequence }
    }

    pub fn end(&mut self, request: &Request, sequence: u64) {
        let block = self.block(request);
        self.written.open.remove(&block);
        self.written.last[block as usize] = sequence;
    }

    pub fn written(self) -> Written {
        self.written
    }
}
