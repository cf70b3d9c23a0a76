//! The Poisson process against its theory, with fixed seeds: every bound is far out in the tail of a right
//! implementation, and the outcome is the same on every run.

use assay_pace::{Arrivals, Schedule, Share};

const RATE: f64 = 10_000.0;

fn instants(seed: u64, arrivals: usize) -> Vec<u64> {
    Schedule::new(&Arrivals::Poisson { rate: RATE }, seed, Share::WHOLE).unwrap().take(arrivals).collect()
}

/// Gaps in units of the mean gap, sorted; the first gap starts at 0.
fn gaps(seed: u64, arrivals: usize) -> Vec<f64> {
    let mut last = 0;
    let mut gaps: Vec<f64> = Vec::with_capacity(arrivals);
    for instant in instants(seed, arrivals) {
        gaps.push((instant - last) as f64 * RATE / 1e9);
        last = instant;
    }
    gaps.sort_unstable_by(f64::total_cmp);
    gaps
}

#[test]
fn gaps_are_exponential() {
    const GAPS: usize = 200_000;
    let n = GAPS as f64;
    for seed in 0..5 {
        let gaps = gaps(seed, GAPS);
        let mean = gaps.iter().sum::<f64>() / n;
        let variance = gaps.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>() / (n - 1.0);
        // Standard errors: 1/√n of the mean, √(8/n) of the variance.
        assert!((mean - 1.0).abs() < 4.0 / n.sqrt(), "mean {mean}");
        assert!((variance - 1.0).abs() < 4.0 * (8.0 / n).sqrt(), "variance {variance}");
        // Kolmogorov and Smirnov: √n · D passes 1.95 once in a thousand.
        let distance = gaps
            .iter()
            .enumerate()
            .map(|(rank, gap)| {
                let expected = 1.0 - (-gap).exp();
                (expected - rank as f64 / n).abs().max((expected - (rank + 1) as f64 / n).abs())
            })
            .fold(0.0, f64::max);
        assert!(n.sqrt() * distance < 1.95, "seed {seed}: KS distance {distance}");
    }
}

#[test]
fn counts_are_poisson() {
    // Arrivals in each of 2 000 windows of 10 ms: mean and variance are both 100.
    const WINDOWS: usize = 2_000;
    let mut counts = vec![0.0f64; WINDOWS];
    for instant in instants(42, 250_000) {
        if let Some(count) = counts.get_mut((instant / 10_000_000) as usize) {
            *count += 1.0;
        }
    }
    let windows = WINDOWS as f64;
    let mean = counts.iter().sum::<f64>() / windows;
    let variance = counts.iter().map(|count| (count - mean).powi(2)).sum::<f64>() / (windows - 1.0);
    assert!((mean - 100.0).abs() < 4.0 * 10.0 / windows.sqrt(), "mean {mean}");
    assert!(
        (variance / mean - 1.0).abs() < 4.0 * (2.0 / windows).sqrt(),
        "index of dispersion {}",
        variance / mean
    );
}

#[test]
fn neighbouring_gaps_are_independent() {
    let mut last = 0;
    let mut deviations = Vec::new();
    for instant in instants(9, 100_000) {
        deviations.push((instant - last) as f64 * RATE / 1e9 - 1.0);
        last = instant;
    }
    let n = deviations.len() as f64;
    let correlation = deviations.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>() / n;
    assert!(correlation.abs() < 4.0 / n.sqrt(), "lag-1 correlation {correlation}");
}

#[test]
fn the_seed_names_the_process() {
    assert_eq!(instants(3, 100), instants(3, 100));
    assert_ne!(instants(3, 100), instants(4, 100));
}
