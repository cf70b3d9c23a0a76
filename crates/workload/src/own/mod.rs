//! A person's own statements as a workload: a file of plain SQL in which what varies is named, and comments say how it is
//! drawn, how often each transaction comes, and what it does with an answer.
//!
//! `file.rs` reads the file, `annotation.rs`, `draw_text.rs` and `rows_text.rs` what comments say; `program.rs` makes a list of
//! steps of each transaction; `asked.rs` is what is asked of the data, `sampler.rs`, `taken.rs`, `pool.rs` and `choice.rs` are
//! the values that are drawn from it; `uses.rs`, `schema.rs` and `fit.rs` compare draws with the columns that take them;
//! `workload.rs` is what people are told of a file, `terminal.rs` carries the steps out, `account.rs` says what came of them.

mod account;
mod annotation;
mod asked;
mod choice;
mod csv_file;
mod draw;
mod draw_text;
mod file;
mod fit;
mod held;
mod pacing;
mod pool;
mod program;
mod rows_text;
mod sampler;
mod schema;
mod taken;
mod tallies;
mod terminal;
#[cfg(test)]
mod tests;
mod uses;
mod workload;

pub use self::account::{Account, ReadsSoFar, StatementAccount, TableAccount};
pub use self::asked::Keep;
pub use self::workload::{Own, PREFIX, READS_COUNTERS};
