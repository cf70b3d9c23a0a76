//! The engine as the lab runs it: a job on standard input, events on standard output, against a real MariaDB.

#[path = "../../../wire/tests/support/mod.rs"]
#[allow(dead_code, reason = "shared with the tests of other crates, which use other parts of it")]
mod support;

#[path = "../drive/mod.rs"]
mod drive;

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
