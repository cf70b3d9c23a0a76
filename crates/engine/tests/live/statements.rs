//! Files of statements on a real MariaDB: tables from files of SQL, draws from their rows, and what is said of faults.

use assay_wire::block_on;
use serde_json::{Value, json};

use super::engine::{database, job, number};
use crate::drive::{Said, carry_out, succeed};
use crate::support::{Server, server};

const DATA: &str = "\
/*M!999999\\- enable the sandbox mode */
/*!40101 SET NAMES utf8mb4 */;
/*!40014 SET @OLD_FOREIGN_KEY_CHECKS=@@FOREIGN_KEY_CHECKS, FOREIGN_KEY_CHECKS=0 */;
DROP TABLE IF EXISTS `orders`;
CREATE TABLE `orders` (`id` BIGINT PRIMARY KEY AUTO_INCREMENT, `customer` INT NOT NULL, `total` DECIMAL(8,2), `note` VARCHAR(40),
  CONSTRAINT `of` FOREIGN KEY (`customer`) REFERENCES `customers` (`id`));
LOCK TABLES `orders` WRITE;
/*!40000 ALTER TABLE `orders` DISABLE KEYS */;
INSERT INTO `orders` VALUES (1,30,1.50,'a;b'),(2,30,2.50,'-- no');
UNLOCK TABLES;
CREATE TABLE `customers` (`id` INT PRIMARY KEY, `credit` DECIMAL(8,2), `name` VARCHAR(40));
INSERT INTO `customers` VALUES (10,1.00,'Åsa'),(20,2.00,NULL),(30,3.00,'李');
DELIMITER ;;
CREATE TRIGGER `stamp` BEFORE INSERT ON `orders` FOR EACH ROW BEGIN SET NEW.note = CONCAT('new ', NEW.note); END ;;
DELIMITER ;
";

const SHOP: &str = "\
-- @data kit/data.sql
-- @option share = 1: weight of orders
-- @let customer = column(customers.id)
-- @transaction order weight=$share
BEGIN;
SELECT credit AS c FROM customers WHERE id = :customer FOR UPDATE;
-- @save c
INSERT INTO orders VALUES (:id, :customer, :c, :note); -- @let id = seq(orders.id), note = text(3..9)
-- @save affected = affected_rows
-- @repeat :affected
SELECT COUNT(*) FROM orders WHERE customer IN (:customer, :others*2); -- @let others = column(customers.id, distinct)
-- @end
COMMIT;
-- @transaction look weight=1
SELECT name FROM customers WHERE id = :customer;
";

fn work(server: &Server, name: &str, action: &str, source: &str, options: Value) -> Value {
    let mut job = job(server, name, action, json!({"phases": {"measure_ms": 0, "max_transactions": 600}}));
    let script = json!({"source": source, "files": {"kit/data.sql": DATA}});
    job["workload"] = json!({"name": "sql:shop.sql", "options": options, "script": script});
    job
}

fn message(said: &Said) -> &str {
    said.one("error")["message"].as_str().unwrap_or_default()
}

#[test]
fn a_file_makes_its_tables_and_draws_from_them() {
    let server = server();
    let name = "own_shop";
    database(&server, name);
    succeed(&work(&server, name, "prepare", SHOP, json!({})));
    let count = |what: &str| number(&server, &format!("SELECT {what} FROM {name}.orders"));
    assert_eq!(
        (
            count("COUNT(*)"),
            number(&server, &format!("SELECT COUNT(*) FROM {name}.customers WHERE name IN ('Åsa', '李')"))
        ),
        (2, 2)
    );
    assert_eq!(count("SUM(note LIKE 'new %')"), 0, "rows come before triggers");

    let said = succeed(&work(&server, name, "run", SHOP, json!({"share": 2})));
    let result = said.one("result");
    let kind = |kind: &str| result["kinds"][kind]["times"]["count"].as_i64().expect("a count");
    let orders = kind("order");
    assert!((330..=470).contains(&orders) && orders + kind("look") == 600, "{}", result["kinds"]);
    // Each number once, from the one after the largest; values saved from rows of the customer that was drawn.
    assert_eq!((count("COUNT(*)"), count("MIN(CASE WHEN id > 2 THEN id END)")), (orders + 2, 3));
    let odd = format!(
        "SELECT COUNT(*) FROM {name}.orders o JOIN {name}.customers c ON c.id = o.customer WHERE o.id > 2 AND (o.total <> c.credit OR o.note NOT LIKE 'new ___%')"
    );
    assert_eq!(number(&server, &odd), 0);
    assert_eq!(number(&server, &format!("SELECT COUNT(DISTINCT customer) FROM {name}.orders")), 3);
    assert_eq!(result["labels"]["select_orders"]["count"].as_i64(), Some(orders));
    assert_eq!(result["counters"]["reads_without_rows"], 0);
    assert!(
        result["facts"]["drawn from customers: id"]
            .as_str()
            .is_some_and(|fact| fact.starts_with("3 distinct of 3 rows")),
        "{}",
        result["facts"]
    );
    assert!(said.all("doubt").iter().all(|doubt| doubt["kind"] != "misses"));
}

