//! Packets of 16 MiB and more: several on the wire.

use assay_wire::{Param, Row, block_on};

use crate::support::server;

/// Longer than one packet, exactly one packet's worth, and a byte around it.
const LENGTHS: [usize; 4] = [20 << 20, 0xFF_FFFF, 0xFF_FFFE, 0x100_0000];

#[test]
fn both_directions_in_both_protocols() {
    let server = server();
    let mut connection = server.fresh("large");
    block_on(async {
        let mut echo = connection.prepare("SELECT LENGTH(?), ?").await.expect("a statement");
        for length in LENGTHS {
            let bytes = vec![b'x'; length];
            let params = [Param::Bytes(&bytes), Param::Bytes(&bytes)];
            let mut check = |row: &Row<'_>| {
                assert_eq!(row.int(0), i64::try_from(length).ok());
                assert!(row.bytes(1).is_some_and(|back| *back == bytes[..]));
            };
            let outcome = connection.execute(&mut echo, &params, &mut check).await.expect("a long answer");
            assert_eq!(outcome.rows, 1);

            let sql = format!("SELECT '{}'", "y".repeat(length - 10));
            let mut check = |row: &Row<'_>| assert_eq!(row.bytes(0).map(|b| b.len()), Some(length - 10));
            let outcome = connection.query(sql.as_bytes(), &mut check).await.expect("a long answer");
            assert_eq!(outcome.rows, 1);
        }
        // A command whose payload is exactly one full packet, and one byte around it: an empty packet follows.
        for payload in [0xFF_FFFEusize, 0xFF_FFFF, 0x100_0000] {
            let sql = format!("SELECT 1 /*{}*/", " ".repeat(payload - "\u{3}SELECT 1 /**/".len()));
            assert_eq!(connection.run(&sql).await.expect("a row").rows, 1);
        }
    });
}

#[test]
fn a_packet_that_the_server_does_not_take() {
    let server = server();
    let mut connection = server.fresh("too_large");
    block_on(async {
        let sql = format!("SELECT LENGTH('{}')", "x".repeat(70 << 20));
        let error = connection.run(&sql).await.expect_err("too long");
        assert!(error.is_fatal(), "{error}");
        assert_eq!(error.code(), Some(1153), "{error}");
    });
}
