//! Fields out of rows, as exact numbers.

use assay_wire::Row;

use crate::Failure;

/// A decimal field in units of its last digit: `12.30` with scale 2 is 1230. `None` for NULL and what is no decimal.
pub(crate) fn unscaled(row: &Row<'_>, column: usize, scale: usize) -> Option<i64> {
    parse(&row.bytes(column)?, scale)
}

fn parse(text: &[u8], scale: usize) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix(b"-") {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (whole, fraction) = match digits.iter().position(|byte| *byte == b'.') {
        Some(point) => (&digits[..point], &digits[point + 1..]),
        None => (digits, &[][..]),
    };
    let zeros = scale.checked_sub(fraction.len())?;
    let all = whole.iter().chain(fraction).chain(std::iter::repeat_n(&b'0', zeros));
    let value = all.into_iter().try_fold(0_i64, |value, byte| {
        byte.is_ascii_digit().then(|| value.checked_mul(10)?.checked_add(i64::from(byte - b'0'))).flatten()
    })?;
    Some(if negative { -value } else { value })
}

/// What a select must have found.
///
/// # Errors
/// The select found nothing; `missing` says what, for people.
pub(crate) fn found<T>(value: Option<T>, missing: &'static str) -> Result<T, Failure> {
    value.ok_or(Failure::Data(missing))
}

/// What a statement must have hit, where only the number of rows is known.
///
/// # Errors
/// As [`found`].
pub(crate) fn hit(rows: u64, missing: &'static str) -> Result<(), Failure> {
    found((rows > 0).then_some(()), missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_exactly() {
        for (text, scale, value) in [
            ("12.30", 2, Some(1230)),
            ("-0.05", 2, Some(-5)),
            ("7", 2, Some(700)),
            ("0.1234", 4, Some(1234)),
            ("0.12345", 4, None),
            ("1e3", 2, None),
            ("99999999999999999999", 0, None),
        ] {
            assert_eq!(parse(text.as_bytes(), scale), value, "{text}");
        }
    }
}
