//! What came of a load on the machine: its result, its doubts, the exit code.

use assay_format::event::{Event, Phase, RunResult, ServerResult};
use assay_tally::Counts;

use crate::course::conductor::Conductor;
use crate::course::timeline::{Edges, Stretch};
use crate::machine::collector::Collector;
use crate::machine::queue::Queue;
use crate::process::clock::UNKNOWN;
use crate::process::failure::Fatal;
use crate::process::signal;
use crate::process::usage::engine_use;
use crate::say::counted::counted;
use crate::say::doubts::{Facts, doubts};
use crate::say::emit::emit;

/// Says the result and the doubts; returns the exit code. `queue`: the line in which events wait that were wanted and that
/// nobody began.
///
/// # Errors
/// What ended the load early, or that it has no result.
pub(super) fn conclude(mut conductor: Conductor<'_, Collector>, queue: Option<&Queue>) -> Result<i32, Fatal> {
    let hangs = endless(&conductor.hung);
    if let Some(names) = &hangs {
        conductor.fatal.get_or_insert_with(|| {
            Fatal::host(format!("{names} did not come to the end of an event"))
                .hint("give events less work, or a longer drain")
        });
    }
    let complete = conductor.fatal.is_none() && !conductor.course.interrupted;
    let Conductor { load: collector, accounts, course, .. } = &mut conductor;
    let Edges { measure_start: start, measure_end: end, .. } = course.control.edges();
    if hangs.is_some() && accounts.window().is_none() && end != UNKNOWN {
        // Threads that never came to the end of their first event have left no interval behind.
        let stretch = Stretch { phase: Phase::Measure, index: 0, start, end };
        accounts.enter(&stretch, &Counts::default(), &engine_use());
    }
    let wanted = accounts.window();
    let unserved = queue.zip(wanted).map_or(0, |(queue, (start, end))| queue.left(start, end));
    let Some((window, tallied)) = collector.window(accounts, unserved, complete) else {
        return match conductor.fatal {
            Some(fatal) => Err(fatal),
            None if conductor.course.interrupted => Ok(signal::INTERRUPTED),
            None => Err(Fatal::job("the load ended before its measured window began: there is no result")
                .hint("set a shorter warm-up")),
        };
    };
    let machine = collector.machine(window.start_ns, window.end_ns);
    let facts = Facts {
        debug_build: cfg!(debug_assertions),
        steady: conductor.course.steady,
        late_p99_ns: conductor.load.late_p99_ns(),
        transactions: Some(machine.events),
        abandoned: window.abandoned,
        hung: hangs.map(|names| (names, conductor.hung.len() as u64)),
        ..Facts::default()
    };
    for found in doubts(&facts) {
        emit(&Event::Doubt(found));
    }
    let server = ServerResult::default();
    let result = RunResult {
        window,
        tallied,
        server,
        storage: None,
        machine: Some(Box::new(machine)),
        generators: Vec::new(),
    };
    emit(&Event::Result(Box::new(result)));
    match conductor.fatal {
        Some(fatal) => Err(fatal),
        None if conductor.course.interrupted => Ok(signal::INTERRUPTED),
        None => Ok(0),
    }
}

/// The threads whose event does not end, by name.
fn endless(hung: &[usize]) -> Option<String> {
    let first = hung.first()?;
    Some(match hung.len() - 1 {
        0 => format!("thread load-{first}"),
        more => format!("thread load-{first} and {}", counted(more as u64, "other")),
    })
}
