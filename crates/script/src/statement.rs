//! Statements that a script has prepared: how they travel, and what is bound to them.

use assay_wire::Param;
use mlua::{BorrowedBytes, Value};

/// The kind of a bound parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Whole,
    Double,
    Text,
}

impl Kind {
    /// By the numbers of `sysbench.sql.type`.
    pub(crate) fn of(number: u32) -> Option<Self> {
        match number {
            1..=4 => Some(Self::Whole),
            5 | 6 => Some(Self::Double),
            11 | 12 => Some(Self::Text),
            _ => None,
        }
    }
}

/// The way in which a statement travels.
pub(crate) enum Way<P> {
    Prepared(P),
    /// As text: the options want it so, or the server cannot prepare this kind.
    Text,
    /// The connection on which it was prepared is gone.
    Stale,
}

pub(crate) struct Statement<P> {
    pub sql: String,
    pub way: Way<P>,
    pub kinds: Vec<Kind>,
}

/// The value of a parameter, with the memory that a text of it needs.
pub(crate) enum Bound<'a> {
    Null,
    Whole(i64),
    Double(f64),
    Text(BorrowedBytes<'a>),
}

impl<'a> Bound<'a> {
    /// A value as the script gave it; whole numbers beyond those of Lua come as their digits.
    pub(crate) fn of(value: &'a Value, kind: Kind) -> Self {
        match (value, kind) {
            (Value::Integer(number), Kind::Whole) => Self::Whole(*number),
            (Value::Number(number), Kind::Whole) => Self::Whole(*number as i64),
            (Value::String(digits), Kind::Whole) => Self::Whole(whole(&digits.to_string_lossy())),
            (Value::Integer(number), Kind::Double) => Self::Double(*number as f64),
            (Value::Number(number), Kind::Double) => Self::Double(*number),
            (Value::String(text), Kind::Text) => Self::Text(text.as_bytes()),
            _ => Self::Null,
        }
    }

    pub(crate) fn param(&self) -> Param<'_> {
        match self {
            Self::Null => Param::Null,
            Self::Whole(number) => Param::Int(*number),
            Self::Double(number) => Param::Double(*number),
            Self::Text(bytes) => Param::Bytes(bytes),
        }
    }
}

/// Digits as a number of 64 bits; one without sign keeps its bits.
fn whole(digits: &str) -> i64 {
    digits.parse().or_else(|_| digits.parse::<u64>().map(u64::cast_signed)).unwrap_or(0)
}

/// The text of a statement with its parameters in place of the `?`: every `?`, and texts as they are, without escapes, as
/// sysbench's own emulation has it.
pub(crate) fn filled(sql: &str, params: &[Bound<'_>]) -> Vec<u8> {
    let mut out = Vec::with_capacity(sql.len() + 16 * params.len());
    let mut params = params.iter();
    for (number, piece) in sql.split('?').enumerate() {
        if number > 0 {
            match params.next() {
                None => out.push(b'?'),
                Some(Bound::Null) => out.extend_from_slice(b"NULL"),
                Some(Bound::Whole(number)) => out.extend_from_slice(number.to_string().as_bytes()),
                Some(Bound::Double(number)) => out.extend_from_slice(format!("{number:.6}").as_bytes()),
                Some(Bound::Text(text)) => {
                    out.push(b'\'');
                    out.extend_from_slice(text);
                    out.push(b'\'');
                }
            }
        }
        out.extend_from_slice(piece.as_bytes());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_take_the_places_of_the_marks() {
        let params = [Bound::Whole(-7), Bound::Null, Bound::Double(0.5)];
        assert_eq!(filled("a=? b=? c=? d=?", &params), b"a=-7 b=NULL c=0.500000 d=?");
        assert_eq!(filled("BEGIN", &[]), b"BEGIN");
    }

    #[test]
    fn numbers_of_64_bits_come_as_digits() {
        assert_eq!(
            [whole("9007199254740993"), whole("-5"), whole("18446744073709551615")],
            [9_007_199_254_740_993, -5, -1]
        );
    }
}
