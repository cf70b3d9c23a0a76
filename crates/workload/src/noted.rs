//! Numbers that `prepare` wrote down, read back: what a database says is looked at like any input.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// The number `name` of the notes in `table`.
///
/// # Errors
/// The note is missing, is no number, or lies outside of `range`; the message names the table and the value.
pub(crate) fn noted(
    notes: &BTreeMap<String, String>,
    table: &str,
    name: &str,
    range: RangeInclusive<u64>,
) -> Result<u64, String> {
    let (least, most) = (range.start(), range.end());
    let remedy = "run cleanup and prepare";
    let Some(text) = notes.get(name) else {
        return Err(format!("table {table} does not say {name}: {remedy}"));
    };
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| {
        let shown: String = text.chars().take(40).collect();
        format!("table {table} says {name} = {shown:?}, expected {least} to {most}: {remedy}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_that_can_be_are_taken() {
        let notes: BTreeMap<String, String> = [("a", "7"), ("b", "18446744073709551615"), ("c", "-1")]
            .map(|(k, v)| (k.into(), v.into()))
            .into();
        let read = |name| noted(&notes, "assay_notes", name, 1..=255);
        assert_eq!(read("a"), Ok(7));
        for (name, words) in
            [("b", "b = \"18446744073709551615\", expected 1 to 255"), ("c", "\"-1\""), ("d", "not say d")]
        {
            let message = read(name).unwrap_err();
            assert!(message.contains("assay_notes") && message.contains(words), "{message}");
        }
    }
}
