//! The workload that a file of statements is: what people are told of it, and the steps of its transactions.

use std::collections::BTreeMap;
use std::sync::Arc;

use assay_chance::Permutation;
use assay_wire::{Outcome, Param, Row, Rows};
use serde_json::{Map, Value, json};

use crate::description::{Question, names};
use crate::own::annotation::{From, REPEATS_MOST};
use crate::own::draw::{Draw, Literal, SeqFrom, Source};
use crate::own::file::SqlFile;
use crate::own::held::{Held, Slot, put_date, put_datetime};
use crate::own::pool::{Choice, Pool, Sampler, hash_of};
use crate::own::program::{DEPTH_MOST, Program, Send, Step, Times};
use crate::shares::Shares;
use crate::text::a_string;
use crate::{
    CounterId, Dataset, Description, Driver, Failure, KindId, LabelId, Operation, OptionError, OptionSchema,
    Rng, Session, Statements, Table,
};

/// What the name of a workload begins with that is a file of statements.
pub const PREFIX: &str = "sql:";

/// Kinds that a [`KindId`] can name.
const KINDS_MOST: usize = 250;

/// Names of the counters of reads, and of those that found no row.
pub const READS_COUNTERS: [&str; 2] = ["reads_of_rows", "reads_without_rows"];

const COUNTERS: [&str; 3] = [READS_COUNTERS[0], READS_COUNTERS[1], "ended_without_row"];
const READS: CounterId = CounterId(0);
const MISSES: CounterId = CounterId(1);
const ENDED_EARLY: CounterId = CounterId(2);

/// A person's own statements.
#[derive(Debug)]
pub struct Own {
    program: Program,
    shares: Shares,
    kinds: Vec<Arc<str>>,
    /// What each draw of the program draws from.
    urns: Vec<Urn>,
    pools: Vec<Source>,
    /// Rows and numbers that the server was asked for, by the place in `pools` or the number of the draw.
    samplers: Vec<Sampler>,
    largest: BTreeMap<usize, Largest>,
    facts: BTreeMap<String, String>,
    rollback: LabelId,
    /// How many values of an endless sequence a terminal draws.
    sequences: usize,
}

/// What stands behind a draw, beside the draw itself.
#[derive(Debug)]
enum Urn {
    Nothing,
    Shuffled(Permutation),
    /// The number of the sequence among the terminal's, and where it begins.
    Sequence {
        number: usize,
        from: u64,
    },
    Rows {
        pool: usize,
        drawn: Option<(Arc<Pool>, Choice)>,
    },
}

/// The largest number of a column.
#[derive(Debug, Default)]
struct Largest(Option<i64>);

impl Rows for Largest {
    fn row(&mut self, row: &Row<'_>) {
        self.0 = row.int(0);
    }
}

impl Own {
    /// Reads a file; `files` are the texts of those that it draws rows from.
    ///
    /// # Errors
    /// What is wrong in the file, with its place; an option that it does not declare.
    pub fn read(
        name: &str,
        text: &str,
        files: &BTreeMap<String, String>,
        options: &Map<String, Value>,
    ) -> Result<Self, OptionError> {
        let short = name.strip_prefix(PREFIX).unwrap_or(name);
        let short = short.rsplit('/').next().unwrap_or(short);
        let file = SqlFile::read(short, text, options)?;
        let schema = OptionSchema::from_value(file.schema())?;
        schema.read(name, options)?;
        let mut program = Program::new(&file)?;
        let weights: Vec<f64> = file.transactions.iter().map(|transaction| transaction.weight).collect();
        let shares = Shares::new(&weights)
            .map_err(|_| OptionError(format!("{short}: the weight of every transaction is 0")))?;
        if file.transactions.len() > KINDS_MOST {
            return Err(OptionError(format!("{short}: a file has {KINDS_MOST} transactions at most")));
        }
        // Where all are statements of their own, their labels tell them apart.
        let told =
            file.transactions.iter().any(|transaction| transaction.named) && file.transactions.len() > 1;
        let of_file: Vec<&str> =
            file.transactions.iter().map(|transaction| transaction.name.as_str()).collect();
        let kinds = if told {
            names(&unlike(&of_file).iter().map(String::as_str).collect::<Vec<_>>())
        } else {
            Vec::new()
        };
        let rollback = program.statements.try_label("rollback")?;
        let (mut pools, mut samplers, mut sequences) = (Vec::new(), Vec::new(), 0);
        let mut urns = Vec::new();
        let mut largest = BTreeMap::new();
        for (number, draw) in program.draws.iter().enumerate() {
            urns.push(match draw {
                Draw::Permute { n } => Urn::Shuffled(Permutation::new(*n, hash_of(short.as_bytes()))),
                Draw::Seq { from } => {
                    let from = match from {
                        SeqFrom::Number(number) => *number,
                        SeqFrom::After { .. } => {
                            largest.insert(number, Largest::default());
                            0
                        }
                    };
                    sequences += 1;
                    Urn::Sequence { number: sequences - 1, from }
                }
                Draw::Rows { source, .. } => {
                    let pool = pools.iter().position(|known| known == source).unwrap_or_else(|| {
                        pools.push(source.clone());
                        samplers.push(Sampler::default());
                        pools.len() - 1
                    });
                    Urn::Rows { pool, drawn: None }
                }
                _ => Urn::Nothing,
            });
        }
        let mut own = Self {
            program,
            shares,
            kinds,
            urns,
            pools,
            samplers,
            largest,
            facts: BTreeMap::new(),
            rollback,
            sequences,
        };
        own.read_files(short, files)?;
        Ok(own)
    }

