//! Values that a transaction holds for its parameters.

use std::io::Write;

use assay_wire::{Param, Row, Value};

/// What kind of value a slot holds; its bytes, where it has some, are beside it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Held {
    Null,
    Int(i64),
    UInt(u64),
    Double(f64),
    Decimal {
        unscaled: i64,
        scale: u8,
    },
    Bytes,
    /// Bytes of no character set.
    Binary,
}

/// A place for a value, whose memory is used again.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    held: Held,
    bytes: Vec<u8>,
}

impl Slot {
    pub(super) const EMPTY: Self = Self { held: Held::Null, bytes: Vec::new() };

    pub(super) fn set(&mut self, held: Held) {
        self.held = held;
    }

    /// Holds the bytes that `write` appends to an empty buffer.
    pub(super) fn set_bytes(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        self.held = Held::Bytes;
        self.bytes.clear();
        write(&mut self.bytes);
    }

    /// Holds bytes of no character set.
    pub(super) fn set_binary(&mut self, bytes: &[u8]) {
        self.set_bytes(|out| out.extend_from_slice(bytes));
        self.held = Held::Binary;
    }

    /// The value as a parameter.
    #[inline]
    pub(super) fn param(&self) -> Param<'_> {
        match self.held {
            Held::Null => Param::Null,
            Held::Int(value) => Param::Int(value),
            Held::UInt(value) => Param::UInt(value),
            Held::Double(value) => Param::Double(value),
            Held::Decimal { unscaled, scale } => Param::Decimal { unscaled, scale },
            Held::Bytes => Param::Bytes(&self.bytes),
            Held::Binary => Param::Binary(&self.bytes),
        }
    }

    /// The value as a count, where it is one.
    pub(super) fn count(&self) -> Option<u64> {
        match self.held {
            Held::Int(value) => value.try_into().ok(),
            Held::UInt(value) => Some(value),
            Held::Bytes => str::from_utf8(&self.bytes).ok()?.parse().ok(),
            _ => None,
        }
    }

    /// Holds a field of a row.
    pub(super) fn take(&mut self, row: &Row<'_>, index: usize) {
        match row.value(index) {
            Value::Null => self.set(Held::Null),
            Value::Int(value) => self.set(Held::Int(value)),
            Value::UInt(value) => self.set(Held::UInt(value)),
            Value::Year(value) => self.set(Held::Int(value.into())),
            Value::Double(value) => self.set(Held::Double(value)),
            // Numbers, times and texts alike: the server reads them as the column's type.
            _ => self.set_bytes(|out| out.extend_from_slice(&row.bytes(index).unwrap_or_default())),
        }
    }
}

/// Days since 1970-01-01 of a date of the Gregorian calendar (Hinnant, "chrono-compatible low-level date algorithms").
pub(super) fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// Appends a day since 1970-01-01 as `YYYY-MM-DD`.
pub(super) fn put_date(days: i64, out: &mut Vec<u8>) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    // Writing to a vector cannot fail.
    let _ = write!(out, "{year:04}-{month:02}-{day:02}");
}

/// Appends a second since 1970-01-01 as `YYYY-MM-DD hh:mm:ss`.
pub(super) fn put_datetime(seconds: i64, out: &mut Vec<u8>) {
    put_date(seconds.div_euclid(86_400), out);
    let second = seconds.rem_euclid(86_400);
    let _ = write!(out, " {:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_go_there_and_back() {
        for (year, month, day, days) in
            [(1970, 1, 1, 0), (2000, 2, 29, 11_016), (1969, 12, 31, -1), (2026, 11, 29, 20_786)]
        {
            assert_eq!(days_of(year, month, day), days);
            let mut out = Vec::new();
            put_date(days, &mut out);
            assert_eq!(out, format!("{year:04}-{month:02}-{day:02}").as_bytes());
        }
        let mut out = Vec::new();
        put_datetime(-1, &mut out);
        assert_eq!(out, b"1969-12-31 23:59:59");
    }
}
