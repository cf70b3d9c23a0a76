//! Checks of a generator's part of a fleet's load.

use assay_format::job::{Action, FleetPart, Job};

/// Checks the part of a job, and the step of `prepare`, against the rest of it.
///
/// # Errors
/// The part or the step does not fit the job; the message names the key.
pub(super) fn check(job: &Job) -> Result<(), String> {
    if job.engine.prepare_step.is_some() && job.action != Action::Prepare {
        return Err("engine.prepare_step: the action must be prepare".into());
    }
    let Some(FleetPart { first_loop, loops }) = job.load.part else { return Ok(()) };
    let (threads, connections) = (job.engine.threads, job.load.connections);
    if threads == 0 {
        return Err("load.part: needs engine.threads, the number of this engine's event loops".into());
    }
    if first_loop.checked_add(threads).is_none_or(|end| end > loops) {
        return Err(format!(
            "load.part: {threads} event loops from number {first_loop} on are not among the {loops} of all generators"
        ));
    }
    if job.action == Action::Run && connections < loops {
        return Err(format!(
            "load.connections: must be at least load.part.loops, {loops}, but is {connections}"
        ));
    }
    if job.action == Action::Prepare && job.engine.prepare_step.is_none() {
        return Err("load.part: needs engine.prepare_step where rows are loaded".into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn wrong(action: &str, load: Value, engine: Value) -> String {
        let job = json!({
            "version": 1, "action": action, "target": {"user": "nobody", "database": "none"},
            "workload": {"name": "none"}, "load": load, "engine": engine,
        });
        check(&serde_json::from_value(job).expect("a job")).err().unwrap_or_default()
    }

    #[test]
    fn a_part_must_fit_into_its_fleet() {
        let load = |connections: u32, first: u32, loops: u32| json!({"connections": connections, "part": {"first_loop": first, "loops": loops}});
        let threads = |threads: u32| json!({"threads": threads});
        let table = [
            ("run", json!({"connections": 1}), threads(0), ""),
            ("run", load(8, 0, 8), threads(8), ""),
            ("run", load(8, 6, 8), threads(2), ""),
            ("check", load(1, 6, 8), threads(2), ""),
            ("run", load(8, 6, 8), threads(3), "3 event loops from number 6 on are not among the 8"),
            ("run", load(8, u32::MAX, 8), threads(1), "are not among the 8"),
            ("run", load(8, 0, 8), threads(0), "needs engine.threads"),
            (
                "run",
                load(7, 0, 8),
                threads(2),
                "load.connections: must be at least load.part.loops, 8, but is 7",
            ),
            ("prepare", load(1, 0, 8), threads(2), "needs engine.prepare_step"),
            ("prepare", load(1, 0, 8), json!({"threads": 2, "prepare_step": "rows"}), ""),
            (
                "run",
                load(8, 0, 8),
                json!({"threads": 2, "prepare_step": "rows"}),
                "the action must be prepare",
            ),
        ];
        for (action, load, engine, words) in table {
            let said = wrong(action, load.clone(), engine.clone());
            assert_eq!(said.is_empty(), words.is_empty(), "{action} {load} {engine}: {said}");
            assert!(said.contains(words), "{action} {load} {engine}: {said}");
        }
    }
}
