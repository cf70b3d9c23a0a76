//! The measuring engine: one job in (JSON), events out (JSON lines on standard output), exit code by cause.

mod course;
mod data;
mod event;
mod job;
mod ledger;
mod load;
mod process;
mod reactor;
mod say;
mod server;
mod storage;

use std::io::Read;
use std::path::{Path, PathBuf};

use assay_workload::{catalogue, with_workload};
use clap::{Parser, Subcommand, ValueEnum};

use crate::data::DataWork;
use crate::data::size::{Measure, Size};
use crate::event::Event;
use crate::job::{Action, Job, WorkloadChoice};
use crate::load::Run;
use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::process::{panics, signal};
use crate::say::emit::emit;
use crate::say::output;
use crate::storage::DiskJob;

/// Measures one workload against one MySQL-family server, or files and disks. The lab (`assay`) writes the jobs; by hand:
///
///   assay-engine run job.json > events.jsonl
///
/// Exit codes: 0 done, 2 the job is wrong, 3 no connection or login, 4 the server refused, 5 the server went away,
/// 6 this machine (also: nobody reads the events any more), 8 what was read back is not what was written,
/// 130 interrupted (what was measured is in the events).
#[derive(Parser)]
#[command(version, verbatim_doc_comment)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Carry out a job: prepare, check, run or clean up.
    Run {
        /// File with the job, `-` for standard input.
        job: PathBuf,
    },
    /// List the workloads with their options (JSON).
    Workloads,
    /// Say how large a workload's tables are and how many statements a connection prepares (JSON).
    Size {
        /// File with name and options as a job's workload has them, `-` for standard input.
        workload: PathBuf,
    },
    /// Print the JSON Schema of jobs or events.
    Schema { of: Shape },
}

#[derive(Clone, Copy, ValueEnum)]
enum Shape {
    Job,
    Event,
}

#[allow(clippy::print_stdout, clippy::print_stderr, clippy::exit, reason = "the binary's own face")]
fn main() {
    match Cli::parse().command {
        Command::Run { job } => std::process::exit(run_job(&job)),
        Command::Size { workload } => match read_size(&workload) {
            Ok(size) => println!("{}", pretty(&size)),
            Err(fatal) => {
                eprintln!("{}", fatal.message);
                std::process::exit(fatal.exit_code());
            }
        },
        Command::Workloads => println!("{}", pretty(&catalogue())),
        Command::Schema { of: Shape::Job } => println!("{}", pretty(&schemars::schema_for!(AnyJob))),
        Command::Schema { of: Shape::Event } => println!("{}", pretty(&schemars::schema_for!(Event))),
    }
}

fn pretty(value: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(value).expect("plain data")
}

fn run_job(path: &Path) -> i32 {
    let clock = Clock::start();
    signal::install();
    panics::listen();
    let outcome = panics::caught(|| carry_out(path, clock)).and_then(|outcome| outcome);
    let code = outcome.unwrap_or_else(|fatal| {
        if !fatal.interrupted {
            emit(&Event::Error(fatal.event(clock.now())));
        }
        fatal.exit_code()
    });
    output::close();
    if output::reader_gone() { Fatal::host("nobody reads the events").exit_code() } else { code }
}

fn carry_out(path: &Path, clock: Clock) -> Result<i32, Fatal> {
    read_job(path).and_then(|job| {
        let job = match job {
            AnyJob::Server(job) => *job,
            AnyJob::Disks(job) => return storage::run(job, clock),
        };
        let (name, options, seed) = (job.workload.name.clone(), job.workload.options.clone(), job.seed);
        let done = match job.action {
            Action::Run => with_workload(&name, &options, seed, Run { job, clock }),
            _ => with_workload(&name, &options, seed, DataWork { job, clock }),
        };
        done.map_err(|error| Fatal::job(format!("workload: {error}")))?
    })
}

/// What a job file holds: work on a server, or on disks. The action says which.
#[derive(schemars::JsonSchema)]
#[schemars(untagged)]
enum AnyJob {
    Server(Box<Job>),
    Disks(DiskJob),
}

/// Just enough of a job to know which it is.
#[derive(serde::Deserialize)]
struct Outline {
    action: Option<String>,
}

/// What is in a file, or on standard input.
fn read_text(path: &Path, what: &str) -> Result<String, Fatal> {
    let mut text = String::new();
    let read = if path == Path::new("-") {
        std::io::stdin().read_to_string(&mut text).map(drop)
    } else {
        std::fs::read_to_string(path).map(|content| text = content)
    };
    read.map_err(|error| Fatal::job(format!("cannot read {what} {}: {error}", path.display())))?;
    Ok(text)
}

fn read_size(path: &Path) -> Result<Size, Fatal> {
    let broken =
        |error| Fatal::job(format!("{} is not a workload with its options: {error}", path.display()));
    let chosen: WorkloadChoice = serde_json::from_str(&read_text(path, "the workload")?).map_err(broken)?;
    with_workload(&chosen.name, &chosen.options, 0, Measure)
        .map_err(|error| Fatal::job(format!("workload: {error}")))
}

fn read_job(path: &Path) -> Result<AnyJob, Fatal> {
    let text = read_text(path, "the job")?;
    let broken = |error| Fatal::job(format!("{} is not a job: {error}", path.display()));
    let outline: Outline = serde_json::from_str(&text).map_err(broken)?;
    if matches!(outline.action.as_deref(), Some("storage" | "layout")) {
        let job: DiskJob = serde_json::from_str(&text).map_err(broken)?;
        job.validate().map_err(Fatal::job)?;
        return Ok(AnyJob::Disks(job));
    }
    let mut job: Job = serde_json::from_str(&text).map_err(broken)?;
    job.validate().map_err(Fatal::job)?;
    job.load.read_trace().map_err(Fatal::job)?;
    Ok(AnyJob::Server(Box::new(job)))
}
