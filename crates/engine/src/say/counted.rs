//! Numbers as people read them.

/// The number with a comma between thousands.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number of things, by the name of one of them: `1 row`, `25,158 rows`.
pub(crate) fn counted(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", thousands(number))
}

pub(crate) fn were(number: u64) -> &'static str {
    if number == 1 { "was" } else { "were" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_one_and_thousands_are_apart() {
        for (number, words) in [
            (0, "0 rows"),
            (1, "1 row"),
            (999, "999 rows"),
            (1_000, "1,000 rows"),
            (25_158, "25,158 rows"),
            (1_234_567, "1,234,567 rows"),
        ] {
            assert_eq!(counted(number, "row"), words);
        }
        assert_eq!((were(1), were(2)), ("was", "were"));
        assert_eq!(thousands(u64::MAX), "18,446,744,073,709,551,615");
    }
}
