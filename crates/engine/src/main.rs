//! The measuring engine: one job in (JSON), events out (JSON lines on standard output), exit code by cause.

mod bench;
mod course;
mod data;
mod job;
mod ledger;
mod load;
mod machine;
mod own;
mod process;
mod reactor;
mod say;
mod script;
mod server;
mod storage;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use assay_format::event::Event;
use assay_format::job::{Action, AnyJob, Job, WorkloadChoice};
use assay_workload::{catalogue, entry, with_driver};
use clap::{Parser, Subcommand, ValueEnum};

use crate::course::orders::Orders;
use crate::course::{input, orders, steady_answers};
use crate::data::size::Size;
use crate::load::any_driver::{AnyDriver, Hide};
use crate::load::own_file;
use crate::own::rehearsal::Limits;
use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::process::heap::keep_free_memory;
use crate::process::{panics, signal};
use crate::say::doubts::limits;
use crate::say::emit::emit;
use crate::say::{answer, output};

/// Version, kind of build, level of optimisation and target: `0.1.0 (profile-guided, opt-level 3, x86_64-unknown-linux-gnu)`.
const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (",
    env!("ASSAY_BUILD"),
    ", opt-level ",
    env!("ASSAY_OPT_LEVEL"),
    ", ",
    env!("ASSAY_TARGET"),
    ")"
);

/// Measures one workload against one MySQL-family server, or files and disks, or the machine itself. The lab (`assay`) writes the jobs; by hand:
///
///   assay-engine run job.json > events.jsonl
///
/// Alone, on a machine without the lab, it runs scripts for sysbench and prints sysbench's text:
///
///   assay-engine bench oltp_read_write run --mysql-db=test --threads=16 --time=60
///
/// Exit codes: 0 done, 2 the job is wrong, 3 no connection or login, 4 the server refused, 5 the server went away,
/// 6 this machine (also: the events could not be written to the end), 8 what was read back is not what was written,
/// 130 interrupted (what was measured is in the events).
#[derive(Parser)]
#[command(version = VERSION, verbatim_doc_comment)]
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
        /// Obey commands on standard input while the job goes on, one JSON object a line, and stop at its end. A job from
        /// standard input is the first line then.
        #[arg(long)]
        listen: bool,
    },
    /// Run a Lua script for sysbench, or a workload, and print sysbench's text: `assay-engine bench --help`.
    #[command(disable_help_flag = true)]
    Bench {
        /// A command line as sysbench has it.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// List the workloads with their options (JSON).
    Workloads,
    /// Say how large a workload's tables are and how many statements a connection prepares (JSON).
    Size {
        /// File with name and options as a job's workload has them, `-` for standard input.
        workload: PathBuf,
    },
    /// List a script for sysbench: its options, whether it makes tables, and its identity (JSON). Nothing of it runs but its
    /// text as a whole, which declares them, without what could act outside of the script.
    Script {
        /// Give its text all that it has in a run, for a script that declares nothing without it.
        #[arg(long)]
        may_act: bool,
        /// File with the script as a job's workload has it, `-` for standard input.
        workload: PathBuf,
    },
    /// Say what statements a log of a server, a file of SQL, or texts on standard input have: each by its shape and its values
    /// (JSON lines).
    Statements {
        #[arg(long, default_value = "file")]
        from: own::statements::From,
        /// The file; of texts, what they are.
        file: PathBuf,
    },
    /// Try the statements of a job whose workload is a file of them, on one connection: what each finds, and how long it takes
    /// (JSON lines).
    Rehearse {
        job: PathBuf,
        /// Executions of each statement that are enough.
        #[arg(long, default_value_t = 30)]
        executions: u32,
        #[arg(long, default_value_t = 20_000)]
        transactions: u64,
        #[arg(long, default_value_t = 20)]
        seconds: u64,
        /// Send statements that write, too.
        #[arg(long)]
        writes: bool,
    },
    /// Count the arrivals of a job's event loops between two instants, in nanoseconds after the start of its load.
    Arrivals { job: PathBuf, from_ns: u64, to_ns: u64 },
    /// Say whether the warm-up of a fleet's load is over: for each line on standard input, with the rates so far, one line
    /// (JSON): `null` while it goes on, then whether throughput is steady.
    Steady {
        /// The phases of the load's job (JSON).
        phases: String,
    },
    /// List the limits of the doubts that the lab raises, too (JSON).
    Limits,
    /// Print the JSON Schema of jobs, events, or commands on standard input.
    Schema { of: Shape },
}

#[derive(Clone, Copy, ValueEnum)]
enum Shape {
    Job,
    Event,
    Input,
}

