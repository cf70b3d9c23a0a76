//! Closed loop: the time a user thinks between two transactions.

use assay_workload::Rng;

use assay_format::job::Think;

/// First word of the key: these numbers are not those of operations.
const THINK: u64 = 0x0074_6869_6E6B;

/// The thinking of one terminal: a function of (seed, terminal, number).
pub(crate) struct Thinker {
    think: Think,
    rng: Rng,
    begun: bool,
}

impl Thinker {
    pub(crate) fn new(think: Think, seed: u64, terminal: u32) -> Self {
        Self { think, rng: Rng::keyed(&[THINK, seed, u64::from(terminal)]), begun: false }
    }

    /// The next think time, in nanoseconds. The first is what is left of one that began before we looked: a random
    /// part of a constant one; an exponential one has no memory.
    pub(crate) fn next_ns(&mut self) -> u64 {
        let unit = self.rng.unit();
        let first = !std::mem::replace(&mut self.begun, true);
        let ms = match self.think {
            Think::Constant { mean_ms } if first => mean_ms * unit,
            Think::Constant { mean_ms } => mean_ms,
            Think::Exponential { mean_ms } => -mean_ms * (1.0 - unit).ln(),
        };
        (ms * 1e6) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_as_asked() {
        for think in [Think::Constant { mean_ms: 5.0 }, Think::Exponential { mean_ms: 5.0 }] {
            let mut thinker = Thinker::new(think, 1, 2);
            let mean = (0..20_000).map(|_| thinker.next_ns() as f64).sum::<f64>() / 20_000.0;
            assert!((mean / 5e6 - 1.0).abs() < 0.03, "{think:?}: {mean}");
        }
    }

    #[test]
    fn terminals_do_not_think_in_step() {
        let first = |terminal| Thinker::new(Think::Constant { mean_ms: 5.0 }, 1, terminal).next_ns();
        assert_ne!(first(0), first(1));
        assert_eq!(first(3), first(3));
    }
}
