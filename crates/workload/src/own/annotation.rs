//! What the comment of a file says: one annotation.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::option::nearest;
use crate::own::draw::Draw;
use crate::own::draw_text::{cut, int_of, second};
use crate::own::pacing::Think;

/// An annotation of the file.
#[derive(Debug, Clone)]
pub(super) enum Annotation {
    Option {
        name: String,
        default: Value,
        help: String,
    },
    Let(Vec<Let>),
    Transaction {
        name: String,
        traits: Traits,
    },
    Repeat(Count),
    If {
        holds: bool,
    },
    Else,
    End,
    Save(Vec<Save>),
    Label(String),
    /// Files of SQL that make the tables.
    Data(Vec<String>),
    /// The instant at which the statements take the load to begin, in seconds since 1970.
    Now(i64),
}

/// What a transaction has beside its name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Traits {
    pub(super) weight: f64,
    /// How long a terminal thinks after it.
    pub(super) think: Think,
    /// How often it is tried again after a deadlock or a lock wait that was too long; absent: as the job says.
    pub(super) retry: Option<u32>,
}

impl Traits {
    pub(super) const USUAL: Self = Self { weight: 1.0, think: Think::Nothing, retry: None };
}

/// Names that one draw fills.
#[derive(Debug, Clone)]
pub(super) struct Let {
    pub(super) names: Vec<String>,
    pub(super) draw: Draw,
}

/// How often something is repeated.
#[derive(Debug, Clone)]
pub(super) enum Count {
    Drawn(Draw),
    /// The value of a name.
    Named(String),
}

/// A value of an answer under a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Save {
    pub(super) name: String,
    pub(super) from: From,
}

/// The part of an answer that is saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum From {
    /// The column of the first row, by its name in the result.
    Column(String),
    InsertId,
    AffectedRows,
}

const KNOWN: [&str; 11] =
    ["option", "let", "transaction", "repeat", "if", "else", "end", "save", "label", "data", "now"];

impl Annotation {
    /// Reads an annotation, its `@` first; `options` are the values of those that were declared before.
    ///
    /// # Errors
    /// What is wrong with it, for people.
    pub(super) fn parse(text: &str, options: &BTreeMap<String, Value>) -> Result<Self, String> {
        let text = text.strip_prefix('@').unwrap_or(text);
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = without_remark(rest)?.trim();
        if word == "option" {
            return option(rest);
        }
        if word == "if" {
            return condition(rest, options);
        }
        let filled = filled_in(rest, options)?;
        let rest = filled.as_str();
        match word {
            "let" => lets(rest).map(Self::Let),
            "transaction" => transaction(rest),
            "repeat" => repeat(rest),
            "else" if rest.is_empty() => Ok(Self::Else),
            "end" if rest.is_empty() => Ok(Self::End),
            "else" | "end" => Err(format!("@{word} stands alone")),
            "save" => saves(rest),
            "data" => files(rest),
            "now" => now(rest),
            "label" if is_label(rest) => Ok(Self::Label(rest.into())),
            "label" => Err("@label is followed by a name of letters, digits, - and _".into()),
            _ => {
                let nearest = nearest(word, KNOWN.iter().copied());
                Err(format!("@{word} is no annotation{}", nearest.map_or_else(
                    || ": there are @let, @transaction, @repeat, @if, @else, @end, @save, @label, @option, @data, @now".into(),
                    |near| format!("; did you mean @{near}?"),
                )))
            }
        }
    }
}

/// A text up to a remark of its own, `-- …` after a blank.
///
/// # Errors
/// The remark is another annotation, which nobody would carry out.
fn without_remark(text: &str) -> Result<&str, String> {
    let mut quote = None;
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '\'' | '"') => quote = Some(letter),
            (None, '-') if text[at..].starts_with("--") && text[..at].ends_with(char::is_whitespace) => {
                let remark = text[at..].trim_start_matches('-').trim_start();
                let word = remark.strip_prefix('@').and_then(|one| one.split_whitespace().next());
                return match word.filter(|word| KNOWN.contains(word)) {
                    Some(word) => Err(format!(
                        "a second annotation in one comment, @{word}: give it a line of its own; several draws are \
                         written with a comma, @let a = int(1..9), b = int(1..9)"
                    )),
                    None => Ok(&text[..at]),
                };
            }
            _ => {}
        }
    }
    Ok(text)
}

