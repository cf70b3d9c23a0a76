//! Lists of values, and rows that are alike, become one part of a shape.

use crate::shape::{Part, Shape};
use crate::token::Kind;
use crate::value::Literal;

fn is_symbol(part: Option<&Part>, symbol: &[u8]) -> bool {
    matches!(part, Some(Part::Token { kind: Kind::Symbol, text, .. }) if text == symbol)
}

fn is_word(part: &Part, word: &[u8]) -> bool {
    matches!(part, Part::Token { kind: Kind::Word, text, .. } if text.eq_ignore_ascii_case(word))
}

/// The place after the parenthesis that closes the one at `at`.
fn end_of_group(parts: &[Part], at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (place, part) in parts.iter().enumerate().skip(at) {
        if is_symbol(Some(part), b"(") {
            depth += 1;
        } else if is_symbol(Some(part), b")") {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(place + 1);
            }
        }
    }
    None
}

/// Whether parts are the same but for spaces.
fn alike(one: &[Part], other: &[Part]) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).all(|pair| match pair {
            (Part::Token { kind, text, .. }, Part::Token { kind: other_kind, text: other_text, .. }) => {
                kind == other_kind && text.eq_ignore_ascii_case(other_text)
            }
            (Part::Value { .. }, Part::Value { .. }) => true,
            _ => false,
        })
}

/// Puts lists of values, and rows that are alike, together.
pub(crate) fn folded(parts: Vec<Part>, values: Vec<Literal>) -> Shape {
    let mut shape = Shape { parts: Vec::with_capacity(parts.len()), values, counts: Vec::new() };
    let mut at = 0;
    while at < parts.len() {
        let part = &parts[at];
        let of_list = is_word(part, b"IN") && is_symbol(parts.get(at + 1), b"(");
        let of_rows = is_word(part, b"VALUES") || is_word(part, b"VALUE");
        if of_list && let Some(count) = values_of_list(&parts[at + 2..]) {
            shape.parts.extend([part.clone(), parts[at + 1].clone(), Part::List]);
            shape.counts.push(count);
            at += 1 + 2 * count;
            continue;
        }
        let first = if of_list { at + 2 } else { at + 1 };
        let rows = (of_list || of_rows) && is_symbol(parts.get(first), b"(");
        if rows && let Some(end) = end_of_group(&parts, first) {
            let row = &parts[first..end];
            if row.iter().any(|part| matches!(part, Part::Value { .. }))
                && !row.iter().any(|part| is_word(part, b"SELECT"))
            {
                let (mut count, mut after) = (1, end);
                while is_symbol(parts.get(after), b",") && is_symbol(parts.get(after + 1), b"(") {
                    match end_of_group(&parts, after + 1) {
                        Some(end) if alike(&parts[after + 1..end], row) => (count, after) = (count + 1, end),
                        _ => break,
                    }
                }
                shape.parts.extend_from_slice(&parts[at..first]);
                shape.parts.push(Part::RowsBegin);
                shape.parts.extend_from_slice(row);
                shape.parts.push(Part::RowsEnd);
                shape.counts.push(count);
                at = after;
                continue;
            }
        }
        shape.parts.push(part.clone());
        at += 1;
    }
    shape
}

/// How many values a list has, where it has nothing else.
fn values_of_list(parts: &[Part]) -> Option<usize> {
    let mut count = 0;
    loop {
        matches!(parts.get(2 * count), Some(Part::Value { .. })).then_some(())?;
        count += 1;
        if is_symbol(parts.get(2 * count - 1), b")") {
            return Some(count);
        }
        is_symbol(parts.get(2 * count - 1), b",").then_some(())?;
    }
}
