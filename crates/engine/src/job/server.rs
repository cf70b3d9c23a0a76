//! Checks of a job for a server.

use assay_format::job::{Action, ErrorPolicy, Job, Load, Think};
use assay_pace::{Arrivals, parse_trace};

use crate::job::reactions::is_error_name;

/// Checks a job for a server as a whole.
///
/// # Errors
/// A number out of range, or two settings that exclude each other; the message names them.
pub(super) fn check(job: &Job) -> Result<(), String> {
    if job.version != 1 {
        return Err(format!("version: this engine reads version 1, the job has {}", job.version));
    }
    if job.load.connections == 0 {
        return Err("load.connections: must be at least 1".into());
    }
    if job.phases.interval_ms == 0 {
        return Err("phases.interval_ms: must be at least 1 ms".into());
    }
    if job.action == Action::Run && job.phases.measure_ms == 0 && job.phases.max_transactions == 0 {
        return Err("phases: the measured window has no length: give measure_ms or max_transactions".into());
    }
    check_load(&job.load)?;
    check_errors(&job.errors)
}

fn check_load(load: &Load) -> Result<(), String> {
    if load.terminals > 0 && load.arrivals.is_some() {
        return Err(
            "load.terminals: cannot be combined with an open loop, which has a schedule: leave one of them out".into()
        );
    }
    if load.terminals > 0 && load.terminals < load.connections {
        return Err(format!(
            "load.terminals: {} terminals use no more than as many connections, but load.connections is {}",
            load.terminals, load.connections
        ));
    }
    let Some(think) = load.think else { return Ok(()) };
    if load.arrivals.is_some() {
        return Err(
            "load.think: cannot be combined with an open loop, which has a schedule: leave one of them \
            out"
            .into(),
        );
    }
    let (Think::Constant { mean_ms } | Think::Exponential { mean_ms }) = think;
    if !(mean_ms > 0.0 && mean_ms <= 86_400_000.0) {
        return Err(format!("load.think: mean_ms is {mean_ms}, but must be above 0 and at most a day"));
    }
    Ok(())
}

fn check_errors(policy: &ErrorPolicy) -> Result<(), String> {
    if policy.max_tries == 0 {
        return Err("errors.max_tries: must be at least 1".into());
    }
    if policy.reconnect_tries == 0 {
        return Err("errors.reconnect_tries: to end the run at once, set on_error.lost to stop".into());
    }
    match policy.on_error.keys().find(|name| !is_error_name(name)) {
        Some(name) => Err(format!(
            "errors.on_error: `{name}` is neither a server error code (1213) nor `lost` nor `timeout`"
        )),
        None => Ok(()),
    }
}

/// Puts the instants of a trace file in its place, where the arrivals under `key` are one.
///
/// # Errors
/// The file cannot be read, or is no trace; the message names it.
pub(super) fn read_trace(arrivals: Option<&mut Arrivals>, key: &str) -> Result<(), String> {
    arrivals.map_or(Ok(()), |arrivals| read_trace_of(arrivals, key))
}

fn read_trace_of(arrivals: &mut Arrivals, key: &str) -> Result<(), String> {
    match arrivals {
        Arrivals::Scaled { shape, .. } => read_trace_of(shape, &format!("{key}.shape")),
        Arrivals::TraceFile { path } => {
            let named = |error: &dyn std::fmt::Display| format!("{key}.path: {}: {error}", path.display());
            let text = std::fs::read_to_string(&path).map_err(|error| named(&error))?;
            let instants_ns = parse_trace(&text).map_err(|error| named(&error))?;
            *arrivals = Arrivals::Trace { instants_ns };
            Ok(())
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use assay_format::job::Reaction;

    use super::*;

    #[test]
    fn unknown_names_of_errors_are_refused() {
        let on_error = [("deadlock".to_owned(), Reaction::Retry)].into();
        let message = check_errors(&ErrorPolicy { on_error, ..ErrorPolicy::default() }).unwrap_err();
        assert!(message.contains("`deadlock`"), "{message}");
    }
}