/// Puts the values of options where `$name` stands.
fn filled_in(text: &str, options: &BTreeMap<String, Value>) -> Result<String, String> {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        let end = |text: &str| {
            text.find(|letter: char| !(letter.is_alphanumeric() || letter == '_')).unwrap_or(text.len())
        };
        let (name, left) = match after.strip_prefix('{').map(|inner| inner.split_at(end(inner))) {
            Some((name, closed)) => {
                (name, closed.strip_prefix('}').ok_or_else(|| format!("${{{name} is not closed by }}"))?)
            }
            None => after.split_at(end(after)),
        };
        let value = options.get(name).ok_or_else(|| undeclared(name, options))?;
        filled.push_str(before);
        match value {
            Value::String(text) => filled.push_str(text),
            value => filled.push_str(&value.to_string()),
        }
        rest = left;
    }
    filled.push_str(rest);
    Ok(filled)
}

fn undeclared(name: &str, options: &BTreeMap<String, Value>) -> String {
    match nearest(name, options.keys().map(String::as_str)) {
        Some(near) => format!("${name} is not an option; did you mean ${near}?"),
        None => format!("${name} is not an option: declare it above, -- @option {name} = 1"),
    }
}

fn option(text: &str) -> Result<Annotation, String> {
    let wrong = || "an option is written like @option mix = 10: share of checkouts".to_owned();
    let (name, rest) = text.split_once('=').ok_or_else(wrong)?;
    let parts = cut(rest, ':')?;
    let (value, help) = parts.split_first().ok_or_else(wrong)?;
    let name = name.trim();
    if !is_option(name) || value.is_empty() {
        return Err(wrong());
    }
    let number = || value.parse::<f64>().ok().filter(|number| number.is_finite());
    let default = match *value {
        "true" | "on" => Value::Bool(true),
        "false" | "off" => Value::Bool(false),
        _ => match (value.parse::<i64>(), number()) {
            (Ok(whole), _) => whole.into(),
            (Err(_), Some(number)) => number.into(),
            _ => value.trim_matches(['\'', '"']).into(),
        },
    };
    Ok(Annotation::Option { name: name.into(), default, help: help.join(":") })
}

fn is_option(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_ascii_lowercase())
        && name.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_')
}

fn is_label(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '-')
}

