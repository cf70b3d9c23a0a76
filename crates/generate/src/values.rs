//! The values of a column by its own statistics: as many different ones, each as frequent, as was measured.

use std::collections::BTreeMap;

use assay_chance::{Permutation, chained};

use crate::fault::Fault;
use crate::numbers;
use crate::spec::{ColumnProfile, TopValue, ValueForm, ValueRange};
use crate::spread::parts;
use crate::texts::{self, SHORT};

/// Values that lie together: `rows` places from `first` on have `distinct` of them, equally often.
#[derive(Debug, Clone)]
struct Entry {
    first: u64,
    rows: u64,
    distinct: u64,
    what: What,
}

#[derive(Debug, Clone)]
enum What {
    Range { from: i128, to: i128 },
    Top(TopValue, u64),
}

/// A column's values, by place: places are as many as rows that have a value; equal values lie together.
#[derive(Debug, Clone)]
pub(crate) struct Values {
    form: ValueForm,
    entries: Vec<Entry>,
    /// Texts of keys lie in random order, so that lengths are mixed.
    mixed: Option<Permutation>,
    /// By short length, how many frequent values there are, and how many values of any kind.
    short: BTreeMap<u64, (u64, u64)>,
    compressed: f64,
    key: u64,
}

impl Values {
    /// The values of `places` rows. `factor`: how many times as many different values there are as were measured.
    pub(crate) fn of_rows(column: &ColumnProfile, places: u64, factor: f64, key: u64) -> Self {
        let shares =
            column.top.iter().map(|top| top.share).chain(column.ranges.iter().map(|range| range.share));
        let rows = parts(places, shares);
        let (of_top, of_ranges) = rows.split_at(column.top.len());
        let factor = if column.grows { factor } else { 1.0 };
        let distinct = column.ranges.iter().zip(of_ranges).map(|(range, rows)| {
            let wanted = (range.distinct as f64 * factor).round() as u64;
            wanted.min(room(column.form, range)).clamp(1, (*rows).max(1))
        });
        let distinct: Vec<u64> = distinct.collect();
        Self::new(column, &column.ranges, of_top, of_ranges, &distinct, key)
    }

    /// `count` different values, one a place, in their order. `factor`: how many times as far the values of numbers reach.
    ///
    /// # Errors
    /// The column has no room for so many different values.
    pub(crate) fn of_key(
        table: &str,
        column: &ColumnProfile,
        count: u64,
        factor: f64,
        key: u64,
    ) -> Result<Self, Fault> {
        let fault = |message: String| Fault::new(table, format!("column {}", column.name), message);
        let mut ranges = if is_number(column.form) { apart(&column.ranges) } else { column.ranges.clone() };
        let distinct = column.top.iter().map(|_| 1.0).chain(ranges.iter().map(|range| range.distinct as f64));
        let mut places = parts(count, distinct);
        let mut of_ranges = places.split_off(column.top.len());
        // A frequent value is one value all the same.
        for top in &mut places {
            if let Some(last) = of_ranges.last_mut() {
                *last += *top - (*top).min(1);
            }
            *top = (*top).min(1);
        }
        if is_number(column.form) {
            extend(&mut ranges, column.form, factor);
            if ranges.iter().zip(&of_ranges).any(|(range, count)| *count > room(column.form, range)) {
                ranges = whole_of(&ranges);
                if let (ValueForm::Whole { most, .. }, Some(range)) = (column.form, ranges.first_mut()) {
                    // Statistics of some of the rows may end before the largest number: the key counts on.
                    range.to = range.to.max((range.from + i128::from(count) - 1).min(most.into()));
                }
                of_ranges = vec![count];
                let has = ranges.first().map_or(0, |range| room(column.form, range));
                if count > has {
                    let (from, to) = ranges.first().map_or((0, 0), |range| (range.from, range.to));
                    let message = format!(
                        "a key needs {count} different values, and there are {has} from {from} to {to}"
                    );
                    return Err(fault(message));
                }
            }
        }
        let mut values = Self::new(column, &ranges, &places, &of_ranges, &of_ranges, key);
        if !is_number(column.form) {
            if let Some((length, (_, count))) =
                values.short.iter().find(|(length, (_, count))| *count > texts::room(column.form, **length))
            {
                let has = texts::room(column.form, *length);
                return Err(fault(format!(
                    "a key needs {count} different texts of length {length}, and {has} can be made"
                )));
            }
            values.mixed = Some(Permutation::new(count, key));
        }
        Ok(values)
    }

