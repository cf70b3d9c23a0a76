//! Files of statements: what they send, and what is said of those that are wrong.

use std::collections::BTreeMap;

use rstest::rstest;
use serde_json::{Map, Value, json};

use crate::own::Own;
use crate::testing::{Transcript, now};
use crate::{Description, Driver, Failure, Operation, OptionError};

const SHOP: &str = "\
-- @option mix = 10: share of checkouts
-- @option hint = off: the query with a hint
-- @let customer = int(1..1000, zipf 0.8)    -- a remark, with 'quotes'
-- @transaction checkout weight=$mix
BEGIN;
SELECT credit FROM customers WHERE id = :customer FOR UPDATE;
-- @save credit
INSERT INTO orders (customer_id, total, note) VALUES (:customer, :total, ':no'); -- @let total = decimal(5.00..500.00)
-- @save order = insert_id
-- @repeat 1..8
  INSERT INTO order_lines VALUES (:order, :line, :product); -- @let line = counter, product = int(1..50)
-- @end
COMMIT;
-- @transaction browse weight=90
-- @if $hint
SELECT /*+ NO_ICP(p) */ name FROM products p WHERE category IN (:category*3);
-- @else
SELECT name FROM products p WHERE category IN (:category*3); -- @let category = pick('a': 70, 'b': 30)
-- @end
";

fn read(text: &str, options: Value) -> Result<Own, OptionError> {
    let Value::Object(options) = options else { panic!("options are an object") };
    Own::read("sql:kit/shop.sql", text, &BTreeMap::new(), &options)
}

fn statements(text: &str, options: Value) -> Vec<(String, String)> {
    let own = read(text, options).expect("a file");
    let list = own.statements();
    let labelled =
        |one: &crate::Statement| (list.labels()[usize::from(one.label.0)].to_string(), one.sql.clone());
    list.list().iter().map(labelled).collect()
}

#[test]
fn statements_have_labels_and_marks() {
    let text = SHOP.replace("-- @if $hint\n", "-- @let category = int(1..2)\n-- @if $hint\n");
    let found = statements(&text, json!({}));
    let expected = [
        ("select_customers", "SELECT credit FROM customers WHERE id = ? FOR UPDATE"),
        ("insert_orders", "INSERT INTO orders (customer_id, total, note) VALUES (?, ?, ':no')"),
        ("insert_order_lines", "INSERT INTO order_lines VALUES (?, ?, ?)"),
        ("select_products", "SELECT name FROM products p WHERE category IN (?, ?, ?)"),
    ];
    assert_eq!(found, expected.map(|(label, sql)| (label.to_owned(), sql.to_owned())));
    let hinted = statements(&text, json!({"hint": true}));
    assert!(hinted[3].1.starts_with("SELECT /*+ NO_ICP(p) */"), "{hinted:?}");
}

#[test]
fn a_file_is_listed_with_its_options_and_kinds() {
    let listing = Own::listing("sql:shop.sql", SHOP, &BTreeMap::new()).expect("a listing");
    assert_eq!(listing["kinds"], json!(["checkout", "browse"]));
    assert_eq!(
        listing["options"]["properties"]["mix"],
        json!({
            "type": "integer", "default": 10, "description": "share of checkouts", "x-shapes": "load",
        })
    );
    assert_eq!(listing["writes"], true);
}

#[test]
fn statements_alone_are_transactions_of_their_own() {
    let own = read("SELECT 1;\nSELECT a FROM t WHERE id = :id; -- @let id = 5\n", json!({})).expect("a file");
    assert!(own.kinds().is_empty());
    assert_eq!(own.statements().list().len(), 2);
    assert!(!own.writes());
}

#[rstest]
#[case(
    "SELECT :custmer;\n-- @let customer = int(1..2)\n",
    "shop.sql:1:8: :custmer is never drawn; did you mean :customer?"
)]
#[case("SELECT :a;", "shop.sql:1:8: :a is never drawn: write -- @let a = … before it")]
#[case("-- @lett a = 1\nSELECT 1;", "shop.sql:1:1: @lett is no annotation; did you mean @let?")]
#[case("-- @let a = itn(1..2)\nSELECT :a;", "shop.sql:1:1: itn is no draw: there are column")]
#[case("-- @let a = int(9..2)\nSELECT :a;", "shop.sql:1:1: 9..2: the range ends before it begins")]
#[case("-- @let a = column(orders)\nSELECT :a;", "shop.sql:1:1: \"orders\" is no column, such as orders.id")]
#[case("-- @let a = column(a.b; DROP TABLE a)\nSELECT :a;", "is no column, such as orders.id")]
#[case("-- @let a = date(2026-02-30..2026-03-01)\nSELECT :a;", "the month has 28 days")]
#[case("-- @let (a, b) = row(t: x)\nSELECT :a;", "2 names for 1 values")]
#[case("-- @transaction a\nSELECT 1;\n-- @repeat 2\nSELECT 2;\n", "@repeat is not ended: write -- @end")]
#[case("-- @end\nSELECT 1;", "shop.sql:1:1: @end has nothing to end")]
#[case("-- @repeat 2\nSELECT 1;\n-- @end", "@repeat stands in a transaction")]
#[case(
    "-- @transaction a weight=$mx\nSELECT 1;",
    "$mx is not an option: declare it above, -- @option mx = 1"
)]
#[case("-- @transaction a weight=0\nSELECT 1;", "the weight of every transaction is 0")]
#[case(
    "-- @transaction a\nSELECT 1;\n-- @transaction a\nSELECT 2;",
    "shop.sql:3:1: a transaction is called a already"
)]
#[case("SELECT 'a", "shop.sql:1:8: a quote or a comment is not closed")]
#[case("SELECT ?", "shop.sql:1:8: a ? has no name to draw for: write :name")]
#[case("-- nothing", "the file has no statement to send")]
#[case("-- @save a\nSELECT 1;", "@save follows the statement whose answer it saves")]
#[case("-- @transaction a\nSELECT 1 AS n; -- @save n\nSELECT 1 IN (:n*2);\n", ":n is not drawn alone")]
fn what_is_wrong_is_named_where_it_stands(#[case] text: &str, #[case] message: &str) {
    let refused = read(text, json!({})).err().unwrap_or_else(|| panic!("{text:?} is taken")).0;
    assert!(refused.contains(message), "{refused}");
}

