//! The job that a command line asks for.

use std::io::Read;
use std::path::Path;

use assay_format::job::{
    Action, EngineOptions, ErrorPolicy, Job, Load, Phases, ScriptChoice, Think, Warmup, WorkloadChoice,
};
use assay_pace::Arrivals;
use assay_script::bundled_names;
use assay_workload::{Entry, Listing, catalogue, entry, nearest};
use ring::rand::{SecureRandom, SystemRandom};
use serde_json::{Map, Value};

use crate::bench::general::General;
use crate::bench::line::{Line, Refusal};
use crate::bench::options::{OF_SCRIPTS, UNTOLD, find, names};
use crate::bench::target::targets;

/// Seconds after the time limit in which events may end; sysbench waits for ever, even for a hung server.
const DRAIN_S: f64 = 600.0;
const YEAR_S: f64 = 366.0 * 86_400.0;
/// The name of a script on standard input.
const STDIN: &str = "-";
/// sysbench's tests that need no server.
const WITHOUT_SERVER: &[&str] = &["fileio", "cpu", "memory", "threads", "mutex"];

/// The built-in workload of this name, unless a script has it: scripts go first, as with sysbench.
pub(super) fn workload(test: &str) -> Option<Listing> {
    let is_script = test == STDIN
        || test.contains(['/', '.'])
        || bundled_names().any(|name| name == test)
        || Path::new(&format!("{test}.lua")).exists();
    if is_script { None } else { entry(test).ok().map(Entry::listing) }
}

/// The job; `argv` is what the script sees of the command line.
///
/// # Errors
/// A value that cannot be, an option that the test does not have, a command that the workload does not have.
pub(super) fn job(line: &Line, general: &General, argv: Vec<String>) -> Result<Job, Refusal> {
    let test = line.test.as_deref().unwrap_or_default();
    let command = line.command.as_deref().unwrap_or_default();
    let mut servers = targets(line, general.login_s)?;
    let target = servers.remove(0);
    let (action, workload) = match workload(test) {
        Some(listing) => {
            let action = action_of(&listing, command)?;
            let options = options_of(&listing, line)?;
            (action, WorkloadChoice { name: listing.name, options, script: None })
        }
        None if WITHOUT_SERVER.contains(&test) => {
            let hint = format!("the whole of Assay has it: assay sysbench {test}");
            return Err(Refusal::hint(format!("{test} is no load on a server"), hint));
        }
        None => {
            let action = match command {
                "prepare" => Action::Prepare,
                "cleanup" => Action::Cleanup,
                "run" => Action::Run,
                _ => Action::Command,
            };
            let script = ScriptChoice {
                command: Some(command.to_owned()),
                source: (test == STDIN).then(standard_input).transpose()?,
                argv,
                servers,
                ..ScriptChoice::default()
            };
            let name = format!("lua:{}", if test == STDIN { "stdin" } else { test });
            (action, WorkloadChoice { name, options: told(line, general), script: Some(script) })
        }
    };
    Ok(Job {
        version: 1,
        action,
        seed: if general.rand_seed > 0 { general.rand_seed } else { drawn_seed()? },
        target,
        workload,
        load: Load {
            connections: general.threads,
            arrivals: (general.rate > 0.0).then_some(Arrivals::Poisson { rate: general.rate }),
            think: (general.think_ms > 0.0).then_some(Think::Constant { mean_ms: general.think_ms }),
            ..Load::default()
        },
        phases: phases(general),
        errors: ErrorPolicy::default(),
        engine: EngineOptions::default(),
        dump: None,
    })
}

fn standard_input() -> Result<String, Refusal> {
    let mut text = String::new();
    match std::io::stdin().lock().read_to_string(&mut text) {
        Ok(_) => Ok(text),
        Err(error) => Err(Refusal::new(format!("cannot read the script on standard input: {error}"))),
    }
}

fn drawn_seed() -> Result<u64, Refusal> {
    let mut bytes = [0; 4];
    match SystemRandom::new().fill(&mut bytes) {
        Ok(()) => Ok(u32::from_ne_bytes(bytes).into()),
        Err(_) => {
            Err(Refusal::new("the kernel gives no random numbers; give the seed: --rand-seed=1".to_owned()))
        }
    }
}