#[test]
fn reads_that_find_nothing_are_doubted_and_end_what_needed_their_row() {
    let server = server();
    let name = "own_misses";
    database(&server, name);
    succeed(&work(&server, name, "prepare", SHOP, json!({})));
    let source = SHOP.replace("column(customers.id)\n", "int(1..1000)\n");
    let said = succeed(&work(&server, name, "run", &source, json!({})));
    let result = said.one("result");
    assert!(result["counters"]["ended_without_row"].as_i64() > Some(100), "{}", result["counters"]);
    assert!(said.all("doubt").iter().any(|doubt| doubt["kind"] == "misses"));
}

#[test]
fn what_is_wrong_is_said_before_the_load() {
    let server = server();
    let name = "own_faults";
    database(&server, name);
    let refused = |action: &str, source: &str| {
        let said = carry_out(&work(&server, name, action, source, json!({})));
        assert_ne!(said.exit_code, 0);
        message(&said).to_owned()
    };
    let data = |text: &str| {
        let mut job = work(&server, name, "prepare", SHOP, json!({}));
        job["workload"]["script"]["files"]["kit/data.sql"] = text.into();
        let said = carry_out(&job);
        message(&said).to_owned()
    };
    let broken = data("CREATE TABLE a (id INT);\n\nINSERT INTO a VALUES ('x', 1);\n");
    assert!(broken.contains("kit/data.sql:3: INSERT INTO a VALUES"), "{broken}");
    assert!(data("USE a;\nSELECT 1;\nUSE b;\n").contains("several databases: a, b"));
    succeed(&work(&server, name, "prepare", SHOP, json!({})));
    let missing = refused("run", &SHOP.replace("customers.id)\n", "customers.number)\n"));
    assert!(missing.contains("number"), "{missing}");
    let nothing = refused("run", &SHOP.replace("orders.id)", "nowhere.id)"));
    assert!(nothing.contains("nowhere"), "{nothing}");
    let unsaved =
        refused("run", &SHOP.replace("-- @save c\n", "-- @save d\n").replace(":c, :note", ":d, :note"));
    assert!(unsaved.contains("@save"), "{unsaved}");
    assert!(nothing.contains("shop.sql:8:56: "), "{nothing}");
}

/// What a fault is, in the words of the file, and what is said of it, where.
const FAULTS: [(&str, &str, &str, &[&str]); 6] = [
    (
        "a column that is not there",
        "SELECT credit AS c",
        "SELECT credits AS c",
        &["shop.sql:6:1: select_customers: ", "credits"],
    ),
    (
        "a value that nothing draws",
        ":customer FOR",
        ":custmer FOR",
        &["shop.sql:6:46: :custmer is never drawn; did you mean :customer?"],
    ),
    (
        "a value that does not fit",
        "text(3..9)",
        "text(3..99)",
        &[
            "shop.sql:8:48: :note does not fit into orders.note: it can be 99 characters, and varchar(40) holds 40",
        ],
    ),
    (
        "a statement that the server refuses",
        "COUNT(*) FROM",
        "COUNT(* FROM",
        &["shop.sql:11:1: select_orders: ", "1064"],
    ),
    (
        "reads that never find a row",
        "WHERE id = :customer;",
        "WHERE id = -:customer;",
        &["shop.sql:15:1: select_customers_2: none of ", "has found a row so far"],
    ),
    (
        "deadlocks all the time",
        "SELECT name FROM customers WHERE id = :customer;",
        "BEGIN; UPDATE customers SET credit = credit + 1 WHERE id = :one; -- @let one = pick(10, 20, 30)\n\
        UPDATE customers SET credit = credit + 1 WHERE id = :two; -- @let two = pick(10, 20, 30)\nCOMMIT;",
        &["shop.sql:", "customers", "1213"],
    ),
];

