//! What `tatp` sends and makes.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::tatp::options::{KINDS, Options, Subscribers};
use crate::tatp::population::{ACCESS_INFO, CALL_FORWARDING, Population, SPECIAL_FACILITY, slots};
use crate::testing::{Transcript, now, operation, with};
use crate::{Driver, Rng, Visitor};

/// For every kind how often it came, and the statements of its first transaction, of so many where selects find this.
struct Kinds(u64, &'static str);

impl Visitor for Kinds {
    type Output = BTreeMap<Arc<str>, (u64, String)>;

    fn visit<D: Driver>(self, workload: D) -> Self::Output {
        let mut worker = workload.terminal(&workload.local(), 0, 1);
        let (kinds, mut seen) = (workload.kinds(), Self::Output::new());
        for number in 0..self.0 {
            let (mut recorder, mut operation) =
                (Transcript::of(&workload).finding(self.1), operation(42, 0, number));
            now(workload.transaction(&mut worker, &mut operation, &mut recorder)).expect("an answer");
            let kind = kinds[usize::from(operation.kind.expect("a kind").0)].clone();
            seen.entry(kind).or_insert_with(|| (0, recorder.lines.join("\n"))).0 += 1;
        }
        seen
    }
}

fn kinds(options: Value, count: u64) -> BTreeMap<Arc<str>, (u64, String)> {
    with("tatp", options, Kinds(count, "1000")).expect("options that can be")
}

#[test]
fn the_mix_is_the_standards() {
    let seen = kinds(json!({}), 40_000);
    for (kind, percent) in KINDS.iter().zip(Options::default().weights()) {
        // Deviation at most 96.
        assert!((seen[*kind].0 as f64 - percent * 400.0).abs() < 500.0, "{kind}: {}", seen[*kind].0);
    }
}

#[test]
fn one_transaction_of_each_kind() {
    let mut lines = Vec::new();
    let seen = kinds(json!({}), 2_000);
    for kind in KINDS {
        lines.push(format!("# {kind}\n{}", seen[kind].1));
    }
    let only = json!({"get_subscriber_data": 0, "get_new_destination": 0, "get_access_data": 0,
        "update_subscriber_data": 0, "update_location": 0, "delete_call_forwarding": 0});
    let inserted = ["1", "2", "3", "4"].into_iter().find_map(|facility| {
        let seen = with("tatp", only.clone(), Kinds(1, facility)).expect("options that can be");
        seen["insert_call_forwarding"]
            .1
            .contains("insert_forwarding")
            .then(|| seen["insert_call_forwarding"].1.clone())
    });
    lines.push(format!("# with the facility\n{}", inserted.expect("one of four types")));
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn subscribers_have_what_the_description_says() {
    let population = Population { seed: 42 };
    let subscribers = 20_000;
    let mut counts = [[0_u32; 5]; 2];
    for subscriber in 1..=subscribers {
        for (at, table) in [ACCESS_INFO, SPECIAL_FACILITY].into_iter().enumerate() {
            counts[at][population.has(table, subscriber).count_ones() as usize] += 1;
        }
        let (facilities, forwardings) =
            (population.has(SPECIAL_FACILITY, subscriber), population.has(CALL_FORWARDING, subscriber));
        for facility in 0..4 {
            assert!(
                facilities >> facility & 1 == 1 || (forwardings >> (facility * 3)).trailing_zeros() >= 3,
                "{subscriber}"
            );
        }
    }
    for table in counts {
        assert_eq!(table[0], 0);
        // 5000 each, deviation 61.
        assert!(table[1..].iter().all(|count| count.abs_diff(5_000) < 350), "{counts:?}");
    }
    // Of the pairs of subscriber and type 62.5 %; of those each hour with a half.
    let share = |table| {
        let rows = population.rows_in(table, 1, subscribers * slots(table));
        rows as f64 / (subscribers * slots(table)) as f64
    };
    assert!((share(ACCESS_INFO) - 0.625).abs() < 0.006);
    assert!((share(CALL_FORWARDING) - 0.3125).abs() < 0.006);
}

#[test]
fn rows_are_those_that_are_counted() {
    let population = Population { seed: 7 };
    for table in 0..=CALL_FORWARDING {
        let (first, last) = (10 * slots(table) + 1, 60 * slots(table));
        let mut out = Vec::new();
        let mut rng = Rng::keyed(&[1]);
        let rows = (first..=last).filter(|number| {
            let before = out.len();
            population.row(table, *number, &mut rng, &mut out);
            out.len() > before
        });
        assert_eq!(rows.count() as u64, population.rows_in(table, first, last), "table {table}");
        if table == CALL_FORWARDING {
            insta::assert_snapshot!("forwardings", String::from_utf8(out).expect("ASCII")[..120].to_owned());
        }
    }
}

#[test]
fn subscribers_are_drawn_by_the_size_of_the_population() {
    for (subscribers, a) in [(100_000, 65_535), (5_000_000, 1_048_575), (50_000_000, 2_097_151)] {
        let drawn = Subscribers::new(&Options { subscribers, ..Options::default() });
        let mut rng = Rng::keyed(&[3]);
        let (mut ones, draws) = (0_u64, 20_000);
        for _ in 0..draws {
            let id = drawn.draw(&mut rng);
            assert!((1..=subscribers).contains(&id));
            ones += u64::from((id & a).count_ones());
        }
        let bits = f64::from(a.count_ones());
        // Each bit of an OR of two draws is set in three of four; of a uniform number in one of two.
        let share = ones as f64 / f64::from(draws) / bits;
        assert!(share > 0.58, "{subscribers}: {share}");
        let all_alike = Options {
            subscribers,
            distribution: super::options::Distribution::Uniform,
            ..Options::default()
        };
        let uniform = Subscribers::new(&all_alike);
        let ones: u64 = (0..draws).map(|_| u64::from((uniform.draw(&mut rng) & a).count_ones())).sum();
        assert!((ones as f64 / f64::from(draws) / bits - 0.5).abs() < 0.03, "{subscribers}");
    }
}
