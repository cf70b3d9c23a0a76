//! The prepared protocol.

use assay_wire::{BulkRows, Discard, Error, Outcome, Param, Row, block_on};

use crate::query::Lines;
use crate::support::server;

#[test]
fn executes_and_reports() {
    let server = server();
    let mut connection = server.fresh("executes");
    block_on(async {
        connection.run("CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, c VARCHAR(20))").await.expect("t");
        let mut insert = connection.prepare("INSERT INTO t (c) VALUES (?), (?)").await.expect("an insert");
        assert_eq!((insert.params(), insert.columns()), (2, 0));
        let outcome = connection.execute(&mut insert, &[Param::Bytes(b"a"), Param::Null], &mut Discard).await;
        let expected = Outcome { affected_rows: 2, last_insert_id: 1, ..Outcome::default() };
        assert_eq!(outcome.expect("two rows"), expected);
        let mut select =
            connection.prepare("SELECT id, c FROM t WHERE id <= ? ORDER BY id").await.expect("s");
        assert_eq!((select.params(), select.columns()), (1, 2));
        for (limit, rows) in [(1, 1), (2, 2), (0, 0)] {
            // Skimmed first, then read: columns that the server does not repeat must be known all the same.
            let outcome = connection.execute(&mut select, &[Param::Int(limit)], &mut Discard).await;
            let outcome = outcome.expect("rows");
            let bytes = outcome.bytes;
            assert_eq!(outcome, Outcome { result_set: true, rows, bytes, ..Outcome::default() });
            let mut lines = Lines::default();
            connection.execute(&mut select, &[Param::Int(limit)], &mut lines).await.expect("rows");
            let expected = ["[id,c]", "1,a", "2,NULL"];
            assert_eq!(lines.0, expected[..=usize::try_from(rows).expect("few")]);
        }
        connection.reset_statement(&mut select).await.expect("a reset");
        connection.execute(&mut select, &[Param::Int(9)], &mut Discard).await.expect("rows");
        connection.close_statement(select).await.expect("the end of a statement");
        let error = connection.execute(&mut insert, &[], &mut Discard).await.expect_err("no parameters");
        assert!(matches!(error, Error::ParameterCount { expected: 2, given: 0 }));
        connection.ping().await.expect("still usable");
    });
}

#[test]
fn parameter_types_may_change() {
    let server = server();
    let mut connection = server.fresh("parameter_types");
    block_on(async {
        let mut echo = connection.prepare("SELECT CONCAT(?, '/', ?)").await.expect("a statement");
        let tries = [
            ([Param::Int(-1), Param::Int(2)], "-1/2"),
            ([Param::Int(-3), Param::Int(4)], "-3/4"),
            ([Param::UInt(u64::MAX), Param::Bytes(b"x")], "18446744073709551615/x"),
            ([Param::Null, Param::Bytes(b"y")], "NULL"),
            ([Param::UInt(u64::MAX), Param::Null], "NULL"),
            ([Param::UInt(7), Param::Bytes(b"z")], "7/z"),
            ([Param::Double(0.5), Param::Bytes(b"")], "0.5/"),
            (
                [Param::Decimal { unscaled: -9_007_199_254_740_993, scale: 2 }, Param::Int(1)],
                "-90071992547409.93/1",
            ),
        ];
        for _ in 0..2 {
            for (params, expected) in &tries {
                let mut lines = Lines::default();
                connection.execute(&mut echo, params, &mut lines).await.expect("a row");
                assert_eq!(lines.0[1..], [*expected], "{params:?}");
            }
        }
    });
}

