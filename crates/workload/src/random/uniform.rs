//! Every row alike.

use crate::Rng;

#[derive(Debug, Clone)]
pub struct Uniform {
    n: u64,
}

impl Uniform {
    pub(super) fn new(n: u64) -> Self {
        Self { n }
    }

    #[inline]
    pub(super) fn draw(&self, rng: &mut Rng) -> u64 {
        rng.range(1, self.n)
    }
}
