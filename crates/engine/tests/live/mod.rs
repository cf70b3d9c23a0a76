//! The engine as the lab runs it: a job on standard input, events on standard output, against a real MariaDB.

mod engine;

mod bench;
mod data;
mod failures;
mod insert_benchmark;
mod linkbench;
mod load;
mod schema;
mod scripts;
mod session;
mod sizes;
mod statements;
mod tpcc;
mod workloads;