#[test]
fn many_parameters() {
    let server = server();
    let mut connection = server.fresh("many_parameters");
    block_on(async {
        let sql = format!("SELECT {}", vec!["COALESCE(?, 0)"; 100].join("+"));
        let mut sum = connection.prepare(&sql).await.expect("a statement");
        let params: Vec<_> = (0..100).map(|n| if n % 3 == 0 { Param::Null } else { Param::Int(n) }).collect();
        for _ in 0..2 {
            let mut total = None;
            connection
                .execute(&mut sum, &params, &mut |row: &Row<'_>| total = row.int(0))
                .await
                .expect("a row");
            assert_eq!(total, Some((0..100).filter(|n| n % 3 != 0).sum()));
        }
    });
}

#[test]
fn prepare_all_in_one_go() {
    let server = server();
    let mut connection = server.fresh("prepare_all");
    block_on(async {
        connection.run("CREATE TABLE t (id INT PRIMARY KEY, c TEXT)").await.expect("a table");
        let good = "SELECT id, c FROM t WHERE id = ? AND c <> ?";
        let mut statements = vec![good; 36];
        statements[5] = "SELECT * FROM nowhere";
        statements[17] = "BEGIN";
        statements[18] = "COMMIT";
        statements[35] = "SELEC";
        let prepared = connection.prepare_all(statements).await.expect("a live connection");
        assert_eq!(prepared.len(), 36);
        let codes: Vec<_> = prepared.iter().filter_map(|one| one.as_ref().err().map(|e| e.code)).collect();
        assert_eq!(codes, [1146, 1064]);
        for (index, one) in prepared.into_iter().enumerate() {
            let Ok(mut one) = one else { continue };
            let expected = if matches!(index, 17 | 18) { (0, 0) } else { (2, 2) };
            assert_eq!((one.params(), one.columns()), expected);
            let params = [Param::Int(1), Param::Bytes(b"")];
            connection.execute(&mut one, &params[..expected.0], &mut Discard).await.expect("an execution");
        }

        // More than one batch: each statement is longer than what is sent at once.
        let long = format!("SELECT 1 /* {} */", "x".repeat(10_000));
        let prepared = connection.prepare_all([long.as_str(); 5]).await.expect("a live connection");
        assert!(prepared.iter().all(Result::is_ok));
        assert!(connection.prepare_all([]).await.expect("a live connection").is_empty());
    });
}

#[test]
fn begin_can_be_prepared_on_mariadb_and_other_things_not() {
    let server = server();
    let mut connection = server.fresh("begin");
    block_on(async {
        let mut begin = connection.prepare("BEGIN").await.expect("a statement");
        let mut commit = connection.prepare("COMMIT").await.expect("a statement");
        connection.execute(&mut begin, &[], &mut Discard).await.expect("a transaction");
        connection.execute(&mut commit, &[], &mut Discard).await.expect("its end");
        let error = connection.prepare("PREPARE s FROM 'SELECT 1'").await.expect_err("not in the protocol");
        assert_eq!(error.code(), Some(1295));
        assert!(!error.is_fatal());
        connection.ping().await.expect("still usable");
    });
}

#[test]
fn columns_that_change_under_a_statement() {
    let server = server();
    let mut connection = server.fresh("changing_columns");
    block_on(async {
        connection.run("CREATE TABLE t (a INT); INSERT INTO t VALUES (1)").await.expect("a table");
        let mut select = connection.prepare("SELECT * FROM t").await.expect("a statement");
        for (alter, expected) in [
            ("ALTER TABLE t ADD b VARCHAR(5) DEFAULT 'x'", ["[a,b]", "1,x"]),
            ("ALTER TABLE t MODIFY a VARCHAR(9)", ["[a,b]", "1,x"]),
            ("ALTER TABLE t DROP b", ["[a]", "1"]),
        ] {
            connection.run(alter).await.expect("a change");
            // The first execution may be skimmed; what it was told must not be lost.
            connection.execute(&mut select, &[], &mut Discard).await.expect("a row");
            let mut lines = Lines::default();
            connection.execute(&mut select, &[], &mut lines).await.expect("a row");
            assert_eq!(lines.0, expected);
        }
    });
}

#[test]
fn reset_connection_forgets() {
    let server = server();
    let mut connection = server.fresh("resets");
    block_on(async {
        let mut one = connection.prepare("SELECT 1").await.expect("a statement");
        connection.run("SET @x = 5").await.expect("a variable");
        connection.reset_connection().await.expect("a fresh session");
        let mut variable = Some(0);
        connection.query(b"SELECT @x", &mut |row: &Row<'_>| variable = row.int(0)).await.expect("a row");
        assert_eq!(variable, None);
        let error = connection.execute(&mut one, &[], &mut Discard).await.expect_err("no statement");
        assert_eq!(error.code(), Some(1243));
        connection.ping().await.expect("still usable");
    });
}

#[test]
fn many_rows_go_in_at_once() {
    let server = server();
    let mut connection = server.fresh("bulk");
    block_on(async {
        assert!(connection.takes_bulk());
        connection.run("CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(300))").await.expect("a table");
        let mut prepared = connection.prepare("INSERT INTO t VALUES (?, ?)").await.expect("a statement");
        let mut rows = BulkRows::default();
        let long = vec![b'x'; 300];
        for (id, a) in [("1", Some(b"it's".as_slice())), ("-2", None), ("3", Some(&long))] {
            rows.put(Some(id.as_bytes()));
            rows.put(a);
        }
        let outcome = connection.execute_bulk(&mut prepared, &rows).await.expect("rows");
        assert_eq!(outcome.affected_rows, 3);
        let mut lengths = Vec::new();
        let mut take = |row: &Row<'_>| lengths.push((row.int(0), row.int(1)));
        connection.query(b"SELECT id, LENGTH(a) FROM t ORDER BY id", &mut take).await.expect("rows");
        assert_eq!(lengths, [(Some(-2), None), (Some(1), Some(4)), (Some(3), Some(300))]);
        // A row that is there: nothing of it is kept back from the caller, and the connection goes on.
        let error = connection.execute_bulk(&mut prepared, &rows).await.expect_err("duplicates");
        assert_eq!(error.code(), Some(1062));
        rows.put(Some(b"4"));
        let error = connection.execute_bulk(&mut prepared, &rows).await.expect_err("half a row");
        assert!(matches!(error, Error::ParameterCount { expected: 2, given: 7 }), "{error:?}");
        // The same statement, one row, by the ordinary way.
        connection.execute(&mut prepared, &[Param::Int(9), Param::Null], &mut Discard).await.expect("a row");
    });
}
