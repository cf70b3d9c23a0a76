//! Files of statements: what they send, and what is said of those that are wrong.

use std::collections::BTreeMap;

use assay_wire::Row;
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
    let listing = Own::listing("sql:shop.sql", SHOP, &BTreeMap::new(), &Map::new()).expect("a listing");
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
#[case(
    "-- @let a = int(1..9)  -- @let b = int(1..9)\nSELECT :a, :b;",
    "shop.sql:1:1: a second annotation in one comment, @let: "
)]
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
    "-- @transaction a thinks=10ms\nSELECT 1;",
    "shop.sql:1:1: \"thinks=10ms\" is nothing that a transaction has; did you mean think=?"
)]
#[case("-- @transaction a think=10\nSELECT 1;", "shop.sql:1:1: think=10: a time has a number and a unit")]
#[case("-- @transaction a retry=-1\nSELECT 1;", "retry=-1: a transaction is tried again 0 to 1000000 times")]
#[case("-- @now yesterday\nSELECT 1;", "shop.sql:1:1: @now is written like @now \"2026-01-05 12:00\"")]
#[case("-- @now 2099-01-01\nSELECT 1;", "servers can be told an instant from 1970")]
#[case("-- @now 2026-01-01\n-- @now 2026-01-02\nSELECT 1;", "shop.sql:2:1: @now stands once in a file")]
#[case("-- @option n = 1\n-- @transaction a think=${n\nSELECT 1;", "${n is not closed by }")]
#[case("-- @let a = column(t.c, in order)\nSELECT :a;", "rows of a table have no order: write shuffled")]
#[case("-- @let a = csv(u.csv: x, sorted up)\nSELECT :a;", "does not say how: rows, distinct")]
#[case("-- @let a = text(1..9, squeezed 5%)\nSELECT :a;", "text is written like text(5..20)")]
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
    let mut visit = own.terminal(&own.local(), 0, 3);
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
    let value = |own: &Own| sent(own, &mut own.terminal(&own.local(), 0, 1), 5, None).0.pop();
    let number = |line: Option<String>| line.and_then(|line| line.rsplit(' ').next().map(str::to_owned));
    assert_eq!(number(value(&alone)), number(value(&beside)));
}

#[test]
fn rows_of_a_file_are_drawn_together() {
    let files = BTreeMap::from([("users.csv".to_owned(), "id,name\n1,\"a, b\"\n2,c\n".to_owned())]);
    let text = "-- @transaction a\nSELECT :id, :name; -- @let (id, name) = csv(users.csv: id, name)\n";
    let mut own = Own::read("sql:a.sql", text, &files, &Map::new()).expect("a file");
    own.answered().expect("rows");
    let mut visit = own.terminal(&own.local(), 0, 1);
    let lines: Vec<String> = (0..40).map(|number| sent(&own, &mut visit, number, None).0.concat()).collect();
    assert!(
        lines.iter().all(|line| line.ends_with("'1', 'a, b'") || line.ends_with("'2', 'c'")),
        "{lines:?}"
    );
    assert!(lines.iter().any(|line| line.ends_with("'c'")) && lines.iter().any(|line| line.ends_with("b'")));
    let missing = Own::read("sql:a.sql", text, &BTreeMap::new(), &Map::new()).expect_err("refused").0;
    assert_eq!(missing, "a.sql: the file users.csv, which rows are drawn from, is not there");
}

#[test]
fn a_transaction_says_how_often_it_is_tried_how_long_is_thought_after_it_and_which_time_it_is() {
    let text = "\
-- @now \"2026-01-05 12:00\"
-- @option ms = 10: think time
-- @transaction a weight=1 think=${ms}ms retry=2
SELECT 1;
-- @transaction b weight=0
SELECT 2;
";
    let own = read(text, json!({"ms": 20})).expect("a file").seeded(7);
    let pace = own.pace().expect("a pace");
    assert_eq!((pace.pause(0, 1).think_ns, pace.terminals()), (20_000_000, None));
    assert!(read(text, json!({"ms": 0})).expect("a file").pace().is_none());
    let mut operation = Operation::new(7, 0, 0);
    now(own.transaction(&mut own.terminal(&own.local(), 0, 1), &mut operation, &mut Transcript::of(&own)))
        .expect("nothing is refused");
    assert_eq!(operation.most_tries, Some(3));
    assert_eq!(own.pinned_time(), Some(1_767_614_400));
    assert_eq!(own.statements().setup(), ["SET timestamp = 1767614400"]);
    assert_eq!(own.facts()["time of the statements"], "from 2026-01-05 12:00:00 UTC on, with the load");
}

