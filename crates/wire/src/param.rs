//! Parameters of a statement, and their binary form.

use mysql_common::constants::ColumnType;

/// A value for one `?`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Param<'a> {
    Null,
    Int(i64),
    UInt(u64),
    Double(f64),
    Bytes(&'a [u8]),
}

const UNSIGNED: u8 = 0x80;

impl Param<'_> {
    /// Type and flag as `COM_STMT_EXECUTE` announces them.
    pub(crate) fn wire_type(self) -> [u8; 2] {
        match self {
            Self::Null => [ColumnType::MYSQL_TYPE_NULL as u8, 0],
            Self::Int(_) => [ColumnType::MYSQL_TYPE_LONGLONG as u8, 0],
            Self::UInt(_) => [ColumnType::MYSQL_TYPE_LONGLONG as u8, UNSIGNED],
            Self::Double(_) => [ColumnType::MYSQL_TYPE_DOUBLE as u8, 0],
            Self::Bytes(_) => [ColumnType::MYSQL_TYPE_VAR_STRING as u8, 0],
        }
    }

    /// The value in the binary protocol; nothing for NULL, which is a bit elsewhere.
    #[inline]
    pub(crate) fn put_binary(self, out: &mut Vec<u8>) {
        match self {
            Self::Null => {}
            Self::Int(value) => out.extend_from_slice(&value.to_le_bytes()),
            Self::UInt(value) => out.extend_from_slice(&value.to_le_bytes()),
            Self::Double(value) => out.extend_from_slice(&value.to_le_bytes()),
            Self::Bytes(bytes) => {
                put_lenenc(out, bytes.len() as u64);
                out.extend_from_slice(bytes);
            }
        }
    }
}

/// A length-encoded integer.
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

/// Which types the server knows for a statement's parameters, three bits each; they are sent again only when another
/// one comes. Statements with more parameters than fit send their types always.
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
            };
            changed |= code != known;
            types |= code << shift;
        }
        self.0 = types;
        changed
    }
}