    /// What people and the lab are told of a file, before any of its options is given.
    ///
    /// # Errors
    /// As [`Own::read`].
    pub fn listing(name: &str, text: &str, files: &BTreeMap<String, String>) -> Result<Value, OptionError> {
        let own = Self::read(name, text, files, &Map::new())?;
        let file = SqlFile::read(name, text, &Map::new())?;
        Ok(json!({
            "name": name,
            "summary": "A file of statements",
            "kinds": own.kinds.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "measures": [],
            "conditions": false,
            "ledger": false,
            "rows_version": 1,
            "options": OptionSchema::from_value(file.schema())?,
            "prepares": !file.data.is_empty(),
            "writes": own.writes(),
        }))
    }

    /// Names of the files of SQL that make the tables of a file's statements.
    ///
    /// # Errors
    /// As [`Own::read`], as far as the file itself goes.
    pub fn data_names(
        name: &str,
        text: &str,
        options: &Map<String, Value>,
    ) -> Result<Vec<String>, OptionError> {
        Ok(SqlFile::read(name, text, options)?.data)
    }

    /// Names of all files that a file needs: those that make its tables, and those that it draws rows from.
    ///
    /// # Errors
    /// As [`Own::read`], as far as the file itself goes.
    pub fn file_names(
        name: &str,
        text: &str,
        options: &Map<String, Value>,
    ) -> Result<Vec<String>, OptionError> {
        let file = SqlFile::read(name, text, options)?;
        let program = Program::new(&file)?;
        let mut found = file.data;
        for draw in &program.draws {
            if let Draw::Rows { source: Source::File { name, .. }, .. } = draw
                && !found.contains(name)
            {
                found.push(name.clone());
            }
        }
        Ok(found)
    }

    fn read_files(&mut self, short: &str, files: &BTreeMap<String, String>) -> Result<(), OptionError> {
        for (source, sampler) in self.pools.iter().zip(&mut self.samplers) {
            let Source::File { name, columns } = source else { continue };
            let missing =
                || OptionError(format!("{short}: the file {name}, which rows are drawn from, is not there"));
            let text = files.get(name).ok_or_else(missing)?;
            let mut lines = text.lines().filter(|line| !line.trim().is_empty()).map(fields_of_csv);
            let head = lines.next().unwrap_or_default();
            let place = |column: &String| {
                let found = head.iter().position(|known| known == column);
                found.ok_or_else(|| {
                    OptionError(format!(
                        "{name}: no column is called {column}; there are {}",
                        head.join(", ")
                    ))
                })
            };
            let places = columns.iter().map(place).collect::<Result<Vec<_>, _>>()?;
            for (number, fields) in lines.enumerate() {
                if fields.len() != head.len() {
                    let (line, found, wanted) = (number + 2, fields.len(), head.len());
                    return Err(OptionError(format!(
                        "{name}:{line}: {found} fields where the first line has {wanted}"
                    )));
                }
                sampler.add(places.iter().map(|place| fields[*place].as_bytes()));
            }
        }
        Ok(())
    }

