//! Parameters of a statement, and their binary form.

use std::io::Write;

use mysql_common::constants::ColumnType;

/// A value for one `?`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Param<'a> {
    Null,
    Int(i64),
    UInt(u64),
    Double(f64),
    /// An exact decimal number, `unscaled` / 10^`scale`: money is never a [`Param::Double`].
    Decimal {
        unscaled: i64,
        scale: u8,
    },
    Bytes(&'a [u8]),
    /// Bytes of no character set.
    Binary(&'a [u8]),
}

const UNSIGNED: u8 = 0x80;

impl Param<'_> {
    /// The parameter's type and flags, as `COM_STMT_EXECUTE` announces them.
    pub(crate) fn wire_type(self) -> [u8; 2] {
        match self {
            Self::Null => [ColumnType::MYSQL_TYPE_NULL as u8, 0],
            Self::Int(_) => [ColumnType::MYSQL_TYPE_LONGLONG as u8, 0],
            Self::UInt(_) => [ColumnType::MYSQL_TYPE_LONGLONG as u8, UNSIGNED],
            Self::Double(_) => [ColumnType::MYSQL_TYPE_DOUBLE as u8, 0],
            Self::Decimal { .. } => [ColumnType::MYSQL_TYPE_NEWDECIMAL as u8, 0],
            Self::Bytes(_) => [ColumnType::MYSQL_TYPE_VAR_STRING as u8, 0],
            Self::Binary(_) => [ColumnType::MYSQL_TYPE_BLOB as u8, 0],
        }
    }

    /// Appends the value as the binary protocol has it; nothing for NULL, which is a bit elsewhere.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a decimal number has some twenty digits")]
    pub(crate) fn put_binary(self, out: &mut Vec<u8>) {
        match self {
            Self::Null => {}
            Self::Int(value) => out.extend_from_slice(&value.to_le_bytes()),
            Self::UInt(value) => out.extend_from_slice(&value.to_le_bytes()),
            Self::Double(value) => out.extend_from_slice(&value.to_le_bytes()),
            Self::Decimal { unscaled, scale } => {
                // 64 bits and a point are far fewer than the 250 bytes that a length of one byte reaches.
                let at = out.len();
                out.push(0);
                put_decimal(unscaled, scale, out);
                out[at] = (out.len() - at - 1) as u8;
            }
            Self::Bytes(bytes) | Self::Binary(bytes) => {
                put_lenenc(out, bytes.len() as u64);
                out.extend_from_slice(bytes);
            }
        }
    }
}

/// Appends a decimal number, with a point before the last `scale` digits, at most 18: `-0.05`.
pub(crate) fn put_decimal(unscaled: i64, scale: u8, out: &mut Vec<u8>) {
    let base = 10_u64.pow(scale.min(18).into());
    let magnitude = unscaled.unsigned_abs();
    let sign = if unscaled < 0 { "-" } else { "" };
    // Writing to a vector does not fail.
    let _ = match scale.min(18) {
        0 => write!(out, "{sign}{magnitude}"),
        scale => write!(out, "{sign}{}.{:0width$}", magnitude / base, magnitude % base, width = scale.into()),
    };
}

/// Appends a length-encoded integer.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "each arm's range fits")]
pub(crate) fn put_lenenc(out: &mut Vec<u8>, value: u64) {
    match value {
        0..=0xFA => out.push(value as u8),
        0xFB..=0xFFFF => {
            out.push(0xFC);
            out.extend_from_slice(&(value as u16).to_le_bytes());
        }
        0x1_0000..=0xFF_FFFF => {
            out.push(0xFD);
            out.extend_from_slice(&(value as u32).to_le_bytes()[..3]);
        }
        _ => {
            out.push(0xFE);
            out.extend_from_slice(&value.to_le_bytes());
        }
    }
}

/// Parameter types that the server knows of a statement, three bits each; they are sent again only when another one
/// comes. Statements with more parameters than fit send their types always.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct BoundTypes(u64);

impl BoundTypes {
    const LIMIT: usize = 21;
    const BITS: u32 = 3;

    /// Whether the server must be told the types of these parameters; remembers that it was.
    #[inline]
    pub(crate) fn rebind(&mut self, params: &[Param<'_>]) -> bool {
        if params.len() > Self::LIMIT {
            return true;
        }
        let mut types = 0;
        let mut changed = false;
        for (param, shift) in params.iter().zip((0..).step_by(Self::BITS as usize)) {
            let known = self.0 >> shift & 7;
            let code = match param {
                // The value is a bit in the null bitmap, whatever the type: any known one will do.
                Param::Null if known != 0 => known,
                Param::Null => 1,
                Param::Int(_) => 2,
                Param::UInt(_) => 3,
                Param::Double(_) => 4,
                Param::Bytes(_) => 5,
                Param::Decimal { .. } => 6,
                Param::Binary(_) => 7,
            };
            changed |= code != known;
            types |= code << shift;
        }
        self.0 = types;
        changed
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::reader::Reader;

    #[test]
    fn types_are_told_once_and_when_they_change() {
        let mut bound = BoundTypes::default();
        let (int, text) = (Param::Int(1), Param::Bytes(b"x"));
        assert!(bound.rebind(&[int, text]));
        assert!(!bound.rebind(&[Param::Int(2), Param::Bytes(b"y")]));
        assert!(!bound.rebind(&[Param::Null, text]), "a NULL fits any type");
        assert!(!bound.rebind(&[int, text]), "which stays known");
        assert!(bound.rebind(&[Param::UInt(1), text]));
        assert!(!bound.rebind(&[Param::UInt(2), Param::Null]));
    }

    #[test]
    fn a_null_at_first_says_nothing_of_later_values() {
        let mut bound = BoundTypes::default();
        assert!(bound.rebind(&[Param::Null]));
        assert!(!bound.rebind(&[Param::Null]));
        assert!(bound.rebind(&[Param::Int(1)]));
    }

    #[test]
    fn decimals_are_exact_digits() {
        for (unscaled, scale, text) in [
            (1234, 2, "12.34"),
            (-5, 2, "-0.05"),
            (0, 4, "0.0000"),
            (-7, 0, "-7"),
            (i64::MIN, 2, "-92233720368547758.08"),
        ] {
            let mut out = Vec::new();
            put_decimal(unscaled, scale, &mut out);
            assert_eq!(str::from_utf8(&out), Ok(text));
            let mut binary = Vec::new();
            Param::Decimal { unscaled, scale }.put_binary(&mut binary);
            assert_eq!((usize::from(binary[0]), &binary[1..]), (text.len(), text.as_bytes()));
        }
    }

    #[test]
    fn more_types_than_fit_are_told_always() {
        let mut bound = BoundTypes::default();
        let many = [Param::Int(1); BoundTypes::LIMIT + 1];
        assert!(bound.rebind(&many) && bound.rebind(&many));
        let fitting = &many[..BoundTypes::LIMIT];
        assert!(bound.rebind(fitting) && !bound.rebind(fitting));
    }

    proptest! {
        #[test]
        fn length_encoded_integers_read_back(shift in 0u32..64, low: u64) {
            let value = low >> shift;
            let mut bytes = Vec::new();
            put_lenenc(&mut bytes, value);
            let mut reader = Reader(&bytes);
            prop_assert_eq!(reader.lenenc(), Some(value));
            prop_assert!(reader.0.is_empty());
            for cut in 0..bytes.len() {
                prop_assert_eq!(Reader(&bytes[..cut]).lenenc(), None);
            }
        }
    }
}
