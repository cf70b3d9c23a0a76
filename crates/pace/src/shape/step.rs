//! One constant rate after the other.

use crate::ShapeError;
use crate::Step;
use crate::error::{check_rate_or_zero, check_time};
use crate::shape::{SECOND_NS, nearest_ns};

#[derive(Debug, Clone, Copy)]
struct Stretch {
    start_ns: u64,
    /// Arrivals before this stretch; not whole in general, the remainder carries over.
    before: f64,
    rate: f64,
}

/// Only stretches with arrivals are kept; a pause is the time between two of them.
#[derive(Debug, Clone)]
pub(crate) struct Steps {
    stretches: Vec<Stretch>,
    /// Arrivals after which nothing comes, when the last rate is 0.
    end: f64,
    /// The stretch of the last arrival asked for.
    current: usize,
}

impl Steps {
    pub(crate) fn new(steps: &[Step]) -> Result<Self, ShapeError> {
        let last = steps.last().ok_or(ShapeError::Empty { key: "steps" })?;
        let (mut stretches, mut start_ns, mut before) = (Vec::with_capacity(steps.len()), 0u64, 0.0);
        for (number, step) in steps.iter().enumerate() {
            let rate = check_rate_or_zero(&format!("steps[{number}].rate"), step.rate)?;
            let duration_ns = check_time(&format!("steps[{number}].duration_ms"), step.duration_ms)?;
            if rate > 0.0 {
                stretches.push(Stretch { start_ns, before, rate });
            }
            start_ns = start_ns.checked_add(duration_ns).ok_or(ShapeError::TooLong)?;
            before += rate * duration_ns as f64 / SECOND_NS;
        }
        if stretches.is_empty() {
            return Err(ShapeError::Silent);
        }
        let end = if last.rate > 0.0 { f64::INFINITY } else { before };
        Ok(Self { stretches, end, current: 0 })
    }

    #[inline]
    pub(crate) fn at(&mut self, index: u64) -> Option<u64> {
        let count = index as f64;
        if count >= self.end {
            return None;
        }
        while self.stretches.get(self.current + 1).is_some_and(|next| count >= next.before) {
            self.current += 1;
        }
        let stretch = self.stretches[self.current];
        let offset_ns = nearest_ns((count - stretch.before) * SECOND_NS / stretch.rate)?;
        stretch.start_ns.checked_add(offset_ns)
    }
}
