//! The definition of a column.

use mysql_common::constants::{ColumnFlags, ColumnType};

use crate::printable::printable;
use crate::reader::Reader;

/// Most bytes of a name that are kept: the longest identifier has 64 characters, an expression is named after its text.
const NAME_BYTES: usize = 512;

/// A column of a result set, as far as its values need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    table: Box<str>,
    name: Box<str>,
    column_type: ColumnType,
    flags: ColumnFlags,
    character_set: u16,
    decimals: u8,
}

impl Column {
    /// A column without a name.
    pub(crate) fn new(column_type: ColumnType) -> Self {
        Self {
            table: Box::default(),
            name: Box::default(),
            column_type,
            flags: ColumnFlags::empty(),
            character_set: 0,
            decimals: 0,
        }
    }

    /// Reads the payload of a definition; `None` when it is none, or of a type that is not known.
    pub(crate) fn parse(payload: &[u8]) -> Option<Self> {
        let mut fields = Reader(payload);
        let _catalog = fields.lenenc_bytes()?;
        let _schema = fields.lenenc_bytes()?;
        let table = fields.lenenc_bytes()?;
        let _original_table = fields.lenenc_bytes()?;
        let name = fields.lenenc_bytes()?;
        let _original_name = fields.lenenc_bytes()?;
        let _length_of_the_rest = fields.lenenc()?;
        let character_set = fields.u16()?;
        let _longest_value = fields.u32()?;
        let column_type = ColumnType::try_from(fields.u8()?).ok()?;
        let flags = ColumnFlags::from_bits_truncate(fields.u16()?);
        let decimals = fields.u8()?;
        Some(Self {
            table: printable(table, NAME_BYTES).into(),
            name: printable(name, NAME_BYTES).into(),
            column_type,
            flags,
            character_set,
            decimals,
        })
    }

    /// The name in the result, its alias where it has one; fit to be shown.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The table that the column belongs to, by its alias in the statement.
    #[must_use]
    pub fn table(&self) -> &str {
        &self.table
    }

    #[must_use]
    pub fn column_type(&self) -> ColumnType {
        self.column_type
    }

    #[must_use]
    pub fn flags(&self) -> ColumnFlags {
        self.flags
    }

    /// Number of the column's collation.
    #[must_use]
    pub fn character_set(&self) -> u16 {
        self.character_set
    }

    /// Number of digits after the point that are shown.
    #[must_use]
    pub fn decimals(&self) -> u8 {
        self.decimals
    }
}
