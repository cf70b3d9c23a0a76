//! Values of which only the spread is kept.

use assay_format::event::Spread;

/// The spread of values, mergeable: of several workers as of one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Samples {
    count: u64,
    min: f64,
    max: f64,
    mean: f64,
    /// Squares of the distances from the mean (Welford; merged as by Chan, Golub and LeVeque).
    squares: f64,
}

impl Default for Samples {
    fn default() -> Self {
        Self { count: 0, min: f64::INFINITY, max: 0.0, mean: 0.0, squares: 0.0 }
    }
}

impl Samples {
    /// Adds `value`, which is not negative.
    pub(super) fn add(&mut self, value: f64) {
        self.merge(&Self { count: 1, min: value, max: value, mean: value, squares: 0.0 });
    }

    pub(super) fn merge(&mut self, other: &Self) {
        let count = self.count + other.count;
        if count == 0 {
            return;
        }
        let (mine, theirs) = (self.count as f64, other.count as f64);
        let distance = other.mean - self.mean;
        self.squares += other.squares + distance * distance * mine * theirs / count as f64;
        self.mean += distance * theirs / count as f64;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.count = count;
    }

    /// The spread of the values; `None` where no value was above 0. The deviation is that of all values, not of a
    /// sample of them.
    pub(super) fn spread(&self) -> Option<Spread> {
        (self.max > 0.0).then(|| Spread {
            samples: self.count,
            min: self.min,
            max: self.max,
            mean: self.mean,
            stdev: (self.squares / self.count as f64).sqrt(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Samples {
        let mut samples = Samples::default();
        for value in values {
            samples.add(*value);
        }
        samples
    }

    #[test]
    fn merged_parts_are_the_whole() {
        let (mut first, second) = (of(&[4.0, 0.0, 11.0]), of(&[7.0, 8.0]));
        first.merge(&second);
        first.merge(&Samples::default());
        let found = first.spread().unwrap();
        let whole = of(&[4.0, 0.0, 11.0, 7.0, 8.0]).spread().unwrap();
        assert_eq!((found.samples, found.min, found.max, found.mean), (5, 0.0, 11.0, 6.0));
        assert!((found.stdev - 14.0f64.sqrt()).abs() < 1e-12, "{found:?}");
        assert!((found.stdev - whole.stdev).abs() < 1e-12, "{whole:?}");
    }

    #[test]
    fn nothing_moved_has_no_spread() {
        assert_eq!(of(&[]).spread(), None);
        assert_eq!(of(&[0.0, 0.0]).spread(), None);
        assert!((of(&[0.0, 6.0]).spread().unwrap().stdev - 3.0).abs() < 1e-12);
    }
}
