//! The fates that a behaviour deals out, as numbers: no server, no clock. Seeds are fixed, bounds are four standard
//! errors or the 1-in-1000 limit of the test named.

use assay_nullserver::Behaviour;
use assay_nullserver::fault::{Delay, InjectedError, Outcome, When};

const STATEMENTS: u64 = 1_000;
const CONNECTIONS: u32 = 100;
const N: f64 = 100_000.0;

fn behaviour(seed: u64, delay: Delay) -> Behaviour {
    Behaviour { seed, delay: Some(delay), ..Behaviour::default() }
}

/// The delays of all statements of all connections, in milliseconds.
fn delays(behaviour: &Behaviour) -> Vec<f64> {
    (1..=CONNECTIONS)
        .flat_map(|connection| (1..=STATEMENTS).map(move |statement| (connection, statement)))
        .map(|(connection, statement)| behaviour.fate(connection, statement).delay_ns as f64 / 1e6)
        .collect()
}

#[test]
fn exponential_delays_are_exponential() {
    for seed in [1, 2, 3] {
        let mut delays = delays(&behaviour(seed, Delay::Exponential { mean_ns: 5_000_000 }));
        let mean = delays.iter().sum::<f64>() / N;
        assert!((mean / 5.0 - 1.0).abs() < 4.0 / N.sqrt(), "mean {mean} ms");
        delays.sort_unstable_by(f64::total_cmp);
        // Kolmogorov and Smirnov.
        let distance = (0u32..)
            .zip(&delays)
            .map(|(rank, delay)| (1.0 - (-delay / 5.0).exp() - (f64::from(rank) + 0.5) / N).abs())
            .fold(0.0, f64::max);
        assert!(N.sqrt() * distance < 1.95, "seed {seed}: {distance}");
    }
}

#[test]
fn bimodal_delays_have_their_share() {
    let delay = Delay::Bimodal { first_ns: 1_000_000, second_ns: 50_000_000, probability: 0.05 };
    let delays = delays(&behaviour(9, delay));
    let of = |ms: f64| delays.iter().filter(|&&delay| (delay - ms).abs() < 1e-9).count();
    assert_eq!(of(1.0) + of(50.0), delays.len());
    let slow = of(50.0) as f64;
    assert!((slow - 0.05 * N).abs() < 4.0 * (N * 0.05 * 0.95).sqrt(), "{slow} slow ones");
}

#[test]
fn constant_delays_are_constant() {
    assert!(
        delays(&behaviour(1, Delay::Constant { ns: 2_000_000 }))
            .iter()
            .all(|&delay| (delay - 2.0).abs() < 1e-9)
    );
}

#[test]
fn connections_and_statements_are_independent() {
    let delays = delays(&behaviour(4, Delay::Exponential { mean_ns: 1_000_000 }));
    let correlation = |lag: usize| {
        let pairs = delays.iter().zip(&delays[lag..]);
        pairs.map(|(first, second)| (first - 1.0) * (second - 1.0)).sum::<f64>() / N
    };
    // The next statement, and the same statement of the next connection.
    for lag in [1, STATEMENTS as usize] {
        assert!(correlation(lag).abs() < 4.0 / N.sqrt(), "lag {lag}: {}", correlation(lag));
    }
}

#[test]
fn faults_have_their_share_and_do_not_hang_together() {
    let behaviour = Behaviour {
        seed: 2,
        error: Some(InjectedError { code: 1213, when: When::Probability(0.1) }),
        reset: Some(When::Probability(0.1)),
        ..Behaviour::default()
    };
    let count = |wanted: Outcome| {
        let all =
            (1..=CONNECTIONS).flat_map(|connection| (1..=STATEMENTS).map(move |number| (connection, number)));
        all.filter(|&(connection, number)| behaviour.fate(connection, number).outcome == wanted).count()
            as f64
    };
    let bound = |share: f64| 4.0 * (N * share * (1.0 - share)).sqrt();
    assert!((count(Outcome::Reset) - 0.1 * N).abs() < bound(0.1));
    // An error shows where there is no reset: 0.9 · 0.1, if the two are drawn apart.
    assert!((count(Outcome::Error { code: 1213 }) - 0.09 * N).abs() < bound(0.09));
}

#[test]
fn counted_faults_hit_where_they_say() {
    let outcomes = |behaviour: Behaviour| (1..=6).map(move |number| behaviour.fate(1, number).outcome);
    let calm = Behaviour::default();
    let after = Behaviour { hang: Some(When::After(4)), ..calm };
    assert!(outcomes(after).eq([Outcome::Reply; 4].into_iter().chain([Outcome::Hang; 2])));
    let every = Behaviour { reset: Some(When::Every(3)), ..calm };
    let hits: Vec<bool> = outcomes(every).map(|outcome| outcome == Outcome::Reset).collect();
    assert_eq!(hits, [false, false, true, false, false, true]);
    assert!(outcomes(calm).all(|outcome| outcome == Outcome::Reply));
    let never = Behaviour { reset: Some(When::Probability(0.0)), ..calm };
    assert!(outcomes(never).all(|outcome| outcome == Outcome::Reply));
}
