//! Draws: `int(1..100)`, `column(orders.id, zipf 0.9)` and the others, as the text of an annotation says them.

use assay_chance::Zipf;

use crate::shares::Shares;

/// How rows of a table are chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum How {
    /// Each row as often as the table has it.
    Rows,
    /// Each distinct value alike.
    Distinct,
    /// The most frequent first, in proportion to k^-theta.
    Zipf(f64),
    /// The largest first, in proportion to k^-theta.
    Latest(f64),
    /// This share of the values gets this share of the draws.
    Hot { values: f64, draws: f64 },
    /// One after the other, as the file has them.
    InOrder,
    /// One after the other, in a scattered order.
    Shuffled,
    /// Each terminal from rows of its own.
    Unique,
}

/// A source of rows: a table of the server, or a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    Table { name: String, columns: Vec<String> },
    File { name: String, columns: Vec<String> },
}

/// What fills one name, or several together.
#[derive(Debug, Clone)]
pub(super) enum Draw {
    Int {
        low: i64,
        high: i64,
        zipf: Option<Zipf>,
    },
    Decimal {
        low: i64,
        high: i64,
        scale: u8,
    },
    Date {
        low: i64,
        high: i64,
    },
    DateTime {
        low: i64,
        high: i64,
    },
    /// `filler`: the share of the letters that are one and the same.
    Text {
        low: u64,
        high: u64,
        filler: f64,
    },
    Hex {
        digits: u64,
    },
    Uuid4,
    Uuid7,
    Pick {
        values: Vec<Literal>,
        shares: Shares,
    },
    Permute {
        n: u64,
    },
    /// Each number once over all terminals: from here on, or from the number after the largest of a column.
    Seq {
        from: SeqFrom,
    },
    /// The number of the turn of the innermost repeat, from 1.
    Counter,
    Rows {
        source: Source,
        how: How,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SeqFrom {
    Number(u64),
    After { table: String, column: String },
}

/// A value in an annotation.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Literal {
    Null,
    Int(i64),
    Text(String),
}

impl Draw {
    /// How many names the draw fills.
    pub(super) fn width(&self) -> usize {
        match self {
            Self::Rows { source: Source::Table { columns, .. } | Source::File { columns, .. }, .. } => {
                columns.len()
            }
            _ => 1,
        }
    }
}
