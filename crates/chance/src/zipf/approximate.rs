//! Zipf's law by a closed form, with a sum that is approximated where it is long.

/// The number of ranks from which on the sum is approximated, as LinkBench does.
const EXACT_BELOW: u64 = 100_000;
const EULER: f64 = 0.577_215_664_901_532_9;

/// Zipf's law by the closed form of Gray et al. ("Quickly Generating Billion-Record Synthetic Databases", 1994). The first
/// two ranks have their shares; those after them follow a power that is fitted.
#[derive(Debug, Clone)]
pub struct ApproximateZipf {
    n: f64,
    theta: f64,
    alpha: f64,
    eta: f64,
    zeta: f64,
    half: f64,
}

impl ApproximateZipf {
    /// The law of `n` ranks, at least one. Theta is above 0 and not 1.
    pub fn new(n: u64, theta: f64) -> Self {
        let zeta = harmonic(n, theta);
        let n = n as f64;
        Self {
            n,
            theta,
            alpha: 1.0 / (1.0 - theta),
            eta: (1.0 - (2.0 / n).powf(1.0 - theta)) / (1.0 - exact(2, theta) / zeta),
            zeta,
            half: 0.5_f64.powf(theta),
        }
    }

    /// The rank, from 0, below which a share `p` of all draws lies.
    #[inline]
    pub fn quantile(&self, p: f64) -> u64 {
        let scaled = p * self.zeta;
        if scaled < 1.0 {
            0
        } else if scaled < 1.0 + self.half {
            1
        } else {
            (self.n * (self.eta * p - self.eta + 1.0).powf(self.alpha)) as u64
        }
    }

    /// The share of a rank, from 0, among all draws.
    pub fn share(&self, rank: u64) -> f64 {
        (rank as f64 + 1.0).powf(-self.theta) / self.zeta
    }
}

fn exact(n: u64, theta: f64) -> f64 {
    (1..=n).rev().map(|k| (k as f64).powf(-theta)).sum()
}

/// The sum of 1 / k^theta for k from 1 to n; within 0.2 % where it is approximated.
fn harmonic(n: u64, theta: f64) -> f64 {
    if n < EXACT_BELOW || theta > 1.0 {
        exact(n, theta)
    } else if (theta - 1.0).abs() < f64::EPSILON {
        (n as f64).ln() + EULER
    } else {
        let integral = (n as f64).powf(1.0 - theta) / (1.0 - theta);
        integral + 0.58 - 1.0 / (1.0 - theta)
    }
}
