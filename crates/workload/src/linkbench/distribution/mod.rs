//! Distributions over the ranks 0 to n - 1, most frequent first, as the original has them.

mod arithmetic;
mod observed;
#[cfg(test)]
mod tests;

use assay_chance::ApproximateZipf;

pub(crate) use self::arithmetic::{Arithmetic, Place, root_above};
pub(crate) use self::observed::{Observed, Section, Sections};
use crate::Rng;

/// Whole numbers from `min` up to `max`, that one excluded.
#[derive(Debug, Clone)]
pub(crate) struct Distribution {
    pub(crate) min: u64,
    pub(crate) max: u64,
    pub(crate) shape: Shape,
}

#[derive(Debug, Clone)]
pub(crate) enum Shape {
    Uniform,
    Zipf(ApproximateZipf),
    Geometric {
        prob: f64,
        /// The original's quantile is one too high: it never draws the smallest number.
        one_more: bool,
    },
    /// Rounded; what lies outside goes to the ends.
    LogNormal {
        median: f64,
        sigma: f64,
    },
    Observed(Observed),
}

impl Distribution {
    pub(crate) fn draw(&self, rng: &mut Rng) -> u64 {
        let n = self.max - self.min;
        let number = match &self.shape {
            Shape::Uniform => rng.range(0, n - 1),
            Shape::Zipf(zipf) => zipf.quantile(rng.unit()),
            Shape::Geometric { prob, one_more } => {
                let trials = (1.0 - rng.unit()).ln() / (1.0 - prob).ln();
                (if *one_more { trials.ceil() } else { trials.floor() }) as u64
            }
            Shape::LogNormal { median, sigma } => {
                let value = (median.ln() + sigma * normal(rng)).exp().round();
                (value as u64).saturating_sub(self.min)
            }
            Shape::Observed(observed) => observed.draw(n, rng),
        };
        self.min + number.min(n - 1)
    }

    /// How often the number of a rank comes, where all of them come `total` times; `None`: this shape has no such count.
    pub(crate) fn count(&self, rank: u64, total: f64) -> Option<f64> {
        let n = self.max - self.min;
        match &self.shape {
            Shape::Uniform => Some(total / n as f64),
            Shape::Zipf(zipf) => Some(total * zipf.share(rank)),
            Shape::Geometric { prob, .. } => Some(total * prob * (1.0 - prob).powf(rank as f64)),
            Shape::LogNormal { .. } => None,
            Shape::Observed(observed) => Some(observed.value(1.0 - rank as f64 / n as f64) as f64),
        }
    }
}

/// A standard normal number (Box and Muller 1958).
pub(crate) fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.unit()).cos()
}
