//! Scripts for sysbench as workloads: their threads are tasks of the event loops, and their events the load's operations.

mod alone;
mod captured;
mod command;
mod described;
mod drive;
mod holdings;
mod in_load;
mod link;
pub(crate) mod listing;
mod local_file;
mod origin;
mod prepared;
mod reports;
mod shares;
mod thread;
mod watch;

use std::sync::Arc;

use assay_format::job::{Action, Job};

use crate::course::orders::Orders;
use crate::load;
use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::script::alone::Main;
use crate::script::captured::Captured;
use crate::script::drive::Scripted;
use crate::script::link::Servers;
use crate::script::origin::{PREFIX, check, is_dry, origin};
use crate::script::shares::Shares;

/// Whether the workload of a job is a script.
pub(crate) fn is_script(job: &Job) -> bool {
    job.workload.name.starts_with(PREFIX)
}

/// Carries the job out with its script; returns the exit code.
///
/// # Errors
/// The job is wrong, the script fails, the server refuses, or goes away.
pub(crate) fn carry_out(job: Job, clock: Clock, orders: Orders) -> Result<i32, Fatal> {
    check(&job)?;
    let origin = Arc::new(origin(&job));
    let servers = if is_dry(&origin) { None } else { Some(Arc::new(Servers::new(&job)?)) };
    let captured = Captured::begin()?;
    let outcome = match job.action {
        Action::Run => {
            let shares = Arc::new(Shares::new(job.load.connections));
            let mut main = Main::new(&origin, servers.clone(), shares.clone(), clock)?;
            let workload = Box::new(Scripted::new(origin, servers, shares, job.load.connections));
            load::run(job, clock, workload, orders, &mut main)
        }
        _ => command::carry_out(&job, clock, &origin, servers),
    };
    captured.end();
    outcome
}

/// What a script raised, as the end of a job.
fn failed(error: &assay_script::ScriptError) -> Fatal {
    // The prelude puts its advice on a line of its own.
    match error.message.split_once("\nhint: ") {
        Some((message, hint)) => Fatal::job(format!("script: {message}")).hint(hint),
        None => Fatal::job(format!("script: {error}")),
    }
}
