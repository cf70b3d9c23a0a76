//! However the bytes of an answer are cut by reads, it is the same answer.

use assay_wire::{Error, Outcome, Param, Row, block_on};
use proptest::prelude::*;

use crate::answers::{COLUMN, END, END_MORE, STRING};
use crate::peer::{MYSQL, connect_with, err, packet, packets};

/// Fields of all rows, and the outcome or the error's code.
type Seen = (Vec<Option<Vec<u8>>>, Result<Outcome, Option<u16>>);

fn answers() -> Vec<Vec<u8>> {
    let long = [&b"\xFC\x2C\x01"[..], &[b'l'; 300]].concat();
    let row = |text: &[u8]| [b"\x0242", &[u8::try_from(text.len()).expect("short")][..], text].concat();
    let rows: Vec<Vec<u8>> = (0..40).map(|n| row(&vec![b'r'; n])).collect();
    let mut result: Vec<&[u8]> = vec![b"\x02", COLUMN, STRING];
    result.extend(rows.iter().map(Vec::as_slice));
    result.push(END);
    let duplicate = err(1062, "23000", "Duplicate entry");
    vec![
        packet(1, b"\0\x01\x02\x02\0\0\0"),
        packet(1, &duplicate),
        packets(1, &result),
        packets(1, &[b"\x01", STRING, &long, b"\xFB", END_MORE, b"\0\x05\0\x0A\0\0\0", b"\x01", COLUMN, END]),
        packets(1, &[b"\x02", COLUMN, STRING, b"\x011\xFB", &duplicate]),
    ]
}

fn see(answer: &[u8], pieces: Vec<usize>) -> Seen {
    let mut connection = connect_with(MYSQL, pieces, |_| answer.to_vec());
    let mut fields = Vec::new();
    let mut take =
        |row: &Row<'_>| fields.extend((0..row.len()).map(|n| row.bytes(n).map(std::borrow::Cow::into_owned)));
    let result = block_on(connection.query(b"CALL p()", &mut take));
    assert!(connection.is_usable());
    (fields, result.map_err(|error| error.code()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn text_results(pieces in prop::collection::vec(1usize..200, 1..8), which in 0usize..5) {
        let answer = &answers()[which];
        prop_assert_eq!(see(answer, pieces), see(answer, vec![usize::MAX]));
    }

    #[test]
    fn prepared_statements(pieces in prop::collection::vec(1usize..50, 1..8)) {
        let unknown = err(1295, "HY000", "not supported in the prepared statement protocol yet");
        let answer = |payload: &[u8]| match payload {
            [22, b'B', ..] => packet(1, &unknown),
            [22, ..] => packets(1, &[b"\0\x01\0\0\0\x01\0\x01\0\0\0\0", COLUMN, STRING]),
            _ => packets(1, &[b"\x01", STRING, b"\0\0\x03abc", b"\0\x04", END]),
        };
        let mut connection = connect_with(MYSQL, pieces, answer);
        block_on(async {
            let all = connection.prepare_all(["SELECT ?", "BEGIN", "SELECT ?"]).await?;
            let codes: Vec<_> = all.iter().map(|one| one.as_ref().err().map(|error| error.code)).collect();
            assert_eq!(codes, [None, Some(1295), None]);
            for mut prepared in all.into_iter().flatten() {
                let mut seen = Vec::new();
                let mut take = |row: &Row<'_>| seen.push(row.bytes(0).map(std::borrow::Cow::into_owned));
                let outcome = connection.execute(&mut prepared, &[Param::Null], &mut take).await?;
                assert_eq!((outcome.rows, outcome.warnings), (2, 1));
                assert_eq!(seen, [Some(b"abc".to_vec()), None]);
            }
            Ok::<(), Error>(())
        })
        .expect("a connection that lives");
    }

    #[test]
    fn rubbish_ends_in_an_error_or_an_outcome(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        let mut connection = connect_with(MYSQL, vec![7], |_| packet(1, &bytes));
        let _ = block_on(connection.query(b"SELECT", &mut |_: &Row<'_>| {}));
        let mut connection = connect_with(MYSQL, vec![7], |_| packet(1, &bytes));
        let _ = block_on(connection.prepare("SELECT"));
        let row = |bytes: &[u8]| packets(1, &[b"\x03", COLUMN, STRING, COLUMN, bytes, END]);
        let mut connection = connect_with(MYSQL, vec![usize::MAX], |_| row(&bytes));
        let _ = block_on(connection.query(b"SELECT", &mut |row: &Row<'_>| {
            for index in 0..row.len() {
                let _ = (row.value(index), row.int(index), row.bytes(index));
            }
        }));
    }
}

#[test]
fn packets_of_sixteen_mebibytes_in_pieces() {
    const FULL: usize = 0xFF_FFFF;
    let length = FULL + 5;
    // The length's first byte is also that of an end of rows, which is never as long.
    let field = [&b"\xFE"[..], &(length as u64).to_le_bytes(), &vec![b'z'; length]].concat();
    let (first, second) = field.split_at(FULL);
    let answer = packets(1, &[b"\x01", STRING, first, second, END]);
    for pieces in [vec![usize::MAX], vec![3, FULL, 1], vec![65_536, 70_001]] {
        let (fields, outcome) = see(&answer, pieces);
        assert_eq!(outcome.expect("a row").rows, 1);
        assert!(fields[0].as_ref().is_some_and(|bytes| bytes.len() == length));
    }
}
