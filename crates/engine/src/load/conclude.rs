//! What came of a load on a server: its result, its doubts, the exit code.

use assay_format::event::{Doubt, Event, RunResult};

use crate::course::conductor::Conductor;
use crate::load::collector::Collector;
use crate::process::failure::Fatal;
use crate::process::signal;
use crate::say::counted::counted;
use crate::say::doubts::{Facts, doubts};
use crate::say::emit::emit;

/// Says the result and the doubts; returns the exit code. `ill_sized`: the tables are not of the size that the load is for.
pub(crate) fn conclude(
    mut conductor: Conductor<'_, Collector>,
    threads: usize,
    ill_sized: Option<Doubt>,
) -> i32 {
    let hangs = hung_loops(&conductor.hung);
    if let Some(names) = &hangs {
        conductor.fatal.get_or_insert_with(|| {
            Fatal::host(format!("{names} did not end with the load"))
                .hint("this is a fault of the engine: please report it with the job")
        });
    }
    let interrupted = conductor.course.interrupted;
    let complete = conductor.fatal.is_none() && !interrupted;
    if let Some(fatal) = &conductor.fatal {
        emit(&Event::Error(fatal.event(conductor.clock.now())));
    }
    let collector = &mut conductor.load;
    if let Some((window, tallied)) = collector.window(&conductor.accounts, complete) {
        let mut server = collector.server();
        if let (Some(before), Some(after)) = (collector.questions_before, collector.questions_after) {
            server.server_questions = Some(after.saturating_sub(before));
        }
        let result =
            RunResult { window, tallied, server, storage: None, machine: None, generators: Vec::new() };
        let elapsed_s = (conductor.clock.now() - conductor.course.control.start()) as f64 / 1e9;
        let facts = Facts {
            steady: conductor.course.steady,
            hung: hangs.map(|names| (names, conductor.hung.len() as u64)),
            ..conductor.load.facts(&result, threads, elapsed_s)
        };
        for doubt in doubts(&facts).chain(ill_sized) {
            emit(&Event::Doubt(doubt));
        }
        emit(&Event::Result(Box::new(result)));
    }
    match (&conductor.fatal, interrupted) {
        (Some(fatal), _) => fatal.exit_code(),
        (None, true) => signal::INTERRUPTED,
        (None, false) => 0,
    }
}

/// The event loops that hang by name.
fn hung_loops(hung: &[usize]) -> Option<String> {
    let first = hung.first()?;
    Some(match hung.len() - 1 {
        0 => format!("thread event-loop-{first}"),
        more => format!("thread event-loop-{first} and {}", counted(more as u64, "other")),
    })
}