/// The options as the script is told them: texts by names with underscores. Scripts read lengths of time as numbers.
fn told(line: &Line, general: &General) -> Map<String, Value> {
    let times = [
        ("time", general.time_s),
        ("warmup-time", general.warmup_s),
        ("report-interval", general.report_interval_s),
    ];
    let given = line.given.iter().filter(|(name, _)| !UNTOLD.contains(&name.as_str()));
    let text = |name: &str, text: &str| {
        let time = times.iter().find(|(known, _)| *known == name);
        time.map_or_else(|| text.to_owned(), |(_, seconds)| seconds.to_string())
    };
    given.map(|(name, value)| (name.replace('-', "_"), Value::from(text(name, value)))).collect()
}

fn action_of(listing: &Listing, command: &str) -> Result<Action, Refusal> {
    const COMMANDS: &str = "it has prepare, run, check, cleanup, help";
    match command {
        "prepare" => Ok(Action::Prepare),
        "run" => Ok(Action::Run),
        "check" => Ok(Action::Check),
        "cleanup" => Ok(Action::Cleanup),
        "" => {
            let text = format!("The '{}' test requires a command argument.", listing.name);
            Err(Refusal::hint(text, COMMANDS))
        }
        _ => Err(Refusal::hint(format!("Unknown command: {command}"), COMMANDS)),
    }
}

/// The options of a built-in workload, each as its schema has it.
fn options_of(listing: &Listing, line: &Line) -> Result<Map<String, Value>, Refusal> {
    let mut options = Map::new();
    for (name, text) in line.given.iter().filter(|(name, _)| find(name).is_none()) {
        let key = name.replace('-', "_");
        let property = listing.options.properties().find(|(known, _)| *known == key);
        let (_, property) = property.ok_or_else(|| unknown(listing, name, text))?;
        options.insert(key, value_of(property, text));
    }
    Ok(options)
}

fn unknown(listing: &Listing, name: &str, text: &str) -> Refusal {
    let equals = if text.is_empty() { "" } else { "=" };
    let message = format!("invalid option: --{name}{equals}{text}");
    if OF_SCRIPTS.iter().any(|known| known.name == name) {
        return Refusal::hint(message, format!("scripts have it, and {} is built in", listing.name));
    }
    let own = listing.options.properties().map(|(known, _)| known.replace('_', "-"));
    let all: Vec<String> = own.chain(names().map(str::to_owned)).collect();
    match nearest(name, all.iter().map(String::as_str)) {
        Some(meant) => Refusal::hint(message, format!("did you mean --{meant}?")),
        None => Refusal::hint(message, format!("assay-engine bench {} help lists them", listing.name)),
    }
}

/// A text as a value of the type that a property has; what does not fit stays a text, which is refused with its name.
fn value_of(property: &Value, text: &str) -> Value {
    let of_type = |kind: &str| match property.get("type") {
        Some(Value::String(only)) => only == kind,
        Some(Value::Array(some)) => some.iter().any(|one| one == kind),
        _ => false,
    };
    let whole = || text.parse::<i64>().map(Value::from);
    let number = || text.parse::<f64>().map(Value::from);
    match text.to_ascii_lowercase().as_str() {
        "" | "on" | "true" | "1" if of_type("boolean") => Value::Bool(true),
        "off" | "false" | "0" if of_type("boolean") => Value::Bool(false),
        _ if of_type("integer") => whole().unwrap_or_else(|_| text.into()),
        _ if of_type("number") => whole().or_else(|_| number()).unwrap_or_else(|_| text.into()),
        _ => text.into(),
    }
}

