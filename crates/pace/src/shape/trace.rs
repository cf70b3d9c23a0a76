//! Recorded arrivals, replayed.

use std::sync::Arc;

use crate::ShapeError;

/// Reads the text of a trace file: one instant a line, in nanoseconds since the start of the phase, in order.
///
/// # Errors
/// A line that is no whole number, or an instant earlier than the one before it.
pub fn parse_trace(text: &str) -> Result<Vec<u64>, ShapeError> {
    let mut instants_ns = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let content = line.split('#').next().unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        let instant = content
            .parse()
            .map_err(|_| ShapeError::Line { line: number + 1, text: content.chars().take(40).collect() })?;
        instants_ns.push(instant);
    }
    Trace::new(&instants_ns)?;
    Ok(instants_ns)
}

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
