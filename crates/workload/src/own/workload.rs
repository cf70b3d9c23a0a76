//! The workload that a file of statements is: what people are told of it, and the steps of its transactions.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use assay_chance::Permutation;
use serde_json::{Map, Value, json};

use crate::description::{Pace, Question, names};
use crate::own::account::{Account, Known, ReadsSoFar, reads_so_far};
use crate::own::annotation::Traits;
use crate::own::asked::{Asked, Keep};
use crate::own::choice::Choice;
use crate::own::csv_file::read_rows;
use crate::own::draw::{Draw, How, SeqFrom, Source};
use crate::own::file::{SqlFile, unlike};
use crate::own::held::put_datetime;
use crate::own::pacing::Pacing;
use crate::own::pool::Pool;
use crate::own::program::Program;
use crate::own::sampler::hash_of;
use crate::own::schema::Schema;
use crate::own::tallies::{Sums, Tallies, sums_of};
use crate::own::uses::{Uses, uses};
use crate::shares::Shares;
use crate::{CounterId, Dataset, Description, LabelId, OptionError, OptionSchema, Rng, Statements, Table};

/// What the name of a workload begins with that is a file of statements.
pub const PREFIX: &str = "sql:";

/// Kinds that a [`KindId`] can name.
const KINDS_MOST: usize = 250;

/// Names of the counters of reads, and of those that found no row.
pub const READS_COUNTERS: [&str; 2] = ["reads_of_rows", "reads_without_rows"];

/// Name of the fact about a time that the server is told.
const TIME: &str = "time of the statements";

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
    pub(super) traits: Vec<Traits>,
    /// What each draw of the program draws from.
    pub(super) urns: Vec<Urn>,
    asked: Asked,
    uses: Vec<Uses>,
    schema: Schema,
    facts: BTreeMap<String, String>,
    pub(super) rollback: LabelId,
    now: Option<i64>,
    seed: u64,
    /// Whether a value that does not fit into its column is an error before it is sent.
    compares: bool,
    tallies: Mutex<Vec<Arc<Tallies>>>,
}