    fn draw(&self, draw: usize, rng: &mut Rng, operation: &Operation, visit: &mut Visit, slot: usize) {
        let turn = visit.turns.last().map_or(1, |turn| turn.done + 1);
        let (slots, sequences) = (&mut visit.slots, &mut visit.sequences);
        let place = &mut slots[slot];
        match (&self.program.draws[draw], &self.urns[draw]) {
            (Draw::Int { low, high, zipf }, _) => {
                let above = match zipf {
                    Some(law) => law.rank(rng),
                    None => rng.range(0, high.abs_diff(*low)),
                };
                place.set(Held::Int(low.wrapping_add_unsigned(above)));
            }
            (Draw::Decimal { low, high, scale }, _) => {
                let unscaled = low.wrapping_add_unsigned(rng.range(0, high.abs_diff(*low)));
                place.set(Held::Decimal { unscaled, scale: *scale });
            }
            (Draw::Date { low, high }, _) => {
                let day = low.wrapping_add_unsigned(rng.range(0, high.abs_diff(*low)));
                place.set_bytes(|out| put_date(day, out));
            }
            (Draw::DateTime { low, high }, _) => {
                let second = low.wrapping_add_unsigned(rng.range(0, high.abs_diff(*low)));
                place.set_bytes(|out| put_datetime(second, out));
            }
            (Draw::Text { low, high }, _) => place.set_bytes(|out| a_string(rng, *low, *high, out)),
            (Draw::Hex { digits }, _) => place.set_bytes(|out| hex(rng, *digits, out)),
            (Draw::Uuid4, _) => place.set_bytes(|out| uuid4(rng, out)),
            (Draw::Pick { values, shares }, _) => match &values[shares.draw(rng)] {
                Literal::Null => place.set(Held::Null),
                Literal::Int(number) => place.set(Held::Int(*number)),
                Literal::Text(text) => place.set_bytes(|out| out.extend_from_slice(text.as_bytes())),
            },
            (Draw::Permute { n }, Urn::Shuffled(permutation)) => {
                let index = operation
                    .number
                    .wrapping_mul(u64::from(visit.of))
                    .wrapping_add(u64::from(operation.terminal));
                place.set(Held::Int(permutation.at(index % n) as i64 + 1));
            }
            (Draw::Seq { .. }, Urn::Sequence { number, from }) => {
                let drawn = &mut sequences[*number];
                let above =
                    drawn.wrapping_mul(u64::from(visit.of)).wrapping_add(u64::from(operation.terminal));
                *drawn += 1;
                place.set(Held::UInt(from.wrapping_add(above)));
            }
            (Draw::Counter, _) => place.set(Held::UInt(turn)),
            (Draw::Rows { .. }, Urn::Rows { drawn: Some((pool, choice)), .. }) => {
                pool.put(choice.next(rng), &mut slots[slot..]);
            }
            // Every other pair is made together, and pools are filled before the load.
            _ => place.set(Held::Null),
        }
    }

    async fn send(
        &self,
        send: &Send,
        visit: &mut Visit,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<bool, Failure> {
        // Most statements have few parameters: then nothing is allocated.
        let mut few = [Param::Null; 16];
        let mut many = Vec::new();
        let params: &[Param<'_>] = if send.slots.len() <= few.len() {
            for (param, slot) in few.iter_mut().zip(&send.slots) {
                *param = visit.slots[*slot].param();
            }
            &few[..send.slots.len()]
        } else {
            many.extend(send.slots.iter().map(|slot| visit.slots[*slot].param()));
            &many
        };
        let outcome = if send.saves_column {
            let mut saver = Saver { saves: &send.saves, saved: &mut visit.saved, seen: false, lacks: false };
            let outcome = session.select(send.statement, params, &mut saver).await?;
            if saver.lacks {
                return Err(Failure::Data("an answer has no column of a name that @save asks for"));
            }
            outcome
        } else {
            session.execute(send.statement, params).await?
        };
        if outcome.result_set {
            operation.count(READS, 1_u32);
            operation.count(MISSES, u32::from(outcome.rows == 0));
        }
        Ok(visit.save(send, &outcome))
    }
}

/// Takes the first row's columns by name.
struct Saver<'a> {
    saves: &'a [(usize, From)],
    saved: &'a mut [Slot],
    seen: bool,
    /// Whether a column was not there.
    lacks: bool,
}

impl Rows for Saver<'_> {
    fn row(&mut self, row: &Row<'_>) {
        if std::mem::replace(&mut self.seen, true) {
            return;
        }
        for (slot, (_, from)) in self.saved.iter_mut().zip(self.saves) {
            let From::Column(name) = from else { continue };
            match row.columns().iter().position(|column| column.name().eq_ignore_ascii_case(name)) {
                Some(place) => slot.take(row, place),
                None => self.lacks = true,
            }
        }
    }
}

