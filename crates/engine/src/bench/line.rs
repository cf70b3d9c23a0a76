//! The command line in sysbench's forms: options before and after the test's name, bare switches, old names, a file of options.

use std::collections::BTreeMap;

use crate::bench::options::{FORMER, SWITCH, find};

/// The value of `--forced-shutdown` without one.
const BARE_SHUTDOWN: &str = "5%";

const OLD_TEST: &str = "WARNING: the --test option is deprecated. You can pass a script name or path on the command line \
    without any options.\n";

/// A command line that cannot be carried out: what is wrong, and what to do.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub message: String,
    pub hint: Option<String>,
}

impl Refusal {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None }
    }

    pub(super) fn hint(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: Some(hint.into()) }
    }

    /// The refusal of an option's value.
    pub(super) fn value(name: &str, value: &str, expected: &str) -> Self {
        Self::hint(format!("invalid option: --{name}={value}"), format!("expected {expected}"))
    }
}

/// What a command line says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    /// The script or workload, and what to do with it.
    pub test: Option<String>,
    pub command: Option<String>,
    /// Options by their names with dashes, as texts; those of scripts among them. A switch without a value is empty.
    pub given: BTreeMap<String, String>,
    pub warnings: Vec<String>,
}

impl Line {
    /// # Errors
    /// A word too many, an option without its value, a file of options that cannot be read.
    pub(super) fn read(words: &[String]) -> Result<Self, Refusal> {
        let mut line = Self::default();
        let mut options = Vec::new();
        let mut others = Vec::new();
        for word in words {
            match word.strip_prefix("--") {
                Some(option) => options.push(option),
                None if word == "-h" => options.push("help"),
                None if word.len() > 1 && word.starts_with('-') => {
                    return Err(Refusal::hint(format!("invalid option: {word}"), "options begin with --"));
                }
                None => others.push(word.clone()),
            }
        }
        let file = options.iter().find_map(|option| option.strip_prefix("config-file="));
        if let Some(path) = file.or(options.iter().find_map(|option| option.strip_prefix("config_file="))) {
            line.take_file(path)?;
        }
        for option in options {
            line.take(option)?;
        }
        if let Some(test) = line.given.remove("test") {
            line.warnings.push(OLD_TEST.into());
            others.insert(0, test);
        }
        let mut others = others.into_iter();
        (line.test, line.command) = (others.next(), others.next());
        match others.next() {
            Some(word) => Err(Refusal::new(format!("Unrecognized command line argument: {word}"))),
            None => Ok(line),
        }
    }