#[test]
fn an_option_that_the_file_does_not_declare_is_refused() {
    let refused = read(SHOP, json!({"mixx": 3})).expect_err("refused").0;
    assert_eq!(refused, "shop.sql has no option mixx; did you mean mix?");
    let none = read("SELECT 1;", json!({"mix": 3})).expect_err("refused").0;
    assert!(none.contains("declare it in the file, -- @option mix = 1"), "{none}");
    assert!(Own::read("sql:a.sql", "SELECT 1", &BTreeMap::new(), &Map::new()).is_ok());
}

/// What operation `number` of terminal 0 of three sends, and how it ends.
fn sent(
    own: &Own,
    visit: &mut <Own as Driver>::Terminal,
    number: u64,
    refuse: Option<usize>,
) -> (Vec<String>, Result<(), Failure>) {
    let transcript = Transcript::of(own);
    let mut transcript = match refuse {
        Some(call) => transcript.refusing(call),
        None => transcript,
    };
    let mut operation = Operation::new(7, 0, number);
    let outcome = now(own.transaction(visit, &mut operation, &mut transcript));
    (transcript.lines, outcome)
}

const LINES: &str = "\
-- @let day = date(2026-01-01..2026-12-31)
-- @transaction fill
BEGIN;
-- @repeat 2..4
INSERT INTO l VALUES (:id, :n, :day, :kind); -- @let id = seq(10), n = counter, kind = pick(a: 1, b: 1)
-- @end
COMMIT;
";

#[test]
fn a_try_of_the_same_operation_sends_the_same_and_the_next_goes_on() {
    let own = read(LINES, json!({})).expect("a file");
    let mut visit = own.terminal(&(), 0, 3);
    let (refused, outcome) = sent(&own, &mut visit, 0, Some(2));
    assert_eq!(outcome, Err(Failure::Server { code: 1213 }));
    let (first, _) = sent(&own, &mut visit, 0, None);
    assert_eq!(refused[..], first[..refused.len()]);
    let turns = first.len() - 2;
    assert!((2..=4).contains(&turns), "{first:?}");
    assert!(first[1].contains("VALUES (10, 1, '2026-"), "{first:?}");
    assert!(first[2].contains("VALUES (13, 2, '2026-"), "{first:?}");
    // One value of the head for the whole transaction, each number of the sequence once.
    let day = |line: &String| line.split(", ").nth(2).map(str::to_owned);
    assert_eq!(day(&first[1]), day(&first[2]));
    let (next, _) = sent(&own, &mut visit, 1, None);
    assert!(next[1].contains(&format!("VALUES ({}, 1, ", 10 + 3 * turns)), "{next:?}");
}

#[test]
fn what_a_name_draws_depends_on_no_other_name() {
    let alone =
        read("-- @transaction a\nSELECT :x; -- @let x = int(1..1000000)\n", json!({})).expect("a file");
    let beside = read(
        "-- @transaction a\nSELECT :y; -- @let y = hex(9)\nSELECT :x; -- @let x = int(1..1000000)\n",
        json!({}),
    );
    let beside = beside.expect("a file");
    let value = |own: &Own| sent(own, &mut own.terminal(&(), 0, 1), 5, None).0.pop();
    let number = |line: Option<String>| line.and_then(|line| line.rsplit(' ').next().map(str::to_owned));
    assert_eq!(number(value(&alone)), number(value(&beside)));
}

#[test]
fn rows_of_a_file_are_drawn_together() {
    let files = BTreeMap::from([("users.csv".to_owned(), "id,name\n1,\"a, b\"\n2,c\n".to_owned())]);
    let text = "-- @transaction a\nSELECT :id, :name; -- @let (id, name) = csv(users.csv: id, name)\n";
    let mut own = Own::read("sql:a.sql", text, &files, &Map::new()).expect("a file");
    own.answered().expect("rows");
    let mut visit = own.terminal(&(), 0, 1);
    let lines: Vec<String> = (0..40).map(|number| sent(&own, &mut visit, number, None).0.concat()).collect();
    assert!(
        lines.iter().all(|line| line.ends_with("'1', 'a, b'") || line.ends_with("'2', 'c'")),
        "{lines:?}"
    );
    assert!(lines.iter().any(|line| line.ends_with("'c'")) && lines.iter().any(|line| line.ends_with("b'")));
    let missing = Own::read("sql:a.sql", text, &BTreeMap::new(), &Map::new()).expect_err("refused").0;
    assert_eq!(missing, "a.sql: the file users.csv, which rows are drawn from, is not there");
}
