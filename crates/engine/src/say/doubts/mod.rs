//! Doubts: reasons to distrust a run that the engine itself can see, one a file.
//!
//! A file looks at the [`Facts`] that loads on servers and on disks fill in, and says what it doubts. Its lines here are
//! its module and its place in the list.

mod abandoned;
mod carried_over;
mod conservation;
mod debug_build;
mod deferred_unfinished;
mod depth_not_reached;
mod dropped;
mod facts;
mod failing;
mod generator_busy;
mod grows;
mod huge_result;
mod hung;
mod idle_data;
mod late_pacing;
mod late_reading;
pub(crate) mod limits;
mod littles_law;
mod misses;
mod no_transactions;
mod nondeterministic;
mod not_steady;
mod processors_busy;
mod stalled_loop;
mod starved;
mod terminals;
#[cfg(test)]
mod tests;
mod tiny_pool;
mod uncommitted;
mod unprepared;
mod unstored;
mod untouched;

use assay_format::event::Doubt;

pub(crate) use self::facts::{Depth, Facts, InFlight, Served, Statements, Uncommitted};

/// The checks of all doubts, in the order in which doubts are said.
const CHECKS: &[fn(&Facts) -> Option<Doubt>] = &[
    debug_build::check,
    littles_law::check,
    generator_busy::check,
    processors_busy::check,
    stalled_loop::check,
    late_pacing::check,
    late_reading::check,
    starved::check,
    depth_not_reached::check,
    terminals::check,
    deferred_unfinished::check,
    idle_data::check,
    misses::check,
    tiny_pool::check,
    grows::check,
    huge_result::check,
    failing::check,
    nondeterministic::check,
    untouched::check,
    not_steady::check,
    carried_over::check,
    no_transactions::check,
    uncommitted::check,
    unstored::check,
    unprepared::check,
    dropped::check,
    abandoned::check,
    hung::check,
    conservation::check,
];

/// The doubts that the figures of a run raise.
pub(crate) fn doubts(facts: &Facts) -> impl Iterator<Item = Doubt> + '_ {
    CHECKS.iter().filter_map(|check| check(facts))
}

pub(crate) fn doubt(kind: &str, message: String, value: f64, limit: f64) -> Doubt {
    Doubt { kind: kind.into(), message, value, limit }
}

fn ms(ns: u64) -> f64 {
    ns as f64 / 1e6
}
