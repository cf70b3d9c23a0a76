//! A normal distribution around the middle of the table.

use crate::Rng;

/// Normal with mean n / 2, redrawn outside the table. sysbench averages `iter` uniform numbers instead; the standard
/// deviation of that mean, n / sqrt(12 `iter`), is kept, so that the same options hit about the same rows.
#[derive(Debug, Clone)]
pub struct Gaussian {
    n: u64,
    middle: f64,
    deviation: f64,
}

impl Gaussian {
    pub(super) fn new(n: u64, iter: u32) -> Self {
        let width = n as f64;
        Self { n, middle: width / 2.0, deviation: width / (12.0 * f64::from(iter)).sqrt() }
    }

    #[inline]
    pub(super) fn draw(&self, rng: &mut Rng) -> u64 {
        loop {
            let place = self.middle + self.deviation * standard_normal(rng);
            if place >= 0.0 && place < self.n as f64 {
                // A float below n may still be n when n has more than 53 bits.
                return (place as u64).min(self.n - 1) + 1;
            }
        }
    }
}

/// Marsaglia's polar method (1964). The second number of the pair is thrown away: keeping it would be hidden state.
fn standard_normal(rng: &mut Rng) -> f64 {
    loop {
        let (x, y) = (2.0 * rng.unit() - 1.0, 2.0 * rng.unit() - 1.0);
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * square.ln() / square).sqrt();
        }
    }
}