/// The values of all inserts that three terminals send in so many operations each.
fn inserted(own: &Own, operations: u64) -> Vec<String> {
    let local = own.local();
    let mut found = Vec::new();
    for terminal in 0..3 {
        let mut visit = own.terminal(&local, terminal, 3);
        for number in 0..operations {
            let mut transcript = Transcript::of(own);
            let mut operation = Operation::new(7, terminal, number);
            now(own.transaction(&mut visit, &mut operation, &mut transcript)).expect("nothing is refused");
            for line in transcript.lines {
                let (_, values) = line.split_once("VALUES (").expect("an insert");
                found.extend(values.trim_end_matches(')').split(", ").map(str::to_owned));
            }
        }
    }
    found
}

#[test]
fn numbers_of_a_sequence_come_once_whoever_draws_them() {
    for head in ["-- @let id = seq(100)\n", ""] {
        // Of the head or not, a column's numbers are one sequence for all transactions, lists and repeats.
        let draw = if head.is_empty() { " -- @let id = seq(o.id)" } else { "" };
        let text = format!(
            "{head}-- @transaction a\nINSERT INTO o VALUES (:id);{draw}\n-- @repeat 3\nINSERT INTO o VALUES (:id);{draw}\n\
            -- @end\n-- @transaction b\nINSERT INTO o VALUES (:id*2);{draw}\n"
        );
        let mut own = read(&text, json!({})).expect("a file");
        own.asked_nothing();
        let mut found = inserted(&own, 60);
        if !head.is_empty() {
            // One value of the head for a whole transaction, and for each of a list.
            found.dedup();
        }
        let count = found.len();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), count, "{text}");
    }
}

#[test]
fn uuids_of_version_7_grow_with_the_operations_and_texts_compress_as_they_are_told() {
    let own = read("INSERT INTO t VALUES (:id); -- @let id = uuid7\n", json!({})).expect("a file");
    let local = own.local();
    let (mut visit, mut before) = (own.terminal(&local, 0, 3), String::new());
    for number in 0..50 {
        let (lines, _) = sent(&own, &mut visit, number, None);
        let id = lines[0].split('\'').nth(1).expect("a text").to_owned();
        assert!(id > before && id.len() == 36 && &id[14..15] == "7", "{id}");
        before = id;
    }
    let text = "INSERT INTO t VALUES (:t); -- @let t = text(200..200, compressible 75%)\n";
    let own = read(text, json!({})).expect("a file");
    let (lines, _) = sent(&own, &mut own.terminal(&own.local(), 0, 1), 0, None);
    assert!(lines[0].ends_with(&format!("{}')", "x".repeat(150))), "{lines:?}");
}

#[test]
fn every_draw_of_the_guide_is_one() {
    let guide = include_str!("../../../../docs/guide/my-queries.md");
    let table = guide.split("| draw |").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("a table");
    let mut found = 0;
    for row in table.lines().skip(2) {
        let cell = row.split(" | ").next().unwrap_or_default();
        for draw in cell.split('`').skip(1).step_by(2) {
            let text = format!("SELECT :a, :b; -- @let (a, b) = {draw}\n");
            let two = read(&text, json!({})).map(drop);
            let one = read(&text.replace("(a, b)", "b = 1, a"), json!({})).map(drop);
            let only_its_file = |refused: &OptionError| refused.0.contains("is not there");
            assert!(
                [&two, &one].iter().any(|read| read.as_ref().err().is_none_or(only_its_file)),
                "{draw}: {two:?} {one:?}"
            );
            found += 1;
        }
    }
    assert!(found > 25, "{found}");
}