#[allow(clippy::exit, reason = "the binary's own face")]
fn main() {
    keep_free_memory();
    if bench::has_own_name() {
        let words: Vec<String> =
            std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
        std::process::exit(bench::command(&words, server_job));
    }
    let code = match Cli::parse().command {
        Command::Bench { words } => bench::command(&words, server_job),
        Command::Run { job, listen } => run_job(&job, listen),
        Command::Size { workload } => answer::give(size_of(&workload).map(|size| pretty(&size))),
        Command::Script { may_act, workload } => {
            let chosen = job::read_workload(&workload);
            let listing = chosen.and_then(|chosen| {
                if own_file::is_own(&chosen) {
                    own_file::listing(&chosen)
                } else {
                    script::listing::listing(&chosen, may_act)
                }
            });
            answer::give(listing.map(|listing| pretty(&listing)))
        }
        Command::Statements { from, file } => {
            own::statements::tell(&file, from).map_or_else(|fatal| answer::complain(&fatal), |()| 0)
        }
        Command::Rehearse { job, executions, transactions, seconds, writes } => {
            rehearse(&job, Limits { executions, transactions, seconds, writes })
        }
        Command::Arrivals { job, from_ns, to_ns } => {
            answer::give(load::fleet::arrivals(&job, from_ns, to_ns).map(|count| count.to_string()))
        }
        Command::Steady { phases } => {
            let (input, output) = (std::io::stdin().lock(), std::io::stdout().lock());
            steady_answers::give(&phases, input, output).map_or_else(|fatal| answer::complain(&fatal), |()| 0)
        }
        Command::Limits => answer::give(Ok(pretty(&limits::list()))),
        Command::Workloads => answer::give(Ok(pretty(&catalogue()))),
        Command::Schema { of } => answer::give(Ok(pretty(&schema(of)))),
    };
    std::process::exit(code)
}

fn rehearse(path: &Path, limits: Limits) -> i32 {
    let clock = Clock::start();
    signal::install();
    let done = job::read(path, false).and_then(|job| match job {
        AnyJob::Server(job) => own::rehearsal::rehearse(&job, limits, clock),
        _ => Err(Fatal::job("only a job for a server has statements to try")),
    });
    server::cut::end();
    done.unwrap_or_else(|fatal| answer::complain(&fatal))
}

fn schema(of: Shape) -> schemars::Schema {
    match of {
        Shape::Job => schemars::schema_for!(AnyJob),
        Shape::Event => schemars::schema_for!(Event),
        Shape::Input => schemars::schema_for!(assay_format::input::Command),
    }
}

fn pretty(value: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(value).expect("plain data")
}

fn run_job(path: &Path, listen: bool) -> i32 {
    in_process(|clock| {
        let job = job::read(path, listen)?;
        let orders = if listen { input::listen(clock)? } else { orders::nobody() };
        match job {
            AnyJob::Server(job) => carry_out(*job, clock, orders),
            AnyJob::Disks(job) => storage::run(job, clock, orders),
            AnyJob::Machine(job) => machine::run(&job, clock, orders),
        }
    })
}

/// Carries out a job on a server that nobody commands; returns the exit code.
fn server_job(job: Job) -> i32 {
    in_process(|clock| {
        job::check(&job)?;
        carry_out(job, clock, orders::nobody())
    })
}

/// Does the work of this process: signals end it, a panic and an error are said, standard output is written to its end.
fn in_process(work: impl FnOnce(Clock) -> Result<i32, Fatal>) -> i32 {
    let clock = Clock::start();
    signal::install();
    panics::listen();
    let outcome = panics::caught(|| work(clock)).and_then(|outcome| outcome);
    server::cut::end();
    let code = outcome.unwrap_or_else(|fatal| {
        if !fatal.interrupted {
            emit(&Event::Error(fatal.event(clock.now())));
        }
        fatal.exit_code()
    });
    match output::close() {
        Ok(()) => code,
        Err(lost) => answer::complain(&lost),
    }
}

fn carry_out(job: Job, clock: Clock, orders: Orders) -> Result<i32, Fatal> {
    if let (Some(dump), Action::Prepare) = (&job.dump, job.action) {
        return data::dump::prepare(&job, clock, data::dump::Wanted::of(dump)?);
    }
    if script::is_script(&job) {
        return script::carry_out(job, clock, orders);
    }
    if own_file::is_own(&job.workload) {
        return of_own_file(job, clock, orders).map_err(Fatal::of_own_tables);
    }
    let wrong = |error| Fatal::job(format!("workload: {error}"));
    let WorkloadChoice { name, options, .. } = &job.workload;
    if job.action == Action::Run {
        let workload = with_driver(name, options, job.seed, Hide).map_err(wrong)?;
        return load::run(job, clock, workload, orders, &mut ());
    }
    // Whatever is told is refused from now on: there is no load.
    drop(orders);
    let mut workload = entry(name).and_then(|it| it.describe(options, job.seed)).map_err(wrong)?;
    data::work_on(&job, clock, &mut *workload)
}

/// Carries out a job whose workload is a person's own file of statements.
fn of_own_file(job: Job, clock: Clock, orders: Orders) -> Result<i32, Fatal> {
    match job.action {
        Action::Run => {
            let workload = Box::new(AnyDriver::new(own_file::own(&job.workload, job.seed)?));
            load::run(job, clock, workload, orders, &mut ())
        }
        Action::Prepare => {
            let files = own_file::data(&job.workload)?;
            let code = data::dump::prepare(&job, clock, data::dump::Wanted::of_texts(files))?;
            if code == 0 {
                own_file::take_samples(&job);
            }
            Ok(code)
        }
        Action::Cleanup => Err(Fatal::job(format!("{} does not know its tables", job.workload.name))
            .hint("drop them, or their database, by hand")),
        Action::Check => own::check::check(&job, clock),
        Action::Command => Err(Fatal::job(format!("{} has no commands", job.workload.name))),
    }
}

fn size_of(path: &Path) -> Result<Size, Fatal> {
    let chosen = job::read_workload(path)?;
    let workload = entry(&chosen.name).and_then(|it| it.describe(&chosen.options, 0));
    Ok(Size::of(&*workload.map_err(|error| Fatal::job(format!("workload: {error}")))?))
}
