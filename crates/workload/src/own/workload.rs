//! The workload that a file of statements is: what people are told of it, and the steps of its transactions.

use std::collections::BTreeMap;
use std::sync::Arc;

use assay_chance::Permutation;
use assay_wire::{Row, Rows};
use serde_json::{Map, Value, json};

use crate::description::{Question, names};
use crate::own::draw::{Draw, SeqFrom, Source};
use crate::own::file::SqlFile;
use crate::own::pool::{Choice, Pool, Sampler, hash_of};
use crate::own::program::Program;
use crate::shares::Shares;
use crate::{CounterId, Dataset, Description, LabelId, OptionError, OptionSchema, Rng, Statements, Table};

/// What the name of a workload begins with that is a file of statements.
pub const PREFIX: &str = "sql:";

/// Kinds that a [`KindId`] can name.
const KINDS_MOST: usize = 250;

/// Names of the counters of reads, and of those that found no row.
pub const READS_COUNTERS: [&str; 2] = ["reads_of_rows", "reads_without_rows"];

const COUNTERS: [&str; 3] = [READS_COUNTERS[0], READS_COUNTERS[1], "ended_without_row"];
pub(super) const READS: CounterId = CounterId(0);
pub(super) const MISSES: CounterId = CounterId(1);
pub(super) const ENDED_EARLY: CounterId = CounterId(2);

/// A person's own statements.
#[derive(Debug)]
pub struct Own {
    pub(super) program: Program,
    pub(super) shares: Shares,
    pub(super) kinds: Vec<Arc<str>>,
    /// What each draw of the program draws from.
    pub(super) urns: Vec<Urn>,
    pools: Vec<Source>,
    /// Rows and numbers that the server was asked for, by the place in `pools` or the number of the draw.
    samplers: Vec<Sampler>,
    largest: BTreeMap<usize, Largest>,
    facts: BTreeMap<String, String>,
    pub(super) rollback: LabelId,
    /// How many values of an endless sequence a terminal draws.
    pub(super) sequences: usize,
}

/// What stands behind a draw, beside the draw itself.
#[derive(Debug)]
pub(super) enum Urn {
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

/// The largest number of a column, as the server answered.
#[derive(Debug, Default)]
enum Largest {
    /// No answer yet, or one that is not a whole number from 0 on.
    #[default]
    Unknown,
    /// The column has no value.
    Nothing,
    Number(u64),
}

impl Rows for Largest {
    fn row(&mut self, row: &Row<'_>) {
        *self = match row.uint(0) {
            Some(number) => Self::Number(number),
            None if row.is_null(0) => Self::Nothing,
            None => Self::Unknown,
        };
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
        let short = short(name);
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
    /// Something in the file is wrong; its place is named.
    pub fn listing(name: &str, text: &str, files: &BTreeMap<String, String>) -> Result<Value, OptionError> {
        let own = Self::read(name, text, files, &Map::new())?;
        let file = SqlFile::read(short(name), text, &Map::new())?;
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
    /// Something in the file is wrong; its place is named.
    pub fn data_names(
        name: &str,
        text: &str,
        options: &Map<String, Value>,
    ) -> Result<Vec<String>, OptionError> {
        Ok(SqlFile::read(short(name), text, options)?.data)
    }

    /// Names of all files that a file needs: those that make its tables, and those that it draws rows from.
    ///
    /// # Errors
    /// Something in the file is wrong; its place is named.
    pub fn file_names(
        name: &str,
        text: &str,
        options: &Map<String, Value>,
    ) -> Result<Vec<String>, OptionError> {
        let file = SqlFile::read(short(name), text, options)?;
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
        for (draw, largest) in std::mem::take(&mut self.largest) {
            let next = match largest {
                Largest::Nothing => Some(1),
                Largest::Number(number) => number.checked_add(1),
                Largest::Unknown => None,
            };
            if let (Draw::Seq { from: SeqFrom::After { table, column } }, Urn::Sequence { from, .. }) =
                (&self.program.draws[draw], &mut self.urns[draw])
            {
                let unfit = || {
                    OptionError(format!(
                        "seq({table}.{column}): its largest value is not a whole number from 0 on"
                    ))
                };
                *from = next.ok_or_else(unfit)?;
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

/// The name of a file without its folder, as messages name it.
fn short(name: &str) -> &str {
    let path = name.strip_prefix(PREFIX).unwrap_or(name);
    path.rsplit('/').next().unwrap_or(path)
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
