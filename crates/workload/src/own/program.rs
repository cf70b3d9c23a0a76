//! Transactions as lists of steps, which an event loop carries out without looking anything up.

use std::collections::BTreeMap;

use assay_sql::Named;

use crate::option::nearest;
use crate::own::annotation::{Count, From, Let};
use crate::own::draw::Draw;
use crate::own::file::{Located, Part, Sent, SqlFile, Transaction, label_of, refused};
use crate::own::pool::hash_of;
use crate::{LabelId, OptionError, StatementId, Statements};

/// One step of a transaction.
#[derive(Debug)]
pub(super) enum Step {
    /// Fills slots from `slot` on.
    Draw { draw: usize, slot: usize, key: u64 },
    /// Executes a statement of the list.
    Send(Send),
    /// Sends a text that has no parameter and that servers do not prepare alike: the begin and end of a transaction.
    Say { label: LabelId, text: Box<str>, opens: bool },
    /// Begins a repeat; `skip` steps follow that belong to it.
    Repeat { times: Times, skip: usize },
    /// Ends a turn; the repeat begins `back` steps before.
    Again { back: usize },
}

/// A statement with what it takes and gives.
#[derive(Debug)]
pub(super) struct Send {
    pub(super) statement: StatementId,
    pub(super) slots: Box<[usize]>,
    pub(super) saves: Box<[(usize, From)]>,
    /// Whether a column of the answer is saved, which needs its rows.
    pub(super) saves_column: bool,
}

#[derive(Debug)]
pub(super) enum Times {
    Drawn { draw: usize, key: u64 },
    Slot(usize),
}

/// A file as event loops carry it out.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub(super) statements: Statements,
    pub(super) transactions: Vec<Box<[Step]>>,
    pub(super) draws: Vec<Draw>,
    /// Values that the largest transaction holds.
    pub(super) slots: usize,
    /// Whether a row that is not there ends a transaction early.
    pub(super) saves: bool,
}

/// Parameters of one statement, as the protocol counts them.
const PARAMETERS_MOST: usize = 65_535;
/// Repeats inside of repeats.
pub(super) const DEPTH_MOST: usize = 4;

impl Program {
    /// # Errors
    /// A name that nothing draws, with its place and the nearest that is drawn.
    pub(super) fn new(file: &SqlFile) -> Result<Self, OptionError> {
        let mut program = Self::default();
        for transaction in &file.transactions {
            let steps = Scope::new(&mut program, &file.head).transaction(transaction)?;
            program.transactions.push(steps);
        }
        Ok(program)
    }

    fn add_draw(&mut self, draw: &Draw) -> usize {
        self.draws.push(draw.clone());
        self.draws.len() - 1
    }

    /// The statement of the list with this text, new or known. Texts that share a name by chance get a number.
    fn statement(&mut self, sent: &Sent) -> Result<StatementId, OptionError> {
        let wanted = sent.label.clone().unwrap_or_else(|| label_of(&sent.sql));
        let same = |label: &str, program: &Self| {
            let list = program.statements.list().iter();
            list.filter(|one| *program.statements.labels()[usize::from(one.label.0)] == *label)
                .map(|one| one.sql.clone())
                .next()
        };
        let mut label = wanted.clone();
        if sent.label.is_none() {
            for number in 2.. {
                match same(&label, self) {
                    Some(sql) if sql != sent.sql => label = format!("{wanted}_{number}"),
                    _ => break,
                }
            }
        }
        let known = self.statements.list().iter().position(|one| {
            one.sql == sent.sql && *self.statements.labels()[usize::from(one.label.0)] == *label
        });
        match known {
            Some(index) => Ok(StatementId(index as u32)),
            None => {
                self.statements.try_label(&label)?;
                Ok(self.statements.once(&label, sent.sql.clone()))
            }
        }
    }
}

/// The names of one transaction while its steps are made.
struct Scope<'a> {
    program: &'a mut Program,
    head: &'a [Located<Let>],
    /// Draws of the head that are used, by their place in it, with their first slot.
    of_head: BTreeMap<usize, usize>,
    names: BTreeMap<String, usize>,
    /// The draw of a name, for lists.
    drawn: BTreeMap<String, usize>,
    slots: usize,
    name: String,
}

impl<'a> Scope<'a> {
    fn new(program: &'a mut Program, head: &'a [Located<Let>]) -> Self {
        let (names, drawn) = (BTreeMap::new(), BTreeMap::new());
        Self { program, head, of_head: BTreeMap::new(), names, drawn, slots: 0, name: String::new() }
    }

    fn transaction(mut self, transaction: &Transaction) -> Result<Box<[Step]>, OptionError> {
        self.name.clone_from(&transaction.name);
        let mut body = Vec::new();
        self.parts(&transaction.parts, 0, &mut body)?;
        let mut steps = Vec::new();
        for (index, slot) in std::mem::take(&mut self.of_head) {
            let it = &self.head[index].it;
            let draw = self.program.add_draw(&it.draw);
            steps.push(Step::Draw { draw, slot, key: hash_of(it.names.join(",").as_bytes()) });
        }
        steps.append(&mut body);
        self.program.slots = self.program.slots.max(self.slots);
        Ok(steps.into())
    }

