//! Numbers as C's `%g` writes them, which sysbench's text has.

/// The number with so many significant digits, without zeros at its end.
pub(super) fn general(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let scientific = format!("{value:.*e}", digits.max(1) - 1);
    let (mantissa, exponent) = scientific.split_once('e').expect("Rust writes an exponent");
    let exponent: i32 = exponent.parse().expect("a whole number");
    if (-4..digits as i32).contains(&exponent) {
        let decimals = usize::try_from(digits as i32 - 1 - exponent).unwrap_or(0);
        return trimmed(&format!("{value:.decimals$}")).to_owned();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs())
}

fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

#[cfg(test)]
mod tests {
    use super::general;

    #[test]
    fn numbers_are_those_of_c() {
        for (value, text) in [
            (95.0, "95"),
            (99.9, "99.9"),
            (0.0, "0"),
            (0.5, "0.5"),
            (123_456.0, "123456"),
            (1_234_567.0, "1.23457e+06"),
            (0.000_012, "1.2e-05"),
            (999_999.9, "1e+06"),
            (0.1 + 0.2, "0.3"),
        ] {
            assert_eq!(general(value, 6), text);
        }
        assert_eq!(general(1_234_567.0, 15), "1234567");
        assert_eq!(general(33.3, 15), "33.3");
    }
}
