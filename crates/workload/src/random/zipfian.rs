//! Zipf's law without tables: rejection-inversion (Hörmann, Derflinger 1996, "Rejection-inversion to generate variates
//! from monotone discrete distributions", ACM TOMACS 6(3)). Constant time and memory at any n.

use crate::Rng;

/// Row i is drawn in proportion to i^-exponent.
#[derive(Debug, Clone)]
pub(crate) struct Zipfian {
    n: u64,
    exponent: f64,
    /// The area under the hat from the first row to the last, where inversion starts and ends.
    first_area: f64,
    last_area: f64,
    /// Below this distance from the row a draw is accepted without evaluating the hat.
    squeeze: f64,
}

impl Zipfian {
    pub(crate) fn new(n: u64, exponent: f64) -> Self {
        let mut it = Self { n, exponent, first_area: 0.0, last_area: 0.0, squeeze: 0.0 };
        it.first_area = it.area(1.5) - 1.0;
        it.last_area = it.area(n as f64 + 0.5);
        it.squeeze = 2.0 - it.inverse(it.area(2.5) - it.density(2.0));
        it
    }

    #[inline]
    pub(crate) fn draw(&self, rng: &mut Rng) -> u64 {
        loop {
            let area = self.last_area + rng.unit() * (self.first_area - self.last_area);
            let place = self.inverse(area);
            let row = (place.round() as u64).clamp(1, self.n);
            let centre = row as f64;
            if centre - place <= self.squeeze || area >= self.area(centre + 0.5) - self.density(centre) {
                return row;
            }
        }
    }

    fn density(&self, x: f64) -> f64 {
        (-self.exponent * x.ln()).exp()
    }

    /// Integral of the density from 1 to x: (x^(1-e) - 1) / (1 - e), or ln x for e = 1.
    fn area(&self, x: f64) -> f64 {
        let log = x.ln();
        log * exp_ratio((1.0 - self.exponent) * log)
    }

    /// The x whose area is `area`.
    fn inverse(&self, area: f64) -> f64 {
        // Rounding can bring this below -1, where the logarithm ends.
        let scaled = (area * (1.0 - self.exponent)).max(-1.0);
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
