//! Rows are what the profile says: as many different values, each as frequent; keys unique; references met.

use std::collections::{BTreeMap, BTreeSet};

use crate::spec::*;
use crate::spread::Spread;
use crate::{Fault, Model};

const INT: ValueForm = ValueForm::Whole { least: -2_147_483_648, most: 2_147_483_647 };

fn range(from: i128, to: i128, share: f64, distinct: u64) -> ValueRange {
    ValueRange { from, to, share, distinct }
}

fn column(name: &str, form: ValueForm, ranges: Vec<ValueRange>) -> ColumnProfile {
    let name = name.to_owned();
    ColumnProfile {
        name,
        form,
        nulls: 0.0,
        order: 0.0,
        grows: false,
        ranges,
        top: Vec::new(),
        compressed: 1.0,
    }
}

fn table(name: &str, rows: u64, columns: Vec<ColumnProfile>, key: KeyProfile) -> TableProfile {
    let name = name.to_owned();
    TableProfile { name, rows, grows: true, columns, keys: vec![key], ..TableProfile::default() }
}

fn key(columns: &[&str], distinct: &[u64], fan_outs: Vec<Vec<FanOut>>) -> KeyProfile {
    let columns = columns.iter().map(|name| (*name).to_owned()).collect();
    KeyProfile { columns, distinct: distinct.to_vec(), fan_outs }
}

fn fan_out(each: u64, share: f64) -> FanOut {
    FanOut { from: each, to: each, mean: each as f64, share }
}

/// Customers with 0, 1 or 5 orders each, of which each has 1 to 3 lines; stock of every item in every shop.
fn shop(scale: f64) -> Profile {
    let id = |rows: u64| column("id", INT, vec![range(1, rows.into(), 1.0, rows)]);
    let reference = |columns: &str, table: &str, fan_out: Vec<FanOut>| ReferenceProfile {
        columns: vec![columns.to_owned()],
        table: table.to_owned(),
        to: vec!["id".to_owned()],
        fan_out,
    };
    let top = |hash: u64, share: f64, length: u64| TopValue { share, length, hash, value: None };
    let mut name = column("name", ValueForm::Text, vec![range(3, 3, 0.1, 40), range(9, 20, 0.4, 300)]);
    name.top = vec![top(77, 0.3, 12), top(78, 0.2, 2)];
    let mut mail = column("mail", ValueForm::Text, vec![range(10, 40, 1.0, 900)]);
    mail.nulls = 0.1;
    let customers = table("customers", 1000, vec![id(1000), name, mail], key(&["id"], &[], vec![]));
    let customers = TableProfile {
        keys: [customers.keys.clone(), vec![key(&["mail"], &[], vec![])]].concat(),
        ..customers
    };
    let mut of = column("customer", INT, vec![]);
    (of.nulls, of.order) = (0.2, 0.5);
    let state = column("state", INT, vec![range(0, 0, 0.9, 1), range(1, 4, 0.1, 4)]);
    let orders = table("orders", 1500, vec![id(1500), of, state], key(&["id"], &[], vec![]));
    let orders = TableProfile {
        references: vec![reference(
            "customer",
            "customers",
            vec![fan_out(0, 0.5), fan_out(1, 0.325), fan_out(5, 0.175)],
        )],
        ..orders
    };
    let lines = table(
        "lines",
        3000,
        vec![column("orders", INT, vec![]), column("line", INT, vec![range(1, 3, 1.0, 3)])],
        key(&["orders", "line"], &[1500], vec![vec![fan_out(1, 0.3), fan_out(2, 0.4), fan_out(3, 0.3)]]),
    );
    let lines = TableProfile {
        references: vec![reference(
            "orders",
            "orders",
            vec![fan_out(1, 0.3), fan_out(2, 0.4), fan_out(3, 0.3)],
        )],
        ..lines
    };
    let stock = table(
        "stock",
        500,
        vec![
            column("shop", INT, vec![range(1, 5, 1.0, 5)]),
            column("item", INT, vec![range(1, 100, 1.0, 100)]),
        ],
        key(&["shop", "item"], &[5], vec![vec![fan_out(100, 1.0)]]),
    );
    Profile { name: "shop.data.toml".into(), scale, tables: vec![customers, orders, lines, stock] }
}

/// The rows of a table, each as the texts of its values.
fn rows(model: &Model, name: &str) -> Vec<Vec<String>> {
    let at = model.tables().iter().position(|table| table.name == name).expect("the table");
    let row = |row| {
        let mut out = Vec::new();
        model.row(at, row, &mut out);
        let text = String::from_utf8(out).expect("UTF-8");
        text[1..text.len() - 1].split(',').map(str::to_owned).collect()
    };
    (0..model.tables()[at].rows).map(row).collect()
}

