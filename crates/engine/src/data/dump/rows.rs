//! Files of rows: cut where records end, and sent from memory by `LOAD DATA LOCAL INFILE`.

use std::io::{self, Read};

use assay_format::job::RowsOfTable;
use assay_generate::quoted_name;

/// Bytes of a piece, which a record may exceed.
const PIECE_BYTES: usize = 4 << 20;

/// The longest row that is read, in bytes: beyond it a quote was not closed.
const LONGEST_BYTES: usize = 1 << 30;

/// A file of rows in pieces of whole records.
pub(super) struct Records<'a, R> {
    from: R,
    form: &'a RowsOfTable,
    text: Vec<u8>,
    whole: bool,
    header: bool,
    piece: usize,
    /// Records before the next piece.
    pub before: u64,
}

/// Whole records, and how many they are.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub content: Vec<u8>,
    pub records: u64,
}

impl<'a, R: Read> Records<'a, R> {
    pub(super) fn new(from: R, form: &'a RowsOfTable) -> Self {
        Self {
            from,
            form,
            text: Vec::new(),
            whole: false,
            header: form.header,
            piece: PIECE_BYTES,
            before: 0,
        }
    }

    pub(super) fn source(&mut self) -> &mut R {
        &mut self.from
    }

    /// The next piece; `None`: the file is at its end.
    pub(super) fn next(&mut self) -> io::Result<Option<Piece>> {
        loop {
            let (ends, other) = ends(&self.text, self.form, self.whole);
            if let Some(at) = other.filter(|_| self.whole || self.text.len() >= self.piece) {
                let number = self.before + ends.iter().take_while(|end| **end < at).count() as u64 + 1;
                return Err(io::Error::other(format!(
                    "record {number} ends with another mark than those before: lines end with CRLF, or all with LF"
                )));
            }
            if self.header
                && let Some(first) = ends.first()
            {
                self.text.drain(..*first);
                self.header = false;
                continue;
            }
            if self.whole || self.text.len() >= self.piece && !ends.is_empty() {
                let Some(last) = ends.last() else { return Ok(None) };
                let rest = self.text.split_off(*last);
                let content = std::mem::replace(&mut self.text, rest);
                let records = ends.len() as u64;
                self.before += records;
                return Ok(Some(Piece { content, records }));
            }
            let before = self.text.len();
            if self.form.lines_terminated.is_empty() || self.form.fields_terminated.is_empty() {
                return Err(io::Error::other("its form names no end of lines, or of fields"));
            }
            if before > LONGEST_BYTES {
                return Err(io::Error::other("a row is longer than 1 GiB: is a quote open?"));
            }
            let want = before.max(self.piece) as u64;
            (&mut self.from).take(want).read_to_end(&mut self.text)?;
            self.whole = ((self.text.len() - before) as u64) < want;
        }
    }
}

/// Where records end, terminators included; the last one of a `whole` text needs none. Also where a line first ends with
/// another mark: with LF among CRLF, or in CSV, which has no bare CR in a field without quotes, the other way round.
fn ends(text: &[u8], form: &RowsOfTable, whole: bool) -> (Vec<usize>, Option<usize>) {
    let terminator = form.lines_terminated.as_bytes();
    let quote = form.enclosed.bytes().next();
    let escape = form.escaped.bytes().next();
    let separator = form.fields_terminated.as_bytes();
    let (mut at, mut quoted, mut found, mut other) = (0, false, Vec::new(), None);
    // A quote within a field that has none at its beginning is a letter as any other.
    let mut begins = true;
    while at < text.len() {
        let (byte, first) = (text[at], std::mem::take(&mut begins));
        if Some(byte) == escape {
            at += 2;
        } else if quoted && Some(byte) == quote {
            if text.get(at + 1) == Some(&byte) {
                at += 1;
            } else {
                quoted = false;
            }
            at += 1;
        } else if quoted {
            at += 1;
        } else if first && Some(byte) == quote {
            quoted = true;
            at += 1;
        } else if text[at..].starts_with(terminator) {
            if terminator == b"\n" && quote.is_some() && at > 0 && text[at - 1] == b'\r' {
                other.get_or_insert(at);
            }
            at += terminator.len();
            found.push(at);
            begins = true;
        } else if text[at..].starts_with(separator) {
            at += separator.len();
            begins = true;
        } else {
            // The terminator may be cut off at the end of what there is.
            if byte == b'\n' && terminator == b"\r\n" {
                other.get_or_insert(at);
            }
            at += 1;
        }
    }
    if whole && found.last().copied().unwrap_or(0) < text.len() {
        found.push(text.len());
    }
    (found, other)
}