    fn parts(&mut self, parts: &[Part], depth: usize, steps: &mut Vec<Step>) -> Result<(), OptionError> {
        for part in parts {
            match part {
                Part::Draw(Located { it, .. }) => {
                    let slot = self.name_all(&it.names);
                    let draw = self.program.add_draw(&it.draw);
                    if let [name] = &it.names[..] {
                        self.drawn.insert(name.clone(), draw);
                    }
                    // Names of one transaction are drawn apart from those of another.
                    let key = hash_of(format!("{}:{}", self.name, it.names.join(",")).as_bytes());
                    steps.push(Step::Draw { draw, slot, key });
                }
                Part::Send(sent) => self.send(sent, steps)?,
                Part::Repeat { count, parts } => {
                    if depth == DEPTH_MOST {
                        return Err(refused(
                            &count.place,
                            &format!("repeats stand {DEPTH_MOST} deep at most"),
                        ));
                    }
                    let times = match &count.it {
                        Count::Named(name) => Times::Slot(self.slot_of(name, &count.place)?),
                        Count::Drawn(draw) => {
                            let key = hash_of(format!("{}:@repeat {}", self.name, count.place).as_bytes());
                            Times::Drawn { draw: self.program.add_draw(draw), key }
                        }
                    };
                    let at = steps.len();
                    steps.push(Step::Repeat { times, skip: 0 });
                    self.parts(parts, depth + 1, steps)?;
                    steps.push(Step::Again { back: steps.len() - at });
                    let skip = steps.len() - at - 1;
                    if let Step::Repeat { skip: found, .. } = &mut steps[at] {
                        *found = skip;
                    }
                }
            }
        }
        Ok(())
    }

    fn send(&mut self, sent: &Sent, steps: &mut Vec<Step>) -> Result<(), OptionError> {
        if let Some(opens) = bound(&sent.sql).filter(|_| sent.parameters.is_empty() && sent.saves.is_empty())
        {
            let label =
                self.program.statements.try_label(sent.label.as_deref().unwrap_or(&label_of(&sent.sql)))?;
            steps.push(Step::Say { label, text: sent.sql.as_str().into(), opens });
            return Ok(());
        }
        let mut slots = Vec::new();
        for Located { it, place } in &sent.parameters {
            match it.list {
                None => slots.push(self.slot_of(&it.name, place)?),
                Some(count) => slots.extend(self.list(it, count, place, steps)?),
            }
        }
        if let (Some(first), true) = (sent.parameters.first(), slots.len() > PARAMETERS_MOST) {
            return Err(refused(
                &first.place,
                &format!("a statement has {PARAMETERS_MOST} parameters at most"),
            ));
        }
        let statement = self.program.statement(sent)?;
        let saves: Box<[(usize, From)]> = sent
            .saves
            .iter()
            .map(|save| (self.name_all(std::slice::from_ref(&save.it.name)), save.it.from.clone()))
            .collect();
        let saves_column = saves.iter().any(|(_, from)| matches!(from, From::Column(_)));
        self.program.saves |= saves_column;
        steps.push(Step::Send(Send { statement, slots: slots.into(), saves, saves_column }));
        Ok(())
    }

    /// Draws the values of a list, each anew, before its statement.
    fn list(
        &mut self,
        it: &Named,
        count: u32,
        place: &str,
        steps: &mut Vec<Step>,
    ) -> Result<std::ops::Range<usize>, OptionError> {
        self.slot_of(&it.name, place)?;
        let Some(draw) = self.drawn.get(&it.name).copied() else {
            return Err(refused(
                place,
                &format!(":{}*{count} is drawn {count} times, and :{} is not drawn alone", it.name, it.name),
            ));
        };
        let first = self.slots;
        self.slots += count as usize;
        for number in 0..count as usize {
            let key = hash_of(format!("{}:{}:{number}", self.name, it.name).as_bytes());
            steps.push(Step::Draw { draw, slot: first + number, key });
        }
        Ok(first..self.slots)
    }

    /// Slots for names side by side; the first.
    fn name_all(&mut self, names: &[String]) -> usize {
        if let [name] = names {
            // Drawn or saved once more under the same name: the later value is meant from there on.
            if let Some(slot) = self.names.get(name) {
                return *slot;
            }
        }
        let first = self.slots;
        self.slots += names.len();
        self.names.extend(names.iter().cloned().zip(first..));
        first
    }

    /// The slot of a name that is in use, drawn in this transaction or in the head.
    fn slot_of(&mut self, name: &str, place: &str) -> Result<usize, OptionError> {
        if let Some(slot) = self.names.get(name) {
            return Ok(*slot);
        }
        let of_head = self.head.iter().position(|it| it.it.names.iter().any(|one| one == name));
        let Some(index) = of_head else {
            let head = self.head.iter().flat_map(|it| &it.it.names);
            let near = nearest(name, self.names.keys().chain(head).map(String::as_str));
            let advice = match near {
                Some(near) => format!("; did you mean :{near}?"),
                None => format!(": write -- @let {name} = … before it"),
            };
            return Err(refused(place, &format!(":{name} is never drawn{advice}")));
        };
        let it = &self.head[index].it;
        let slot = self.name_all(&it.names);
        self.of_head.insert(index, slot);
        if it.names.len() == 1 {
            let draw = self.program.add_draw(&it.draw);
            self.drawn.insert(name.to_owned(), draw);
        }
        Ok(self.names[name])
    }
}

/// Whether a text begins (`true`) or ends (`false`) a transaction and nothing else.
fn bound(sql: &str) -> Option<bool> {
    let words: Vec<String> = sql.split_whitespace().map(str::to_uppercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["BEGIN"] | ["BEGIN", "WORK"] | ["START", "TRANSACTION", ..] => Some(true),
        ["COMMIT" | "ROLLBACK"] | ["COMMIT" | "ROLLBACK", "WORK"] => Some(false),
        _ => None,
    }
}
