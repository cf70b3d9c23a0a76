//! Processors: primes by trial division.

use std::hint::black_box;

use crate::work::Work;

/// The work of one thread: every event counts the primes below the same limit.
pub(crate) struct Primes {
    pub limit: u64,
}

impl Work for Primes {
    #[inline]
    fn event(&mut self) {
        black_box(primes_below(black_box(self.limit)));
    }
}

/// The number of primes below `limit`, of at most 2^32: each number is divided by all from 2 to its root, until one divides
/// it.
fn primes_below(limit: u64) -> u64 {
    let mut primes = 0;
    for number in 2..limit {
        let root = (number as f64).sqrt() as u64;
        let mut divisor = 2;
        while divisor <= root && remainder(number, divisor) != 0 {
            divisor += 1;
        }
        primes += u64::from(divisor > root);
    }
    primes
}

/// The remainder of a division of 64 bits.
///
/// Compilers that know how slow it is on some processors divide small numbers by 32 bits instead. Figures could not be set
/// beside those of sysbench then, whose compiler does not.
#[cfg(target_arch = "x86_64")]
#[inline]
fn remainder(number: u64, divisor: u64) -> u64 {
    debug_assert!(divisor > 0);
    let remainder: u64;
    // SAFETY: the divisor is not 0 and the upper half of the dividend is, so that the quotient has room.
    unsafe {
        std::arch::asm!(
            "div {divisor}",
            divisor = in(reg) divisor,
            inout("rax") number => _,
            inout("rdx") 0u64 => remainder,
            options(pure, nomem, nostack),
        );
    }
    remainder
}

#[cfg(not(target_arch = "x86_64"))]
#[inline]
fn remainder(number: u64, divisor: u64) -> u64 {
    number % divisor
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primes_are_counted_right() {
        // Values of π: Hardy and Wright, An Introduction to the Theory of Numbers, and OEIS A006880.
        let known = [
            (3, 1),
            (4, 2),
            (5, 2),
            (6, 3),
            (10, 4),
            (100, 25),
            (1_000, 168),
            (10_000, 1_229),
            (100_000, 9_592),
        ];
        for (limit, primes) in known {
            assert_eq!(primes_below(limit), primes, "below {limit}");
        }
        assert_eq!((primes_below(0), primes_below(2)), (0, 0));
    }

    #[test]
    fn the_square_of_a_prime_is_none() {
        for prime in [2u64, 3, 5, 7, 97, 251] {
            assert_eq!(primes_below(prime * prime + 1), primes_below(prime * prime), "{prime}");
        }
    }

    #[test]
    fn remainders_are_those_of_the_language() {
        for number in [1, 2, 99, 1 << 32, u64::MAX] {
            for divisor in [1, 2, 7, 1 << 31, u64::MAX - 1] {
                assert_eq!(remainder(number, divisor), number % divisor, "{number} by {divisor}");
            }
        }
    }
}
