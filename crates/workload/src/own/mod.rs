//! A person's own statements as a workload: a file of plain SQL in which what varies is named, and comments say how it is
//! drawn, how often each transaction comes, and what it does with an answer.
//!
//! `file.rs` reads the file, `annotation.rs` and `draw.rs` what comments say; `program.rs` makes a list of steps of each
//! transaction; `pool.rs` has the values that are drawn from the tables; `workload.rs` carries the steps out.

mod annotation;
mod draw;
mod file;
mod held;
mod pool;
mod program;
#[cfg(test)]
mod tests;
mod workload;

pub use self::workload::{Own, PREFIX, READS_COUNTERS};
