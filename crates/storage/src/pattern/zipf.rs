//! Zipf's law over any number of ranks, without tables.

use super::rng::Rng;

/// Rank k (from 1) with weight k^-theta, by rejection-inversion (Hörmann and Derflinger 1996): under 1.2 tries a number
/// whatever theta and n are.
#[derive(Debug, Clone)]
pub struct Zipf {
    n: f64,
    theta: f64,
    h_first: f64,
    h_last: f64,
    accept: f64,
}

impl Zipf {
    pub fn new(n: u64, theta: f64) -> Self {
        let n = n.max(1) as f64;
        let mut zipf = Self { n, theta, h_first: 0.0, h_last: 0.0, accept: 0.0 };
        zipf.h_first = zipf.h(1.5) - 1.0;
        zipf.h_last = zipf.h(n + 0.5);
        zipf.accept = 2.0 - zipf.h_inverse(zipf.h(2.5) - zipf.weight(2.0));
        zipf
    }

    fn weight(&self, x: f64) -> f64 {
        x.powf(-self.theta)
    }

    /// The integral of the weight, up to a constant.
    fn h(&self, x: f64) -> f64 {
        let log = x.ln();
        log * ratio(log * (1.0 - self.theta))
    }

    fn h_inverse(&self, y: f64) -> f64 {
        let scaled = (y * (1.0 - self.theta)).max(-1.0);
        (y * log_ratio(scaled)).exp()
    }

    /// A rank in `0..n`; 0 is the most frequent.
    #[inline]
    pub fn rank(&self, rng: &mut Rng) -> u64 {
        loop {
            let u = self.h_last + rng.unit() * (self.h_first - self.h_last);
            let x = self.h_inverse(u);
            let k = x.round().clamp(1.0, self.n);
            if k - x <= self.accept || u >= self.h(k + 0.5) - self.weight(k) {
                return k as u64 - 1;
            }
        }
    }
}

/// (eˣ − 1) / x, also near 0.
fn ratio(x: f64) -> f64 {
    if x.abs() > 1e-8 { x.exp_m1() / x } else { 1.0 + x / 2.0 }
}

/// ln(1 + x) / x, also near 0.
fn log_ratio(x: f64) -> f64 {
    if x.abs() > 1e-8 { x.ln_1p() / x } else { 1.0 - x / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_follow_the_law() {
        for theta in [0.8, 1.0, 1.2] {
            let (n, draws) = (1000u64, 400_000);
            let zipf = Zipf::new(n, theta);
            let mut rng = Rng::keyed(&[1, 2]);
            let mut counts = vec![0u32; n as usize];
            (0..draws).for_each(|_| counts[zipf.rank(&mut rng) as usize] += 1);
            let total: f64 = (1..=n).map(|k| (k as f64).powf(-theta)).sum();
            for k in [1u64, 2, 5, 20] {
                let expected = f64::from(draws) * (k as f64).powf(-theta) / total;
                let got = f64::from(counts[k as usize - 1]);
                assert!((got / expected - 1.0).abs() < 0.05, "theta {theta}, rank {k}: {got} for {expected}");
            }
        }
    }
}
