//! The bytes that a job touches, and their order: pure arithmetic on (seed, job, clone, number).

mod blocks;
mod offsets;
#[cfg(test)]
mod tests;

use assay_chance::Rng;

pub use self::blocks::Sizes;
pub use self::offsets::{Offsets, Space};

use crate::spec::{Access, Order};

/// One operation to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    pub read: bool,
    /// Number of the file, and the byte in it.
    pub file: u32,
    pub offset: u64,
    pub bytes: u32,
}

/// The endless stream of one worker's operations. Limits are the worker's.
#[derive(Debug, Clone)]
pub struct Pattern {
    rng: Rng,
    read_share: f64,
    sizes: [Sizes; 2],
    offsets: Offsets,
}

impl Pattern {
    /// `key` is (seed, job, clone): another key, another stream. There are `clones` of them.
    pub fn new(access: &Access, space: Space, key: [u64; 3], clones: u32) -> Self {
        let sizes = [Sizes::new(&access.write_blocks), Sizes::new(&access.read_blocks)];
        let scatter = Rng::blended(&[key[0], key[1], key[2], 1]).u64();
        Self {
            rng: Rng::blended(&key),
            read_share: access.read_share,
            offsets: Offsets::new(access, space, &sizes, scatter, (key[2], clones.into())),
            sizes,
        }
    }

    #[inline]
    pub fn request(&mut self) -> Request {
        let read = match self.read_share {
            share if share >= 1.0 => true,
            share if share <= 0.0 => false,
            share => self.rng.unit() < share,
        };
        let bytes = self.sizes[usize::from(read)].draw(&mut self.rng);
        let (file, offset, bytes) = self.offsets.place(&mut self.rng, read, bytes);
        Request { read, file, offset, bytes }
    }
}

impl Access {
    /// Bytes that random offsets are multiples of: the smallest operation there is.
    pub fn grain(&self) -> u64 {
        let read = (self.read_share > 0.0).then(|| self.read_blocks.smallest());
        let write = (self.read_share < 1.0).then(|| self.write_blocks.smallest());
        u64::from(read.into_iter().chain(write).min().unwrap_or(1).max(1))
    }

    /// The largest operation there is.
    pub fn largest(&self) -> u32 {
        let read = (self.read_share > 0.0).then(|| self.read_blocks.largest());
        let write = (self.read_share < 1.0).then(|| self.write_blocks.largest());
        read.into_iter().chain(write).max().unwrap_or(0)
    }

    pub fn sequential(&self) -> bool {
        self.order != Order::Random
    }
}
