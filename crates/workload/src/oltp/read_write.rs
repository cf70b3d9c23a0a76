//! `oltp_read_write`: the classic mix, 20 statements by default.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::oltp::{Mix, Parts};
use crate::option::Switch;
use crate::random::RandOptions;
use crate::sbtest::{ReadOptions, TableOptions, WriteOptions};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Options {
    #[serde(flatten)]
    tables: TableOptions,
    #[serde(flatten)]
    rand: RandOptions,
    #[serde(flatten)]
    reads: ReadOptions,
    #[serde(flatten)]
    writes: WriteOptions,
    /// Leave BEGIN and COMMIT out: every statement commits by itself.
    skip_trx: Switch,
}

pub(crate) struct ReadWrite;

impl Mix for ReadWrite {
    type Options = Options;
    const NAME: &'static str = "oltp_read_write";
    const SUMMARY: &'static str = "A transaction of point and range reads, updates, a delete and an insert";

    fn parts(options: Options) -> Parts {
        Parts {
            tables: options.tables,
            rand: options.rand,
            reads: options.reads,
            writes: options.writes,
            transaction: !options.skip_trx.0,
        }
    }
}