/// What a terminal keeps.
#[derive(Debug)]
pub struct Visit {
    slots: Vec<Slot>,
    /// Values of an answer, until its statement is over.
    saved: Vec<Slot>,
    /// Values drawn of each sequence; those before the operation that is being tried, and its number.
    sequences: Vec<u64>,
    before: Vec<u64>,
    number: Option<u64>,
    turns: Vec<Turn>,
    of: u32,
}

/// An open repeat.
#[derive(Debug, Clone, Copy)]
struct Turn {
    done: u64,
    times: u64,
}

impl Visit {
    /// Keeps what an answer gave; whether the row was there that it was to give it.
    fn save(&mut self, send: &Send, outcome: &Outcome) -> bool {
        if send.saves_column && outcome.rows == 0 {
            return false;
        }
        for (number, (slot, from)) in send.saves.iter().enumerate() {
            match from {
                From::Column(_) => std::mem::swap(&mut self.slots[*slot], &mut self.saved[number]),
                From::InsertId => self.slots[*slot].set(Held::UInt(outcome.last_insert_id)),
                From::AffectedRows => self.slots[*slot].set(Held::UInt(outcome.affected_rows)),
            }
        }
        true
    }
}

impl Description for Own {
    fn statements(&self) -> &Statements {
        &self.program.statements
    }

    fn data(&self) -> &dyn Dataset {
        &NoTables
    }

    fn kinds(&self) -> Vec<Arc<str>> {
        self.kinds.clone()
    }

    fn counters(&self) -> Vec<Arc<str>> {
        names(&COUNTERS)
    }

    fn facts(&self) -> BTreeMap<String, String> {
        self.facts.clone()
    }

    fn resizes(&self) -> bool {
        self.writes()
    }

    fn questions(&mut self) -> Vec<Question<'_>> {
        let tables = self.pools.iter().zip(&mut self.samplers).filter_map(|(source, sampler)| match source {
            Source::Table { name, columns } => {
                let sql = format!("SELECT {} FROM {name}", columns.join(", "));
                Some(Question { sql, rows: sampler as &mut dyn Rows })
            }
            Source::File { .. } => None,
        });
        let draws = &self.program.draws;
        let largest = self.largest.iter_mut().filter_map(|(draw, largest)| match &draws[*draw] {
            Draw::Seq { from: SeqFrom::After { table, column } } => Some(Question {
                sql: format!("SELECT MAX({column}) FROM {table}"),
                rows: largest as &mut dyn Rows,
            }),
            _ => None,
        });
        tables.chain(largest).collect()
    }

    fn answered(&mut self) -> Result<(), OptionError> {
        let mut pools = Vec::new();
        for (source, sampler) in self.pools.iter().zip(self.samplers.drain(..)) {
            let (Source::Table { name, columns } | Source::File { name, columns }) = source;
            let what = format!("{name}: {}", columns.join(", "));
            let (rows, nulls) = (sampler.rows, sampler.nulls);
            let pool = sampler
                .pool()
                .ok_or_else(|| OptionError(format!("{what}: there is no row to draw from, of {rows}")))?;
            let fact = format!("{} distinct of {rows} rows, {nulls} with NULL left out", pool.len());
            self.facts.insert(format!("drawn from {what}"), fact);
            pools.push(Arc::new(pool));
        }
        for (draw, urn) in self.program.draws.iter().zip(&mut self.urns) {
            if let (Draw::Rows { how, .. }, Urn::Rows { pool, drawn }) = (draw, urn) {
                let pool = pools[*pool].clone();
                let choice = Choice::new(*how, &pool);
                *drawn = Some((pool, choice));
            }
        }
        for (draw, Largest(found)) in std::mem::take(&mut self.largest) {
            if let Urn::Sequence { from, .. } = &mut self.urns[draw] {
                *from = u64::try_from(found.unwrap_or(0)).unwrap_or(0) + 1;
            }
        }
        Ok(())
    }
}

/// Tables are whoever's they are: the engine neither makes nor counts them.
struct NoTables;

impl Dataset for NoTables {
    fn tables(&self) -> &[Table] {
        &[]
    }

    fn row(&self, _table: usize, _number: u64, _rng: &mut Rng, _out: &mut Vec<u8>) {}
}

impl Driver for Own {
    type Local = ();
    type Terminal = Visit;

    fn local(&self) {}

    fn terminal(&self, _local: &(), _number: u32, of: u32) -> Visit {
        let saves = |step: &Step| if let Step::Send(send) = step { send.saves.len() } else { 0 };
        let saved =
            self.program.transactions.iter().flat_map(|steps| steps.iter().map(saves)).max().unwrap_or(0);
        Visit {
            slots: vec![Slot::EMPTY; self.program.slots],
            saved: vec![Slot::EMPTY; saved],
            sequences: vec![0; self.sequences],
            before: vec![0; self.sequences],
            number: None,
            turns: Vec::with_capacity(DEPTH_MOST),
            of,
        }
    }

