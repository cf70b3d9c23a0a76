//! `oltp_update_non_index`: updates of a column without an index.

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
    non_index_updates: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { sbtest: SbtestOptions::default(), non_index_updates: 1 }
    }
}

pub(crate) struct OltpUpdateNonIndex;

impl Mix for OltpUpdateNonIndex {
    type Options = Options;
    const NAME: &'static str = "oltp_update_non_index";
    const SUMMARY: &'static str =
        "An update of a column without an index by primary key, outside a transaction";

    fn parts(options: Options) -> Parts {
        Parts {
            sbtest: options.sbtest,
            reads: ReadOptions::points(0),
            writes: WriteOptions { non_index_updates: options.non_index_updates, ..WriteOptions::NONE },
            transaction: false,
        }
    }
}
