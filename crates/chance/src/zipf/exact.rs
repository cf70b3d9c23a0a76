//! Zipf's law without tables.

use crate::Rng;

/// Zipf's law by rejection-inversion (Hörmann, Derflinger 1996, "Rejection-inversion to generate variates from monotone
/// discrete distributions", ACM TOMACS 6(3)): under 1.2 tries a number, constant memory, whatever n and theta are.
#[derive(Debug, Clone)]
pub struct Zipf {
    n: u64,
    theta: f64,
    /// The area under the hat from the first rank to the last, where inversion starts and ends.
    first_area: f64,
    last_area: f64,
    /// The distance from a rank below which a draw is accepted without evaluating the hat.
    squeeze: f64,
}

impl Zipf {
    /// The law of `n` ranks, at least one. Theta is 0 (uniform) or more; 1 is allowed.
    pub fn new(n: u64, theta: f64) -> Self {
        let n = n.max(1);
        let mut law = Self { n, theta, first_area: 0.0, last_area: 0.0, squeeze: 0.0 };
        law.first_area = law.area(1.5) - 1.0;
        law.last_area = law.area(n as f64 + 0.5);
        law.squeeze = 2.0 - law.inverse(law.area(2.5) - law.density(2.0));
        law
    }

    /// A rank in `0..n`; 0 is the most frequent.
    #[inline]
    pub fn rank(&self, rng: &mut Rng) -> u64 {
        loop {
            let area = self.last_area + rng.unit() * (self.first_area - self.last_area);
            let place = self.inverse(area);
            let rank = (place.round() as u64).clamp(1, self.n);
            let centre = rank as f64;
            if centre - place <= self.squeeze || area >= self.area(centre + 0.5) - self.density(centre) {
                return rank - 1;
            }
        }
    }

    fn density(&self, x: f64) -> f64 {
        (-self.theta * x.ln()).exp()
    }

    /// The integral of the density from 1 to x: (x^(1-theta) - 1) / (1 - theta), or ln x for theta = 1.
    fn area(&self, x: f64) -> f64 {
        let log = x.ln();
        log * exp_ratio((1.0 - self.theta) * log)
    }

    /// The x up to which the area is `area`.
    fn inverse(&self, area: f64) -> f64 {
        // Rounding can bring the product below -1, where the logarithm ends.
        let scaled = (area * (1.0 - self.theta)).max(-1.0);
        (area * log_ratio(scaled)).exp()
    }
}

/// (e^x - 1) / x, continued through 0.
fn exp_ratio(x: f64) -> f64 {
    if x.abs() > 1e-8 { x.exp_m1() / x } else { 1.0 + x / 2.0 * (1.0 + x / 3.0) }
}

/// ln(1 + x) / x, continued through 0.
fn log_ratio(x: f64) -> f64 {
    if x.abs() > 1e-8 { x.ln_1p() / x } else { 1.0 - x * (0.5 - x / 3.0) }
}
