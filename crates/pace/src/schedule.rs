//! The instants of one share of the arrivals.

use crate::shape::Shape;
use crate::{Arrivals, ShapeError};

/// The exact share of one generator in a schedule: of the arrivals 0, 1, 2 … those with number ≡ `index` mod `of`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    pub index: u32,
    pub of: u32,
}

impl Share {
    /// The share of a generator that is alone: all arrivals.
    pub const WHOLE: Self = Self { index: 0, of: 1 };
}

/// The instants of one share, in nanoseconds since the start of the phase, never decreasing.
///
/// Most shapes go on for ever; a trace, and a shape that comes to rest at rate 0, ends.
#[derive(Debug, Clone)]
pub struct Schedule {
    shape: Shape,
    next: u64,
    stride: u64,
}

impl Schedule {
    /// The schedule of one share. Equal arrivals and seeds give equal wholes, however they are shared; only `poisson` looks at
    /// the seed.
    ///
    /// # Errors
    /// A rate, time or list out of range, or a share that does not exist; the message names the key.
    pub fn new(arrivals: &Arrivals, seed: u64, share: Share) -> Result<Self, ShapeError> {
        if share.index >= share.of {
            return Err(ShapeError::Share { index: share.index, of: share.of });
        }
        let shape = Shape::new(arrivals, seed)?;
        Ok(Self { shape, next: u64::from(share.index), stride: u64::from(share.of) })
    }
}

impl Iterator for Schedule {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        let instant = self.shape.at(self.next)?;
        self.next += self.stride;
        Some(instant)
    }
}