#[rstest]
#[case("datetime(2026-01-01 12:30:45.5..2026-01-02 00:00:00)", "is no time")]
#[case("datetime(2026-01-01 12:xx:30..2026-01-02 00:00:00)", "is no time")]
#[case("date(2026-01-x-05..2026-02-01)", "is no date")]
#[case("decimal(..5.00)", "is no decimal number")]
#[case("decimal(0.0000000000000000001..0.0000000000000000009)", "at most 18 digits")]
fn what_is_read_in_part_alone_is_refused(#[case] draw: &str, #[case] why: &str) {
    let refused = read(&format!("SELECT :a; -- @let a = {draw}\n"), json!({})).map(drop).expect_err(draw);
    assert!(refused.0.contains(why), "{}", refused.0);
}

#[rstest]
#[case("abc", Err("shop.sql:1:34: seq(o.id): its largest value is not a whole number from 0 on"))]
#[case("-3", Err("is not a whole number from 0 on"))]
#[case("1.5", Err("is not a whole number from 0 on"))]
#[case("18446744073709551615", Err("is not a whole number from 0 on"))]
#[case("41", Ok("(42)"))]
fn a_sequence_goes_on_from_a_whole_number_alone(#[case] largest: &str, #[case] expected: Result<&str, &str>) {
    let mut own =
        read("INSERT INTO o VALUES (:id, 'a'); -- @let id = seq(o.id)\n", json!({})).expect("a file");
    for question in own.questions().into_iter().filter(|question| question.sql.starts_with("SELECT MAX")) {
        Row::of_text(&[largest], |row| question.rows.row(row));
    }
    match (own.answered(), expected) {
        (Ok(()), Ok(value)) => {
            let (lines, _) = sent(&own, &mut own.terminal(&own.local(), 0, 1), 0, None);
            assert!(lines[0].contains(&value.replace(')', ",")), "{lines:?}");
        }
        (Err(refused), Err(words)) => assert!(refused.0.contains(words), "{}", refused.0),
        (found, _) => panic!("{largest}: {found:?}"),
    }
}

#[rstest]
#[case("'x'", "no count up to 1,000,000")]
#[case("-1", "no count up to 1,000,000")]
#[case("1000001", "no count up to 1,000,000")]
#[case("null", "no count up to 1,000,000")]
#[case("'3'", "")]
#[case("0", "")]
fn turns_are_a_count(#[case] value: &str, #[case] message: &str) {
    let text =
        format!("-- @transaction a\n-- @let n = {value}\n-- @repeat :n\nSELECT 1;\n-- @end\nSELECT 2;\n");
    let own = read(&text, json!({})).expect("a file");
    let (lines, outcome) = sent(&own, &mut own.terminal(&own.local(), 0, 1), 0, None);
    match outcome {
        Ok(()) => assert!(message.is_empty() && lines.len() == if value == "0" { 1 } else { 4 }, "{lines:?}"),
        Err(Failure::Data(why)) => assert!(!message.is_empty() && why.contains(message), "{why}"),
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn what_an_answer_gave_goes_into_the_statements_after_it() {
    let text = "\
-- @transaction a
INSERT INTO o VALUES (1); -- @save id = insert_id, n = affected_rows
-- @repeat :n
SELECT :id IN (:other*3), :n; -- @let other = int(5..5)
-- @end
";
    let own = read(text, json!({})).expect("a file");
    let mut transcript = Transcript::of(&own).affecting(2);
    let mut operation = Operation::new(7, 0, 0);
    now(own.transaction(&mut own.terminal(&own.local(), 0, 1), &mut operation, &mut transcript))
        .expect("answers");
    assert_eq!(
        transcript.lines[1..],
        ["select: SELECT 0 IN (5, 5, 5), 2", "select: SELECT 0 IN (5, 5, 5), 2"]
    );
    // The place of the first answer that is kept: what is sent depends on the data from there on.
    let listing = Own::listing("sql:a.sql", text, &BTreeMap::new(), &Map::new()).expect("a listing");
    let first = listing["remarks"][0].as_str().unwrap_or_default();
    assert!(first.starts_with("a.sql:2:27: @save"), "{listing}");
}