    fn new(
        column: &ColumnProfile,
        ranges: &[ValueRange],
        of_top: &[u64],
        of_ranges: &[u64],
        distinct: &[u64],
        key: u64,
    ) -> Self {
        let mut short: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
        let mut top: Vec<(&TopValue, u64)> = column.top.iter().zip(of_top.iter().copied()).collect();
        // By their hashes, short frequent values of two columns get the same numbers where these have the same ones.
        top.sort_by_key(|(one, _)| one.hash);
        let mut entries = Vec::new();
        let mut first = 0;
        let mut add = |rows: u64, distinct: u64, what: What| {
            if rows > 0 {
                entries.push(Entry { first, rows, distinct: distinct.min(rows), what });
                first += rows;
            }
        };
        for (one, rows) in top {
            let number = short.get(&one.length).map_or(0, |(tops, _)| *tops);
            if one.length < SHORT && one.value.is_none() && rows > 0 {
                let counts = short.entry(one.length).or_default();
                *counts = (counts.0 + 1, counts.1 + 1);
            }
            add(rows, 1, What::Top(one.clone(), number));
        }
        for ((range, rows), distinct) in ranges.iter().zip(of_ranges).zip(distinct) {
            if !is_number(column.form) && *rows > 0 {
                let lengths = lengths(range);
                for length in (range.from..=range.to).take(SHORT as usize).filter(|one| *one < SHORT.into()) {
                    short.entry(length.max(0) as u64).or_default().1 += distinct.div_ceil(lengths);
                }
            }
            add(*rows, *distinct, What::Range { from: range.from, to: range.to });
        }
        Self { form: column.form, entries, mixed: None, short, compressed: column.compressed, key }
    }

    /// Writes the value at a place as SQL; NULL where there are no values.
    pub(crate) fn write(&self, place: u64, out: &mut Vec<u8>) {
        let place = self.mixed.map_or(place, |mixed| mixed.at(place));
        let after = self.entries.partition_point(|entry| entry.first <= place);
        let Some(entry) = after.checked_sub(1).map(|at| &self.entries[at]) else {
            out.extend_from_slice(b"NULL");
            return;
        };
        let within = (place - entry.first).min(entry.rows - 1);
        let number = (u128::from(within) * u128::from(entry.distinct) / u128::from(entry.rows)) as u64;
        match &entry.what {
            What::Top(TopValue { value: Some(value), .. }, _) => texts::quoted(value, self.form, out),
            What::Top(one, of_length) if one.length < SHORT => {
                self.text(one.length, *of_length, self.of_length(one.length), self.key, out);
            }
            What::Top(one, _) => self.text(one.length, one.hash, u64::MAX, one.hash, out),
            What::Range { from, to } if is_number(self.form) => {
                let value = within_range(*from, *to, entry.distinct, number, self.key);
                numbers::write(self.form, value, out);
            }
            What::Range { from, to } => {
                let range = ValueRange { from: *from, to: *to, share: 0.0, distinct: entry.distinct };
                let lengths = lengths(&range);
                let length = (*from).max(0) as u64 + number % lengths;
                let before = self.short.get(&length).map_or(0, |(tops, _)| *tops);
                let count = entry.distinct.div_ceil(lengths).max(1);
                let count = if length < SHORT { self.of_length(length).max(before + count) } else { count };
                self.text(length, before + number / lengths, count, self.key, out);
            }
        }
    }

