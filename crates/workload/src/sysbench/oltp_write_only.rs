//! `oltp_write_only`: the write groups, 6 statements by default.

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
    writes: WriteOptions,
    /// Leave BEGIN and COMMIT out: every statement commits by itself.
    #[schemars(extend("x-shapes" = "load"))]
    skip_trx: Switch,
}

pub(crate) struct OltpWriteOnly;

impl Mix for OltpWriteOnly {
    type Options = Options;
    const NAME: &'static str = "oltp_write_only";
    const SUMMARY: &'static str = "A transaction of updates, a delete and an insert";

    fn parts(options: Options) -> Parts {
        Parts {
            sbtest: options.sbtest,
            reads: ReadOptions::points(0),
            writes: options.writes,
            transaction: !options.skip_trx.0,
        }
    }
}
