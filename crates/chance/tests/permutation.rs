//! Permutations: every number once, torn apart, and the same ones for ever.

use assay_chance::Permutation;

fn sorted<const ROUNDS: usize, const STREAMS: bool>(
    permutation: &Permutation<ROUNDS, STREAMS>,
    n: u64,
) -> Vec<u64> {
    let mut seen: Vec<u64> = (0..n).map(|index| permutation.at(index)).collect();
    seen.sort_unstable();
    seen
}

#[test]
fn every_number_comes_once() {
    for n in [1u64, 2, 3, 7, 64, 1000, 3000, 4097] {
        for key in 0..3 {
            assert!(sorted(&Permutation::new(n, key), n).into_iter().eq(0..n), "n {n}, key {key}");
            let strong = Permutation::<6, true>::with_keys(n, [key; 6]);
            assert!(sorted(&strong, n).into_iter().eq(0..n), "n {n}, key {key}");
        }
    }
}

#[test]
fn neighbours_are_torn_apart() {
    let n = 1 << 16;
    let permutation = Permutation::new(n, 7);
    let near = (1..n).filter(|i| permutation.at(*i).abs_diff(permutation.at(i - 1)) < n / 100).count();
    // By chance 2 % of the gaps are that small.
    assert!((near as f64 / n as f64 - 0.02).abs() < 0.01, "{near}");
}

#[test]
fn the_places_of_a_key_never_change() {
    let places = Permutation::new(1000, 7);
    assert_eq!(std::array::from_fn(|index| places.at(index as u64)), [16, 28, 555, 423, 96, 581]);
    let places = Permutation::<6, true>::with_keys(1000, [1, 2, 3, 4, 5, 6]);
    assert_eq!(std::array::from_fn(|index| places.at(index as u64)), [708, 497, 572, 26, 439, 738]);
}
