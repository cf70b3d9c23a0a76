//! Rows of text queries.

use mysql_common::constants::{ColumnFlags, ColumnType};

use super::{Column, Span, Spans};
use crate::reader::Reader;
use crate::value::{Date, Time, Value};

/// Byte in place of a field that is NULL.
const NULL: u8 = 0xFB;
/// The collation number of binary strings.
const BINARY: u16 = 63;

/// Finds `count` fields; `None` when the payload holds more or fewer.
pub(super) fn fields(payload: &[u8], count: usize, spans: &mut Spans) -> Option<()> {
    let mut rest = Reader(payload);
    for _ in 0..count {
        if rest.0.first() == Some(&NULL) {
            rest.u8()?;
            spans.push(Span::NULL);
        } else {
            let field = rest.lenenc_bytes()?;
            let end = payload.len() - rest.0.len();
            spans.push(Span::new(end - field.len(), end)?);
        }
    }
    rest.0.is_empty().then_some(())
}

/// The value of a field that is not NULL.
pub(super) fn value<'a>(raw: &'a [u8], column: &Column) -> Option<Value<'a>> {
    use ColumnType::*;
    Some(match column.column_type() {
        MYSQL_TYPE_TINY | MYSQL_TYPE_SHORT | MYSQL_TYPE_INT24 | MYSQL_TYPE_LONG | MYSQL_TYPE_LONGLONG => {
            if column.flags().contains(ColumnFlags::UNSIGNED_FLAG) {
                Value::UInt(parse(raw)?)
            } else {
                Value::Int(parse(raw)?)
            }
        }
        MYSQL_TYPE_YEAR => Value::Year(parse(raw)?),
        MYSQL_TYPE_FLOAT => Value::Float(parse(raw)?),
        MYSQL_TYPE_DOUBLE => Value::Double(parse(raw)?),
        MYSQL_TYPE_DATE | MYSQL_TYPE_NEWDATE => Value::Date(date(raw)?),
        MYSQL_TYPE_TIME | MYSQL_TYPE_TIME2 => Value::Time(time(raw)?),
        MYSQL_TYPE_DATETIME | MYSQL_TYPE_DATETIME2 | MYSQL_TYPE_TIMESTAMP | MYSQL_TYPE_TIMESTAMP2 => {
            let (day, rest) = raw.split_at_checked(10)?;
            Value::DateTime(date(day)?, time(rest.strip_prefix(b" ")?)?)
        }
        _ => return string(raw, column),
    })
}

/// The value of a field that both protocols write as a string.
pub(super) fn string<'a>(raw: &'a [u8], column: &Column) -> Option<Value<'a>> {
    use ColumnType::*;
    let flags = column.flags();
    Some(match column.column_type() {
        MYSQL_TYPE_DECIMAL | MYSQL_TYPE_NEWDECIMAL => Value::Decimal(str::from_utf8(raw).ok()?),
        MYSQL_TYPE_BIT => Value::Bit(bits(raw)?),
        MYSQL_TYPE_JSON => Value::Json(raw),
        MYSQL_TYPE_GEOMETRY => Value::Geometry(raw),
        MYSQL_TYPE_VECTOR => Value::Bytes(raw),
        MYSQL_TYPE_ENUM => Value::Enum(raw),
        MYSQL_TYPE_SET => Value::Set(raw),
        // Servers send these two as strings, and say in the flags what they are.
        _ if flags.contains(ColumnFlags::ENUM_FLAG) => Value::Enum(raw),
        _ if flags.contains(ColumnFlags::SET_FLAG) => Value::Set(raw),
        _ if column.character_set() == BINARY => Value::Bytes(raw),
        _ => Value::Text(raw),
    })
}

fn parse<T: std::str::FromStr>(raw: &[u8]) -> Option<T> {
    str::from_utf8(raw).ok()?.parse().ok()
}

/// A number of up to eight bytes, the most significant first.
fn bits(raw: &[u8]) -> Option<u64> {
    (raw.len() <= 8).then(|| raw.iter().fold(0, |value, byte| value << 8 | u64::from(*byte)))
}

/// A date, `YYYY-MM-DD`.
fn date(raw: &[u8]) -> Option<Date> {
    let mut parts = raw.split(|byte| *byte == b'-').map(parse::<u16>);
    let mut next = || parts.next().flatten();
    Some(Date { year: next()?, month: next()?.try_into().ok()?, day: next()?.try_into().ok()? })
}

/// A span of time, `[-]hhh:mm:ss[.ffffff]`.
fn time(raw: &[u8]) -> Option<Time> {
    let (negative, raw) = match raw.strip_prefix(b"-") {
        Some(rest) => (true, rest),
        None => (false, raw),
    };
    let (whole, fraction) = match raw.iter().position(|byte| *byte == b'.') {
        Some(point) => (&raw[..point], &raw[point + 1..]),
        None => (raw, &[][..]),
    };
    let mut parts = whole.split(|byte| *byte == b':').map(parse::<u32>);
    let mut next = || parts.next().flatten();
    let digits = u32::try_from(fraction.len()).ok().filter(|digits| *digits <= 6)?;
    let fraction = if digits == 0 { 0 } else { parse::<u32>(fraction)? };
    Some(Time {
        negative,
        hours: next()?,
        minutes: next()?.try_into().ok()?,
        seconds: next()?.try_into().ok()?,
        microseconds: fraction * 10u32.pow(6 - digits),
    })
}
