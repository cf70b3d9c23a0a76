//! `linkbench`: the social graph benchmark LinkBench (Armstrong et al., SIGMOD 2013), as its configuration means it or as its
//! Java code does it.

mod access;
mod checks;
mod counters;
mod data;
mod distribution;
mod id2;
mod java_random;
mod link_reads;
mod link_writes;
mod links;
mod literal;
mod mix;
mod node_ops;
mod options;
mod payload;
mod population;
mod schema;
mod shuffle;
mod tails;
#[cfg(test)]
mod tests;
mod workload;

pub(crate) use self::workload::LinkBench;
