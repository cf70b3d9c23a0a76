//! The choice of the next kind of operation: by chance, in fixed shares.

use crate::{OptionError, Rng};

/// Kinds by number, each with its share.
#[derive(Debug, Clone)]
pub(crate) struct Shares {
    /// Upper ends of the shares, of 1. The last kind that has a share, and all after it, end at 1.
    ends: Vec<f64>,
}

impl Shares {
    /// Shares in proportion to `weights`, whatever their sum.
    ///
    /// # Errors
    /// All of them are 0.
    pub(crate) fn new(weights: &[f64]) -> Result<Self, OptionError> {
        let sum: f64 = weights.iter().sum();
        let Some(last) = weights.iter().rposition(|weight| *weight > 0.0) else {
            return Err(OptionError("nothing to send: the share of every kind of operation is 0".into()));
        };
        let mut end = 0.0;
        let mut ends: Vec<f64> = weights
            .iter()
            .map(|weight| {
                end += weight / sum;
                end
            })
            .collect();
        // Where rounding leaves a gap below 1.
        ends[last..].fill(1.0);
        Ok(Self { ends })
    }

    /// The number of a kind.
    #[inline]
    pub(crate) fn draw(&self, rng: &mut Rng) -> usize {
        let drawn = rng.unit();
        self.ends.iter().position(|end| drawn < *end).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_come_in_proportion_to_their_weights() {
        let shares = Shares::new(&[3.0, 0.0, 1.0, 6.0, 0.0]).expect("shares");
        let mut rng = Rng::keyed(&[1]);
        let mut seen = [0_u32; 5];
        (0..100_000).for_each(|_| seen[shares.draw(&mut rng)] += 1);
        assert_eq!((seen[1], seen[4]), (0, 0));
        for (count, expected) in [(seen[0], 30_000), (seen[2], 10_000), (seen[3], 60_000)] {
            // Deviation at most 155.
            assert!(count.abs_diff(expected) < 900, "{seen:?}");
        }
    }

    #[test]
    fn without_a_share_there_is_nothing_to_send() {
        assert!(Shares::new(&[0.0, 0.0]).is_err());
        let only = Shares::new(&[0.0, 0.1, 0.0]).expect("one share");
        let mut rng = Rng::keyed(&[2]);
        assert!((0..10_000).all(|_| only.draw(&mut rng) == 1));
    }
}
