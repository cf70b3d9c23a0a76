//! Every column type, through both protocols.

use assay_wire::{Column, ColumnType, Date, Outcome, Param, Row, Rows, Time, Value, block_on};

use crate::support::server;

/// Column type, literal, and what it should be read as.
fn samples() -> Vec<(&'static str, &'static str, Value<'static>)> {
    let date = Date { year: 2026, month: 11, day: 20 };
    let noon = Time { hours: 12, minutes: 34, seconds: 56, ..Time::default() };
    vec![
        ("TINYINT", "-128", Value::Int(-128)),
        ("TINYINT UNSIGNED", "255", Value::UInt(255)),
        ("SMALLINT", "-32768", Value::Int(-32768)),
        ("SMALLINT UNSIGNED", "65535", Value::UInt(65535)),
        ("MEDIUMINT", "-8388608", Value::Int(-8_388_608)),
        ("MEDIUMINT UNSIGNED", "16777215", Value::UInt(16_777_215)),
        ("INT", "-2147483648", Value::Int(-2_147_483_648)),
        ("INT UNSIGNED", "4294967295", Value::UInt(4_294_967_295)),
        ("BIGINT", "-9223372036854775808", Value::Int(i64::MIN)),
        ("BIGINT UNSIGNED", "18446744073709551615", Value::UInt(u64::MAX)),
        ("BOOLEAN", "TRUE", Value::Int(1)),
        ("DECIMAL(65,30)", "-12345.000000000000000000000000000001", {
            Value::Decimal("-12345.000000000000000000000000000001")
        }),
        ("FLOAT", "1.5", Value::Float(1.5)),
        ("DOUBLE", "0.1e0", Value::Double(0.1)),
        ("DATE", "'2026-11-20'", Value::Date(date)),
        ("DATE", "'0000-00-00'", Value::Date(Date::default())),
        ("DATETIME", "'2026-11-20 12:34:56'", Value::DateTime(date, noon)),
        ("DATETIME", "'2026-11-20'", Value::DateTime(date, Time::default())),
        ("DATETIME(6)", "'2026-11-20 12:34:56.000789'", {
            Value::DateTime(date, Time { microseconds: 789, ..noon })
        }),
        ("DATETIME(2)", "'2026-11-20 12:34:56.25'", {
            Value::DateTime(date, Time { microseconds: 250_000, ..noon })
        }),
        ("TIMESTAMP(3) NULL", "'2026-11-20 12:34:56.125'", {
            Value::DateTime(date, Time { microseconds: 125_000, ..noon })
        }),
        ("TIME", "'12:34:56'", Value::Time(noon)),
        ("TIME", "'-838:59:59'", {
            Value::Time(Time { negative: true, hours: 838, minutes: 59, seconds: 59, microseconds: 0 })
        }),
        ("TIME(6)", "'00:00:00.000001'", Value::Time(Time { microseconds: 1, ..Time::default() })),
        ("TIME", "'00:00:00'", Value::Time(Time::default())),
        ("YEAR", "2026", Value::Year(2026)),
        ("BIT(1)", "b'1'", Value::Bit(1)),
        ("BIT(64)", "0x8000000000000001", Value::Bit(0x8000_0000_0000_0001)),
        ("CHAR(10)", "'日本'", Value::Text("日本".as_bytes())),
        ("VARCHAR(300)", "REPEAT('v', 300)", Value::Text(&[b'v'; 300])),
        ("TINYTEXT", "'t'", Value::Text(b"t")),
        ("MEDIUMTEXT", "REPEAT('m', 70000)", Value::Text(&[b'm'; 70_000])),
        ("LONGTEXT", "''", Value::Text(b"")),
        ("BINARY(4)", "0x00FF", Value::Bytes(b"\0\xFF\0\0")),
        ("VARBINARY(10)", "0xDEADBEEF", Value::Bytes(b"\xDE\xAD\xBE\xEF")),
        ("BLOB", "0x00", Value::Bytes(b"\0")),
        ("LONGBLOB", "0xFB", Value::Bytes(b"\xFB")),
        ("ENUM('small','large')", "'large'", Value::Enum(b"large")),
        ("SET('a','b','c')", "'a,c'", Value::Set(b"a,c")),
        ("JSON", "'{\"a\": [1]}'", Value::Text(b"{\"a\": [1]}")),
        ("POINT", "POINT(1, 2)", {
            Value::Geometry(b"\0\0\0\0\x01\x01\0\0\0\0\0\0\0\0\0\xF0\x3F\0\0\0\0\0\0\0\x40")
        }),
        ("INET6", "'::1'", Value::Text(b"::1")),
        ("UUID", "'6ccd780c-baba-1026-9564-5b8c656024db'", {
            Value::Text(b"6ccd780c-baba-1026-9564-5b8c656024db")
        }),
    ]
}

