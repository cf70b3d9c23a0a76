//! Commands on standard input, after the job: a thread of its own reads them, and ends with the process.

use std::io::{BufRead, Read};
use std::sync::mpsc::channel;
use std::thread;

use assay_format::event::Event;
use assay_format::input::Command;

use crate::course::orders::{Order, Orders, refuse, refused};
use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::process::signal;
use crate::say::emit::emit;

/// The longest line that may be a command.
const LINE_BYTES: u64 = 64 << 10;

/// From now on commands are obeyed; the end of the input stops the job, for whoever gave it is gone. The commands that a
/// load's course obeys are in what is returned.
///
/// # Errors
/// There is no thread left.
pub(crate) fn listen(clock: Clock) -> Result<Orders, Fatal> {
    let (orders, inbox) = channel();
    let obey = move || {
        let mut input = std::io::stdin().lock();
        while let Some(heard) = next(&mut input) {
            let order = match heard {
                Ok(Command::Stop) => {
                    signal::end();
                    continue;
                }
                Ok(Command::Start { at_wall_ns }) => Order::Start(clock.of_wall(at_wall_ns)),
                Ok(Command::Go { start_monotonic_ns }) => Order::Go(clock.of_monotonic(start_monotonic_ns)),
                Ok(Command::Window { start_wall_ns: Some(wall_ns), start_monotonic_ns: None }) => {
                    Order::Window(clock.of_wall(wall_ns))
                }
                Ok(Command::Window { start_wall_ns: None, start_monotonic_ns: Some(monotonic_ns) }) => {
                    Order::Window(clock.of_monotonic(monotonic_ns))
                }
                Ok(Command::Window { .. }) => {
                    let why =
                        "ignored the command `window`: it needs one of start_wall_ns and start_monotonic_ns";
                    emit(&Event::Error(Fatal::job(why).notice(clock.now())));
                    continue;
                }
                Err(why) => {
                    emit(&Event::Error(Fatal::job(why).notice(clock.now())));
                    continue;
                }
            };
            if orders.send(order).is_err() {
                let why = refused(order, "this job has no load, or its load is over", "send `stop` alone");
                refuse(&why, clock.now());
            }
        }
        signal::end();
    };
    let spawned = thread::Builder::new().name("input".into()).spawn(obey);
    spawned.map_err(|error| Fatal::host(format!("cannot start a thread: {error}")))?;
    Ok(inbox)
}

/// The next command, or what is wrong with the next line; `None` at the end of the input. Empty lines are none.
fn next(input: &mut impl BufRead) -> Option<Result<Command, String>> {
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(LINE_BYTES).read_until(b'\n', &mut line).ok()? == 0 {
            return None;
        }
        if line.last() != Some(&b'\n') && line.len() as u64 == LINE_BYTES {
            input.skip_until(b'\n').ok()?;
            return Some(Err(format!(
                "ignored a line on standard input that is longer than {LINE_BYTES} bytes"
            )));
        }
        if !line.trim_ascii().is_empty() {
            let wrong = |error| format!("ignored a line on standard input that is not a command: {error}");
            return Some(serde_json::from_slice(&line).map_err(wrong));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_commands_or_say_what_is_wrong_with_them() {
        let long = "x".repeat(3 * LINE_BYTES as usize);
        let text = format!(
            "{{\"command\":\"start\",\"at_wall_ns\":7}}\n{{\"command\":\"window\",\"start_wall_ns\":8}}\n\
             {{\"command\":\"window\",\"start_monotonic_ns\":9}}\n{{\"command\":\"go\",\"start_monotonic_ns\":10}}\n\
             {{\"command\":\"start\"}}\n{{\"command\":\"start\",\"at_wall_ns\":7,\"in_ms\":1}}\n\
             {{\"command\":\"stop\"}}\n\n  \n{{\"command\":\"stpo\"}}\nno\n{long}\n{{\"command\":\"stop\"}}"
        );
        let mut input = text.as_bytes();
        assert_eq!(next(&mut input), Some(Ok(Command::Start { at_wall_ns: 7 })));
        let window =
            |start_wall_ns, start_monotonic_ns| Command::Window { start_wall_ns, start_monotonic_ns };
        assert_eq!(next(&mut input), Some(Ok(window(Some(8), None))));
        assert_eq!(next(&mut input), Some(Ok(window(None, Some(9)))));
        assert_eq!(next(&mut input), Some(Ok(Command::Go { start_monotonic_ns: 10 })));
        for words in ["missing field `at_wall_ns`", "unknown field `in_ms`"] {
            let wrong = next(&mut input).unwrap().unwrap_err();
            assert!(wrong.contains(words), "{wrong}");
        }
        assert_eq!(next(&mut input), Some(Ok(Command::Stop)));
        for words in
            ["unknown variant `stpo`, expected one of `stop`", "not a command", "longer than 65536 bytes"]
        {
            let wrong = next(&mut input).unwrap().unwrap_err();
            assert!(wrong.contains(words), "{wrong}");
        }
        assert_eq!(next(&mut input), Some(Ok(Command::Stop)), "a last line needs no end");
        assert_eq!(next(&mut input), None);
    }
}
