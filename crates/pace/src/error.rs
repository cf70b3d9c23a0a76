//! What can be wrong with a load shape.

use thiserror::Error;

/// A shape that cannot be scheduled; the message names the key of [`Arrivals`](crate::Arrivals) at fault.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ShapeError {
    #[error("arrivals: `{key}` is {value}, but must be a number from {low} to {high} (per second)")]
    Rate { key: String, value: f64, low: f64, high: f64 },
    #[error("arrivals: `{key}` must be at least 1 ms")]
    NoTime { key: String },
    #[error("arrivals: the times add up to more than a year")]
    TooLong,
    #[error("arrivals: `{key}` is empty")]
    Empty { key: &'static str },
    #[error("arrivals: every rate is 0, so nothing would ever arrive")]
    Silent,
    #[error("arrivals: `amplitude` {amplitude} is above `mean` {mean}: the rate would fall below 0")]
    Amplitude { amplitude: f64, mean: f64 },
    #[error("arrivals: `instants_ns`[{index}] is earlier than the one before it; record instants in order")]
    Disorder { index: usize },
    #[error("arrivals: line {line} is `{text}`, but must be a whole number of nanoseconds")]
    Line { line: usize, text: String },
    #[error("arrivals: the trace file {path} has not been read")]
    Unread { path: String },
    #[error("share {index} of {of} does not exist: shares count from 0 to one below their number")]
    Share { index: u32, of: u32 },
}

/// The lowest rate, one arrival in eleven days: a slower one is a mistake in the unit.
pub(crate) const MIN_RATE: f64 = 1e-6;
/// The highest rate: instants are whole nanoseconds, and at this rate ten apart.
pub(crate) const MAX_RATE: f64 = 1e8;

const YEAR_MS: u64 = 366 * 24 * 3_600 * 1_000;

/// Checks a rate that must move.
pub(crate) fn check_rate(key: &str, value: f64) -> Result<f64, ShapeError> {
    if (MIN_RATE..=MAX_RATE).contains(&value) {
        return Ok(value);
    }
    Err(ShapeError::Rate { key: key.into(), value, low: MIN_RATE, high: MAX_RATE })
}

/// Checks a rate that may also be 0.
pub(crate) fn check_rate_or_zero(key: &str, value: f64) -> Result<f64, ShapeError> {
    if value == 0.0 {
        return Ok(0.0);
    }
    check_rate(key, value).map_err(|_| ShapeError::Rate { key: key.into(), value, low: 0.0, high: MAX_RATE })
}

/// Checks a time in milliseconds and gives it in nanoseconds.
pub(crate) fn check_time(key: &str, ms: u64) -> Result<u64, ShapeError> {
    match ms {
        0 => Err(ShapeError::NoTime { key: key.into() }),
        1..=YEAR_MS => Ok(ms * 1_000_000),
        _ => Err(ShapeError::TooLong),
    }
}
