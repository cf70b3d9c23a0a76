//! The engine as the lab runs it: a job on standard input, events on standard output, against a real MariaDB.

#[path = "../../../wire/tests/support/mod.rs"]
mod support;

mod engine;

mod data;
mod failures;
mod load;
mod schema;
