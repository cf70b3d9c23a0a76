//! `oltp_update_index`: updates of an indexed column.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::sbtest::{ReadOptions, SbtestOptions, WriteOptions};
use crate::sysbench::mix::{Mix, Parts};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Options {
    #[serde(flatten)]
    sbtest: SbtestOptions,
    /// Updates that count as one transaction, on one table.
    #[schemars(range(min = 1), extend("x-shapes" = "load"))]
    index_updates: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { sbtest: SbtestOptions::default(), index_updates: 1 }
    }
}

pub(crate) struct OltpUpdateIndex;

impl Mix for OltpUpdateIndex {
    type Options = Options;
    const NAME: &'static str = "oltp_update_index";
    const SUMMARY: &'static str = "An update of an indexed column by primary key, outside a transaction";

    fn parts(options: Options) -> Parts {
        Parts {
            sbtest: options.sbtest,
            reads: ReadOptions::points(0),
            writes: WriteOptions { index_updates: options.index_updates, ..WriteOptions::NONE },
            transaction: false,
        }
    }
}