/// The statement that takes the rows of a file.
pub(super) fn load_sql(form: &RowsOfTable) -> String {
    let mut sql = format!(
        "LOAD DATA LOCAL INFILE 'rows' INTO TABLE {} CHARACTER SET {} FIELDS TERMINATED BY {}",
        quoted_name(&form.table),
        form.charset,
        quoted(&form.fields_terminated)
    );
    if !form.enclosed.is_empty() {
        sql += &format!(" OPTIONALLY ENCLOSED BY {}", quoted(&form.enclosed));
    }
    sql += &format!(
        " ESCAPED BY {} LINES TERMINATED BY {}",
        quoted(&form.escaped),
        quoted(&form.lines_terminated)
    );
    if form.columns.is_empty() {
        return sql;
    }
    let (mut fields, mut sets) = (Vec::new(), Vec::new());
    for (number, column) in form.columns.iter().enumerate() {
        match &column.decoded_by {
            None => fields.push(quoted_name(&column.name)),
            Some(function) => {
                fields.push(format!("@field{number}"));
                sets.push(format!("{} = {function}(@field{number})", quoted_name(&column.name)));
            }
        }
    }
    sql += &format!(" ({})", fields.join(", "));
    if !sets.is_empty() {
        sql += &format!(" SET {}", sets.join(", "));
    }
    sql
}

fn quoted(text: &str) -> String {
    let mut out = String::from("'");
    for letter in text.chars() {
        match letter {
            '\'' => out += "\\'",
            '\\' => out += "\\\\",
            '\n' => out += "\\n",
            '\r' => out += "\\r",
            '\t' => out += "\\t",
            '\0' => out += "\\0",
            other => out.push(other),
        }
    }
    out.push('\'');
    out
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use assay_format::job::ColumnOfRows;

    fn form(enclosed: &str, escaped: &str, header: bool) -> RowsOfTable {
        RowsOfTable {
            table: "a".into(),
            columns: Vec::new(),
            fields_terminated: ",".into(),
            enclosed: enclosed.into(),
            escaped: escaped.into(),
            lines_terminated: "\n".into(),
            charset: "utf8mb4".into(),
            header,
        }
    }

    #[rstest]
    #[case(form("", "\\", false), "1,a\\\nb\n2,c\n", &["1,a\\\nb\n", "2,c\n"])]
    #[case(form("\"", "", true), "id,b\n1,\"a\nb\"\"\n\"\n2,c", &["1,\"a\nb\"\"\n\"\n", "2,c"])]
    #[case(form("\"", "", false), "1,5\" disk\n2,\"a\"\n", &["1,5\" disk\n", "2,\"a\"\n"])]
    #[case(form("", "", false), "", &[])]
    fn records_end_where_their_form_says(
        #[case] form: RowsOfTable,
        #[case] text: &str,
        #[case] expected: &[&str],
    ) {
        let mut records = Records { piece: 1, ..Records::new(text.as_bytes(), &form) };
        let (mut found, mut count) = (String::new(), 0);
        while let Some(piece) = records.next().expect("readable") {
            found += str::from_utf8(&piece.content).expect("UTF-8");
            count += piece.records;
        }
        assert_eq!((found, count), (expected.concat(), expected.len() as u64));
    }

    #[rstest]
    #[case("\r\n", "1,a\r\n2,\"x\ny\"\r\n", None)]
    #[case("\r\n", "1,a\r\n2,b\n3,c\r\n", Some("record 2 "))]
    #[case("\n", "1,a\n2,b\n3,c\r\n", Some("record 3 "))]
    #[case("\n", "1,\"a\r\nb\"\n2,b\n", None)]
    fn lines_of_two_ends_are_refused(#[case] ends: &str, #[case] text: &str, #[case] refused: Option<&str>) {
        let form = RowsOfTable { lines_terminated: ends.into(), ..form("\"", "", false) };
        let mut records = Records { piece: 1, ..Records::new(text.as_bytes(), &form) };
        let mut found = None;
        while found.is_none() {
            match records.next() {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(error) => found = Some(error.to_string()),
            }
        }
        assert_eq!(found.is_some(), refused.is_some(), "{found:?}");
        assert!(refused.is_none_or(|words| found.is_some_and(|text| text.starts_with(words))));
    }

    #[test]
    fn fields_are_decoded_into_their_columns() {
        let column = |name: &str, decoded_by: Option<&str>| ColumnOfRows {
            name: name.into(),
            decoded_by: decoded_by.map(str::to_owned),
        };
        let columns = vec![column("id", None), column("b", Some("FROM_BASE64"))];
        let sql = load_sql(&RowsOfTable { columns, ..form("", "\\", false) });
        assert!(
            sql.ends_with(
                "ESCAPED BY '\\\\' LINES TERMINATED BY '\\n' (`id`, @field1) SET `b` = FROM_BASE64(@field1)"
            ),
            "{sql}"
        );
    }
}
