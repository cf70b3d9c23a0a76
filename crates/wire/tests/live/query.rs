//! The text protocol.

use assay_wire::{Column, Discard, Error, Options, Outcome, Param, Row, Rows, Template, block_on};

use crate::support::server;

/// Rows as text, with a line for each result set's columns.
#[derive(Default)]
pub(crate) struct Lines(pub Vec<String>);

impl Rows for Lines {
    fn row(&mut self, row: &Row<'_>) {
        let fields = (0..row.len()).map(|index| match row.bytes(index) {
            Some(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            None => "NULL".to_owned(),
        });
        self.0.push(fields.collect::<Vec<_>>().join(","));
    }

    fn columns(&mut self, columns: &[Column]) {
        let names: Vec<_> = columns.iter().map(|column| column.name().to_owned()).collect();
        self.0.push(format!("[{}]", names.join(",")));
    }
}

#[test]
fn outcomes() {
    let server = server();
    let mut connection = server.fresh("outcomes");
    block_on(async {
        let none = Outcome::default();
        let outcome = connection.run("CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a TINYINT)").await;
        assert_eq!(outcome.expect("a table"), none);
        let outcome = connection.run("INSERT INTO t (a) VALUES (1), (2), (3)").await.expect("rows");
        assert_eq!(outcome, Outcome { affected_rows: 3, last_insert_id: 1, ..none });
        let outcome = connection.run("UPDATE t SET a = 2").await.expect("an update");
        assert_eq!(outcome.affected_rows, 2, "rows changed, not rows found");
        let outcome = connection.run("SELECT * FROM t").await.expect("rows");
        // A field of one letter has a byte for its length: four bytes a row.
        assert_eq!(outcome, Outcome { result_set: true, rows: 3, bytes: 12, ..none });
        let outcome = connection.run("SELECT * FROM t WHERE id > 9").await.expect("no rows");
        assert_eq!(outcome, Outcome { result_set: true, rows: 0, ..none });
        connection.run("SET sql_mode = ''").await.expect("a lax session");
        let outcome = connection.run("INSERT INTO t (a) VALUES (1000), (1000)").await.expect("rows");
        assert_eq!((outcome.warnings, outcome.affected_rows), (2, 2));
        let outcome = connection.run("SELECT 1/0, 'a' + 1").await.expect("a row");
        assert_eq!((outcome.warnings, outcome.rows), (1, 1));
    });
}

#[test]
fn many_results_of_one_text() {
    let server = server();
    let mut connection = server.fresh("many_results");
    block_on(async {
        let mut lines = Lines::default();
        let sql = b"CREATE TABLE t (a INT); INSERT INTO t VALUES (1), (2); SELECT a FROM t; \
                    SELECT a AS b, 'x' FROM t WHERE a > 9; SELECT 1 UNION ALL SELECT NULL";
        let outcome = connection.query(sql, &mut lines).await.expect("five results");
        assert_eq!(lines.0, ["[a]", "1", "2", "[b,x]", "[1]", "1", "NULL"]);
        assert_eq!((outcome.rows, outcome.affected_rows, outcome.result_set), (4, 2, true));

        let outcome = connection.run("SELECT 1; SELECT * FROM nowhere; SELECT 2").await;
        assert_eq!(outcome.expect_err("no such table").code(), Some(1146));
        connection.ping().await.expect("still usable");
    });
}

#[test]
fn procedures() {
    let server = server();
    let mut connection = server.fresh("procedures");
    block_on(async {
        let sql = "CREATE PROCEDURE p(n INT) BEGIN SELECT n; SELECT n + 1, 'two'; SET @x = 1; END";
        connection.run(sql).await.expect("a procedure");
        let mut lines = Lines::default();
        connection.query(b"CALL p(5)", &mut lines).await.expect("two result sets");
        assert_eq!(lines.0, ["[n]", "5", "[n + 1,two]", "6,two"]);

        let mut prepared = connection.prepare("CALL p(?)").await.expect("a statement");
        for _ in 0..3 {
            let mut lines = Lines::default();
            let outcome = connection.execute(&mut prepared, &[Param::Int(7)], &mut lines).await;
            assert_eq!(lines.0, ["[n]", "7", "[n + 1,two]", "8,two"]);
            assert_eq!(outcome.expect("two result sets").rows, 2);
        }
    });
}

#[test]
fn errors_are_data() {
    let server = server();
    let mut connection = server.fresh("errors");
    block_on(async {
        connection.run("CREATE TABLE t (id INT PRIMARY KEY)").await.expect("a table");
        connection.run("INSERT INTO t VALUES (1)").await.expect("a row");
        let error = connection.run("INSERT INTO t VALUES (1)").await.expect_err("a duplicate");
        assert!(!error.is_fatal());
        let Error::Server(error) = error else { panic!("{error:?}") };
        assert_eq!((error.code, error.state.as_str()), (1062, "23000"));
        assert_eq!(&*error.message, "Duplicate entry '1' for key 'PRIMARY'");
        assert!(connection.is_usable());
        connection.ping().await.expect("still usable");

        // The error comes after rows have been sent.
        let sql = "SELECT seq, IF(seq = 70000, (SELECT 1 UNION SELECT 2), 0) FROM seq_1_to_100000";
        let mut rows = 0;
        let error = connection.query(sql.as_bytes(), &mut |_: &Row<'_>| rows += 1).await;
        assert_eq!(error.expect_err("two rows for one").code(), Some(1242));
        assert!(rows > 1000, "{rows} rows before the error");
        connection.ping().await.expect("still usable");
    });
}

#[test]
fn local_infile_is_refused() {
    let server = server();
    let mut connection = server.fresh("files");
    block_on(async {
        connection.run("CREATE TABLE t (a TEXT)").await.expect("a table");
        // Not offered to the server, so that it refuses before it asks.
        let error = connection.run("LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE t").await;
        let error = error.expect_err("a refusal");
        assert!(matches!(error.code(), Some(1148 | 4166)), "{error}");
        assert_eq!(connection.run("SELECT * FROM t").await.expect("a table").rows, 0);
    });
}

#[test]
fn templates_say_what_prepared_statements_say() {
    let server = server();
    let mut connection = server.fresh("templates");
    block_on(async {
        let awkward: Vec<u8> = (1..=127).collect();
        let params = [
            Param::Int(i64::MIN),
            Param::UInt(u64::MAX),
            Param::Double(0.1 + 0.2),
            Param::Double(-1.5e300),
            Param::Null,
            Param::Bytes(&awkward),
            Param::Bytes("日本 \\' \" ?".as_bytes()),
        ];
        let sql = "SELECT ?, ?, ?, ?, ?, HEX(?), ?";
        let template = Template::new(sql);
        let mut prepared = connection.prepare(sql).await.expect("a statement");
        let mut from_text = Vec::new();
        let mut take = |row: &Row<'_>| from_text = fields(row);
        connection.query_template(&template, &params, &mut take).await.expect("a row");
        let mut from_prepared = Vec::new();
        let mut take = |row: &Row<'_>| from_prepared = fields(row);
        connection.execute(&mut prepared, &params, &mut take).await.expect("a row");
        assert_eq!(from_text[0].as_deref(), Some("-9223372036854775808"));
        assert_eq!(from_text[1].as_deref(), Some("18446744073709551615"));
        assert_eq!(from_text[2].as_deref(), Some("0.30000000000000004"));
        assert_eq!(from_text[6].as_deref(), Some("日本 \\' \" ?"));
        for index in [0, 1, 2, 4, 5, 6] {
            assert_eq!(from_text[index], from_prepared[index], "parameter {index}");
        }
        let too_few = connection.query_template(&template, &params[1..], &mut Discard).await;
        assert!(matches!(too_few, Err(Error::ParameterCount { expected: 7, given: 6 })));
        connection.ping().await.expect("still usable");
    });
}

fn fields(row: &Row<'_>) -> Vec<Option<String>> {
    let text = |index| row.bytes(index).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (0..row.len()).map(text).collect()
}

#[test]
fn a_file_is_loaded_from_memory() {
    let server = server();
    drop(server.fresh("loaded_file"));
    let options = Options { local_files: true, database: Some("loaded_file".into()), ..server.root() };
    let mut connection = server.connect(&options);
    block_on(async {
        connection.run("SET GLOBAL local_infile = 1").await.expect("a setting");
        connection.run("CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(20))").await.expect("a table");
        let sql = b"LOAD DATA LOCAL INFILE 'rows' INTO TABLE t CHARACTER SET binary \
                    FIELDS TERMINATED BY ',' ENCLOSED BY '\\'' ESCAPED BY '\\\\' \
                    LINES STARTING BY '(' TERMINATED BY ')\\n' (id, a)";
        let rows = br"(1,'x')
(2,NULL)
(3,'it\'s, (well)')
";
        let outcome = connection.load(sql, rows).await.expect("rows");
        assert_eq!(outcome, Outcome { affected_rows: 3, ..Outcome::default() });
        let mut lines = Lines::default();
        connection.query(b"SELECT * FROM t", &mut lines).await.expect("rows");
        assert_eq!(lines.0, ["[id,a]", "1,x", "2,NULL", "3,it's, (well)"]);
        // LOCAL passes over a row that is there, and warns.
        let outcome = connection.load(sql, b"(3,'again')\n(4,'new')\n").await.expect("rows");
        assert_eq!((outcome.affected_rows, outcome.warnings), (1, 1));
        let none = connection.load(sql, b"").await.expect("an empty file");
        assert_eq!(none.affected_rows, 0);
        let error = connection.load(b"LOAD DATA LOCAL INFILE 'rows' INTO TABLE gone", b"(1)\n").await;
        assert!(matches!(error, Err(Error::Server(_))), "{error:?}");
        connection.run("SELECT 1").await.expect("still usable");
    });
}
