//! A file of statements with their annotations, as a tree: what stands in which transaction, repeat or condition.

use std::collections::BTreeMap;

use assay_sql::{Lines, Named, Piece, Pieces, named};
use serde_json::{Map, Value, json};

use crate::OptionError;
use crate::own::annotation::{Annotation, Count, Let, Save, Traits};

/// What a file says, with its options.
#[derive(Debug, Default)]
pub(super) struct SqlFile {
    pub(super) options: Vec<Declared>,
    /// Files of SQL that make the tables, by their names beside this one.
    pub(super) data: Vec<String>,
    /// The instant at which statements take the load to begin, in seconds since 1970; absent: that of the clock.
    pub(super) now: Option<i64>,
    /// Draws above all transactions.
    pub(super) head: Vec<Located<Let>>,
    pub(super) transactions: Vec<Transaction>,
}

/// An option of the file.
#[derive(Debug, Clone)]
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) default: Value,
    pub(super) help: String,
}

/// Something with the place that an error about it names: `shop.sql:14:23`.
#[derive(Debug, Clone)]
pub(super) struct Located<T> {
    pub(super) it: T,
    pub(super) place: String,
}

#[derive(Debug)]
pub(super) struct Transaction {
    pub(super) name: String,
    pub(super) traits: Traits,
    /// Whether the file names it: a statement of its own is no kind of transaction.
    pub(super) named: bool,
    pub(super) parts: Vec<Part>,
}

/// A part of a transaction.
#[derive(Debug)]
pub(super) enum Part {
    Draw(Located<Let>),
    Send(Sent),
    Repeat { count: Located<Count>, parts: Vec<Part> },
}

/// A statement.
#[derive(Debug)]
pub(super) struct Sent {
    pub(super) sql: String,
    pub(super) place: String,
    /// What each `?` stands for, with its place.
    pub(super) parameters: Vec<Located<Named>>,
    pub(super) label: Option<String>,
    pub(super) saves: Vec<Located<Save>>,
}

/// What is open while a file is read.
enum Open {
    Repeat {
        count: Located<Count>,
        parts: Vec<Part>,
    },
    /// Parts of a branch that does not hold are read and thrown away.
    If {
        holds: bool,
        parts: Vec<Part>,
        was_else: bool,
    },
}

impl SqlFile {
    /// Reads a file. Options that are not given have their defaults.
    ///
    /// # Errors
    /// The first thing in it that is wrong, with its place.
    pub(super) fn read(name: &str, text: &str, given: &Map<String, Value>) -> Result<Self, OptionError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Reader {
            name,
            text,
            lines: Lines::new(text.as_bytes()),
            given,
            values: BTreeMap::new(),
            file: Self::default(),
            current: None,
            open: Vec::new(),
            label: None,
        }
        .read()
    }

    /// The schema of the options, as JSON.
    pub(super) fn schema(&self) -> Value {
        let property = |option: &Declared| {
            let kind = match option.default {
                Value::Bool(_) => "boolean",
                Value::String(_) => "string",
                Value::Number(ref number) if number.is_f64() => "number",
                _ => "integer",
            };
            let schema = json!({"type": kind, "default": option.default, "description": option.help, "x-shapes": "load"});
            (option.name.clone(), schema)
        };
        json!({"type": "object", "properties": self.options.iter().map(property).collect::<Map<_, _>>()})
    }
}

struct Reader<'a> {
    name: &'a str,
    text: &'a str,
    lines: Lines,
    given: &'a Map<String, Value>,
    values: BTreeMap<String, Value>,
    file: SqlFile,
    /// The transaction that the file has named and not ended.
    current: Option<Transaction>,
    open: Vec<Open>,
    /// The label of the next statement.
    label: Option<String>,
}

