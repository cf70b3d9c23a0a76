//! Recorded arrivals, replayed.

use std::sync::Arc;

use crate::ShapeError;

#[derive(Debug, Clone)]
pub(crate) struct Trace {
    instants_ns: Arc<[u64]>,
}

impl Trace {
    pub(crate) fn new(instants_ns: &[u64]) -> Result<Self, ShapeError> {
        if instants_ns.is_empty() {
            return Err(ShapeError::Empty { key: "instants_ns" });
        }
        if let Some(before) = instants_ns.windows(2).position(|pair| pair[1] < pair[0]) {
            return Err(ShapeError::Disorder { index: before + 1 });
        }
        Ok(Self { instants_ns: instants_ns.into() })
    }

    #[inline]
    pub(crate) fn at(&self, index: u64) -> Option<u64> {
        self.instants_ns.get(usize::try_from(index).ok()?).copied()
    }
}
