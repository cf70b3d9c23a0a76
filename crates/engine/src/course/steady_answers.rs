//! Answers on whether the warm-up of a fleet's load is over: its coordinator has the rates of all generators, the rule is
//! here.

use std::io::{BufRead, Write};

use assay_format::input::WarmupSoFar;
use assay_format::job::Phases;

use crate::course::steady::Wait;
use crate::process::failure::Fatal;

/// Answers each line of `input`, a `WarmupSoFar`, with a line of `output`: `null` while the warm-up goes on, then whether
/// throughput is steady. `phases` are those of the load's job, as JSON.
///
/// # Errors
/// The phases have no warm-up that waits for level throughput, or a line is not what it should be, or nobody reads.
pub(crate) fn give(phases: &str, input: impl BufRead, mut output: impl Write) -> Result<(), Fatal> {
    let phases: Phases =
        serde_json::from_str(phases).map_err(|error| Fatal::job(format!("phases: {error}")))?;
    let mut wait = Wait::of(&phases).ok_or_else(|| {
        Fatal::job("phases.warmup: it must be until_steady, or there is nothing to wait for")
    })?;
    let mut rates = Vec::new();
    for line in input.lines() {
        let line = line.map_err(|error| Fatal::host(format!("the rates cannot be read: {error}")))?;
        let so_far: WarmupSoFar = serde_json::from_str(&line).map_err(|error| {
            Fatal::job(format!("a line on standard input is not about a warm-up: {error}"))
        })?;
        rates.extend(so_far.rates);
        let outcome = wait.outcome(so_far.passed_ns, &rates);
        let answer = serde_json::to_string(&outcome).expect("plain data");
        let written = writeln!(output, "{answer}").and_then(|()| output.flush());
        written.map_err(|error| Fatal::host(format!("the answer is lost: {error}")))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PHASES: &str =
        r#"{"warmup":{"kind":"until_steady","window_ms":6000,"cap_ms":20000},"measure_ms":6000}"#;

    fn answers(phases: &str, lines: &str) -> Result<String, String> {
        let mut output = Vec::new();
        give(phases, lines.as_bytes(), &mut output).map_err(|fatal| fatal.message)?;
        Ok(String::from_utf8(output).unwrap())
    }

    #[test]
    fn each_second_has_an_answer_and_the_rates_add_up() {
        let flat = |second: u64| {
            format!("{{\"passed_ns\":{second}000000001,\"rates\":[[{second}000000000,500.0]]}}\n")
        };
        let lines: String = (1..=6).map(flat).collect();
        assert_eq!(answers(PHASES, &lines).unwrap(), "null\nnull\nnull\nnull\nnull\ntrue\n");
        let silent = "{\"passed_ns\":19999999999}\n{\"passed_ns\":20000000000,\"rates\":[]}\n";
        assert_eq!(answers(PHASES, silent).unwrap(), "null\nfalse\n", "at the cap nothing is known");
    }

    #[test]
    fn what_is_not_about_a_warm_up_is_refused() {
        for (phases, lines, words) in [
            ("{}", "", "it must be until_steady"),
            ("[", "", "phases: "),
            (PHASES, "\n", "not about a warm-up"),
            (PHASES, "{\"passed_ns\":1,\"rate\":[]}\n", "unknown field `rate`"),
        ] {
            let wrong = answers(phases, lines).unwrap_err();
            assert!(wrong.contains(words), "{wrong}");
        }
    }
}
