//! The doubt of a debug build, which measures its own checks.

use super::{Doubt, Facts, doubt};

pub(super) fn check(facts: &Facts) -> Option<Doubt> {
    let message = "the engine is a debug build; measure with one that `make engine` has built";
    facts.debug_build.then(|| doubt("debug-build", message.into(), 1.0, 0.0))
}
