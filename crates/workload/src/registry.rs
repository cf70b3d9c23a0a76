//! The list of workloads: adding one is its file and one line here.

use schemars::Schema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::Workload;
use crate::insert_benchmark::InsertBenchmark;
use crate::linkbench::LinkBench;
use crate::option::{OptionError, complete, read};
use crate::smallbank::SmallBank;
use crate::sysbench::Oltp;
use crate::sysbench::bulk_insert::BulkInsert;
use crate::sysbench::oltp_delete::OltpDelete;
use crate::sysbench::oltp_insert::OltpInsert;
use crate::sysbench::oltp_point_select::OltpPointSelect;
use crate::sysbench::oltp_read_only::OltpReadOnly;
use crate::sysbench::oltp_read_write::OltpReadWrite;
use crate::sysbench::oltp_update_index::OltpUpdateIndex;
use crate::sysbench::oltp_update_non_index::OltpUpdateNonIndex;
use crate::sysbench::oltp_write_only::OltpWriteOnly;
use crate::sysbench::select::Select;
use crate::sysbench::select_random_points::SelectRandomPoints;
use crate::sysbench::select_random_ranges::SelectRandomRanges;
use crate::tatp::Tatp;
use crate::tpcc::Tpcc;
use crate::ycsb::Ycsb;

/// Does something with a workload whose type is known only by name.
pub trait Visitor {
    type Output;
    fn visit<W: Workload>(self, workload: W) -> Self::Output;
}

/// What people and the lab are told of a workload.
#[derive(Debug, Serialize)]
pub struct Description {
    pub name: &'static str,
    pub summary: &'static str,
    /// Kinds of transactions that a claim can speak of; none: all are alike.
    pub kinds: &'static [&'static str],
    /// Whether `check` tries conditions that a load must not break.
    pub conditions: bool,
    /// Whether `run` can write a ledger of acknowledged commits, and `check` look for them.
    pub ledger: bool,
    /// JSON Schema of the options, with defaults and help texts.
    pub options: Schema,
}

macro_rules! workloads {
    ($($workload:ty),* $(,)?) => {
        /// Builds the workload called `name` and hands it to `visitor`.
        ///
        /// # Errors
        /// No such workload, an unknown option, a value of the wrong type or out of range.
        pub fn with_workload<V: Visitor>(
            name: &str,
            options: &Map<String, Value>,
            seed: u64,
            visitor: V,
        ) -> Result<V::Output, OptionError> {
            $(if name == <$workload>::NAME {
                let workload = <$workload>::new(read(name, options)?, seed)
                    .map_err(|OptionError(message)| OptionError(format!("{name}: {message}")))?;
                return Ok(visitor.visit(workload));
            })*
            let known = [$(<$workload>::NAME),*];
            Err(OptionError(format!("no workload is called {name:?}; there are {}", known.join(", "))))
        }

        /// Every workload, in the order people should meet them.
        pub fn catalogue() -> Vec<Description> {
            vec![$(Description {
                name: <$workload>::NAME,
                summary: <$workload>::SUMMARY,
                kinds: <$workload as Workload>::KINDS,
                conditions: <$workload as Workload>::CONDITIONS,
                ledger: !<$workload as Workload>::LEDGERS.is_empty(),
                options: complete::<<$workload as Workload>::Options>(),
            }),*]
        }
    };
}

workloads! {
    Oltp<OltpReadOnly>,
    Oltp<OltpReadWrite>,
    Oltp<OltpWriteOnly>,
    Oltp<OltpPointSelect>,
    Oltp<OltpUpdateIndex>,
    Oltp<OltpUpdateNonIndex>,
    OltpInsert,
    OltpDelete,
    BulkInsert,
    SelectRandomPoints,
    SelectRandomRanges,
    Select,
    Tpcc,
    LinkBench,
    Ycsb,
    Tatp,
    SmallBank,
    InsertBenchmark,
}