fn phases(general: &General) -> Phases {
    let ms = |seconds: f64| (seconds * 1000.0).round() as u64;
    let asked = ms(general.report_interval_s);
    let every_ms = if asked > 0 { asked } else { 1000 };
    let is_endless = general.time_s == 0.0 && general.events == 0;
    let warmup_ms = ms(general.warmup_s);
    Phases {
        warmup: if warmup_ms > 0 { Warmup::Fixed { duration_ms: warmup_ms } } else { Warmup::None },
        measure_ms: ms(if is_endless { YEAR_S } else { general.time_s }),
        max_transactions: general.events,
        drain_ms: ms(general.shutdown_s.unwrap_or(DRAIN_S)),
        // A checkpoint is the end of an interval.
        interval_ms: if general.checkpoints_s.is_empty() { every_ms } else { divisor(every_ms, 1000) },
        hold: false,
    }
}

/// The largest number that divides both.
fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

/// What to do where no script has this name.
pub(super) fn instead_of(test: &str) -> String {
    let built_in = catalogue().into_iter().map(|listing| listing.name);
    let all: Vec<String> = built_in.chain(bundled_names().map(str::to_owned)).collect();
    match nearest(test.trim_end_matches(".lua"), all.iter().map(String::as_str)) {
        Some(meant) => format!("did you mean {meant}? assay-engine bench --help lists what there is"),
        None => "name a file, or one of those that assay-engine bench --help lists".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(words: &str) -> Result<Job, Refusal> {
        let line = Line::read(&words.split(' ').map(str::to_owned).collect::<Vec<_>>())?;
        job(&line, &General::read(&line)?, Vec::new())
    }

    #[test]
    fn a_script_is_told_its_options_and_a_workload_has_values() {
        let script = made("oltp_read_only run --tables=4 --time=1min --json --mysql-password=x").unwrap();
        assert_eq!((script.action, script.workload.name.as_str()), (Action::Run, "lua:oltp_read_only"));
        let told: Vec<_> =
            script.workload.options.iter().map(|(name, text)| format!("{name}={text}")).collect();
        assert_eq!(told, [r#"tables="4""#, r#"time="60""#]);
        let ycsb =
            made("ycsb prepare --workload=b --recordcount=10 --zipfianconstant=0.5 --threads=3").unwrap();
        let values: Vec<_> = ycsb.workload.options.values().cloned().collect();
        assert_eq!(values, [Value::from(10), "b".into(), 0.5.into()]);
        let tpcc =
            made("tpcc run --warehouses=2 --events=5 --time=0 --rate=7.5 --report-checkpoints=1").unwrap();
        assert_eq!(tpcc.workload.options["warehouses"], 2);
        assert_eq!((tpcc.phases.measure_ms, tpcc.phases.max_transactions), (0, 5));
        assert_eq!(tpcc.load.arrivals, Some(Arrivals::Poisson { rate: 7.5 }));
        assert_eq!(made("x.lua").unwrap().action, Action::Command);
    }

    #[test]
    fn what_cannot_be_is_refused_with_what_can() {
        for (words, message, hint) in [
            ("tpcc run --warehouse=2", "invalid option: --warehouse=2", "did you mean --warehouses?"),
            ("tpcc run --thread=2", "invalid option: --thread=2", "did you mean --threads?"),
            (
                "tpcc run --mysql-dry-run",
                "invalid option: --mysql-dry-run",
                "scripts have it, and tpcc is built in",
            ),
            (
                "tpcc",
                "The 'tpcc' test requires a command argument.",
                "it has prepare, run, check, cleanup, help",
            ),
            ("tpcc dance", "Unknown command: dance", "it has prepare, run, check, cleanup, help"),
            ("cpu run", "cpu is no load on a server", "the whole of Assay has it: assay sysbench cpu"),
            (
                "x.lua run --threads=0",
                "invalid option: --threads=0",
                "expected a whole number from 1 to 100000",
            ),
            ("x.lua run --think-ms=1 --rate=1", "--think-ms cannot be combined", "leave one of them out"),
        ] {
            let refused = made(words).expect_err(words);
            assert!(refused.message.starts_with(message), "{refused:?}");
            assert_eq!(refused.hint.as_deref(), Some(hint));
        }
        assert!(instead_of("oltp_raed_only").starts_with("did you mean oltp_read_only?"));
    }
}
