//! `oltp_read_only`: the read groups, 16 statements by default.

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
    /// Leave BEGIN and COMMIT out: every statement commits by itself.
    #[schemars(extend("x-shapes" = "load"))]
    skip_trx: Switch,
}

pub(crate) struct OltpReadOnly;

impl Mix for OltpReadOnly {
    type Options = Options;
    const NAME: &'static str = "oltp_read_only";
    const SUMMARY: &'static str = "A transaction of point and range reads";

    fn parts(options: Options) -> Parts {
        Parts {
            sbtest: options.sbtest,
            reads: options.reads,
            writes: WriteOptions::NONE,
            transaction: !options.skip_trx.0,
        }
    }
}
