use proptest::prelude::*;
use rstest::rstest;

use super::*;

fn statements(text: &str) -> Vec<String> {
    let pieces = Pieces::new(text.as_bytes());
    let statement = |piece| match piece {
        Piece::Statement { text, .. } => Some(String::from_utf8_lossy(text).into_owned()),
        _ => None,
    };
    pieces.filter_map(statement).collect()
}

#[rstest]
#[case("SELECT 1; SELECT 2", &["SELECT 1", "SELECT 2"])]
#[case("SELECT ';'; -- a ; b\nSELECT 2;;;", &["SELECT ';'", "SELECT 2"])]
#[case("\u{feff}SELECT 1;\r\n", &["SELECT 1"])]
#[case("/*!40101 SET x = 1 */;\n/*M!999999\\- enable the sandbox mode */\nSELECT 1;", &["/*!40101 SET x = 1 */", "/*M!999999\\- enable the sandbox mode */\nSELECT 1"])]
#[case("DELIMITER //\nCREATE PROCEDURE p() BEGIN SELECT 1; END//\ndelimiter ;\nSELECT 2;", &["CREATE PROCEDURE p() BEGIN SELECT 1; END", "SELECT 2"])]
#[case("DELIMITER $$\nBEGIN SELECT '$$'; END$$\nSELECT `$$`, 1$$", &["BEGIN SELECT '$$'; END", "SELECT `$$`, 1"])]
#[case("DELIMITER //\nSET a = 1; INSERT INTO t VALUES (';');\nDROP TRIGGER c; CREATE DEFINER=a@b TRIGGER c BEGIN SELECT 2; END//\nSELECT 3;", &["SET a = 1", "INSERT INTO t VALUES (';')", "DROP TRIGGER c", "CREATE DEFINER=a@b TRIGGER c BEGIN SELECT 2; END", "SELECT 3"])]
#[case("DELIMITER $$\nSELECT 1$$\nDELIMITER ;\nSELECT 2", &["SELECT 1", "SELECT 2"])]
#[case("DELIMITER $$\nCREATE PROCEDURE p() BEGIN END\n DELIMITER ;\nSELECT 2;", &["CREATE PROCEDURE p() BEGIN END", "SELECT 2"])]
#[case("SELECT a,\ndelimiter\n, delimiter ;\nSELECT 2", &["SELECT a,\ndelimiter\n, delimiter", "SELECT 2"])]
#[case("-----\n--it's\nSELECT 1; --x\nSELECT 3\n--2", &["SELECT 1", "--x\nSELECT 3\n--2"])]
#[case("use shop\nSELECT 1;\nUSE\nbank;", &["use shop", "SELECT 1", "USE\nbank"])]
#[case("source a'b.sql\r\n\\. c--d.sql;\nSOURCE e.sql; SELECT 1", &["source a'b.sql", "\\. c--d.sql", "SOURCE e.sql", "SELECT 1"])]
#[case("/*!50003 CREATE TRIGGER t BEGIN /* a; */ SET x = '*/;'; END */; SELECT 1", &["/*!50003 CREATE TRIGGER t BEGIN /* a; */ SET x = '*/;'; END */", "SELECT 1"])]
#[case("SELECT 1\\G\nSELECT '\\G' \\g SELECT \\N;", &["SELECT 1", "SELECT '\\G'", "SELECT \\N"])]
#[case("# all\n/* nothing */", &[])]
#[case("mysqldump: [Warning] It's insecure.\nSELECT 1;\nmysqldump: Error: 'a;'\n SELECT 2", &["SELECT 1", "SELECT 2"])]
#[case("SELECT 1 -- end\n", &["SELECT 1"])]
fn statements_are_cut_as_the_client_cuts_them(#[case] text: &str, #[case] expected: &[&str]) {
    assert_eq!(statements(text), expected);
}

#[test]
fn annotations_belong_to_the_line_where_a_statement_ends() {
    let text = "-- @transaction buy\nSELECT 1; -- @let a = int(1..2)\n-- @end\nSELECT\n-- @let b = 1\n2;";
    let pieces: Vec<(String, Option<bool>)> = Pieces::new(text.as_bytes())
        .map(|piece| match piece {
            Piece::Statement { text, .. } => (String::from_utf8_lossy(text).into_owned(), None),
            Piece::Annotation { text, trails, .. } => {
                (String::from_utf8_lossy(text).into_owned(), Some(trails))
            }
            Piece::Unended { .. } => panic!("all is closed"),
        })
        .collect();
    let expected = [
        ("@transaction buy", Some(false)),
        ("SELECT 1", None),
        ("@let a = int(1..2)", Some(true)),
        ("@end", Some(false)),
        ("@let b = 1", Some(false)),
        ("SELECT\n-- @let b = 1\n2", None),
    ];
    assert_eq!(pieces, expected.map(|(text, trails)| (text.to_owned(), trails)));
}

#[test]
fn places_are_lines_and_columns() {
    let text = b"a;\n  'b";
    assert_eq!(Pieces::new(text).last(), Some(Piece::Unended { at: 5 }));
    let lines = Lines::new(text);
    assert_eq!(lines.place(5), Place { line: 2, column: 3 });
    assert_eq!(
        (lines.place(0), lines.place(2)),
        (Place { line: 1, column: 1 }, Place { line: 1, column: 3 })
    );
}

proptest! {
    #[test]
    fn joined_statements_are_cut_where_they_were_joined(bodies in proptest::collection::vec("[a-z'`\"]{0,6}", 1..6)) {
        // Each is closed as a text of its own.
        let bodies: Vec<String> = bodies.iter().map(|body| format!("SELECT '{}'", body.replace('\'', "''"))).collect();
        prop_assert_eq!(statements(&bodies.join(";\n")), bodies);
    }

    #[test]
    fn any_bytes_come_to_an_end(text in proptest::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(Pieces::new(&text).count() <= text.len() + 1);
    }
}