/// Whether a name can be a parameter.
fn is_name(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
        && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

fn condition(text: &str, options: &BTreeMap<String, Value>) -> Result<Annotation, String> {
    let (wanted, flag) = match text.strip_prefix("not ") {
        Some(flag) => (false, flag.trim()),
        None => (true, text),
    };
    let name = flag.strip_prefix('$').ok_or("@if is followed by $NAME, an option that is true or false")?;
    match options.get(name) {
        Some(Value::Bool(on)) => Ok(Annotation::If { holds: *on == wanted }),
        Some(other) => Err(format!("${name} is neither true nor false but {other}")),
        None => Err(undeclared(name, options)),
    }
}

/// `name = draw, (a, b) = draw, …`
fn lets(text: &str) -> Result<Vec<Let>, String> {
    let parts = cut(text, ',')?;
    parts.iter().map(|part| one_let(part)).collect()
}

fn one_let(text: &str) -> Result<Let, String> {
    let wrong = || format!("{text:?}: a draw is written like @let id = int(1..100)");
    let (names, draw) = text.split_once('=').ok_or_else(wrong)?;
    let names = names.trim();
    let several = names.strip_prefix('(').and_then(|names| names.strip_suffix(')'));
    let names: Vec<String> = several
        .unwrap_or(names)
        .split(',')
        .map(|name| name.trim().trim_start_matches(':').to_owned())
        .collect();
    if !names.iter().all(|name| is_name(name)) {
        return Err(wrong());
    }
    let draw = Draw::parse(draw)?;
    if draw.width() != names.len() {
        return Err(format!("{} names for {} values: {text:?}", names.len(), draw.width()));
    }
    Ok(Let { names, draw })
}

fn transaction(text: &str) -> Result<Annotation, String> {
    let wrong = || "a transaction is written like @transaction checkout weight=10".to_owned();
    let mut words = text.split_whitespace();
    let name = words.next().filter(|name| is_label(name)).ok_or_else(wrong)?;
    let mut traits = Traits::USUAL;
    for word in words {
        match word.split_once('=') {
            Some(("weight", value)) => {
                traits.weight = value
                    .parse()
                    .ok()
                    .filter(|weight: &f64| weight.is_finite() && *weight >= 0.0)
                    .ok_or_else(wrong)?;
            }
            Some(("think", value)) => traits.think = Think::parse(value)?,
            Some(("retry", value)) => {
                let times = value.parse().ok().filter(|times: &u32| *times <= RETRIES_MOST);
                traits.retry = Some(times.ok_or_else(|| {
                    format!("retry={value}: a transaction is tried again 0 to {RETRIES_MOST} times")
                })?);
            }
            _ => {
                let known = ["weight", "think", "retry"];
                let near = nearest(word.split('=').next().unwrap_or(word), known.into_iter());
                return Err(match near {
                    Some(near) => {
                        format!("{word:?} is nothing that a transaction has; did you mean {near}=?")
                    }
                    None => format!(
                        "{word:?} is nothing that a transaction has: it has weight=10, think=10ms, retry=3"
                    ),
                });
            }
        }
    }
    Ok(Annotation::Transaction { name: name.into(), traits })
}

/// Tries of one transaction after the first.
const RETRIES_MOST: u32 = 1_000_000;

fn now(text: &str) -> Result<Annotation, String> {
    let instant =
        second(text).map_err(|why| format!("@now is written like @now \"2026-01-05 12:00\": {why}"))?;
    // Servers keep what they are told as `timestamp` in 32 bits, and take 0 for the time of day that it is.
    if (1..=i64::from(i32::MAX)).contains(&instant) {
        Ok(Annotation::Now(instant))
    } else {
        Err(format!(
            "@now {text}: servers can be told an instant from 1970-01-01 00:00:01 to 2038-01-19 03:14:07"
        ))
    }
}

fn repeat(text: &str) -> Result<Annotation, String> {
    if let Some(name) = text.strip_prefix(':').filter(|name| is_name(name)) {
        return Ok(Annotation::Repeat(Count::Named(name.into())));
    }
    let (ends, law) =
        text.split_once(char::is_whitespace).map_or((text, None), |(ends, law)| (ends, Some(law.trim())));
    let ends = if ends.contains("..") { ends.to_owned() } else { format!("{ends}..{ends}") };
    let draw = int_of(&ends, law).map_err(|why| format!("@repeat is written like @repeat 1..8: {why}"))?;
    match draw {
        Draw::Int { low, high, .. } if low < 0 || high > REPEATS_MOST => {
            Err(format!("@repeat: 0 to {REPEATS_MOST} times, not {text}"))
        }
        draw => Ok(Annotation::Repeat(Count::Drawn(draw))),
    }
}

/// Turns of one repeat.
pub(super) const REPEATS_MOST: i64 = 1_000_000;

/// Names of files beside the file, below its folder.
fn files(text: &str) -> Result<Annotation, String> {
    let names: Vec<String> =
        text.split(',').map(|name| name.trim().trim_matches(['\'', '"']).to_owned()).collect();
    let fits = |name: &String| {
        !name.is_empty() && !name.starts_with('/') && !name.split('/').any(|part| part == "..")
    };
    if names.iter().all(fits) {
        Ok(Annotation::Data(names))
    } else {
        Err("@data is followed by names of files beside this one".into())
    }
}

fn saves(text: &str) -> Result<Annotation, String> {
    let parts = cut(text, ',')?;
    let save = |part: &&str| {
        let (name, from) =
            part.split_once('=').map_or((*part, None), |(name, from)| (name.trim(), Some(from.trim())));
        let from = match from {
            Some("insert_id") => From::InsertId,
            Some("affected_rows") => From::AffectedRows,
            Some(column) if !column.is_empty() => From::Column(column.trim_matches('`').into()),
            _ => From::Column(name.into()),
        };
        let named = is_name(name).then(|| Save { name: name.into(), from });
        named.ok_or_else(|| {
            format!("{part:?}: an answer is saved like @save credit, or @save order = insert_id")
        })
    };
    parts.iter().map(save).collect::<Result<_, _>>().map(Annotation::Save)
}