impl Reader<'_> {
    fn read(mut self) -> Result<SqlFile, OptionError> {
        let text = self.text;
        for piece in Pieces::new(text.as_bytes()) {
            match piece {
                Piece::Annotation { text: said, at, trails } => {
                    let said = String::from_utf8_lossy(said).into_owned();
                    let place = self.place(at);
                    if trails { self.about_the_last(&said, place)? } else { self.annotated(&said, place)? }
                }
                Piece::Statement { text: statement, at } => {
                    self.statement(&String::from_utf8_lossy(statement), at)?;
                }
                Piece::Unended { at } => {
                    return Err(refused(&self.place(at), "a quote or a comment is not closed"));
                }
            }
        }
        let end = self.place(text.trim_end().len());
        if let Some(open) = self.open.last() {
            let word = if matches!(open, Open::Repeat { .. }) { "@repeat" } else { "@if" };
            return Err(refused(&end, &format!("{word} is not ended: write -- @end")));
        }
        self.close();
        if self.file.transactions.iter().all(|transaction| transaction.parts.is_empty()) {
            return Err(refused(&end, "the file has no statement to send"));
        }
        if let Some(name) = self.given.keys().find(|name| !self.values.contains_key(*name)) {
            let known = self.values.keys().map(String::as_str);
            let advice = match crate::option::nearest(name, known) {
                Some(near) => format!("; did you mean {near}?"),
                None => format!(": declare it in the file, -- @option {name} = 1"),
            };
            return Err(OptionError(format!("{} has no option {name}{advice}", self.name)));
        }
        Ok(self.file)
    }

    fn place(&self, at: usize) -> String {
        let place = self.lines.place(at);
        format!("{}:{}:{}", self.name, place.line, place.column)
    }

    fn statement(&mut self, statement: &str, at: usize) -> Result<(), OptionError> {
        let found = named(statement).map_err(|(within, why)| refused(&self.place(at + within), &why))?;
        let located = |it: Named| Located { place: self.place(at + it.at), it };
        let parameters = found.parameters.into_iter().map(located).collect();
        let (sql, place) = (found.sql, self.place(at));
        let sent = Sent { sql, place, parameters, label: self.label.take(), saves: Vec::new() };
        if self.open.is_empty() && self.current.is_none() {
            let name = sent.label.clone().unwrap_or_else(|| label_of(&sent.sql));
            self.file.transactions.push(Transaction {
                name,
                traits: Traits::USUAL,
                named: false,
                parts: vec![Part::Send(sent)],
            });
        } else {
            self.parts().push(Part::Send(sent));
        }
        Ok(())
    }

    /// Where parts go now.
    fn parts(&mut self) -> &mut Vec<Part> {
        match self.open.last_mut() {
            Some(Open::Repeat { parts, .. } | Open::If { parts, .. }) => parts,
            None => match &mut self.current {
                Some(transaction) => &mut transaction.parts,
                // Draws of a statement of its own stand with it.
                None => &mut self.file.transactions.last_mut().expect("there is one").parts,
            },
        }
    }

    fn close(&mut self) {
        self.file.transactions.extend(self.current.take());
    }

    /// An annotation on the line where a statement ends: its draws come before the statement is sent.
    fn about_the_last(&mut self, said: &str, place: String) -> Result<(), OptionError> {
        let parsed = Annotation::parse(said, &self.values).map_err(|why| refused(&place, &why))?;
        let parts = self.parts();
        match parsed {
            Annotation::Let(lets) => {
                let draws = lets.into_iter().map(|it| Part::Draw(Located { it, place: place.clone() }));
                let before = parts.len() - 1;
                parts.splice(before..before, draws);
                Ok(())
            }
            Annotation::Save(saves) => save(parts, saves, &place),
            Annotation::Label(label) => {
                if let Some(Part::Send(sent)) = parts.last_mut() {
                    sent.label = Some(label);
                }
                Ok(())
            }
            Annotation::Data(_) => Err(refused(&place, "@data stands on a line of its own")),
            other => self.structure(other, place),
        }
    }

    fn annotated(&mut self, said: &str, place: String) -> Result<(), OptionError> {
        let parsed = Annotation::parse(said, &self.values).map_err(|why| refused(&place, &why))?;
        match parsed {
            Annotation::Let(lets) => {
                let draws = lets.into_iter().map(|it| Located { it, place: place.clone() });
                if self.current.is_none() && self.open.is_empty() {
                    self.file.head.extend(draws);
                } else {
                    self.parts().extend(draws.map(Part::Draw));
                }
                Ok(())
            }
            Annotation::Save(saves) => {
                if self.current.is_none() && self.open.is_empty() && self.file.transactions.is_empty() {
                    return Err(refused(&place, "@save follows the statement whose answer it saves"));
                }
                save(self.parts(), saves, &place)
            }
            Annotation::Label(label) => {
                self.label = Some(label);
                Ok(())
            }
            other => self.structure(other, place),
        }
    }

    fn structure(&mut self, annotation: Annotation, place: String) -> Result<(), OptionError> {
        match annotation {
            Annotation::Option { name, default, help } => {
                let value = self.given.get(&name).unwrap_or(&default).clone();
                if self.values.insert(name.clone(), value).is_some() {
                    return Err(refused(&place, &format!("option {name} is declared twice")));
                }
                self.file.options.push(Declared { name, default, help });
            }
            Annotation::Data(names) => self.file.data.extend(names),
            Annotation::Now(instant) => {
                if self.file.now.replace(instant).is_some() {
                    return Err(refused(&place, "@now stands once in a file"));
                }
            }
            Annotation::Transaction { name, traits } => {
                if !self.open.is_empty() {
                    return Err(refused(
                        &place,
                        "a @repeat or @if is open: write -- @end before the next transaction",
                    ));
                }
                self.close();
                if self.file.transactions.iter().any(|other| other.name == name) {
                    return Err(refused(&place, &format!("a transaction is called {name} already")));
                }
                self.current = Some(Transaction { name, traits, named: true, parts: Vec::new() });
            }
            Annotation::Repeat(count) => {
                if self.current.is_none() {
                    return Err(refused(
                        &place,
                        "@repeat stands in a transaction: begin one with -- @transaction NAME",
                    ));
                }
                self.open.push(Open::Repeat { count: Located { it: count, place }, parts: Vec::new() });
            }
            Annotation::If { holds } => {
                if self.current.is_none() {
                    return Err(refused(
                        &place,
                        "@if stands in a transaction: begin one with -- @transaction NAME",
                    ));
                }
                self.open.push(Open::If { holds, parts: Vec::new(), was_else: false });
            }
            Annotation::Else => match self.open.pop() {
                Some(Open::If { holds, parts, was_else: false }) => {
                    if holds {
                        self.parts().extend(parts);
                    }
                    self.open.push(Open::If { holds: !holds, parts: Vec::new(), was_else: true });
                }
                _ => return Err(refused(&place, "@else has no @if")),
            },
            Annotation::End => match self.open.pop() {
                Some(Open::If { holds, parts, .. }) => {
                    if holds {
                        self.parts().extend(parts);
                    }
                }
                Some(Open::Repeat { count, parts }) => self.parts().push(Part::Repeat { count, parts }),
                None if self.current.is_some() => self.close(),
                None => return Err(refused(&place, "@end has nothing to end")),
            },
            Annotation::Let(_) | Annotation::Save(_) | Annotation::Label(_) => {
                unreachable!("told apart before")
            }
        }
        Ok(())
    }
}

