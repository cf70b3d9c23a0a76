//! Rows of prepared statements.

use std::borrow::Cow;
use std::io::Write;

use mysql_common::constants::{ColumnFlags, ColumnType};

use super::{Column, Span, Spans, text};
use crate::reader::Reader;
use crate::value::{Date, Time, Value};

/// Bits at the beginning of a row's null bitmap that mean nothing.
const BITMAP_OFFSET: usize = 2;

/// Finds the fields of a row; `None` when the payload is not a row of these columns.
pub(super) fn fields(payload: &[u8], columns: &[Column], spans: &mut Spans) -> Option<()> {
    let mut rest = Reader(payload);
    let header = rest.u8()?;
    let nulls = rest.bytes((columns.len() + BITMAP_OFFSET).div_ceil(8))?;
    for (index, column) in columns.iter().enumerate() {
        let bit = index + BITMAP_OFFSET;
        if nulls[bit / 8] & 1 << (bit % 8) != 0 {
            spans.push(Span::NULL);
        } else {
            let field = field(&mut rest, column.column_type())?;
            let end = payload.len() - rest.0.len();
            spans.push(Span::new(end - field.len(), end)?);
        }
    }
    (header == 0 && rest.0.is_empty()).then_some(())
}

/// The bytes of one field without its length.
fn field<'a>(rest: &mut Reader<'a>, column_type: ColumnType) -> Option<&'a [u8]> {
    use ColumnType::*;
    match column_type {
        MYSQL_TYPE_NULL => rest.bytes(0),
        MYSQL_TYPE_TINY => rest.bytes(1),
        MYSQL_TYPE_SHORT | MYSQL_TYPE_YEAR => rest.bytes(2),
        MYSQL_TYPE_LONG | MYSQL_TYPE_INT24 | MYSQL_TYPE_FLOAT => rest.bytes(4),
        MYSQL_TYPE_LONGLONG | MYSQL_TYPE_DOUBLE => rest.bytes(8),
        // Dates and times have a length in front too, of one byte.
        _ => rest.lenenc_bytes(),
    }
}

/// The value of a field that is not NULL.
pub(super) fn value<'a>(raw: &'a [u8], column: &Column) -> Option<Value<'a>> {
    use ColumnType::*;
    Some(match column.column_type() {
        MYSQL_TYPE_TINY | MYSQL_TYPE_SHORT | MYSQL_TYPE_INT24 | MYSQL_TYPE_LONG | MYSQL_TYPE_LONGLONG => {
            integer(raw, column.flags().contains(ColumnFlags::UNSIGNED_FLAG))?
        }
        MYSQL_TYPE_YEAR => Value::Year(u16::from_le_bytes(raw.try_into().ok()?)),
        MYSQL_TYPE_FLOAT => Value::Float(f32::from_le_bytes(raw.try_into().ok()?)),
        MYSQL_TYPE_DOUBLE => Value::Double(f64::from_le_bytes(raw.try_into().ok()?)),
        MYSQL_TYPE_DATE | MYSQL_TYPE_NEWDATE => Value::Date(date_time(raw)?.0),
        MYSQL_TYPE_DATETIME | MYSQL_TYPE_DATETIME2 | MYSQL_TYPE_TIMESTAMP | MYSQL_TYPE_TIMESTAMP2 => {
            let (date, time) = date_time(raw)?;
            Value::DateTime(date, time)
        }
        MYSQL_TYPE_TIME | MYSQL_TYPE_TIME2 => Value::Time(time(raw)?),
        _ => return text::string(raw, column),
    })
}

/// A little-endian integer of 1, 2, 4 or 8 bytes.
fn integer<'a>(raw: &[u8], unsigned: bool) -> Option<Value<'a>> {
    let negative = raw.last()? & 0x80 != 0 && !unsigned;
    let mut bytes = [if negative { 0xFF } else { 0 }; 8];
    bytes.get_mut(..raw.len())?.copy_from_slice(raw);
    Some(if unsigned {
        Value::UInt(u64::from_le_bytes(bytes))
    } else {
        Value::Int(i64::from_le_bytes(bytes))
    })
}

/// A date and time of 0, 4, 7 or 11 bytes: parts that are zero are left out at the end.
fn date_time(raw: &[u8]) -> Option<(Date, Time)> {
    let mut fields = Reader(raw);
    let (mut date, mut time) = (Date::default(), Time::default());
    if raw.len() >= 4 {
        date = Date { year: fields.u16()?, month: fields.u8()?, day: fields.u8()? };
    }
    if raw.len() >= 7 {
        time.hours = fields.u8()?.into();
        (time.minutes, time.seconds) = (fields.u8()?, fields.u8()?);
    }
    if raw.len() >= 11 {
        time.microseconds = fields.u32()?;
    }
    fields.0.is_empty().then_some((date, time))
}

/// A span of time of 0, 8 or 12 bytes.
fn time(raw: &[u8]) -> Option<Time> {
    let mut fields = Reader(raw);
    let mut time = Time::default();
    if raw.len() >= 8 {
        time.negative = fields.u8()? != 0;
        let days = fields.u32()?;
        time.hours = days.checked_mul(24)?.checked_add(fields.u8()?.into())?;
        (time.minutes, time.seconds) = (fields.u8()?, fields.u8()?);
    }
    if raw.len() >= 12 {
        time.microseconds = fields.u32()?;
    }
    fields.0.is_empty().then_some(time)
}

/// The field as a text query would show it.
pub(super) fn text<'a>(raw: &'a [u8], column: &Column) -> Option<Cow<'a, [u8]>> {
    let mut out = Vec::new();
    // Writing to a vector does not fail.
    let _ = match value(raw, column)? {
        Value::Int(value) => write!(out, "{value}"),
        Value::UInt(value) => write!(out, "{value}"),
        Value::Year(value) => write!(out, "{value:04}"),
        Value::Float(value) => write!(out, "{value}"),
        Value::Double(value) => write!(out, "{value}"),
        Value::Date(value) => write!(out, "{value}"),
        Value::DateTime(date, time) => {
            write!(out, "{date} ").and_then(|()| time.write(&mut out, column.decimals()))
        }
        Value::Time(time) => time.write(&mut out, column.decimals()),
        _ => return Some(Cow::Borrowed(raw)),
    };
    Some(Cow::Owned(out))
}
