//! The first event: who measures.

use assay_format::event::{Event, Hello, OwnMeasure};

use crate::process::clock::Clock;
use crate::say::emit::emit;

/// Says who measures `workload`, with so many threads and connections; a worker of a storage load counts as both.
pub(crate) fn hello(
    clock: Clock,
    seed: u64,
    threads: usize,
    connections: u32,
    workload: &str,
    measures: Vec<OwnMeasure>,
) {
    emit(&Event::Hello(Hello {
        format: 1,
        version: env!("CARGO_PKG_VERSION").into(),
        build: env!("ASSAY_BUILD").into(),
        pid: std::process::id(),
        epoch_wall_ns: clock.epoch_wall_ns(),
        epoch_monotonic_ns: clock.epoch_monotonic_ns(),
        seed,
        threads: threads as u32,
        connections,
        workload: workload.into(),
        measures: Some(measures),
    }));
}
