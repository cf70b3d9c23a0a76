//! The beginning of a load that is held: what is said when it is ready, and when its first operation has begun.

use assay_format::event::{Event, Ready, Started};
use assay_format::job::Job;

use crate::process::descriptors::limit;
use crate::process::identity::engine_sha256;
use crate::say::emit::emit;

/// What is said of a load that waits for a command to begin.
pub(crate) struct HeldLoad {
    engine_sha256: Option<String>,
}

impl HeldLoad {
    /// What is said of this load; none where it begins by itself.
    pub(crate) fn of(job: &Job) -> Option<Self> {
        job.phases.hold.then(|| Self { engine_sha256: engine_sha256() })
    }

    /// Says that everything is ready.
    pub(crate) fn say_ready(&self, connections: u64, loops: usize) {
        emit(&Event::Ready(Ready {
            connections,
            loops: loops as u64,
            engine_sha256: self.engine_sha256.clone(),
            max_fds: limit(),
        }));
    }
}

/// The first operation of a load, found among those of its event loops.
#[derive(Debug, Default)]
pub(crate) struct FirstOperation {
    heard: usize,
    earliest_ns: Option<u64>,
    said: bool,
}

impl FirstOperation {
    /// Hears of the first operation of one of `loops` event loops; says the earliest when all have begun.
    pub(crate) fn hear(&mut self, instant_ns: u64, loops: usize) {
        self.heard += 1;
        self.earliest_ns = Some(self.earliest_ns.map_or(instant_ns, |earliest| earliest.min(instant_ns)));
        if self.heard == loops {
            self.say();
        }
    }

    /// Says the earliest that is known, once: an event loop without an arrival in the first interval is not waited for.
    pub(crate) fn say(&mut self) {
        let Some(first_operation_ns) = self.earliest_ns.filter(|_| !self.said) else { return };
        self.said = true;
        emit(&Event::Started(Started { first_operation_ns }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earliest_of_all_event_loops_is_the_first() {
        let mut first = FirstOperation::default();
        first.say();
        assert!(!first.said, "nothing is known");
        for (instant, said) in [(30, false), (10, false), (20, true)] {
            first.hear(instant, 3);
            assert_eq!(first.said, said, "after {instant}");
        }
        assert_eq!(first.earliest_ns, Some(10));
    }
}
