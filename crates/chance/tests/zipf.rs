//! Zipf's law: its shares, and the ranks that recorded runs drew.

use assay_chance::{ApproximateZipf, Rng, Zipf};

#[test]
fn frequencies_follow_the_law() {
    for theta in [0.0, 0.8, 1.0, 1.2] {
        let (n, draws) = (1000u64, 400_000);
        let law = Zipf::new(n, theta);
        let mut rng = Rng::keyed(&[1, 2]);
        let mut counts = vec![0u32; n as usize];
        for _ in 0..draws {
            counts[law.rank(&mut rng) as usize] += 1;
        }
        let total: f64 = (1..=n).map(|k| (k as f64).powf(-theta)).sum();
        for k in [1u64, 2, 5, 20] {
            let expected = f64::from(draws) * (k as f64).powf(-theta) / total;
            let found = f64::from(counts[k as usize - 1]);
            // Four deviations of a count.
            assert!(
                (found - expected).abs() < 4.0 * expected.sqrt(),
                "theta {theta}, rank {k}: {found} for {expected}"
            );
        }
    }
}

#[test]
fn the_ranks_of_a_key_never_change() {
    let law = Zipf::new(1000, 0.8);
    let mut rng = Rng::keyed(&[1, 2]);
    assert_eq!(std::array::from_fn(|_| law.rank(&mut rng)), [257, 947, 7, 483, 8, 1, 108, 445]);
}

#[test]
fn one_rank_is_drawn_always() {
    let mut rng = Rng::keyed(&[1]);
    assert!(
        (0..100).all(|_| Zipf::new(1, 0.99).rank(&mut rng) == 0 && Zipf::new(0, 0.99).rank(&mut rng) == 0)
    );
}

#[test]
fn the_closed_form_is_gray_s() {
    let law = ApproximateZipf::new(1000, 0.8);
    assert_eq!([0.0, 0.1, 0.3, 0.5, 0.9, 0.999].map(|p| law.quantile(p)), [0, 1, 17, 80, 661, 996]);
    let whole: f64 = (0..1000).map(|rank| law.share(rank)).sum();
    assert!((whole - 1.0).abs() < 1e-9, "{whole}");
}
