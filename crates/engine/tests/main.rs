//! The engine as a process: one program of tests, since each would be linked with all that the engine is made of.

#[path = "../../wire/tests/support/mod.rs"]
#[allow(dead_code, reason = "shared with the tests of other crates, which use other parts of it")]
mod support;

mod drive;
mod said;

mod disks;
mod honest;
mod hostile;
mod hung;
mod layers;
mod ledger;
mod live;
mod machine;
