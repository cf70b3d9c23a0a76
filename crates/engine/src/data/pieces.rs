//! Rows on their way: the text of `VALUES` tuples, as each way of loading wants it.

use assay_wire::{BulkRows, Connection, Discard, Error, Outcome, Prepared};
use assay_workload::Table;

use crate::reactor::socket::Socket;
use assay_format::job::LoadAs;

/// The piece of rows that is being made; its memory is used again for the next.
#[derive(Default)]
pub(crate) struct Pieces {
    way: LoadAs,
    /// The prepared INSERT of a bulk load.
    pub prepared: Option<Prepared>,
    text: Vec<u8>,
    rows: BulkRows,
}

impl Pieces {
    pub(crate) fn new(way: LoadAs) -> Self {
        Self { way, ..Self::default() }
    }

    pub(crate) fn begin(&mut self, table: &Table) {
        self.text.clear();
        self.rows.clear();
        if self.way == LoadAs::Insert {
            self.text.extend_from_slice(insert(table).as_bytes());
        }
    }

    /// Takes what `write` appends: a row's tuple, or nothing. Says whether there was a row.
    pub(crate) fn row(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> bool {
        match self.way {
            LoadAs::Bulk => self.text.clear(),
            LoadAs::Insert if self.text.last() == Some(&b')') => self.text.push(b','),
            _ => {}
        }
        let before = self.text.len();
        write(&mut self.text);
        if self.text.len() == before {
            // The comma after the row before waits for the next one.
            if self.text.last() == Some(&b',') {
                self.text.pop();
            }
            return false;
        }
        match self.way {
            LoadAs::Bulk => split(&self.text, &mut self.rows),
            LoadAs::File => self.text.push(b'\n'),
            _ => {}
        }
        true
    }

    pub(crate) fn bytes(&self) -> usize {
        if self.way == LoadAs::Bulk { self.rows.bytes() } else { self.text.len() }
    }

    pub(crate) async fn send(
        &mut self,
        connection: &mut Connection<Socket>,
        table: &Table,
    ) -> Result<Outcome, Error> {
        match (&mut self.prepared, self.way) {
            (Some(prepared), _) => connection.execute_bulk(prepared, &self.rows).await,
            (None, LoadAs::File) => connection.load(file(table).as_bytes(), &self.text).await,
            (None, _) => connection.query(&self.text, &mut Discard).await,
        }
    }
}

fn insert(table: &Table) -> String {
    format!("INSERT INTO {} ({}) VALUES ", table.name, table.columns)
}

/// An INSERT into the table with a `?` for each column, to be prepared for bulk loads.
pub(crate) fn prepared_insert(table: &Table) -> String {
    let marks = vec!["?"; table.columns.split(',').count()].join(",");
    format!("{}({marks})", insert(table))
}

/// Reads `VALUES` tuples, one a line.
fn file(table: &Table) -> String {
    format!(
        "LOAD DATA LOCAL INFILE 'rows' INTO TABLE {} CHARACTER SET binary \
         FIELDS TERMINATED BY ',' ENCLOSED BY '\\'' ESCAPED BY '\\\\' \
         LINES STARTING BY '(' TERMINATED BY ')\\n' ({})",
        table.name, table.columns
    )
}

/// The values of a tuple `(1,'a',NULL)`, quotes and escapes taken away (MySQL manual, String Literals).
fn split(tuple: &[u8], rows: &mut BulkRows) {
    let mut rest = tuple.strip_prefix(b"(").unwrap_or(tuple);
    loop {
        if let Some(text) = rest.strip_prefix(b"'") {
            let (value, after) = unquoted(text);
            rows.put(Some(&value));
            rest = after;
        } else {
            let end = rest.iter().position(|byte| matches!(byte, b',' | b')')).unwrap_or(rest.len());
            let (value, after) = rest.split_at(end);
            rows.put(if value == b"NULL" { None } else { Some(value) });
            rest = after;
        }
        match rest.strip_prefix(b",") {
            Some(next) => rest = next,
            None => return,
        }
    }
}

/// A string whose opening quote is gone, and what follows its closing one.
fn unquoted(text: &[u8]) -> (std::borrow::Cow<'_, [u8]>, &[u8]) {
    let plain = text.iter().position(|byte| matches!(byte, b'\'' | b'\\')).unwrap_or(text.len());
    if text.get(plain) == Some(&b'\'') && text.get(plain + 1) != Some(&b'\'') {
        return (text[..plain].into(), &text[plain + 1..]);
    }
    let mut value = text[..plain].to_vec();
    let mut at = plain;
    while let Some(&byte) = text.get(at) {
        let next = text.get(at + 1).copied();
        match (byte, next) {
            (b'\'', Some(b'\'')) => value.push(b'\''),
            (b'\'', _) => return (value.into(), &text[at + 1..]),
            (b'\\', Some(escaped)) => value.push(match escaped {
                b'0' => 0,
                b'b' => 8,
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'Z' => 26,
                other => other,
            }),
            (other, _) => {
                value.push(other);
                at += 1;
                continue;
            }
        }
        at += 2;
    }
    (value.into(), &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        Table {
            name: "t".into(),
            create: String::new(),
            columns: "id, a, b".into(),
            rows: 1,
            row_bytes: 100,
            chunk_rows: 1,
            count_chunk: String::new(),
            after: Vec::new(),
        }
    }

    #[test]
    fn tuples_are_split_into_their_values() {
        let mut split_rows = BulkRows::default();
        split(br"(-1,'it''s \'so\', a\\b\n)',NULL,1.50)", &mut split_rows);
        let mut expected = BulkRows::default();
        for value in [Some(b"-1".as_slice()), Some(b"it's 'so', a\\b\n)"), None, Some(b"1.50")] {
            expected.put(value);
        }
        assert_eq!(format!("{split_rows:?}"), format!("{expected:?}"));
    }

    #[test]
    fn a_quoted_word_is_no_null() {
        let (mut null, mut word) = (BulkRows::default(), BulkRows::default());
        split(b"(NULL)", &mut null);
        split(b"('NULL')", &mut word);
        assert_ne!(format!("{null:?}"), format!("{word:?}"));
    }

    #[test]
    fn a_row_that_is_left_out_leaves_no_trace() {
        let mut pieces = Pieces::new(LoadAs::Insert);
        pieces.begin(&table());
        for text in ["", "(1,2,3)", "", "(4,5,6)", ""] {
            assert_eq!(pieces.row(|out| out.extend_from_slice(text.as_bytes())), !text.is_empty());
        }
        assert!(pieces.text.ends_with(b"VALUES (1,2,3),(4,5,6)"));
    }

    #[test]
    fn statements_name_the_columns() {
        assert_eq!(prepared_insert(&table()), "INSERT INTO t (id, a, b) VALUES (?,?,?)");
        assert!(file(&table()).ends_with("(id, a, b)"));
    }
}
