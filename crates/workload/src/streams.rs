//! The streams of random numbers of operations, and of chunks of a table.

use assay_chance::Rng;

// First words of the keys: without them operation 0 of terminal 0 would repeat the numbers of chunk 0 of table 0.
const OPERATION: u64 = 1;
const CHUNK: u64 = 2;

/// The random numbers of operation `number` (from 0) of a terminal.
pub fn rng_of_operation(seed: u64, terminal: u32, number: u64) -> Rng {
    Rng::keyed(&[OPERATION, seed, u64::from(terminal), number])
}

/// The random numbers of chunk `chunk` (from 0) of table `table` (from 0).
pub fn rng_of_chunk(seed: u64, table: usize, chunk: u64) -> Rng {
    Rng::keyed(&[CHUNK, seed, table as u64, chunk])
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn streams_of_near_keys_have_nothing_in_common() {
        let mut seen = HashSet::new();
        let mut streams = Vec::new();
        for seed in [0, 1, u64::MAX] {
            for number in 0..20 {
                for part in 0..20 {
                    streams.push(rng_of_operation(seed, part, number));
                    streams.push(rng_of_chunk(seed, part as usize, number));
                }
            }
        }
        let count = streams.len() * 20;
        for mut rng in streams {
            seen.extend((0..20).map(|_| rng.u64()));
        }
        assert_eq!(seen.len(), count);
    }
}