fn counts(rows: &[Vec<String>], column: usize) -> BTreeMap<&str, u64> {
    let mut found = BTreeMap::new();
    for row in rows {
        *found.entry(row[column].as_str()).or_default() += 1;
    }
    found
}

fn distinct(rows: &[Vec<String>], columns: &[usize]) -> usize {
    rows.iter()
        .map(|row| columns.iter().map(|at| &row[*at]).collect::<Vec<_>>())
        .collect::<BTreeSet<_>>()
        .len()
}

#[test]
fn keys_are_unique_and_references_meet() {
    [1.0, 10.0, 0.1].into_iter().for_each(keys_at);
}

fn keys_at(scale: f64) {
    let model = Model::new(&shop(scale), 1).expect("a model");
    assert!(model.notes.is_empty(), "{:?}", model.notes);
    let [customers, orders, lines, stock] =
        ["customers", "orders", "lines", "stock"].map(|name| rows(&model, name));
    let scaled = |rows: u64| (rows as f64 * scale) as usize;
    assert_eq!([&customers, &orders, &lines, &stock].map(Vec::len), [1000, 1500, 3000, 500].map(scaled));
    assert_eq!(distinct(&customers, &[0]), customers.len());
    assert_eq!(distinct(&lines, &[0, 1]), lines.len());
    assert_eq!(distinct(&stock, &[0, 1]), stock.len());
    let mails = customers.iter().filter(|row| row[2] != "NULL").map(|row| row[2].to_lowercase());
    let mails: Vec<String> = mails.collect();
    assert_eq!(mails.len(), customers.len() * 9 / 10);
    assert_eq!(mails.iter().collect::<BTreeSet<_>>().len(), mails.len());
    for (rows, parents) in [(&orders, &customers), (&lines, &orders)] {
        let ids: BTreeSet<&str> = parents.iter().map(|row| row[0].as_str()).collect();
        let column = usize::from(std::ptr::eq(rows, &raw const orders));
        assert!(rows.iter().all(|row| row[column] == "NULL" || ids.contains(row[column].as_str())));
    }
}

#[test]
fn values_are_as_frequent_as_they_were() {
    [1.0, 10.0].into_iter().for_each(frequent_at);
}

fn frequent_at(scale: f64) {
    let model = Model::new(&shop(scale), 7).expect("a model");
    let customers = rows(&model, "customers");
    let names = counts(&customers, 1);
    // An enumeration keeps its values, whatever the scale.
    assert_eq!(names.len(), 342);
    let mut most: Vec<u64> = names.values().copied().collect();
    most.sort_unstable();
    assert_eq!(most[340..], [(200.0 * scale) as u64, (300.0 * scale) as u64]);
    let orders = rows(&model, "orders");
    let states = counts(&orders, 2);
    assert_eq!(states["0"], (1350.0 * scale) as u64);
    assert_eq!(states.len(), 5);
    let of_customers = counts(&orders, 1);
    assert_eq!(of_customers["NULL"], (300.0 * scale) as u64);
    let mut fan_outs: BTreeMap<u64, usize> = BTreeMap::new();
    for (_, count) in of_customers.iter().filter(|(id, _)| **id != "NULL") {
        *fan_outs.entry(*count).or_default() += 1;
    }
    let near = |fan_out: u64, share: f64| {
        let wanted = share * 1000.0 * scale;
        let found = fan_outs.get(&fan_out).copied().unwrap_or(0) as f64;
        assert!(
            (found - wanted).abs() <= 0.02 * 1000.0 * scale,
            "{fan_out}: {found}, not {wanted}: {fan_outs:?}"
        );
    };
    near(1, 0.325);
    near(5, 0.175);
}

#[test]
fn a_row_is_the_same_wherever_it_is_made_and_another_with_another_seed() {
    let [one, same, other] =
        [1, 1, 2].map(|seed| rows(&Model::new(&shop(1.0), seed).expect("a model"), "customers"));
    assert_eq!(one, same);
    assert_ne!(one, other);
}

#[test]
fn values_have_their_order() {
    [0.0, 0.6, -0.9, 1.0].into_iter().for_each(in_order);
}

