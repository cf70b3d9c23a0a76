//! Numbers of 32 bits that come once: `sysbench.rand.unique()`.
//!
//! They are places of one permutation, which begins where the seed says; each state of a load has every so-manyth place for
//! itself. So they are a function of the seed and of who draws, and those of different seeds differ unless the places of two
//! loads overlap: of two that draw a million numbers each, once in two thousand times.

use assay_workload::Rng;

/// The places of the permutation that belong to one state of a load: the `first` of each `of`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lane {
    pub first: u32,
    pub of: u32,
}

impl Default for Lane {
    fn default() -> Self {
        Self { first: 0, of: 1 }
    }
}

/// The next of the numbers of one state.
#[derive(Debug)]
pub(crate) struct Unique {
    place: u32,
    step: u32,
}

/// First word of the key of the place at which a seed begins.
const UNIQUE: u64 = 0x756e_6971_7565;
/// The largest prime below 2^32 that leaves 3 when it is divided by 4: the squares modulo it permute the numbers below.
const PRIME: u64 = 4_294_967_291;
/// What keeps the small numbers apart between the two times that they are permuted.
const MIXED: u32 = 0x9E37_79B9;

/// A permutation of the numbers of 32 bits (squares modulo a prime; those that the prime leaves over stay).
fn permuted(number: u32) -> u32 {
    let number = u64::from(number);
    if number >= PRIME {
        return number as u32;
    }
    let square = number * number % PRIME;
    (if number <= PRIME / 2 { square } else { PRIME - square }) as u32
}

impl Unique {
    pub(crate) fn new(seed: u64, lane: Lane) -> Self {
        let begin = Rng::keyed(&[UNIQUE, seed]).u64() as u32;
        Self { place: begin.wrapping_add(lane.first), step: lane.of }
    }

    pub(crate) fn draw(&mut self) -> u32 {
        let place = self.place;
        self.place = place.wrapping_add(self.step);
        permuted(permuted(place).wrapping_add(MIXED))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    fn drawn(seed: u64, lane: Lane, count: usize) -> Vec<u32> {
        let mut unique = Unique::new(seed, lane);
        (0..count).map(|_| unique.draw()).collect()
    }

    #[test]
    fn places_are_permuted() {
        for first in [0, PRIME as u32 / 2 - 500, u32::MAX - 999] {
            let seen: BTreeSet<u32> = (first..=first + 999).map(permuted).collect();
            assert_eq!(seen.len(), 1000);
        }
    }

    #[test]
    fn numbers_are_a_function_of_seed_and_lane_and_come_once() {
        let lanes = (0..5).map(|first| Lane { first, of: 5 });
        let all: BTreeSet<u32> = lanes.flat_map(|lane| drawn(7, lane, 1000)).collect();
        assert_eq!(all.len(), 5000);
        let one = Lane::default();
        assert_eq!(drawn(7, one, 100), drawn(7, one, 100));
        let of_seeds: BTreeSet<u32> = (0..20).flat_map(|seed| drawn(seed, one, 100)).collect();
        assert_eq!(of_seeds.len(), 2000);
    }

    /// What changes and is no part of a state: the memory of a thread's states, the code of files by their times, where a script
    /// was found to compute, and for the handler of a signal what runs on a thread, and where its script has failed, for the
    /// length of a call. A script sees none of it but the place in its own error.
    const KNOWN: [&str; 8] = ["STORE", "KNOWN", "FOUND", "COMPILED", "RUNS", "MET", "RAISED", "BEFORE"];

    /// What a script draws must depend neither on what ran before it in the process nor on who else runs.
    #[test]
    fn nothing_that_a_script_sees_is_kept_for_the_whole_process() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut seen = 0;
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let Ok(text) = fs::read_to_string(&path) else { continue };
            seen += 1;
            for line in text.lines().map(str::trim_start) {
                let kept = line.starts_with("static ") || line.starts_with("pub(crate) static ");
                let changes =
                    ["mut ", "Atomic", "Mutex", "RwLock", "Cell"].iter().any(|word| line.contains(word));
                let is_known = KNOWN.iter().any(|name| line.contains(&format!("static {name}:")));
                assert!(!kept || !changes || is_known, "{}: {line}", path.display());
            }
        }
        assert!(seen > 20);
    }
}
