//! Events on their way out: one JSON line each, or as a person is told them.

use std::sync::Mutex;

use crate::process::poison::unpoisoned;
use crate::say::counted::counted;
use crate::say::doubts::doubt;
use crate::say::output;
use assay_format::event::{ErrorEvent, Event, ScriptOutput};

/// The text that a person is told in place of an event; empty where it is worth none.
type Teller = Box<dyn FnMut(&Event) -> String + Send>;

static TELLER: Mutex<Option<Teller>> = Mutex::new(None);

/// Has events written as the texts that `teller` makes of them, from now on. All of these are written.
pub(crate) fn told_as(teller: impl FnMut(&Event) -> String + Send + 'static) {
    *unpoisoned(TELLER.lock()) = Some(Box::new(teller));
}

/// Says one event. It is written later, by a thread of its own: a reader that is slow misses intervals and progress, and
/// the doubt `events-left-out` says how many.
pub(crate) fn emit(event: &Event) {
    if !matches!(event, Event::Output(ScriptOutput { error: false, .. })) {
        output::settle();
    }
    if let Some(teller) = unpoisoned(TELLER.lock()).as_mut() {
        let text = teller(event);
        if !text.is_empty() {
            output::push(text.into_bytes(), left_out);
        }
        return;
    }
    let line = line_of(event);
    match event {
        Event::Interval(_) | Event::Progress(_) | Event::Error(ErrorEvent { fatal: false, .. }) => {
            output::offer(line);
        }
        _ => output::push(line, left_out),
    }
}

fn line_of(event: &Event) -> Vec<u8> {
    let mut line = serde_json::to_vec(event).expect("events are plain data");
    line.push(b'\n');
    line
}

fn left_out(count: u64) -> Vec<u8> {
    let message = format!(
        "{} left out (intervals, progress): the reader was too slow; the result has everything",
        counted(count, "event")
    );
    line_of(&Event::Doubt(doubt("events-left-out", message, count as f64, 0.0)))
}
