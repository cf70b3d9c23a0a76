//! `oltp_read_write`: the classic mix, 20 statements by default.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::option::Switch;
use crate::sbtest::{ReadOptions, SbtestOptions, WriteOptions};
use crate::sysbench::mix::{Mix, Parts};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Options {
    #[serde(flatten)]
    sbtest: SbtestOptions,
    #[serde(flatten)]
    reads: ReadOptions,
    #[serde(flatten)]
    writes: WriteOptions,
    /// Leave BEGIN and COMMIT out: every statement commits by itself.
    #[schemars(extend("x-shapes" = "load"))]
    skip_trx: Switch,
}

pub(crate) struct OltpReadWrite;

impl Mix for OltpReadWrite {
    type Options = Options;
    const NAME: &'static str = "oltp_read_write";
    const SUMMARY: &'static str = "A transaction of point and range reads, updates, a delete and an insert";

    fn parts(options: Options) -> Parts {
        Parts {
            sbtest: options.sbtest,
            reads: options.reads,
            writes: options.writes,
            transaction: !options.skip_trx.0,
        }
    }
}
