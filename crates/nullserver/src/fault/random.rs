//! Random numbers of statements: one for each (seed, connection, statement, aspect), in any order of asking.

use assay_chance::{chained, open_unit};

/// The aspects of a statement that chance decides; each draws a number of its own.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Aspect {
    Delay,
    Error,
    Reset,
    Hang,
}

/// Uniform in `(0, 1]`, 53 bits.
pub(crate) fn unit(seed: u64, connection: u32, statement: u64, aspect: Aspect) -> f64 {
    open_unit(chained(&[seed, u64::from(connection), statement, aspect as u64]))
}
