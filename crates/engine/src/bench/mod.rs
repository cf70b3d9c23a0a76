//! The engine as a tool of its own: sysbench's command line in, a job for the engine, sysbench's text out.

mod general;
mod help;
mod line;
mod log;
mod number;
mod options;
mod reporter;
mod request;
mod summary;
mod target;
mod text;
mod totals;

use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

use assay_format::event::Event;
use assay_format::job::{Action, Job};

use crate::bench::general::General;
use crate::bench::line::{Line, Refusal};
use crate::bench::log::Log;
use crate::bench::options::UNTOLD;
use crate::bench::reporter::{Reporter, Spoken};
use crate::bench::summary::summary;
use crate::process::poison::unpoisoned;
use crate::process::signal::INTERRUPTED;
use crate::say::{answer, emit};

/// sysbench's exit code after any failure.
const FAILED: i32 = 1;
const WRONG: i32 = 2;

/// Whether the program was started under sysbench's own name: its command line is then sysbench's.
pub(crate) fn has_own_name() -> bool {
    std::env::args_os().next().is_some_and(|name| Path::new(&name).file_name() == Some("sysbench".as_ref()))
}

/// Carries out a command line by `carry_out`, which takes the job and returns the exit code; returns the program's.
pub(crate) fn command(words: &[String], carry_out: impl FnOnce(Job) -> i32) -> i32 {
    let own_name = has_own_name();
    let code = match begin(words, own_name) {
        Ok(Begun::Answer(text)) => answer::give(Ok(text)),
        Ok(Begun::Job(job, reporter)) => measure(*job, *reporter, carry_out),
        Err(Refusal { message, hint }) => {
            let hint = hint.filter(|_| Log::new(own_name).asides).map(|hint| format!("\nhint: {hint}"));
            let out = if own_name { text::banner(text::LANGUAGE) } else { String::new() };
            say(&Spoken { out, err: format!("{message}{}\n", hint.unwrap_or_default()) });
            WRONG
        }
    };
    match code {
        0 | INTERRUPTED => code,
        _ if own_name => FAILED,
        _ => code,
    }
}

enum Begun {
    Answer(String),
    Job(Box<Job>, Box<Reporter>),
}

fn begin(words: &[String], own_name: bool) -> Result<Begun, Refusal> {
    let line = Line::read(words)?;
    if line.switch("version")? {
        return Ok(Begun::Answer(text::banner(text::LANGUAGE).trim_end().to_owned()));
    }
    let Some(test) = line.test.as_deref().filter(|_| !line.given.contains_key("help")) else {
        return Ok(Begun::Answer(help::general_help()));
    };
    let workload = request::workload(test);
    if let Some(listing) = workload.as_ref().filter(|_| line.command.as_deref() == Some("help")) {
        return Ok(Begun::Answer(help::workload_help(listing)));
    }
    let general = General::read(&line)?;
    target::hide_password(&line)?;
    let argv = std::iter::once("sysbench".to_owned()).chain(words.iter().map(|word| without_password(word)));
    let job = request::job(&line, &general, argv.collect())?;
    for warning in line.warnings {
        say(&Spoken { out: String::new(), err: warning });
    }
    let runs = job.action == Action::Run;
    let script = workload.is_none().then(|| test.to_owned());
    let reporter = Reporter::new(general, script, runs, Log::new(own_name));
    Ok(Begun::Job(Box::new(job), Box::new(reporter)))
}

fn without_password(word: &str) -> String {
    let name = word.split('=').next().unwrap_or_default();
    let is_password = name.trim_start_matches('-').replace('_', "-") == UNTOLD[0];
    if is_password { format!("{name}=***") } else { word.to_owned() }
}

/// Carries the job out while its events become text.
fn measure(job: Job, mut reporter: Reporter, carry_out: impl FnOnce(Job) -> i32) -> i32 {
    say(&reporter.begin());
    let asked = job.clone();
    let reporter = Arc::new(Mutex::new(reporter));
    let hearing = reporter.clone();
    emit::told_as(move |event| {
        let mut reporter = unpoisoned(hearing.lock());
        let heard = reporter.hear(event);
        let _ = std::io::stderr().lock().write_all(heard.err.as_bytes());
        match event {
            Event::Result(_) if reporter.in_json() => heard.out + &summary(&asked, &reporter),
            _ => heard.out,
        }
    });
    let code = carry_out(job);
    if code == INTERRUPTED {
        let measured = unpoisoned(reporter.lock()).result.is_some();
        let told = if measured { "; the figures cover the time until then" } else { "" };
        say(&Spoken { out: String::new(), err: format!("Interrupted{told}.\n") });
    }
    code
}

fn say(spoken: &Spoken) {
    // Nobody may be there to read it.
    let _ = std::io::stdout().lock().write_all(spoken.out.as_bytes());
    let _ = std::io::stdout().lock().flush();
    let _ = std::io::stderr().lock().write_all(spoken.err.as_bytes());
}
