//! Rows of a result set, borrowed from the read buffer.

mod binary;
mod column;
mod text;

use std::borrow::Cow;

pub use mysql_common::constants::{ColumnFlags, ColumnType};

pub use column::Column;

use crate::param::put_lenenc;
use crate::value::Value;

/// How a row is written: by a text query or by a prepared statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Text,
    Binary,
}

/// Place of a field's bytes in its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// The mark of a NULL: no field ends before it starts.
    const NULL: Self = Self { start: 1, end: 0 };

    fn new(start: usize, end: usize) -> Option<Self> {
        Some(Self { start: u32::try_from(start).ok()?, end: u32::try_from(end).ok()? })
    }
}

/// Places of the fields of one row; the memory is used again for the next.
pub(crate) type Spans = Vec<Span>;

/// One row of a result, read alike whether it came in the text or the binary protocol.
#[derive(Debug)]
pub struct Row<'a> {
    payload: &'a [u8],
    columns: &'a [Column],
    encoding: Encoding,
    spans: &'a [Span],
}

impl<'a> Row<'a> {
    /// Finds the fields of a row; `None` when the payload is not a row of these columns.
    pub(crate) fn new(
        payload: &'a [u8],
        columns: &'a [Column],
        encoding: Encoding,
        spans: &'a mut Spans,
    ) -> Option<Self> {
        spans.clear();
        match encoding {
            Encoding::Text => text::fields(payload, columns.len(), spans)?,
            Encoding::Binary => binary::fields(payload, columns, spans)?,
        }
        Some(Self { payload, columns, encoding, spans })
    }

    /// Shows `read` a row of text fields, one column each, where there is no server: for tests of what reads rows.
    pub fn of_text(fields: &[&str], read: impl FnOnce(&Row<'_>)) {
        let mut payload = Vec::new();
        for field in fields {
            put_lenenc(&mut payload, field.len() as u64);
            payload.extend_from_slice(field.as_bytes());
        }
        let columns = vec![Column::new(ColumnType::MYSQL_TYPE_VAR_STRING); fields.len()];
        if let Some(row) = Row::new(&payload, &columns, Encoding::Text, &mut Spans::new()) {
            read(&row);
        }
    }

    /// Number of fields.
    #[must_use]
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether the row has no field.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The columns of the row's result.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        self.columns
    }

    /// Whether field `index` is NULL; a field that is not there is.
    #[must_use]
    pub fn is_null(&self, index: usize) -> bool {
        self.raw(index).is_none()
    }

    /// The field as text, as a text query shows it; `None` for NULL. Floating point numbers of prepared statements are
    /// written in the shortest form that reads back the same, which is not always the server's.
    #[must_use]
    pub fn bytes(&self, index: usize) -> Option<Cow<'a, [u8]>> {
        let raw = self.raw(index)?;
        match self.encoding {
            Encoding::Text => Some(Cow::Borrowed(raw)),
            Encoding::Binary => binary::text(raw, &self.columns[index]),
        }
    }

    /// The field as a whole number; `None` for NULL, for what is not one, and for what does not fit.
    #[must_use]
    pub fn int(&self, index: usize) -> Option<i64> {
        match self.value(index) {
            Value::Int(value) => Some(value),
            Value::UInt(value) | Value::Bit(value) => value.try_into().ok(),
            Value::Year(value) => Some(value.into()),
            Value::Null => None,
            value => value.as_str()?.parse().ok(),
        }
    }

    /// The field as a whole number without sign; `None` as for [`Row::int`].
    #[must_use]
    pub fn uint(&self, index: usize) -> Option<u64> {
        match self.value(index) {
            Value::Int(value) => value.try_into().ok(),
            Value::UInt(value) | Value::Bit(value) => Some(value),
            Value::Year(value) => Some(value.into()),
            Value::Null => None,
            value => value.as_str()?.parse().ok(),
        }
    }

    /// The field as a floating point number: integers, decimals and numbers in text too.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "asked for a double")]
    pub fn double(&self, index: usize) -> Option<f64> {
        match self.value(index) {
            Value::Int(value) => Some(value as f64),
            Value::UInt(value) | Value::Bit(value) => Some(value as f64),
            Value::Year(value) => Some(value.into()),
            Value::Float(value) => Some(value.into()),
            Value::Double(value) => Some(value),
            Value::Null => None,
            value => value.as_str()?.parse().ok(),
        }
    }

    /// The field as its column's type says. [`Value::Bytes`] for what does not read as that type.
    #[must_use]
    pub fn value(&self, index: usize) -> Value<'a> {
        let Some(raw) = self.raw(index) else {
            return Value::Null;
        };
        let column = &self.columns[index];
        let value = match self.encoding {
            Encoding::Text => text::value(raw, column),
            Encoding::Binary => binary::value(raw, column),
        };
        value.unwrap_or(Value::Bytes(raw))
    }

    /// The field's bytes as they came.
    fn raw(&self, index: usize) -> Option<&'a [u8]> {
        let span = self.spans.get(index)?;
        self.payload.get(span.start as usize..span.end as usize)
    }
}

/// A taker of the rows of a result set, which come one by one.
pub trait Rows {
    /// Takes the next row.
    fn row(&mut self, row: &Row<'_>);

    /// Takes the columns of a result set that begins: before its first row, and when it has none.
    fn columns(&mut self, columns: &[Column]) {
        let _ = columns;
    }

    /// The reason why no more of the answer is taken, once there is one. The connection is of no use then: what it still sends is
    /// not read.
    fn refusal(&self) -> Option<String> {
        None
    }

    /// Whether rows are wanted at all. When not, neither method is called: rows are counted, nothing is decoded.
    fn wanted(&self) -> bool {
        true
    }
}

/// A taker that wants no rows: they are counted and skipped without being decoded.
#[derive(Debug, Default)]
pub struct Discard;

impl Rows for Discard {
    fn row(&mut self, _row: &Row<'_>) {}

    #[inline]
    fn wanted(&self) -> bool {
        false
    }
}

impl<F: FnMut(&Row<'_>)> Rows for F {
    fn row(&mut self, row: &Row<'_>) {
        self(row);
    }
}
