//! Typed field values.

use std::fmt;
use std::io::{self, Write};

/// The value of a field, of the kind that its column's type says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    Null,
    Int(i64),
    UInt(u64),
    Float(f32),
    Double(f64),
    /// `DECIMAL`, exact, as text.
    Decimal(&'a str),
    Date(Date),
    /// `DATETIME` and `TIMESTAMP`.
    DateTime(Date, Time),
    Time(Time),
    Year(u16),
    /// `BIT(n)` as an ordinary number: the column has its most significant bit first.
    Bit(u64),
    /// Character strings in the connection's character set (utf8mb4).
    Text(&'a [u8]),
    Enum(&'a [u8]),
    /// Members of a `SET`, with `,` between them.
    Set(&'a [u8]),
    /// MySQL's JSON; MariaDB's is [`Value::Text`].
    Json(&'a [u8]),
    /// Four bytes of SRID, then WKB.
    Geometry(&'a [u8]),
    /// Binary strings, vectors, and what does not read as its type.
    Bytes(&'a [u8]),
}

/// A calendar date; MySQL allows zeros in all parts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Date {
    pub year: u16,
    pub month: u8,
    pub day: u8,
}

/// A time of day, or of type `TIME`: a signed span of up to 838 hours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Time {
    pub negative: bool,
    pub hours: u32,
    pub minutes: u8,
    pub seconds: u8,
    pub microseconds: u32,
}

impl<'a> Value<'a> {
    /// The value where it is text or bytes that read as text.
    #[must_use]
    pub fn as_str(&self) -> Option<&'a str> {
        match *self {
            Self::Decimal(text) => Some(text),
            Self::Text(bytes)
            | Self::Enum(bytes)
            | Self::Set(bytes)
            | Self::Json(bytes)
            | Self::Bytes(bytes) => str::from_utf8(bytes).ok(),
            _ => None,
        }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl Time {
    /// `[-]hh:mm:ss[.f…]` with this many digits of a second's fraction (a column's `decimals`).
    pub(crate) fn write(&self, out: &mut Vec<u8>, decimals: u8) -> io::Result<()> {
        let sign = if self.negative { "-" } else { "" };
        write!(out, "{sign}{:02}:{:02}:{:02}", self.hours, self.minutes, self.seconds)?;
        let decimals = u32::from(decimals.min(6));
        if decimals > 0 {
            let fraction = self.microseconds / 10u32.pow(6 - decimals);
            write!(out, ".{fraction:0width$}", width = decimals as usize)?;
        }
        Ok(())
    }
}