/// What stands behind a draw, beside the draw itself.
#[derive(Debug)]
pub(super) enum Urn {
    Nothing,
    Shuffled(Permutation),
    /// Where a sequence begins.
    From(u64),
    Rows {
        /// The number of the source.
        source: usize,
        drawn: Option<(Arc<Pool>, Choice)>,
    },
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
        let weights: Vec<f64> =
            file.transactions.iter().map(|transaction| transaction.traits.weight).collect();
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
        let mut facts = BTreeMap::new();
        if let Some(now) = file.now {
            // Every connection begins so, and is told again as the load goes on.
            program.statements.set_up(format!("SET timestamp = {now}"));
            let mut text = Vec::new();
            put_datetime(now, &mut text);
            let text = String::from_utf8_lossy(&text).into_owned();
            facts.insert(TIME.into(), format!("from {text} UTC on, with the load"));
        }
        let mut asked = Asked::default();
        let mut urns = Vec::new();
        for drawn in &program.draws {
            urns.push(match &drawn.draw {
                Draw::Permute { n } => Urn::Shuffled(Permutation::new(*n, hash_of(short.as_bytes()))),
                Draw::Seq { from: SeqFrom::Number(number) } => Urn::From(*number),
                Draw::Seq { from: SeqFrom::After { table, column } } => {
                    asked.largest(drawn.counter.unwrap_or_default(), table, column, &drawn.place);
                    Urn::From(0)
                }
                Draw::Rows { source, how } => {
                    let lines = matches!(source, Source::File { .. })
                        && matches!(how, How::InOrder | How::Shuffled | How::Unique);
                    Urn::Rows { source: asked.source(source, lines, &drawn.place), drawn: None }
                }
                _ => Urn::Nothing,
            });
        }
        for (source, sampler) in asked.files() {
            let Source::File { name, columns } = source else { continue };
            let missing =
                || OptionError(format!("{short}: the file {name}, which rows are drawn from, is not there"));
            read_rows(name, files.get(name).ok_or_else(missing)?, columns, sampler)?;
        }
        Ok(Self {
            shares,
            kinds,
            traits: file.transactions.iter().map(|transaction| transaction.traits).collect(),
            urns,
            asked,
            uses: program.statements.list().iter().map(|one| uses(&one.sql)).collect(),
            schema: Schema::default(),
            facts,
            rollback,
            now: file.now,
            seed: 0,
            compares: true,
            tallies: Mutex::default(),
            program,
        })
    }

    /// The seed of the operations, which think times depend on.
    #[must_use]
    pub fn seeded(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Lets values through that do not fit into their columns: the server is to say so itself.
    #[must_use]
    pub fn letting_all_through(self) -> Self {
        Self { compares: false, ..self }
    }

    /// Draws from the samples that `kept` has, as [`Own::keeping`] gave them for the same data, and asks the server for no
    /// others; what it has to ask for all the same is given to `keep`.
    #[must_use]
    pub fn keeping(mut self, kept: Option<&[u8]>, keep: Keep) -> Self {
        self.asked.keep(kept, keep);
        self
    }

    /// What people and the lab are told of a file with these options, of which those that are not given have their defaults.
    ///
    /// # Errors
    /// Something in the file is wrong; its place is named.
    pub fn listing(
        name: &str,
        text: &str,
        files: &BTreeMap<String, String>,
        options: &Map<String, Value>,
    ) -> Result<Value, OptionError> {
        let own = Self::read(name, text, files, options)?;
        let file = SqlFile::read(short(name), text, options)?;
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
            "remarks": own.remarks(),
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
        for drawn in &program.draws {
            if let Draw::Rows { source: Source::File { name, .. }, .. } = &drawn.draw
                && !found.contains(name)
            {
                found.push(name.clone());
            }
        }
        Ok(found)
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

    fn pace(&self) -> Option<Arc<dyn Pace>> {
        let thinks: Vec<_> = self.traits.iter().map(|traits| traits.think).collect();
        Pacing::new(self.seed, &self.shares, &thinks).map(|pacing| Arc::new(pacing) as Arc<dyn Pace>)
    }

    fn pinned_time(&self) -> Option<i64> {
        self.now
    }

    fn gives_up(&self) -> bool {
        true
    }

    fn questions(&mut self) -> Vec<Question<'_>> {
        self.asked.questions()
    }

    fn answered(&mut self) -> Result<(), OptionError> {
        let answers = std::mem::take(&mut self.asked).answers(&mut self.facts)?;
        for (drawn, urn) in self.program.draws.iter().zip(&mut self.urns) {
            match (&drawn.draw, urn) {
                (Draw::Rows { how, .. }, Urn::Rows { source, drawn }) => {
                    let pool = answers.pools[*source].clone();
                    let choice = Choice::new(*how, &pool);
                    *drawn = Some((pool, choice));
                }
                (Draw::Seq { from: SeqFrom::After { .. } }, Urn::From(from)) => {
                    *from = answers.next.get(&drawn.counter.unwrap_or_default()).copied().unwrap_or(1);
                }
                _ => {}
            }
        }
        self.schema = answers.schema;
        if !self.compares {
            return Ok(());
        }
        let (checked, written) = self.known(&self.pools()).check_types()?;
        if written > 0 {
            let fact =
                format!("{checked} of {written} that are written have a known column and known values");
            self.facts.insert("parameters".into(), fact);
        }
        Ok(())
    }

    fn account(&self) -> Option<Account> {
        let loops = self.tallies.lock().unwrap_or_else(PoisonError::into_inner);
        let sums: Vec<Sums> = (0..self.uses.len()).map(|statement| sums_of(&loops, statement)).collect();
        Some(self.known(&self.pools()).account(&sums))
    }

    fn reads_so_far(&self) -> Vec<ReadsSoFar> {
        let loops = self.tallies.lock().unwrap_or_else(PoisonError::into_inner);
        reads_so_far(&self.program, &self.uses, &loops)
    }

    fn unanswered(&mut self, why: String) {
        self.facts.insert("not known of the tables".into(), why);
    }
}

impl Own {
    /// Goes on as if the server had answered every question with nothing.
    #[cfg(test)]
    pub(super) fn asked_nothing(&mut self) {
        self.asked.all_empty();
        self.answered().expect("nothing is missing");
    }

    /// What a plan is to say of the file, a sentence each.
    fn remarks(&self) -> Vec<String> {
        let time = self
            .facts
            .get(TIME)
            .map(|time| format!("the server is told a time of its own for the statements: {time}"));
        let saves = self.program.saves.as_ref();
        let saves = saves.map(|place| {
            format!(
                "{place}: @save: what is sent after it depends on the data, and may differ between treatments"
            )
        });
        time.into_iter().chain(saves).collect()
    }

    /// The counts of one more event loop.
    pub(super) fn new_tallies(&self) -> Arc<Tallies> {
        let tallies = Arc::new(Tallies::new(self.program.statements.list().len()));
        self.tallies.lock().unwrap_or_else(PoisonError::into_inner).push(tallies.clone());
        tallies
    }

    fn pools(&self) -> Vec<Option<Arc<Pool>>> {
        let pool = |urn: &Urn| match urn {
            Urn::Rows { drawn: Some((pool, _)), .. } => Some(pool.clone()),
            _ => None,
        };
        self.urns.iter().map(pool).collect()
    }

    fn known<'a>(&'a self, pools: &'a [Option<Arc<Pool>>]) -> Known<'a> {
        Known { program: &self.program, uses: &self.uses, schema: &self.schema, pools }
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
