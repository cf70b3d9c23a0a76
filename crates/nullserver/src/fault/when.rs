//! The statements of a connection that a fault hits.

use crate::fault::random::{Aspect, unit};

/// The statements that a fault strikes; they count from 1 on each connection.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum When {
    /// All statements after this many.
    After(u64),
    /// The statements n, 2n, 3n …
    Every(u64),
    /// With this probability at each statement.
    Probability(f64),
}

impl When {
    pub(crate) fn hits(self, seed: u64, connection: u32, statement: u64, aspect: Aspect) -> bool {
        match self {
            Self::After(count) => statement > count,
            Self::Every(stride) => stride > 0 && statement.is_multiple_of(stride),
            Self::Probability(probability) => unit(seed, connection, statement, aspect) <= probability,
        }
    }
}
