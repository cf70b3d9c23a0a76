//! Streams are what recorded runs were drawn from: their words are goldens.

use assay_chance::{Rng, chained, mix, open_unit, unit};

fn three(mut rng: Rng) -> [u64; 3] {
    std::array::from_fn(|_| rng.u64())
}

#[test]
fn the_words_of_a_key_never_change() {
    assert_eq!(
        three(Rng::keyed(&[1, 2])),
        [0x4e30_a10c_80b7_ac56, 0x0380_bdee_5044_add7, 0xcb73_c742_390a_2f2a]
    );
    assert_eq!(
        three(Rng::blended(&[1, 2])),
        [0xd422_edc1_88ea_5d4d, 0xbe82_9b63_9220_cadb, 0xc65e_3bc7_92a5_10bb]
    );
    assert_eq!(three(Rng::seeded(7)), [0x7d93_d2ae_0779_ab16, 0x7564_2efe_9606_2fd4, 0xdd85_cf50_e730_d8f6]);
    assert_eq!(chained(&[1, 2]), 0x848a_1390_3710_5040);
}

#[test]
fn the_finaliser_is_that_of_the_paper() {
    // The first two numbers of java.util.SplittableRandom with seed 0, whose steps are those of the paper.
    let step = 0x9E37_79B9_7F4A_7C15_u64;
    assert_eq!(mix(step), 0xE220_A839_7B1D_CDAF);
    assert_eq!(mix(step.wrapping_mul(2)), 0x6E78_9E6A_A1B9_65F4);
}

#[test]
fn a_word_is_found_without_walking_there() {
    let mut walked = Rng::seeded(3);
    let found = walked.clone();
    for index in 0..100 {
        assert_eq!(walked.u64(), found.at(index));
    }
    assert!(found.open_unit_at(7) > 0.0 && found.open_unit_at(7) <= 1.0);
}

#[test]
fn a_range_reaches_both_ends_and_no_further() {
    let mut rng = Rng::keyed(&[3]);
    let drawn: Vec<u64> = (0..1_000).map(|_| rng.range(u64::MAX - 2, u64::MAX)).collect();
    for value in u64::MAX - 2..=u64::MAX {
        assert!(drawn.contains(&value));
    }
    assert!(drawn.iter().all(|&value| value >= u64::MAX - 2));
    assert_eq!(rng.range(7, 7), 7);
    assert!((0..100).any(|_| rng.range(0, u64::MAX) > u64::MAX / 2));
    let below: Vec<u64> = (0..1_000).map(|_| rng.below(3)).collect();
    assert!((0..3).all(|value| below.contains(&value)) && below.iter().all(|value| *value < 3));
}

#[test]
fn units_keep_to_their_ends() {
    let ends = |of: fn(u64) -> f64| [of(0), of(u64::MAX)];
    let [low, high] = ends(unit);
    assert!(low.abs() < f64::MIN_POSITIVE && high < 1.0);
    let [low, high] = ends(open_unit);
    assert!(low > 0.0 && (high - 1.0).abs() < f64::MIN_POSITIVE);
    let mut rng = Rng::keyed(&[4]);
    let mean = (0..100_000).map(|_| rng.unit()).sum::<f64>() / 1e5;
    assert!((mean - 0.5).abs() < 0.005, "{mean}");
}
