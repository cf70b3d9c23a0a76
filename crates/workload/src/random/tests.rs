//! Each distribution against its known shares and moments, with fixed seeds: 200 000 draws, and bounds of five
//! standard errors or more, which a right generator passes for almost every seed.

use rstest::rstest;

use super::{Distribution, RandOptions, RandType};
use crate::Rng;

const DRAWS: usize = 200_000;

fn draws(options: &RandOptions, n: u64) -> Vec<u64> {
    let distribution = Distribution::new(options, n);
    let mut rng = Rng::keyed(&[7, n]);
    (0..DRAWS).map(|_| distribution.draw(&mut rng)).collect()
}

fn of(rand_type: RandType) -> RandOptions {
    RandOptions { rand_type, ..RandOptions::default() }
}

/// Share of the draws in `low..=high`.
fn share(draws: &[u64], low: u64, high: u64) -> f64 {
    draws.iter().filter(|&&draw| (low..=high).contains(&draw)).count() as f64 / draws.len() as f64
}

fn mean_and_deviation(draws: &[u64]) -> (f64, f64) {
    let count = draws.len() as f64;
    let mean = draws.iter().map(|&draw| draw as f64).sum::<f64>() / count;
    let square = draws.iter().map(|&draw| (draw as f64 - mean).powi(2)).sum::<f64>() / count;
    (mean, square.sqrt())
}

/// Pearson's statistic, as a distance from its mean in standard deviations.
fn chi_square(draws: &[u64], expected: &[f64]) -> f64 {
    let mut seen = vec![0.0; expected.len()];
    for &draw in draws {
        seen[draw as usize - 1] += 1.0;
    }
    let count = draws.len() as f64;
    let statistic: f64 =
        seen.iter().zip(expected).map(|(seen, share)| (seen - share * count).powi(2) / (share * count)).sum();
    let freedom = expected.len() as f64 - 1.0;
    (statistic - freedom) / (2.0 * freedom).sqrt()
}

#[rstest]
fn every_draw_is_a_row(
    #[values(RandType::Uniform, RandType::Special, RandType::Gaussian, RandType::Pareto, RandType::Zipfian)]
    rand_type: RandType,
    #[values(1, 2, 3, 99, 1 << 33, 9_000_000_000_000_000_000, u64::MAX)] n: u64,
) {
    let distribution = Distribution::new(&of(rand_type), n);
    let mut rng = Rng::keyed(&[1, n]);
    let drawn: Vec<u64> = (0..10_000).map(|_| distribution.draw(&mut rng)).collect();
    assert!(drawn.iter().all(|draw| (1..=n).contains(draw)), "{rand_type:?} over {n}");
    if n <= 3 {
        assert!((1..=n).all(|row| drawn.contains(&row)), "{rand_type:?} never draws a row of {n}");
    } else if n > 1 << 32 {
        assert!(drawn.iter().any(|&draw| draw > n / 2), "{rand_type:?} over {n} stays in the first half");
        assert!(drawn.iter().any(|draw| draw % 2 == 1), "{rand_type:?} over {n} draws even rows only");
    }
}

#[test]
fn uniform_hits_all_alike() {
    let distance = chi_square(&draws(&of(RandType::Uniform), 100), &[0.01; 100]);
    assert!(distance.abs() < 5.0, "{distance}");
}

#[test]
fn uniform_is_even_above_32_bits() {
    let n = 10_000_000_000;
    let drawn = draws(&of(RandType::Uniform), n);
    let tenths: Vec<u64> = drawn.iter().map(|draw| (draw - 1) / (n / 10) + 1).collect();
    let distance = chi_square(&tenths, &[0.1; 10]);
    assert!(distance.abs() < 5.0, "{distance}");
}

#[rstest]
fn special_sends_three_quarters_to_the_upper_three_quarters_of_the_middle_percent(
    #[values(10_000, 10_000_000_000)] n: u64,
) {
    let drawn = draws(&of(RandType::Special), n);
    let hot = share(&drawn, n / 2 - n / 400, n / 2 + n / 200 + 1);
    // The bell of the other quarter is centred there as well: 3.6 % of it, with its deviation of n / 12.
    assert!((hot - (0.75 + 0.25 * 0.036)).abs() < 0.006, "{hot}");
    let cold: Vec<u64> = drawn.into_iter().filter(|draw| draw.abs_diff(n / 2) > n / 200).collect();
    let (mean, deviation) = mean_and_deviation(&cold);
    assert!((mean / n as f64 - 0.5).abs() < 0.005, "{mean}");
    assert!((deviation / n as f64 - 1.0 / 12.0).abs() < 0.005, "{deviation}");
}

