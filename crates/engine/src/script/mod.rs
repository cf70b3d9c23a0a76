//! Scripts for sysbench as workloads: their threads are tasks of the event loops, and their events the load's operations.

mod alone;
mod captured;
mod command;
mod described;
mod drive;
mod in_load;
mod link;
mod origin;
mod reports;
mod thread;
mod watch;

use std::sync::Arc;

use assay_format::job::{Action, Job};

use crate::course::told::Orders;
use crate::load;
use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::script::alone::Main;
use crate::script::captured::Captured;
use crate::script::drive::Scripted;
use crate::script::origin::{PREFIX, check, is_dry, origin};
use crate::server::login::{Login, Purpose};

/// Whether the workload of a job is a script.
pub(crate) fn is_script(job: &Job) -> bool {
    job.workload.name.starts_with(PREFIX)
}

/// The connections of scripts: texts may hold several statements.
const PURPOSE: Purpose = Purpose { files: false, packets: true };

/// Carries the job out with its script; returns the exit code.
///
/// # Errors
/// The job is wrong, the script fails, the server refuses, or goes away.
pub(crate) fn carry_out(job: Job, clock: Clock, orders: Orders) -> Result<i32, Fatal> {
    check(&job)?;
    let origin = Arc::new(origin(&job));
    let login = if is_dry(&origin) { None } else { Some(Arc::new(Login::new(&job.target, PURPOSE)?)) };
    let captured = Captured::begin()?;
    let outcome = match job.action {
        Action::Run => {
            let mut main = Main::new(origin.clone(), login.clone(), clock)?;
            let workload = Box::new(Scripted::new(origin, login.is_none()));
            load::run(job, clock, workload, orders, &mut main)
        }
        _ => command::carry_out(&job, clock, &origin, login),
    };
    captured.end();
    outcome
}

/// What a script raised, as the end of a job.
fn failed(error: &assay_script::ScriptError) -> Fatal {
    Fatal::job(format!("script: {error}"))
}
