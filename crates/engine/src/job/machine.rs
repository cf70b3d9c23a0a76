//! Checks of a job for the machine itself.

use assay_format::job::MachineJob;

/// Checks a job for the machine itself as a whole.
///
/// # Errors
/// A number out of range; the message names it.
pub(super) fn check(job: &MachineJob) -> Result<(), String> {
    if job.version != 1 {
        return Err(format!("version: this engine reads version 1, the job has {}", job.version));
    }
    if job.threads == 0 {
        return Err("threads: must be at least 1".into());
    }
    if job.phases.interval_ms == 0 {
        return Err("phases.interval_ms: must be at least 1 ms".into());
    }
    assay_machine::check(&job.machine).map_err(|wrong| format!("machine.{wrong}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn wrong(change: impl FnOnce(&mut Value)) -> String {
        let mut job = json!({ "version": 1, "action": "machine", "machine": { "kind": "cpu" } });
        change(&mut job);
        check(&serde_json::from_value(job).unwrap()).err().unwrap_or_default()
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(wrong(|_| {}), "");
        assert!(wrong(|job| job["version"] = json!(2)).contains("version: this engine reads version 1"));
        assert!(wrong(|job| job["threads"] = json!(0)).contains("threads: must be at least 1"));
        assert!(wrong(|job| job["phases"] = json!({ "interval_ms": 0 })).contains("phases.interval_ms"));
        let prime = wrong(|job| job["machine"]["max_prime"] = json!(1));
        assert!(prime.starts_with("machine.max_prime: must be from 3"), "{prime}");
    }
}