    fn take_file(&mut self, path: &str) -> Result<(), Refusal> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Refusal::new(format!("--config-file: cannot read {path}: {error}")))?;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (name, value) =
                line.split_once('=').map_or((line, None), |(name, value)| (name, Some(value)));
            let name = name.trim().trim_start_matches("--");
            self.take(&value.map_or(name.to_owned(), |value| format!("{name}={}", value.trim())))?;
        }
        Ok(())
    }

    /// Takes an option without its dashes.
    fn take(&mut self, option: &str) -> Result<(), Refusal> {
        let (given, value) =
            option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
        let dashed = given.replace('_', "-");
        let former = FORMER.iter().find(|(old, _)| *old == dashed);
        let name = former.map_or(dashed.as_str(), |(_, name)| *name).to_owned();
        if let Some((old, name)) = former
            && value.is_some_and(|value| value != "0" && !(*old == "num-threads" && value == "1"))
        {
            self.warnings.push(format!("WARNING: --{old} is deprecated, use --{name} instead\n"));
        }
        let value = match value {
            Some(value) => value,
            None if name == "forced-shutdown" => BARE_SHUTDOWN,
            None if find(&name).is_some_and(|known| known.value != SWITCH) => {
                let example = format!("write --{name}=VALUE, with the sign =");
                return Err(Refusal::hint(format!("invalid option: --{given}: it needs a value"), example));
            }
            None => "",
        };
        self.given.insert(name, value.to_owned());
        Ok(())
    }

    /// The value of an option of every test, or its default.
    pub(super) fn text(&self, name: &str) -> &str {
        let default = || find(name).map_or("", |known| known.default);
        self.given.get(name).map_or_else(default, String::as_str)
    }

    /// # Errors
    /// A value that is neither on nor off.
    pub(super) fn switch(&self, name: &str) -> Result<bool, Refusal> {
        match self.text(name).to_ascii_lowercase().as_str() {
            "on" | "true" | "1" | "yes" => Ok(true),
            "" => Ok(self.given.contains_key(name)),
            "off" | "false" | "0" | "no" => Ok(false),
            _ => Err(Refusal::value(name, self.text(name), "on or off")),
        }
    }

    /// # Errors
    /// A value that is no number of this range.
    pub(super) fn number(&self, name: &str, least: f64, most: f64) -> Result<f64, Refusal> {
        let text = self.text(name);
        let number = text.trim().parse::<f64>().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| Refusal::value(name, text, &format!("a number from {least} to {most}")))
    }

    /// # Errors
    /// A value that is no whole number of this range.
    pub(super) fn whole(&self, name: &str, least: u64, most: u64) -> Result<u64, Refusal> {
        let text = self.text(name);
        let number = text.trim().parse::<u64>().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| Refusal::value(name, text, &format!("a whole number from {least} to {most}")))
    }

    /// A length of time in seconds.
    ///
    /// # Errors
    /// A value that is none.
    pub(super) fn seconds(&self, name: &str) -> Result<f64, Refusal> {
        const YEAR_S: f64 = 366.0 * 86_400.0;
        let text = self.text(name).trim();
        let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let unit = match &text[digits.len()..] {
            "" | "s" => Some(1.0),
            "ms" => Some(1e-3),
            "m" | "min" => Some(60.0),
            "h" => Some(3600.0),
            "d" => Some(86_400.0),
            _ => None,
        };
        let is_plain = digits.trim().chars().all(|letter| letter.is_ascii_digit() || letter == '.');
        let number = digits.trim().parse::<f64>().ok().filter(|_| is_plain);
        let seconds = number.zip(unit).map(|(number, unit)| number * unit);
        seconds
            .filter(|seconds| *seconds <= YEAR_S)
            .ok_or_else(|| Refusal::value(name, text, "seconds, or a time such as 500ms, 5min or 2h"))
    }

    /// The items of a list with commas.
    pub(super) fn items(&self, name: &str) -> Vec<&str> {
        self.text(name).split(',').map(str::trim).filter(|item| !item.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> Result<Line, Refusal> {
        Line::read(&words.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_stand_before_and_after_the_name() {
        let line = read("--threads=4 oltp_read_only --mysql_db=x run --histogram").unwrap();
        assert_eq!((line.test.as_deref(), line.command.as_deref()), (Some("oltp_read_only"), Some("run")));
        assert_eq!((line.text("threads"), line.text("mysql-db"), line.text("time")), ("4", "x", "10"));
        assert_eq!((line.switch("histogram"), line.switch("debug")), (Ok(true), Ok(false)));
        assert_eq!(read("--test=x.lua run").unwrap().command.as_deref(), Some("run"));
        assert_eq!(read("x run --forced-shutdown").unwrap().text("forced-shutdown"), BARE_SHUTDOWN);
        let old = read("x run --num-threads=3 --max-time=0").unwrap();
        assert_eq!((old.text("threads"), old.warnings.len()), ("3", 1));
    }

    #[test]
    fn what_is_wrong_is_refused_with_its_name() {
        for (words, told) in [
            ("x run more", "Unrecognized command line argument: more"),
            ("x run --threads", "invalid option: --threads: it needs a value"),
            ("x -t4 run", "invalid option: -t4"),
            ("x run --config-file=/nowhere", "--config-file: cannot read /nowhere"),
        ] {
            let refused = read(words).unwrap_err().message;
            assert!(refused.starts_with(told), "{refused}");
        }
        let line = read("x --threads=0 --time=soon --histogram=perhaps --rate=-1").unwrap();
        assert!(line.whole("threads", 1, 9).unwrap_err().hint.unwrap().contains("from 1 to 9"));
        assert_eq!(line.seconds("time").unwrap_err().message, "invalid option: --time=soon");
        assert!(line.switch("histogram").is_err() && line.number("rate", 0.0, 1e9).is_err());
        for (text, seconds) in [("5", 5.0), ("1.5s", 1.5), ("500ms", 0.5), ("2min", 120.0)] {
            assert_eq!(read(&format!("x --time={text}")).unwrap().seconds("time"), Ok(seconds));
        }
    }
}
