//! Statements told from texts, shape by shape.

use serde_json::{Value, json};

use super::*;

fn told(text: &str) -> Vec<Value> {
    let mut teller = Teller::new(Vec::new());
    teller.file(text.as_bytes()).expect("a text");
    let lines = String::from_utf8(teller.out).expect("JSON");
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn a_file_of_statements_is_told_by_shapes() {
    let found = told(
        "USE shop;\nSELECT a FROM t\nWHERE id = 4;\n-- @let x = 1\nselect a from t where id=5; SELECT 'x",
    );
    assert_eq!(found[0], json!({"form": "statements"}));
    assert_eq!(
        (&found[1]["line"], &found[1]["database"], &found[1]["shape"]),
        (&json!(2), &json!("shop"), &json!(1))
    );
    assert_eq!(found[1]["parts"][1], json!(["word", "a", 1]));
    assert_eq!(found[2], json!({"line": 5, "database": "shop", "shape": 1, "values": [["number", "5"]]}));
    assert_eq!(found[3], json!({"line": 5, "instead": "unended"}));
}

#[test]
fn what_a_routine_sends_is_no_statement_of_a_client() {
    let one = |head: &str| {
        format!("# User@Host: a[a] @ b []\n# Thread_id: 1\n# Query_time: 0.5\n{head}SELECT 1;\n")
    };
    for head in ["# Stored_routine: shop.p\n", "# Stored routine: shop.p\n"] {
        let found = told(&[one(head), one("")].concat());
        assert_eq!(found[1]["instead"], json!("in a routine"));
        assert_eq!(found[2]["shape"], json!(1));
    }
}

#[test]
fn a_table_that_a_log_makes_is_of_its_database() {
    let log = "# User@Host: a[a] @ b []\n# Query_time: 1\nuse shop;\nCREATE TABLE t (a INT);\n\
        # User@Host: a[a] @ b []\n# Query_time: 1\n# Is_internal: true\nSELECT 1;\n";
    let found = told(log);
    assert_eq!((&found[1]["instead"], &found[1]["database"]), (&json!("schema"), &json!("shop")));
    assert_eq!(found[2]["instead"], json!("of the server"));
}

#[test]
fn what_is_no_text_says_what_to_do() {
    let refused = |bytes: &[u8]| Teller::new(Vec::new()).file(bytes).expect_err("no text").to_string();
    assert!(refused(b"\x00\x01\x02\x03SELECT 1;").contains("binary"));
    // A log may begin in the middle of a value.
    let log = [b"\x00\x01\x02\x03');\n".as_slice(), b"# Query_time: 1\nSELECT 1;\n"].concat();
    assert!(Teller::new(Vec::new()).file(log.as_slice()).is_ok());
}

#[test]
fn a_place_that_a_program_fills_in_ends_no_statement() {
    let found = told("SELECT a FROM t WHERE b = #{b} AND c = '#{c}';\nSELECT 1; # {it's}\nSELECT 2;");
    assert_eq!(found[1]["parts"][7], json!(["parameter", "#{b}", 1]));
    assert_eq!(found.iter().filter_map(|one| one["line"].as_u64()).collect::<Vec<_>>(), [1, 2, 3]);
}

#[test]
fn a_session_keeps_its_database() {
    let log = "\t\t  1 Connect\troot@localhost on shop\n\t\t  2 Connect\troot@localhost as anonymous on\n\t\t  1 Query\tSELECT 1\n\t\t  2 Query\tuse `other`\n\t\t  2 Query\tSELECT 2\n\t\t  1 Quit\t\n";
    let found: Vec<_> =
        told(log).into_iter().map(|line| (line["session"].clone(), line["database"].clone())).collect();
    assert_eq!(found[3], (json!(1), json!("shop")));
    assert_eq!(found[4], (json!(2), json!("other")));
}
