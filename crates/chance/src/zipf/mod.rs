//! Zipf's law: the rank k, from 1, comes in proportion to k^-theta.
//!
//! Two forms, because their numbers differ. [`Zipf`] draws from the law itself; sysbench's, YCSB's and fio's loads use
//! it. [`ApproximateZipf`] is the closed form of Gray et al. with a sum that is approximated, which LinkBench's published
//! figures come from: other shares, and invertible, so that an id's rank gives its number of links.

mod approximate;
mod exact;

pub use self::approximate::ApproximateZipf;
pub use self::exact::Zipf;
