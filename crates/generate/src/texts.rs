//! Texts and bytes as SQL: each of a set has a number, and no two numbers give one text, whatever the case of its letters.

use assay_chance::{Permutation, Rng, unit};

use crate::spec::ValueForm;

/// Lengths below which texts are numbered, since random ones would meet.
pub(crate) const SHORT: u64 = 8;
/// Letters of a number: collations tell them apart, and most order them so.
const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
/// Letters of what follows the number, six bits each.
const LETTERS: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
/// Bytes of such letters after compression, as a share of those before: six bits of eight, and what a program adds.
const LETTERS_COMPRESSED: f64 = 0.77;
const MOST_DIGITS: u32 = 12;
/// Letters that are random or not together.
const PIECE: u64 = 16;

/// A text to be made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Text {
    pub length: u64,
    /// Its number among `count` of this length.
    pub number: u64,
    pub count: u64,
    pub key: u64,
    pub compressed: f64,
}

/// How many different texts of a length can be made.
pub(crate) fn room(form: ValueForm, length: u64) -> u64 {
    match form {
        ValueForm::Bytes => 256_u64.checked_pow(length as u32).unwrap_or(u64::MAX),
        ValueForm::Json if length < 3 => 10_u64.pow(length as u32),
        ValueForm::Json if length < 10 => power(length - 2),
        ValueForm::Json => power(length - 9),
        ValueForm::Uuid | ValueForm::Point => 1 << 48,
        _ => power(length),
    }
}

fn power(length: u64) -> u64 {
    36_u64.checked_pow(length.min(MOST_DIGITS.into()) as u32).unwrap_or(u64::MAX)
}

/// Writes a text of a form that has a length.
pub(crate) fn write(form: ValueForm, text: Text, out: &mut Vec<u8>) {
    match form {
        ValueForm::Bytes => bytes(text, out),
        ValueForm::Json => json(text, out),
        ValueForm::Uuid => uuid(text, out),
        ValueForm::Point => point(text, out),
        _ => {
            out.push(b'\'');
            letters(text, out);
            out.push(b'\'');
        }
    }
}

/// Writes a value that is known.
pub(crate) fn quoted(value: &str, form: ValueForm, out: &mut Vec<u8>) {
    if form == ValueForm::Bytes {
        out.extend_from_slice(b"0x");
        out.extend(value.bytes().flat_map(|byte| format!("{byte:02x}").into_bytes()));
        return;
    }
    out.push(b'\'');
    for byte in value.bytes() {
        if matches!(byte, b'\'' | b'\\') {
            out.push(byte);
        }
        out.push(byte);
    }
    out.push(b'\'');
}

fn letters(text: Text, out: &mut Vec<u8>) {
    let Text { length, number, count, key, compressed } = text;
    let mut digits = 1;
    while digits < MOST_DIGITS && power(digits.into()) < count {
        digits += 1;
    }
    let digits = u64::from(digits).min(length);
    let mut rest = Permutation::<4>::new(power(digits).max(1), key).at(number % power(digits).max(1));
    for _ in 0..digits {
        out.push(DIGITS[(rest % 36) as usize]);
        rest /= 36;
    }
    let mut left = length - digits;
    let mut stream = Rng::keyed(&[key, number]);
    let random = compressed / LETTERS_COMPRESSED;
    while left > 0 {
        let piece = left.min(PIECE);
        let (mut word, mut bits) = (stream.u64(), 64);
        let is_random = unit(word) < random;
        for _ in 0..piece {
            if bits < 6 {
                (word, bits) = (stream.u64(), 64);
            }
            out.push(if is_random { LETTERS[(word & 63) as usize] } else { b'a' });
            word >>= 6;
            bits -= 6;
        }
        left -= piece;
    }
}

fn bytes(text: Text, out: &mut Vec<u8>) {
    let Text { length, number, count, key, compressed } = text;
    if length == 0 {
        out.extend_from_slice(b"''");
        return;
    }
    let digits = u64::from(64 - count.saturating_sub(1).leading_zeros()).div_ceil(8).clamp(1, 8).min(length);
    let room = 256_u64.checked_pow(digits as u32).unwrap_or(u64::MAX);
    let mut rest = Permutation::<4>::new(room, key).at(number % room);
    out.extend_from_slice(b"0x");
    let mut hex = |byte: u8| {
        out.push(b"0123456789abcdef"[usize::from(byte >> 4)]);
        out.push(b"0123456789abcdef"[usize::from(byte & 15)]);
    };
    for _ in 0..digits {
        hex((rest & 255) as u8);
        rest >>= 8;
    }
    let mut stream = Rng::keyed(&[key, number]);
    let mut left = length - digits;
    while left > 0 {
        let word = stream.u64();
        let is_random = unit(word) < compressed;
        let bytes = stream.u64().to_le_bytes();
        for byte in bytes.iter().take(left.min(8) as usize) {
            hex(if is_random { *byte } else { 0 });
        }
        left -= left.min(8);
    }
}

fn json(text: Text, out: &mut Vec<u8>) {
    let inner = |less: u64| Text { length: text.length - less, ..text };
    out.push(b'\'');
    match text.length {
        0..=2 if text.count == 1 => out.extend_from_slice(b"{}"),
        0..=2 => out.extend_from_slice((text.number % 100).to_string().as_bytes()),
        3..=9 => {
            out.push(b'"');
            letters(inner(2), out);
            out.push(b'"');
        }
        _ => {
            out.extend_from_slice(b"{\"k\": \"");
            letters(inner(9), out);
            out.extend_from_slice(b"\"}");
        }
    }
    out.push(b'\'');
}

/// A UUID of version 4 whose last 48 bits tell it from others.
fn uuid(text: Text, out: &mut Vec<u8>) {
    let last = Permutation::<4>::new(1 << 48, text.key).at(text.number % (1 << 48));
    let word = Rng::keyed(&[text.key, text.number]).u64();
    let (a, b, c, d) = (word >> 32, (word >> 16) & 0xffff, word & 0xfff, (word >> 50) | 0x8000);
    out.extend_from_slice(format!("'{a:08x}-{b:04x}-4{c:03x}-{d:04x}-{last:012x}'").as_bytes());
}

fn point(text: Text, out: &mut Vec<u8>) {
    let place = Permutation::<4>::new(1 << 48, text.key).at(text.number % (1 << 48));
    let (x, y) = (place & 0xff_ffff, place >> 24);
    let degrees = |part: u64| (part as f64 / f64::from(1 << 24)) * 160.0 - 80.0;
    out.extend_from_slice(format!("ST_GeomFromText('POINT({} {})')", degrees(x), degrees(y)).as_bytes());
}
