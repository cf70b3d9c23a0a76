//! The options of `insert_benchmark`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::OptionError;
use crate::option::StorageOptions;
use crate::option::Switch;

/// Longest INSERT: half of the smallest `max_allowed_packet` that a server has unless it is told.
const STATEMENT_BYTES: u64 = 512 * 1024;
/// Longest row as SQL text without its data.
const ROW_TEXT_BYTES: u64 = 64;

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Options {
    /// Tables; connection n works on table n. More connections than tables share them in turn.
    #[schemars(range(min = 1, max = 10_000))]
    pub(crate) tables: u32,
    /// Rows of each table before the first insert; 0: it starts empty.
    #[schemars(range(min = 0, max = 1_000_000_000_000_u64))]
    pub(crate) rows: u64,
    /// Secondary indexes, in this order: marketsegment (price, customerid), registersegment (cashregisterid, price,
    /// customerid), pdc (price, dateandtime, customerid). Made after the rows.
    #[schemars(range(min = 0, max = 3))]
    pub(crate) secondary_indexes: u8,
    /// Rows of one INSERT, which commits by itself.
    #[schemars(range(min = 1, max = 10_000), extend("x-shapes" = "load"))]
    pub(crate) rows_per_commit: u32,
    /// After each insert, delete as many rows at the old end of the table, so that it keeps its size.
    #[schemars(extend("x-shapes" = "load"))]
    pub(crate) delete_tail: Switch,
    /// Share of the transactions that read a range of a secondary index instead (%).
    #[schemars(range(min = 0, max = 100), extend("x-shapes" = "load"))]
    pub(crate) queries: u8,
    /// Rows that one query reads, in the order of its index.
    #[schemars(range(min = 1, max = 1_000_000), extend("x-shapes" = "load"))]
    pub(crate) rows_per_query: u32,
    /// Cash registers that rows are drawn from.
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub(crate) cashregisters: u32,
    /// Products that rows are drawn from.
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub(crate) products: u32,
    /// Customers that rows are drawn from.
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub(crate) customers: u32,
    /// Spread of the prices of one customer, in cents: a price is the customer's number and up to so many cents.
    #[schemars(range(min = 1, max = 1_000_000_000))]
    pub(crate) max_price: u32,
    /// Bytes of the column data.
    #[schemars(range(min = 0, max = 4000))]
    pub(crate) data_length: u16,
    /// Percent of the column data that is random; the rest is the same in all rows, so that it can be compressed.
    #[schemars(range(min = 0, max = 100))]
    pub(crate) data_random_pct: u8,
    #[serde(flatten)]
    pub(crate) storage: StorageOptions,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            tables: 1,
            rows: 100_000,
            secondary_indexes: 3,
            rows_per_commit: 100,
            delete_tail: Switch(false),
            queries: 0,
            rows_per_query: 10,
            cashregisters: 1_000,
            products: 10_000,
            customers: 100_000,
            max_price: 500,
            data_length: 10,
            data_random_pct: 50,
            storage: StorageOptions::default(),
        }
    }
}

impl Options {
    /// # Errors
    /// Options that exclude each other.
    pub(crate) fn validate(&self) -> Result<(), OptionError> {
        let bytes = u64::from(self.rows_per_commit) * (ROW_TEXT_BYTES + u64::from(self.data_length));
        if bytes > STATEMENT_BYTES {
            return Err(OptionError(format!(
                "rows_per_commit = {} with data_length = {} makes an INSERT of up to {bytes} bytes; at most \
                {STATEMENT_BYTES} are allowed",
                self.rows_per_commit, self.data_length
            )));
        }
        if self.queries > 0 && self.secondary_indexes == 0 {
            return Err(OptionError(format!(
                "queries = {} needs secondary indexes, but secondary_indexes is 0",
                self.queries
            )));
        }
        Ok(())
    }
}
