//! What happened: counters, mergeable histograms, interval snapshots.

mod counts;
mod histogram;
mod recorder;
mod times;

pub use crate::counts::Counts;
pub use crate::histogram::{Histogram, Summary};
pub use crate::recorder::{LabelRecorder, Recorder};
pub use crate::times::Times;
