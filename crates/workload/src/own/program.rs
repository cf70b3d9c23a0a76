//! Transactions as lists of steps, which an event loop carries out without looking anything up.

use std::collections::BTreeMap;

use assay_sql::Named;

use crate::option::nearest;
use crate::own::annotation::{Count, From, Let};
use crate::own::draw::{Draw, How, SeqFrom};
use crate::own::file::{Located, Part, Sent, SqlFile, Transaction, label_of, refused};
use crate::own::sampler::hash_of;
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

/// A draw of the file.
#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) draw: Draw,
    pub(super) place: String,
    /// The terminal's count that the draw advances, where it goes through something one after the other.
    pub(super) counter: Option<usize>,
}

/// A parameter of a statement, where it is known what fills it.
#[derive(Debug)]
pub(super) struct Parameter {
    pub(super) statement: StatementId,
    /// The first `?` that it stands for, and how many.
    pub(super) first: usize,
    pub(super) count: usize,
    pub(super) name: String,
    pub(super) place: String,
    /// The draw, and which of its values; absent of what was saved from an answer.
    pub(super) source: Option<(usize, usize)>,
}

/// A file as event loops carry it out.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub(super) statements: Statements,
    pub(super) transactions: Vec<Box<[Step]>>,
    pub(super) draws: Vec<Drawn>,
    pub(super) parameters: Vec<Parameter>,
    /// Counts that each terminal keeps.
    pub(super) counters: usize,
    /// The count of each column whose numbers go on: one for all that draw them.
    after: BTreeMap<(String, String), usize>,
    /// The draws of the head, by their place in it: one for all transactions.
    of_head: BTreeMap<usize, usize>,
    /// Values that the largest transaction holds.
    pub(super) slots: usize,
    /// The first `@save`: what is sent depends on the data from there on.
    pub(super) saves: Option<String>,
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

    fn add_draw(&mut self, draw: &Draw, place: &str) -> usize {
        let counter = match draw {
            Draw::Seq { from: SeqFrom::After { table, column } } => {
                let name = |text: &str| text.replace('`', "");
                let (key, next) = ((name(table), name(column)), self.counters);
                Some(*self.after.entry(key).or_insert(next))
            }
            Draw::Seq { .. }
            | Draw::Permute { .. }
            | Draw::Rows { how: How::InOrder | How::Shuffled, .. } => Some(self.counters),
            _ => None,
        };
        self.counters += usize::from(counter == Some(self.counters));
        self.draws.push(Drawn { draw: draw.clone(), place: place.to_owned(), counter });
        self.draws.len() - 1
    }

    /// The draw of the head with this number in it.
    fn head_draw(&mut self, index: usize, it: &Located<Let>) -> usize {
        if let Some(draw) = self.of_head.get(&index) {
            return *draw;
        }
        let draw = self.add_draw(&it.it.draw, &it.place);
        self.of_head.insert(index, draw);
        draw
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
            Some(index) => {
                let statement = StatementId(index as u32);
                let known = self.statements.list()[index].place.as_deref().unwrap_or_default();
                if let Some(places) = with_place(known, &sent.place, &label) {
                    self.statements.place(statement, &places);
                }
                Ok(statement)
            }
            None => {
                self.statements.try_label(&label)?;
                let statement = self.statements.once(&label, sent.sql.clone());
                self.statements.place(statement, &format!("{}: {label}", sent.place));
                Ok(statement)
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
    /// The draw of a name, and which of its values the name is.
    drawn: BTreeMap<String, (usize, usize)>,
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
            let it = &self.head[index];
            let draw = self.program.head_draw(index, it);
            steps.push(Step::Draw { draw, slot, key: hash_of(it.it.names.join(",").as_bytes()) });
        }
        steps.append(&mut body);
        self.program.slots = self.program.slots.max(self.slots);
        Ok(steps.into())
    }

    fn parts(&mut self, parts: &[Part], depth: usize, steps: &mut Vec<Step>) -> Result<(), OptionError> {
        for part in parts {
            match part {
                Part::Draw(Located { it, place }) => {
                    let slot = self.name_all(&it.names);
                    let draw = self.program.add_draw(&it.draw, place);
                    self.note_drawn(&it.names, draw);
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
                            Times::Drawn { draw: self.program.add_draw(draw, &count.place), key }
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
        let (mut slots, mut filled) = (Vec::new(), Vec::new());
        for Located { it, place } in &sent.parameters {
            let first = slots.len();
            match it.list {
                None => slots.push(self.slot_of(&it.name, place)?),
                Some(count) => slots.extend(self.list(it, count, place, steps)?),
            }
            filled.push((it, place, first, slots.len() - first, self.drawn.get(&it.name).copied()));
        }
        if let (Some(first), true) = (sent.parameters.first(), slots.len() > PARAMETERS_MOST) {
            return Err(refused(
                &first.place,
                &format!("a statement has {PARAMETERS_MOST} parameters at most"),
            ));
        }
        let statement = self.program.statement(sent)?;
        self.program.parameters.extend(filled.into_iter().map(|(it, place, first, count, source)| {
            Parameter { statement, first, count, name: it.name.clone(), place: place.clone(), source }
        }));
        let saves: Box<[(usize, From)]> = sent
            .saves
            .iter()
            .map(|save| {
                self.drawn.remove(&save.it.name);
                (self.name_all(std::slice::from_ref(&save.it.name)), save.it.from.clone())
            })
            .collect();
        let saves_column = saves.iter().any(|(_, from)| matches!(from, From::Column(_)));
        if let (None, Some(save)) = (&self.program.saves, sent.saves.first()) {
            self.program.saves = Some(save.place.clone());
        }
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
        let alone = |(draw, _): &(usize, usize)| self.program.draws[*draw].draw.width() == 1;
        let Some((draw, _)) = self.drawn.get(&it.name).copied().filter(alone) else {
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

    fn note_drawn(&mut self, names: &[String], draw: usize) {
        self.drawn.extend(names.iter().cloned().zip((0..).map(|value| (draw, value))));
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
        let it = &self.head[index];
        let slot = self.name_all(&it.it.names);
        self.of_head.insert(index, slot);
        let draw = self.program.head_draw(index, it);
        self.note_drawn(&it.it.names, draw);
        Ok(self.names[name])
    }
}

/// The places of a statement, `shop.sql:3:1, 9:1: select_t`, with one more of them; `None` where it has that one, or three.
fn with_place(known: &str, place: &str, label: &str) -> Option<String> {
    let places = known.strip_suffix(label)?.strip_suffix(": ")?;
    let (_, short) = place.split_once(':')?;
    let is_there = places.split(", ").any(|one| one == short || one == place);
    let is_enough = places.matches(", ").count() > 1;
    (!is_there && !is_enough).then(|| format!("{places}, {short}: {label}"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_that_stands_in_several_places_has_them_all() {
        let two = with_place("shop.sql:3:1: select_t", "shop.sql:9:1", "select_t").expect("another");
        assert_eq!(two, "shop.sql:3:1, 9:1: select_t");
        assert_eq!(with_place(&two, "shop.sql:9:1", "select_t"), None);
        assert_eq!(with_place(&two, "shop.sql:3:1", "select_t"), None);
        let three = with_place(&two, "shop.sql:12:5", "select_t").expect("another");
        assert_eq!(with_place(&three, "shop.sql:20:1", "select_t"), None);
    }
}
