//! Lengths of time as a person writes them.

/// `200ms`, `1.5s`, `80us`, `500ns` as nanoseconds.
///
/// # Errors
/// A message that says what is expected.
pub fn parse_duration_ns(text: &str) -> Result<u64, String> {
    let complain =
        || format!("`{text}` is not a length of time; write a number and ns, us, ms or s, e.g. 200ms");
    let digits = text.find(|letter: char| !(letter.is_ascii_digit() || letter == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit_ns = match unit {
        "ns" => 1.0,
        "us" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        _ => return Err(complain()),
    };
    let ns = number.parse::<f64>().map_err(|_| complain())? * unit_ns;
    if ns < 1e17 { Ok(ns.round() as u64) } else { Err(complain()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_need_a_unit() {
        for (text, ns) in
            [("200ms", 200_000_000), ("1.5s", 1_500_000_000), ("80us", 80_000), ("7ns", 7), ("0s", 0)]
        {
            assert_eq!(parse_duration_ns(text), Ok(ns));
        }
        for text in ["", "5", "ms", "5 ms", "-5ms", "5m", "1.2.3s", "1000000000s"] {
            assert!(parse_duration_ns(text).unwrap_err().contains("e.g. 200ms"), "{text}");
        }
    }
}
