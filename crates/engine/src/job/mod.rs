//! Jobs: read, and checked for what their types cannot say.

mod machine;
mod part;
pub(crate) mod reactions;
mod server;
mod storage;

use std::io::Read;
use std::path::Path;

use assay_format::job::{AnyJob, DiskJob, Job, MachineJob, Phases, Warmup, WorkloadChoice};

use crate::process::failure::Fatal;

/// Just enough of a job to know which it is.
#[derive(serde::Deserialize)]
struct Outline {
    action: Option<String>,
}

/// Reads the job in a file, or on standard input (`-`): all of it, or its first line where the engine listens for commands
/// (`listens`).
///
/// # Errors
/// The file cannot be read or holds no job, a number is out of range, two settings exclude each other, or the job waits for
/// commands that nobody listens for.
pub(crate) fn read(path: &Path, listens: bool) -> Result<AnyJob, Fatal> {
    let text = read_text(path, "the job", listens)?;
    let broken = |error| Fatal::job(format!("{} is not a job: {error}", path.display()));
    let outline: Outline = serde_json::from_str(&text).map_err(broken)?;
    if matches!(outline.action.as_deref(), Some("storage" | "layout")) {
        let job: DiskJob = serde_json::from_str(&text).map_err(broken)?;
        storage::check(&job).map_err(Fatal::job)?;
        check_told(&job.phases, listens)?;
        return Ok(AnyJob::Disks(job));
    }
    if outline.action.as_deref() == Some("machine") {
        let mut job: MachineJob = serde_json::from_str(&text).map_err(broken)?;
        machine::check(&job).map_err(Fatal::job)?;
        check_told(&job.phases, listens)?;
        server::read_trace(job.arrivals.as_mut(), "arrivals").map_err(Fatal::job)?;
        return Ok(AnyJob::Machine(job));
    }
    let mut job: Job = serde_json::from_str(&text).map_err(broken)?;
    check(&job)?;
    check_told(&job.phases, listens)?;
    server::read_trace(job.load.arrivals.as_mut(), "load.arrivals").map_err(Fatal::job)?;
    Ok(AnyJob::Server(Box::new(job)))
}

/// Checks a job for a server as a whole.
///
/// # Errors
/// A number out of range, or two settings that exclude each other.
pub(crate) fn check(job: &Job) -> Result<(), Fatal> {
    server::check(job).and_then(|()| part::check(job)).map_err(Fatal::job)
}

/// Without anybody who listens, a job that waits for a command would wait for ever.
fn check_told(phases: &Phases, listens: bool) -> Result<(), Fatal> {
    let (key, command) = match phases {
        _ if listens => return Ok(()),
        Phases { hold: true, .. } => ("phases.hold", "start"),
        Phases { warmup: Warmup::UntilTold, .. } => ("phases.warmup: until_told", "window"),
        _ => return Ok(()),
    };
    let wrong =
        format!("{key} waits for the command `{command}`, but the engine does not listen for commands");
    Err(Fatal::job(wrong).hint("run the engine with --listen, and keep its standard input open"))
}

/// Reads a workload's name and options from a file, or from standard input (`-`).
///
/// # Errors
/// The file cannot be read, or holds something else.
pub(crate) fn read_workload(path: &Path) -> Result<WorkloadChoice, Fatal> {
    let broken =
        |error| Fatal::job(format!("{} is not a workload with its options: {error}", path.display()));
    serde_json::from_str(&read_text(path, "the workload", false)?).map_err(broken)
}

fn read_text(path: &Path, what: &str, one_line: bool) -> Result<String, Fatal> {
    let mut text = String::new();
    let read = if path == Path::new("-") {
        let stdin = std::io::stdin();
        if one_line { stdin.read_line(&mut text) } else { stdin.lock().read_to_string(&mut text) }.map(drop)
    } else {
        std::fs::read_to_string(path).map(|content| text = content)
    };
    read.map_err(|error| Fatal::job(format!("cannot read {what} {}: {error}", path.display())))?;
    Ok(text)
}
