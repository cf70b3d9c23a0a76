//! Sizes of operations.

use crate::spec::Blocks;
use assay_chance::Rng;

/// The sizes of a job's reads or writes.
#[derive(Debug, Clone)]
pub enum Sizes {
    One(u32),
    /// Sizes with the share of all draws up to and with each.
    Split(Vec<(u32, f64)>),
    Range {
        from: u32,
        count: u64,
    },
}

impl Sizes {
    pub fn new(blocks: &Blocks) -> Self {
        match blocks {
            Blocks::One(bytes) => Self::One(*bytes),
            Blocks::Range(range) if range.from == range.to => Self::One(range.from),
            Blocks::Range(range) => Self::Range { from: range.from, count: u64::from(range.to / range.from) },
            Blocks::Split(shares) => {
                let total: f64 = shares.iter().map(|share| share.weight).sum();
                let mut sum = 0.0;
                let up_to = shares.iter().map(|share| {
                    sum += share.weight / total;
                    (share.bytes, sum)
                });
                Self::Split(up_to.collect())
            }
        }
    }

    #[inline]
    pub fn draw(&self, rng: &mut Rng) -> u32 {
        match self {
            Self::One(bytes) => *bytes,
            Self::Range { from, count } => from * (rng.below(*count) as u32 + 1),
            Self::Split(up_to) => {
                let unit = rng.unit();
                up_to.iter().find(|(_, sum)| unit < *sum).or(up_to.last()).map_or(0, |(bytes, _)| *bytes)
            }
        }
    }
}

impl Blocks {
    pub fn smallest(&self) -> u32 {
        match self {
            Self::One(bytes) => *bytes,
            Self::Range(range) => range.from,
            Self::Split(shares) => shares.iter().map(|share| share.bytes).min().unwrap_or(0),
        }
    }

    pub fn largest(&self) -> u32 {
        match self {
            Self::One(bytes) => *bytes,
            Self::Range(range) => range.to / range.from.max(1) * range.from,
            Self::Split(shares) => shares.iter().map(|share| share.bytes).max().unwrap_or(0),
        }
    }
}
