//! The numbers of `java.util.Random` (documented in its API): the shuffle of ids is drawn from them, so that ours hits
//! the ids of the original.

const MULTIPLIER: u64 = 0x5_DEEC_E66D;
const INCREMENT: u64 = 0xB;
const BITS: u32 = 48;
const MASK: u64 = (1 << BITS) - 1;

/// A linear congruential generator of 48 bits.
#[derive(Debug, Clone)]
pub(crate) struct JavaRandom {
    state: u64,
}

impl JavaRandom {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: (seed ^ MULTIPLIER) & MASK }
    }

    /// The upper `bits` of the next state.
    fn next(&mut self, bits: u32) -> u64 {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT) & MASK;
        self.state >> (BITS - bits)
    }

    /// `nextInt(bound)`: uniform below `bound`, which is at most 2^31 - 1.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        debug_assert!(bound > 0 && bound < 1 << 31);
        if bound.is_power_of_two() {
            return (bound * self.next(31)) >> 31;
        }
        loop {
            let bits = self.next(31);
            let value = bits % bound;
            // What Java sees as an overflow of its 32 bits.
            if bits - value + (bound - 1) < 1 << 31 {
                return value;
            }
        }
    }

    /// `nextDouble()`.
    #[cfg(test)]
    pub(crate) fn unit(&mut self) -> f64 {
        let high = self.next(26) << 27;
        (high + self.next(27)) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_java() {
        // Printed by Java: nextInt of Random(42), each bound with a fresh one.
        for (bound, values) in [
            (97, [41, 65, 15, 68]),
            (976, [554, 459, 208, 404]),
            (1024, [745, 55, 699, 49]),
            // Every second draw of such a bound is thrown away.
            ((1 << 30) + 1, [117_392_763, 102_948_884, 662_969_970, 595_021_505]),
        ] {
            let mut random = JavaRandom::new(42);
            assert_eq!([(); 4].map(|()| random.below(bound)), values, "{bound}");
        }
        let mut random = JavaRandom::new(42);
        assert!((random.unit() - 0.727_563_680_032_868_1).abs() < 1e-15);
        assert!((random.unit() - 0.683_223_471_759_845_4).abs() < 1e-15);
    }
}