#[test]
fn every_planted_fault_is_named_with_its_place_before_the_load_or_in_its_first_seconds() {
    let server = server();
    let name = "own_planted";
    database(&server, name);
    succeed(&work(&server, name, "prepare", SHOP, json!({})));
    let text = SHOP.replace("-- @transaction look weight=1", "-- @transaction look weight=9 retry=0");
    for (fault, right, wrong, words) in FAULTS {
        assert!(text.contains(right), "{fault}");
        let mut job = work(&server, name, "run", &text.replace(right, wrong), json!({}));
        job["load"] = json!({"connections": 8});
        job["phases"] = json!({"measure_ms": 1500, "interval_ms": 500});
        let said = carry_out(&job);
        let named = said.all("error").into_iter().find(|error| {
            let message = error["message"].as_str().unwrap_or_default();
            words.iter().all(|word| message.contains(word)) || {
                // A code stands beside its message.
                let code = error["code"].to_string();
                words.iter().all(|word| message.contains(word) || code == *word)
            }
        });
        let named = named.unwrap_or_else(|| panic!("{fault}: {:?}", said.all("error")));
        assert!(named["at_ns"].as_u64() < Some(2_500_000_000), "{fault}: {named}");
    }
}

#[test]
fn time_is_pinned_samples_are_kept_and_what_fails_from_the_start_ends() {
    let server = server();
    let name = "own_pinned";
    database(&server, name);
    succeed(&work(&server, name, "prepare", SHOP, json!({})));
    let samples = std::env::temp_dir().join(format!("assay-samples-{}", std::process::id()));
    let text = "\
-- @now \"2026-01-05 12:00\"
-- @transaction a think=1ms
UPDATE orders SET note = NOW() WHERE id = :id AND :at IN (30, 31); -- @let (id, at) = row(orders: id, customer)
";
    let run = |text: &str| {
        let mut job = work(&server, name, "run", text, json!({}));
        job["workload"]["script"]["samples"] = json!(samples);
        job["phases"] = json!({"measure_ms": 1300});
        carry_out(&job)
    };
    let first = run(text);
    let result = first.one("result");
    assert_eq!(first.exit_code, 0, "{:?}", first.all("error"));
    let noted = |what: &str| number(&server, &format!("SELECT COUNT(*) FROM {name}.orders WHERE {what}"));
    assert_eq!(noted("note LIKE '2026-01-05 12:00:0%' AND note > '2026-01-05 12:00:00'"), 2, "it goes on");
    assert!(result["mean_think_ms"].as_f64() > Some(0.9), "{}", result["mean_think_ms"]);
    assert_eq!(result["facts"]["parameters"], Value::Null, "a comparison writes nothing");
    // Other rows now: who has the samples draws what was there before.
    let mut connection = server.connect(&server.root());
    block_on(connection.run(&format!("UPDATE {name}.orders SET customer = 10"))).expect("an update");
    let again = run(text);
    let drawn = |said: &Said| said.one("result")["facts"]["drawn from orders: id, customer"].clone();
    assert_eq!(drawn(&first), drawn(&again));
    assert!(
        drawn(&first).as_str().is_some_and(|fact| fact.starts_with("2 distinct of 2 rows")),
        "{}",
        drawn(&first)
    );
    std::fs::remove_file(&samples).expect("samples");
    let said =
        run("-- @transaction a\nINSERT INTO customers VALUES (:id, 1, 'a'); -- @let id = pick(10, 20)\n");
    assert_eq!(said.exit_code, 4);
    let errors = said.all("error");
    let last = errors.iter().rfind(|error| error["fatal"] == true).expect("an end");
    let message = last["message"].as_str().unwrap_or_default();
    assert!(
        message.contains("shop.sql:2:1: insert_customers") && message.contains("so failed all"),
        "{message}"
    );
    let fact = &said.one("result")["facts"]["errors at shop.sql:2:1: insert_customers"];
    assert!(fact.as_str().is_some_and(|fact| fact.starts_with("1062 × ")), "{fact}");
}

#[test]
fn a_table_that_a_transaction_makes_need_not_be_there_before() {
    let server = server();
    let name = "own_made";
    database(&server, name);
    succeed(&work(&server, name, "prepare", SHOP, json!({})));
    let source = "-- @transaction a\nCREATE TEMPORARY TABLE basket AS SELECT id FROM customers WHERE id = :id; \
                  -- @let id = pick(10, 20)\nSELECT * FROM `basket`;\nSELECT name FROM customers WHERE id = :id;\n\
                  DROP TABLE basket;\n";
    let checked = succeed(&work(&server, name, "check", source, json!({})));
    assert!(checked.all("error").is_empty());
    let said = succeed(&work(&server, name, "run", source, json!({})));
    let result = said.one("result");
    assert_eq!(result["labels"]["select_basket"]["count"], 600);
    assert_eq!(result["unprepared"], 4, "one on each connection");
    let unknown = source.replace("FROM `basket`", "FROM bosket");
    let refused = carry_out(&work(&server, name, "run", &unknown, json!({})));
    assert!(message(&refused).contains("select_bosket: "), "{}", message(&refused));
}
