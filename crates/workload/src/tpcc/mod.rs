//! `tpcc`: TPC-C 5.11 (2010), and the tool tpcc-mysql's reading of it.

mod checks;
mod counters;
mod data;
mod description;
mod input;
mod legacy;
mod mix;
mod names;
mod nurand;
mod options;
mod permutation;
mod population;
mod read;
mod schema;
mod spec;
#[cfg(test)]
mod tests;
mod text;
mod workload;

pub(crate) use self::workload::Tpcc;
