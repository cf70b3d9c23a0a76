//! `oltp_point_select`: one row by its primary key.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::oltp::{Mix, Parts};
use crate::random::RandOptions;
use crate::sbtest::{ReadOptions, TableOptions, WriteOptions};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Options {
    #[serde(flatten)]
    tables: TableOptions,
    #[serde(flatten)]
    rand: RandOptions,
}

pub(crate) struct PointSelect;

impl Mix for PointSelect {
    type Options = Options;
    const NAME: &'static str = "oltp_point_select";
    const SUMMARY: &'static str = "One row by its primary key, outside a transaction";

    fn parts(options: Options) -> Parts {
        Parts {
            tables: options.tables,
            rand: options.rand,
            reads: ReadOptions::points(1),
            writes: WriteOptions::NONE,
            transaction: false,
        }
    }
}