/// Saves what the last statement answers.
fn save(parts: &mut [Part], saves: Vec<Save>, place: &str) -> Result<(), OptionError> {
    match parts.last_mut() {
        Some(Part::Send(sent)) => {
            sent.saves.extend(saves.into_iter().map(|it| Located { it, place: place.to_owned() }));
            Ok(())
        }
        _ => Err(refused(place, "@save follows the statement whose answer it saves")),
    }
}

/// An error with its place.
pub(super) fn refused(place: &str, why: &str) -> OptionError {
    OptionError(format!("{place}: {why}"))
}

/// Key words that stand between a statement's verb and its table.
const BEFORE_TABLE: [&str; 8] =
    ["from", "into", "update", "join", "table", "ignore", "low_priority", "delayed"];

/// A label from the text: verb and table, `select_customers`; other statements have the verb alone.
pub(super) fn label_of(sql: &str) -> String {
    let words: Vec<String> = sql
        .split(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '_' | '$' | '.' | '`')))
        .filter(|word| !word.is_empty())
        .map(|word| word.trim_matches('`').to_lowercase())
        .collect();
    let Some(verb) = words.first() else { return "statement".into() };
    let table = match verb.as_str() {
        "select" | "delete" | "with" => after(&words, &["from"]),
        "insert" | "replace" => after(&words, &["into"]).or_else(|| words.get(1).cloned()),
        "update" => words.iter().skip(1).find(|word| !BEFORE_TABLE.contains(&word.as_str())).cloned(),
        "call" => words.get(1).cloned(),
        _ => None,
    };
    let table = table.map(|table| table.rsplit('.').next().unwrap_or_default().trim_matches('`').to_owned());
    match table.filter(|table| !table.is_empty()) {
        Some(table) => format!("{verb}_{table}"),
        None => verb.clone(),
    }
}

fn after(words: &[String], marks: &[&str]) -> Option<String> {
    let at = words.iter().position(|word| marks.contains(&word.as_str()))?;
    words.get(at + 1).cloned()
}

/// Names that differ: what is there twice gets a number.
pub(super) fn unlike(names: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for name in names {
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let mut candidates = std::iter::once((*name).to_owned()).chain(numbered);
        found.extend(candidates.find(|candidate| !found.contains(candidate)));
    }
    found
}
