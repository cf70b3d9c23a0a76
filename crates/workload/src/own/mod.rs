//! A person's own statements as a workload: a file of plain SQL in which what varies is named, and comments say how it is
//! drawn, how often each transaction comes, and what it does with an answer.
//!
//! `file.rs` reads the file, `annotation.rs` and `draw_text.rs` what comments say; `program.rs` makes a list of steps of each
//! transaction; `pool.rs` has the values that are drawn from the tables; `workload.rs` is what people are told of a file, and
//! `terminal.rs` carries the steps out.

mod annotation;
mod draw;
mod draw_text;
mod file;
mod held;
mod pool;
mod program;
mod terminal;
#[cfg(test)]
mod tests;
mod workload;

pub use self::workload::{Own, PREFIX, READS_COUNTERS};
