//! Samples of data: the rows of some columns, as often as they are there, taken in one scan.

use std::collections::HashMap;

use assay_wire::{Column, ColumnFlags, ColumnType, Row, Rows};

use crate::own::taken::{Taken, Type};

/// Distinct rows that a sample keeps: all of them, where there are no more.
const KEPT_MOST: usize = 1_000_000;
/// The character set of bytes that are no text.
const BINARY: u16 = 63;

/// The distinct rows of some columns with their counts, or of more than a million a sample that depends on the rows alone:
/// those whose hashes are the smallest. The order in which a server gives the rows changes nothing, and neither does which
/// server it is.
#[derive(Debug)]
pub(super) struct Sampler {
    most: usize,
    /// Hashes above it are not kept.
    threshold: u64,
    found: HashMap<Box<[u8]>, (u64, u64)>,
    /// All rows as they come, where their order is wanted.
    ordered: Option<Vec<Box<[u8]>>>,
    types: Vec<Type>,
    buffer: Vec<u8>,
    rows: u64,
    /// Rows in which a column is NULL: no comparison finds them.
    nulls: u64,
}

impl Default for Sampler {
    fn default() -> Self {
        Self::keeping(KEPT_MOST)
    }
}

impl Sampler {
    pub(super) fn keeping(most: usize) -> Self {
        Self {
            most,
            threshold: u64::MAX,
            found: HashMap::new(),
            ordered: None,
            types: Vec::new(),
            buffer: Vec::new(),
            rows: 0,
            nulls: 0,
        }
    }

    /// A sample of every row, in the order in which they come.
    pub(super) fn in_order() -> Self {
        Self { ordered: Some(Vec::new()), ..Self::default() }
    }

    /// Takes a row of texts.
    pub(super) fn add<'a>(&mut self, fields: impl Iterator<Item = &'a [u8]>) {
        self.rows += 1;
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        for field in fields {
            buffer.extend_from_slice(&(field.len() as u64).to_le_bytes());
            buffer.extend_from_slice(field);
        }
        if let Some(rows) = &mut self.ordered {
            rows.push(buffer.as_slice().into());
            self.buffer = buffer;
            return;
        }
        let hash = hash_of(&buffer);
        if hash <= self.threshold {
            match self.found.get_mut(buffer.as_slice()) {
                Some((_, count)) => *count += 1,
                None => {
                    self.found.insert(buffer.clone().into(), (hash, 1));
                }
            }
            if self.found.len() >= 2 * self.most {
                self.prune();
            }
        }
        self.buffer = buffer;
    }

    /// Drops what has larger hashes than as many rows as are kept. A row that is dropped never comes back: the threshold only
    /// falls, so that the counts of those that stay are whole.
    fn prune(&mut self) {
        if self.found.len() <= self.most {
            return;
        }
        let mut hashes: Vec<u64> = self.found.values().map(|(hash, _)| *hash).collect();
        let (_, last, _) = hashes.select_nth_unstable(self.most - 1);
        self.threshold = *last;
        let threshold = self.threshold;
        self.found.retain(|_, (hash, _)| *hash <= threshold);
    }

    /// What was taken, in the order of the hashes, or in that in which the rows came.
    pub(super) fn taken(mut self) -> Taken {
        self.prune();
        let sampled = match self.ordered {
            Some(rows) => rows.into_iter().map(|row| (1, row)).collect(),
            None => {
                let mut rows: Vec<(u64, u64, Box<[u8]>)> =
                    self.found.into_iter().map(|(row, (hash, count))| (hash, count, row)).collect();
                rows.sort_unstable();
                rows.into_iter().map(|(_, count, row)| (count, row)).collect()
            }
        };
        Taken { types: self.types, rows: self.rows, nulls: self.nulls, sampled }
    }
}

impl Rows for Sampler {
    fn columns(&mut self, columns: &[Column]) {
        self.types = columns.iter().map(type_of).collect();
    }

    fn row(&mut self, row: &Row<'_>) {
        if (0..row.len()).any(|index| row.is_null(index)) {
            self.rows += 1;
            self.nulls += 1;
            return;
        }
        let fields: Vec<_> = (0..row.len()).filter_map(|index| row.bytes(index)).collect();
        self.add(fields.iter().map(AsRef::as_ref));
    }
}

/// How the values of a column travel to the server again.
fn type_of(column: &Column) -> Type {
    use ColumnType::{
        MYSQL_TYPE_BIT, MYSQL_TYPE_BLOB, MYSQL_TYPE_INT24, MYSQL_TYPE_LONG, MYSQL_TYPE_LONG_BLOB,
        MYSQL_TYPE_LONGLONG, MYSQL_TYPE_MEDIUM_BLOB, MYSQL_TYPE_NEWDECIMAL, MYSQL_TYPE_SHORT,
        MYSQL_TYPE_STRING, MYSQL_TYPE_TINY, MYSQL_TYPE_TINY_BLOB, MYSQL_TYPE_VAR_STRING, MYSQL_TYPE_VARCHAR,
        MYSQL_TYPE_YEAR,
    };
    match column.column_type() {
        MYSQL_TYPE_TINY | MYSQL_TYPE_SHORT | MYSQL_TYPE_INT24 | MYSQL_TYPE_LONG | MYSQL_TYPE_LONGLONG
        | MYSQL_TYPE_YEAR => Type::Whole { unsigned: column.flags().contains(ColumnFlags::UNSIGNED_FLAG) },
        MYSQL_TYPE_BIT => Type::Bits,
        MYSQL_TYPE_NEWDECIMAL => Type::Decimal { scale: column.decimals() },
        MYSQL_TYPE_STRING
        | MYSQL_TYPE_VAR_STRING
        | MYSQL_TYPE_VARCHAR
        | MYSQL_TYPE_TINY_BLOB
        | MYSQL_TYPE_BLOB
        | MYSQL_TYPE_MEDIUM_BLOB
        | MYSQL_TYPE_LONG_BLOB
            if column.character_set() == BINARY =>
        {
            Type::Binary
        }
        _ => Type::Text,
    }
}

/// FNV-1a, mixed: the same on every machine, and even enough to sample by.
pub(super) fn hash_of(bytes: &[u8]) -> u64 {
    let sum = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3));
    let mixed = (sum ^ (sum >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