/// Shares of 400,000 draws of sysbench 1.0.20.
#[rstest]
#[case(10, &[(3, 0.0055), (4, 0.0580), (5, 0.3723), (6, 0.5585), (7, 0.0056)])]
#[case(100, &[(49, 0.0118), (50, 0.2629), (51, 0.5108), (52, 0.0116)])]
#[case(200, &[(99, 0.0058), (100, 0.2561), (101, 0.3401), (102, 0.1719), (103, 0.0058)])]
#[case(1000, &[(498, 0.0689), (499, 0.0921), (505, 0.0921), (506, 0.0460), (509, 0.0013)])]
fn special_draws_from_few_rows_as_sysbench_does(#[case] n: u64, #[case] shares: &[(u64, f64)]) {
    let drawn = draws(&of(RandType::Special), n);
    for &(row, expected) in shares {
        let drawn = share(&drawn, row, row);
        assert!((drawn - expected).abs() < 0.006, "{row} of {n}: {drawn}, not {expected}");
    }
}

#[test]
fn special_without_hot_rows_is_a_bell() {
    let drawn = draws(&RandOptions { rand_spec_res: 0, ..of(RandType::Special) }, 1_000_000);
    assert!(share(&drawn, 495_001, 505_000) < 0.06);
}

#[rstest]
fn gaussian_has_nearly_the_shares_of_a_normal(#[values(1_000_000, 10_000_000_000)] n: u64) {
    let drawn = draws(&of(RandType::Gaussian), n);
    let (mean, deviation) = mean_and_deviation(&drawn);
    let width = n as f64;
    assert!((mean / width - 0.5).abs() < 0.002, "{mean}");
    assert!((deviation / width - 1.0 / 12.0).abs() < 0.001, "{deviation}");
    for (sigmas, expected) in [(1, 0.6827), (2, 0.9545), (3, 0.9973)] {
        let inside = share(&drawn, n / 2 - sigmas * n / 12 + 1, n / 2 + sigmas * n / 12);
        assert!((inside - expected).abs() < 0.006, "{sigmas} sigma: {inside}");
    }
}

#[test]
fn gaussian_averages_as_many_uniform_numbers_as_it_is_told() {
    let shares = |rand_spec_iter| {
        let drawn = draws(&RandOptions { rand_spec_iter, ..of(RandType::Gaussian) }, 10);
        chi_square(&drawn, &[0.02, 0.06, 0.10, 0.14, 0.18, 0.18, 0.14, 0.10, 0.06, 0.02])
    };
    // The mean of two has the shares of a triangle.
    assert!(shares(2).abs() < 5.0, "{}", shares(2));
    assert!(shares(1) > 100.0 && shares(3) > 100.0);
}

#[rstest]
fn pareto_obeys_its_share(#[values(0.1, 0.2, 0.4)] h: f64, #[values(1_000_000, 10_000_000_000)] n: u64) {
    let drawn = draws(&RandOptions { rand_pareto_h: h, ..of(RandType::Pareto) }, n);
    let first = (n as f64 * h) as u64;
    let hit = share(&drawn, 1, first);
    assert!((hit - (1.0 - h)).abs() < 0.006, "{hit}");
    // Self-similar: the same again within the first part.
    let inner: Vec<u64> = drawn.into_iter().filter(|&draw| draw <= first).collect();
    let hit = share(&inner, 1, (first as f64 * h) as u64);
    assert!((hit - (1.0 - h)).abs() < 0.01, "{hit}");
}

#[rstest]
fn zipfian_follows_its_power(#[values(0.0, 0.5, 0.8, 1.0, 1.5, 3.0)] exponent: f64) {
    let weights: Vec<f64> = (1..=50).map(|row| f64::from(row).powf(-exponent)).collect();
    let sum: f64 = weights.iter().sum();
    let expected: Vec<f64> = weights.iter().map(|weight| weight / sum).collect();
    let drawn = draws(&RandOptions { rand_zipfian_exp: exponent, ..of(RandType::Zipfian) }, 50);
    let distance = chi_square(&drawn, &expected);
    assert!(distance.abs() < 5.0, "{distance}");
}

#[test]
fn zipfian_is_right_above_32_bits() {
    // Sum of i^-0.8 up to n, by the Euler-Maclaurin formula: 5 n^0.2 + zeta(0.8), zeta(0.8) = -4.43754.
    let n = 10_000_000_000_u64;
    let sum = |n: f64| 5.0 * n.powf(0.2) - 4.437_54;
    let drawn = draws(&of(RandType::Zipfian), n);
    for end in [1_000, 1_000_000, 1 << 32] {
        let (hit, expected) = (share(&drawn, 1, end), sum(end as f64) / sum(n as f64));
        assert!((hit - expected).abs() < 0.006, "first {end}: {hit}, not {expected}");
    }
}