    fn of_length(&self, length: u64) -> u64 {
        self.short.get(&length).map_or(1, |(_, all)| *all).max(1)
    }

    fn text(&self, length: u64, number: u64, count: u64, key: u64, out: &mut Vec<u8>) {
        let text = texts::Text { length, number, count, key, compressed: self.compressed };
        texts::write(self.form, text, out);
    }
}

/// The value with this number of so many between two ends: evenly spread, each somewhere within its own stretch.
fn within_range(from: i128, to: i128, distinct: u64, number: u64, key: u64) -> i128 {
    // The ends of ranges are round, as frequent values are.
    if distinct == 1 {
        return from;
    }
    let span = to.saturating_sub(from).max(0) as u128 + 1;
    let edge = |number: u64| share_of(span, number, distinct);
    let (low, high) = (edge(number), edge(number + 1));
    let jitter = if high > low + 1 { u128::from(chained(&[key, number])) % (high - low) } else { 0 };
    from + (low + jitter) as i128
}

/// `span * number / of`, for spans up to 2^65 exactly.
fn share_of(span: u128, number: u64, of: u64) -> u128 {
    let (number, of) = (u128::from(number), u128::from(of.max(1)));
    span / of * number + span % of * number / of
}

pub(crate) fn is_number(form: ValueForm) -> bool {
    use ValueForm::*;
    match form {
        Whole { .. } | Decimal { .. } | Float { .. } | Date | Moment { .. } | Time { .. } => true,
        Text | Bytes | Json | Uuid | Point => false,
    }
}

fn lengths(range: &ValueRange) -> u64 {
    (range.to - range.from).clamp(0, u64::MAX.into()) as u64 + 1
}

/// How many different values a range has room for.
fn room(form: ValueForm, range: &ValueRange) -> u64 {
    if !is_number(form) {
        return u64::MAX;
    }
    (range.to.saturating_sub(range.from).saturating_add(1)).clamp(1, u64::MAX.into()) as u64
}

/// Has the values of a key reach further: so many times as far from the first.
fn extend(ranges: &mut [ValueRange], form: ValueForm, factor: f64) {
    let Some(low) = ranges.iter().map(|range| range.from).min() else { return };
    if (factor - 1.0).abs() < 1e-9 {
        return;
    }
    let (least, most) = match form {
        ValueForm::Whole { least, most } => (least.into(), most.into()),
        _ => (i128::MIN, i128::MAX),
    };
    for range in ranges {
        let far = |from: i128| (from as f64 * factor).ceil() as i128;
        range.from = low.saturating_add(far(range.from - low)).clamp(least, most);
        range.to = low
            .saturating_add(far(range.to - low + 1))
            .saturating_sub(1)
            .clamp(range.from, most.max(range.from));
    }
}

/// Ranges of which none reaches into another: those that do become one, or a value of both would be two values of a key.
fn apart(ranges: &[ValueRange]) -> Vec<ValueRange> {
    let mut sorted = ranges.to_vec();
    sorted.sort_by_key(|range| (range.from, range.to));
    let mut found: Vec<ValueRange> = Vec::new();
    for range in sorted {
        match found.last_mut() {
            Some(last) if range.from <= last.to => {
                last.to = last.to.max(range.to);
                last.share += range.share;
                last.distinct = last.distinct.saturating_add(range.distinct);
            }
            _ => found.push(range),
        }
    }
    found
}

/// All ranges as one.
fn whole_of(ranges: &[ValueRange]) -> Vec<ValueRange> {
    let from = ranges.iter().map(|range| range.from).min().unwrap_or(0);
    let to = ranges.iter().map(|range| range.to).max().unwrap_or(0);
    vec![ValueRange { from, to, share: 1.0, distinct: 1 }]
}
