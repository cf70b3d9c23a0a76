//! What happened: counters, mergeable histograms, interval snapshots.

mod bucket;
mod counts;
mod encoding;
mod histogram;
mod kinds;
mod lines;
mod recorder;
mod times;
mod unended;
mod zlib;

pub use crate::counts::Counts;
pub use crate::histogram::{Histogram, Summary};
pub use crate::kinds::KindCounts;
pub use crate::recorder::{LabelRecorder, Recorder, Scheduled, Shape};
pub use crate::times::Times;
pub use crate::unended::{Unended, UnendedOperation};
