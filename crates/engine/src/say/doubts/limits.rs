//! The limits of the doubts that the lab raises, too, where it has the figures: each number stands here alone.
//! `make schema` writes Python's copy.

use serde_json::{Value, json};

/// The constants of this module, and the list of them with their meanings.
macro_rules! limits {
    ($($(#[doc = $meaning:literal])+ $name:ident: $kind:ty = $value:literal;)+) => {
        $($(#[doc = $meaning])+ pub(super) const $name: $kind = $value;)+

        /// Name, value and meaning of each limit, in JSON.
        pub(crate) fn list() -> Value {
            json!([$({"name": stringify!($name), "value": $value, "meaning": concat!($($meaning),+).trim()}),+])
        }
    };
}

limits! {
    /// Share by which Little's law may be off before time counts as lost.
    LITTLES_LAW: f64 = 0.02;
    /// Share of its event loops' time from which on the load generator counts as busy.
    GENERATOR_BUSY: f64 = 0.8;
    /// Nanoseconds of lateness of starting arrivals, at its 99th percentile, beyond which pacing is doubted.
    LATE_PACING_NS: u64 = 1_000_000;
    /// Share of the mean that the least served connection or terminal must have.
    STARVED: f64 = 0.5;
    /// Mean of transactions below which fairness says nothing.
    STARVED_FROM: f64 = 30.0;
    /// Share of the statements by which the counts of server and generator may differ.
    CONSERVATION: f64 = 0.001;
    /// Statements by which the counts may differ besides: questions around the load, goodbyes that come late.
    CONSERVATION_AROUND: u64 = 10;
    /// Statements per second, rounded up, of a lab that samples the server during the load.
    SAMPLES_PER_SECOND: u64 = 5;
}