/// Checks the first row against the samples, and that the second is all NULL.
struct Check {
    samples: Vec<(&'static str, &'static str, Value<'static>)>,
    rows: usize,
    texts: Vec<Vec<u8>>,
}

impl Rows for Check {
    fn columns(&mut self, columns: &[Column]) {
        assert_eq!(columns.len(), self.samples.len());
        assert_eq!(columns[0].name(), "c0");
        assert_eq!(columns[0].table(), "t");
        assert_eq!(columns[0].column_type(), ColumnType::MYSQL_TYPE_TINY);
    }

    fn row(&mut self, row: &Row<'_>) {
        assert_eq!(row.len(), self.samples.len());
        for (index, (kind, literal, expected)) in self.samples.iter().enumerate() {
            if self.rows == 0 {
                assert_eq!(row.value(index), *expected, "{kind} {literal}");
                assert!(!row.is_null(index), "{kind}");
                self.texts.push(row.bytes(index).expect("no NULL").into_owned());
            } else {
                assert_eq!(row.value(index), Value::Null, "{kind}");
                assert!(row.is_null(index) && row.bytes(index).is_none() && row.int(index).is_none());
                assert!(row.uint(index).is_none() && row.double(index).is_none());
            }
        }
        assert_eq!(row.value(row.len()), Value::Null, "beyond the end");
        if self.rows == 0 {
            assert_eq!((row.int(0), row.uint(0), row.double(0)), (Some(-128), None, Some(-128.0)));
            assert_eq!((row.int(9), row.uint(9)), (None, Some(u64::MAX)));
            assert_eq!(row.int(11), None, "not a whole number");
            assert_eq!(row.double(11), Some(-12345.0));
        }
        self.rows += 1;
    }
}

#[test]
fn every_type_in_both_protocols() {
    let server = server();
    let mut connection = server.fresh("types");
    block_on(async {
        let samples = samples();
        let columns: Vec<_> =
            samples.iter().enumerate().map(|(n, (kind, ..))| format!("c{n} {kind}")).collect();
        let literals: Vec<_> = samples.iter().map(|(_, literal, _)| *literal).collect();
        let nulls = vec!["NULL"; samples.len()];
        connection.run("SET sql_mode = '', time_zone = '+00:00'").await.expect("a lax session");
        for sql in [
            format!("CREATE TABLE t ({}) ENGINE=MyISAM", columns.join(", ")),
            format!("INSERT INTO t VALUES ({})", literals.join(", ")),
            format!("INSERT INTO t VALUES ({})", nulls.join(", ")),
        ] {
            connection.run(&sql).await.expect(&sql);
        }
        let sql = "SELECT * FROM t";
        let rows = |bytes| Outcome { result_set: true, rows: 2, bytes, ..Outcome::default() };
        let mut text = Check { samples: samples.clone(), rows: 0, texts: Vec::new() };
        let outcome = connection.query(sql.as_bytes(), &mut text).await.expect("two rows");
        assert_eq!(outcome, rows(outcome.bytes));
        let mut binary = Check { samples, rows: 0, texts: Vec::new() };
        let mut prepared = connection.prepare(sql).await.expect("a statement");
        let outcome = connection.execute(&mut prepared, &[], &mut binary).await.expect("two rows");
        assert_eq!(outcome, rows(outcome.bytes));
        for ((kind, literal, _), (text, binary)) in
            binary.samples.iter().zip(text.texts.iter().zip(&binary.texts))
        {
            let shown = (String::from_utf8_lossy(text), String::from_utf8_lossy(binary));
            assert_eq!(text, binary, "{kind} {literal}: {shown:?}");
        }
    });
}

#[test]
fn parameters_come_back() {
    let server = server();
    let mut connection = server.fresh("params");
    block_on(async {
        let mut echo = connection.prepare("SELECT ?, ?, ?, ?, ?").await.expect("a statement");
        let bytes: Vec<u8> = (0..=255).cycle().take(70_000).collect();
        for (int, uint, double, length) in [
            (i64::MIN, 0, f64::MIN, 0),
            (i64::MAX, u64::MAX, 1.0 / 3.0, 250),
            (-1, 1, -2.5, 251),
            (0, 7, 5e-324, 70_000),
        ] {
            let bytes = &bytes[..length];
            let params =
                [Param::Int(int), Param::UInt(uint), Param::Double(double), Param::Bytes(bytes), Param::Null];
            let mut check = |row: &Row<'_>| {
                assert_eq!(row.int(0), Some(int));
                assert_eq!(row.uint(1), Some(uint));
                assert_eq!(row.double(2).map(f64::to_bits), Some(double.to_bits()));
                assert_eq!(row.bytes(3).as_deref(), Some(bytes));
                assert!(row.is_null(4));
            };
            let outcome = connection.execute(&mut echo, &params, &mut check).await.expect("a row");
            assert_eq!(outcome.rows, 1);
        }
    });
}
