//! What each block must hold, from what is known of the writes: their places are drawn once more.

use std::collections::BTreeMap;

use crate::ledger::{Account, Origin};
use crate::pattern::Pattern;

/// The writes that each block must hold after a load; blocks are numbered over all files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    pub run: u64,
    /// By block, the last write that was acknowledged, and the last that was durable; 0: none.
    last: Vec<u64>,
    durable: Vec<u64>,
    /// By block, the write that was begun and not acknowledged: it may have landed, whole or in part.
    open: BTreeMap<u64, u64>,
    durable_writes: bool,
    crashed: bool,
}

impl Expected {
    /// After a load that ended by itself whatever was acknowledged must be there; one that was `crashed` has to keep
    /// only what was durable. Takes a few nanoseconds for each write, and two words for each block.
    pub fn new(origin: &Origin, account: &Account, crashed: bool) -> Self {
        let (space, grain) = (origin.space, origin.access.grain());
        let per_file = space.usable() / grain;
        let blocks = (per_file * u64::from(space.files)) as usize;
        let key = [origin.seed, origin.number, origin.clone.into()];
        let mut pattern = Pattern::new(&origin.access, space, key, 1);
        let (mut last, mut durable, mut open) = (vec![0; blocks], vec![0; blocks], BTreeMap::new());
        let all_durable = origin.durable_writes || !crashed;
        for number in 1..=account.begun {
            let request = pattern.request();
            let block = u64::from(request.file) * per_file + (request.offset - space.from) / grain;
            if account.has(number) {
                last[block as usize] = number;
                if all_durable || number <= account.durable {
                    durable[block as usize] = number;
                }
            } else {
                open.insert(block, number);
            }
        }
        let durable_writes = origin.durable_writes;
        Self { run: origin.run, last, durable, open, durable_writes, crashed }
    }

    pub fn last(&self, block: u64) -> u64 {
        self.last[block as usize]
    }

    pub fn durable(&self, block: u64) -> u64 {
        self.durable[block as usize]
    }

    pub fn open(&self, block: u64) -> Option<u64> {
        self.open.get(&block).copied()
    }

    /// Whether a load of this number began after the one whose account this is.
    pub fn outdated(&self, run: u64) -> bool {
        self.crashed && run > self.run
    }

    /// The reason why a durable write had to stay.
    pub fn how(&self) -> &'static str {
        match (self.crashed, self.durable_writes) {
            (false, _) => "was the last that ended there",
            (true, true) => "was acknowledged, and writes are durable then (O_SYNC or O_DSYNC)",
            (true, false) => "was acknowledged, and an fsync after it as well",
        }
    }
}