    async fn transaction(
        &self,
        visit: &mut Visit,
        operation: &mut Operation,
        session: &mut impl Session,
    ) -> Result<(), Failure> {
        // A try of the same operation draws the same numbers again.
        if visit.number == Some(operation.number) {
            visit.sequences.copy_from_slice(&visit.before);
        } else {
            visit.before.copy_from_slice(&visit.sequences);
            visit.number = Some(operation.number);
        }
        let stream = operation.rng.clone();
        let chosen = self.shares.draw(&mut operation.rng);
        if !self.kinds.is_empty() {
            operation.kind = Some(KindId(chosen as u8));
        }
        let steps = &self.program.transactions[chosen];
        let (mut at, mut open, mut turned) = (0, false, 0_u64);
        visit.turns.clear();
        // A draw has a stream of its own: what is drawn under one name depends on nothing that another name has drawn.
        let stream_of = |key: u64, turned: u64| Rng::seeded(stream.at(key.wrapping_add(turned)));
        while let Some(step) = steps.get(at) {
            match step {
                Step::Draw { draw, slot, key } => {
                    self.draw(*draw, &mut stream_of(*key, turned), operation, visit, *slot);
                }
                Step::Send(send) => {
                    if !self.send(send, visit, operation, session).await? {
                        operation.count(ENDED_EARLY, 1_u32);
                        if open {
                            session.query(self.rollback, b"ROLLBACK").await?;
                        }
                        return Ok(());
                    }
                }
                Step::Say { label, text, opens } => {
                    session.query(*label, text.as_bytes()).await?;
                    open = *opens;
                }
                Step::Repeat { times, skip } => {
                    let times = match times {
                        Times::Slot(slot) => {
                            visit.slots[*slot].count().unwrap_or(0).min(REPEATS_MOST.unsigned_abs())
                        }
                        Times::Drawn { draw, key } => match &self.program.draws[*draw] {
                            Draw::Int { low, high, zipf } => {
                                let mut rng = stream_of(*key, turned);
                                let above = match zipf {
                                    Some(law) => law.rank(&mut rng),
                                    None => rng.range(0, high.abs_diff(*low)),
                                };
                                low.wrapping_add_unsigned(above).unsigned_abs()
                            }
                            _ => 0,
                        },
                    };
                    if times == 0 {
                        at += skip;
                    } else {
                        visit.turns.push(Turn { done: 0, times });
                        turned += 1;
                    }
                }
                Step::Again { back } => {
                    turned += 1;
                    if let Some(turn) = visit.turns.last_mut() {
                        turn.done += 1;
                        if turn.done < turn.times {
                            at -= back;
                        } else {
                            visit.turns.pop();
                        }
                    }
                }
            }
            at += 1;
        }
        Ok(())
    }
}

/// Names that differ: what is there twice gets a number.
fn unlike(names: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for name in names {
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let mut candidates = std::iter::once((*name).to_owned()).chain(numbered);
        found.extend(candidates.find(|candidate| !found.contains(candidate)));
    }
    found
}

/// The fields of a line: commas part them, quotes keep commas, doubled quotes are one.
fn fields_of_csv(line: &str) -> Vec<String> {
    let (mut fields, mut field, mut quoted) = (Vec::new(), String::new(), false);
    let mut letters = line.trim_end_matches('\r').chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(std::mem::take(&mut field)),
            letter => field.push(letter),
        }
    }
    fields.push(field);
    fields
}

const HEX: &[u8; 16] = b"0123456789abcdef";

fn hex(rng: &mut Rng, digits: u64, out: &mut Vec<u8>) {
    let mut left = digits;
    while left > 0 {
        let mut word = rng.u64();
        let count = left.min(16);
        for _ in 0..count {
            out.push(HEX[(word & 15) as usize]);
            word >>= 4;
        }
        left -= count;
    }
}

/// A random UUID of version 4 (RFC 9562).
fn uuid4(rng: &mut Rng, out: &mut Vec<u8>) {
    hex(rng, 32, out);
    let begin = out.len() - 32;
    out[begin + 12] = b'4';
    out[begin + 16] = HEX[8 + usize::from(out[begin + 16] & 3)];
    for place in [8, 13, 18, 23] {
        out.insert(begin + place, b'-');
    }
}