fn in_order(order: f64) {
    let mut profile = shop(1.0);
    let mut at = column("at", ValueForm::Date, vec![range(10_000, 19_999, 1.0, 10_000)]);
    at.order = order;
    profile.tables[1] = table("dates", 10_000, vec![at], key(&[], &[], vec![]));
    profile.tables.truncate(2);
    let found = rows(&Model::new(&profile, 3).expect("a model"), "dates");
    let mut sorted: Vec<&str> = found.iter().map(|row| row[0].as_str()).collect();
    sorted.sort_unstable();
    let n = found.len() as f64;
    let squares = |(place, row): (usize, &Vec<String>)| {
        let rank = sorted.partition_point(|one| *one < row[0].as_str());
        (place as f64 - rank as f64).powi(2)
    };
    let correlation = 1.0 - 6.0 * found.iter().enumerate().map(squares).sum::<f64>() / (n * (n * n - 1.0));
    assert!((correlation - order).abs() < 0.05, "{correlation}");
}

#[test]
fn rows_belong_to_owners_without_gap() {
    belong(7, 7, &[fan_out(1, 1.0)]);
    belong(10, 35, &[fan_out(0, 0.5), fan_out(7, 0.5)]);
    belong(100, 37, &[fan_out(0, 0.6), fan_out(1, 0.4)]);
    belong(3, 1000, &[]);
    belong(1, 5, &[fan_out(0, 0.9), fan_out(50, 0.1)]);
}

fn belong(owners: u64, rows: u64, fan_outs: &[FanOut]) {
    let spread = Spread::new(owners, rows, fan_outs, 9);
    let mut row = 0;
    for owner in 0..owners {
        let of = spread.rows_of(owner);
        for number in 0..of {
            let belongs = spread.locate(row);
            assert_eq!((belongs.owner, belongs.number, belongs.of), (owner, number, of));
            row += 1;
        }
    }
    assert_eq!(row, rows);
}

#[test]
fn ranges_that_reach_into_each_other_make_no_value_of_a_key_twice() {
    let mut profile = shop(1.0);
    let ranges =
        vec![range(1, 100, 0.5, 40), range(1, 50, 0.2, 1), range(51, 100, 0.2, 1), range(90, 2000, 0.1, 958)];
    profile.tables[0].columns[0].ranges = ranges;
    let customers = rows(&Model::new(&profile, 1).expect("a model"), "customers");
    assert_eq!(distinct(&customers, &[0]), customers.len());
}

#[test]
fn a_key_counts_on_where_its_ranges_have_no_room() {
    let mut profile = shop(1.0);
    profile.tables[0].columns[0].ranges = vec![range(1, 100, 0.5, 100), range(300, 400, 0.5, 100)];
    let customers = rows(&Model::new(&profile, 1).expect("a model"), "customers");
    assert_eq!(distinct(&customers, &[0]), customers.len());
    assert!(customers.len() > 400);
}

#[test]
fn a_profile_is_read_as_it_was_written() {
    let mut profile = shop(10.0);
    profile.tables[0].columns[0].form = ValueForm::Whole { least: i64::MIN, most: u64::MAX };
    profile.tables[0].columns[0].ranges = vec![range(i64::MIN.into(), u64::MAX.into(), 1.0, u64::MAX)];
    let text = serde_json::to_string(&profile).expect("JSON");
    assert_eq!(serde_json::from_str::<Profile>(&text).expect("a profile"), profile);
}

fn spoilt(spoil: impl FnOnce(&mut Profile)) -> Fault {
    let mut profile = shop(1.0);
    spoil(&mut profile);
    Model::new(&profile, 1).expect_err("a fault")
}

#[test]
fn what_cannot_be_made_is_said() {
    let small = ValueForm::Whole { least: 0, most: 255 };
    let fault = spoilt(|profile| {
        profile.scale = 10.0;
        profile.tables[3].columns[0].form = small;
        profile.tables[0].columns[0].form = small;
    });
    assert_eq!(
        fault.to_string(),
        "table customers, column id: a key needs 10000 different values, and there are 255 from 1 to 255"
    );
    let fault = spoilt(|profile| profile.tables[1].references[0].table = "nobody".into());
    assert_eq!(fault.to_string(), "table orders, reference (customer): there is no table nobody");
    let fault = spoilt(|profile| profile.tables[0].keys[1].columns[0] = "post".into());
    assert_eq!(fault.to_string(), "table customers, key (post): there is no column post");
    let fault = spoilt(|profile| profile.tables[0].columns[2].ranges = vec![range(1, 1, 1.0, 900)]);
    assert!(
        fault.to_string().starts_with("table customers, column mail: a key needs 900 different texts"),
        "{fault}"
    );
}
