//! `oltp_point_select`: one row by its primary key.

use crate::sbtest::{ReadOptions, SbtestOptions, WriteOptions};
use crate::sysbench::mix::{Mix, Parts};

pub(crate) struct OltpPointSelect;

impl Mix for OltpPointSelect {
    type Options = SbtestOptions;
    const NAME: &'static str = "oltp_point_select";
    const SUMMARY: &'static str = "One row by its primary key, outside a transaction";

    fn parts(sbtest: SbtestOptions) -> Parts {
        Parts { sbtest, reads: ReadOptions::points(1), writes: WriteOptions::NONE, transaction: false }
    }
}
