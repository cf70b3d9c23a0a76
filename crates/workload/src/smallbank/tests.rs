//! What `smallbank` sends and makes.

use std::collections::BTreeMap;
use std::sync::Arc;

use rstest::rstest;
use serde_json::{Value, json};

use crate::smallbank::data::SmallBankData;
use crate::smallbank::options::{Customers, Hotspot, KINDS, Options};
use crate::testing::{Transcript, now, operation, with};
use crate::{Dataset, Driver, Rng, Visitor};

/// For every kind how often it came, and the statements of its first transaction.
struct Kinds(u64);

impl Visitor for Kinds {
    type Output = BTreeMap<Arc<str>, (u64, String)>;

    fn visit<D: Driver>(self, workload: D) -> Self::Output {
        let mut worker = workload.terminal(&workload.local(), 3, 8);
        let (kinds, mut seen) = (workload.kinds(), Self::Output::new());
        for number in 0..self.0 {
            let (mut recorder, mut operation) = (Transcript::of(&workload), operation(42, 3, number));
            now(workload.transaction(&mut worker, &mut operation, &mut recorder)).expect("an answer");
            let kind = kinds[usize::from(operation.kind.expect("a kind").0)].clone();
            seen.entry(kind).or_insert_with(|| (0, recorder.lines.join("\n"))).0 += 1;
        }
        seen
    }
}

fn kinds(options: Value, count: u64) -> BTreeMap<Arc<str>, (u64, String)> {
    with("smallbank", options, Kinds(count)).expect("options that can be")
}

#[test]
fn the_mix_is_the_papers_and_can_be_another() {
    let seen = kinds(json!({}), 40_000);
    // Deviation 80.
    assert!(seen.len() == 5 && seen.values().all(|(count, _)| count.abs_diff(8_000) < 450));
    let later = json!({"balance": 15, "deposit_checking": 15, "transact_savings": 15, "amalgamate": 15,
        "write_check": 15, "send_payment": 25});
    assert!(kinds(later, 40_000)["send_payment"].0.abs_diff(10_000) < 450);
}

#[test]
fn one_transaction_of_each_kind() {
    let mut lines = Vec::new();
    for options in [json!({"send_payment": 20}), json!({"ledger": "on", "read_locks": "off"})] {
        lines.push(format!("# {options}"));
        let seen = kinds(options, 200);
        lines.extend(KINDS.iter().filter_map(|kind| Some(format!("# {kind}\n{}", seen.get(*kind)?.1))));
    }
    insta::assert_snapshot!(lines.join("\n"));
}

#[rstest]
#[case(Hotspot::Fixed, 100, 0.9)]
#[case(Hotspot::Percentage, 2_500, 0.9)]
#[case(Hotspot::None, 100, 0.01)]
fn the_hot_customers_get_their_share(#[case] hotspot: Hotspot, #[case] hot: u64, #[case] share: f64) {
    let options = Options { accounts: 10_000, hotspot, hotspot_size: 100, ..Options::default() };
    let (customers, mut rng) = (Customers::new(&options), Rng::keyed(&[1]));
    let (mut found, draws) = (0, 50_000);
    for _ in 0..draws {
        let [one, other] = customers.draw(&mut rng);
        assert!(one != other && (1..=10_000).contains(&one) && (1..=10_000).contains(&other));
        if hotspot != Hotspot::None {
            assert_eq!(one <= hot, other <= hot);
        }
        found += u32::from(one <= hot);
    }
    // Deviation at most 0.0014.
    assert!((f64::from(found) / f64::from(draws) - share).abs() < 0.008, "{found}");
}

#[rstest]
#[case(2, 2, 100.0)]
#[case(3, 2, 0.0)]
#[case(5, 5, 50.0)]
fn few_customers_are_enough(
    #[case] accounts: u64,
    #[case] hotspot_size: u64,
    #[case] hotspot_probability: f64,
) {
    let customers =
        Customers::new(&Options { accounts, hotspot_size, hotspot_probability, ..Options::default() });
    let mut rng = Rng::keyed(&[2]);
    for _ in 0..1_000 {
        let [one, other] = customers.draw(&mut rng);
        assert!(one != other && (1..=accounts).contains(&one) && (1..=accounts).contains(&other));
    }
}

#[test]
fn the_ledger_begins_with_what_the_accounts_hold() {
    let options = Options { accounts: 500, ledger: crate::option::Switch(true), ..Options::default() };
    let data = SmallBankData::new(&options, 7).expect("options that can be");
    let row = |table, number| {
        let mut out = Vec::new();
        data.row(table, number, &mut Rng::keyed(&[1]), &mut out);
        String::from_utf8(out).expect("ASCII")
    };
    let second = |row: &str| row.split(',').nth(1).map(|it| it.trim_end_matches(')').replace('.', ""));
    let cents = |row: &str| second(row).and_then(|it| it.parse::<u64>().ok()).expect("money");
    let sum: u64 = (1..=500).flat_map(|customer| [cents(&row(1, customer)), cents(&row(2, customer))]).sum();
    assert_eq!(cents(&row(3, 1)), sum);
    assert_eq!(row(0, 12), "(12,'000000000000012')");
    assert!(data.checks().iter().any(|check| &*check.name == "money-conserved"));
}

#[test]
fn options_that_exclude_each_other_are_refused() {
    let refused = |options| with("smallbank", options, Kinds(0)).expect_err("refused").0;
    assert_eq!(refused(json!({"accounts": 10})), "smallbank: hotspot_size = 1000, but there are 10 accounts");
    assert_eq!(
        refused(json!({"min_balance": 9, "max_balance": 3})),
        "smallbank: min_balance = 9 is above max_balance = 3"
    );
}
