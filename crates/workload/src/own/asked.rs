//! What a file of statements must know of the data before its load: asked of the server, or kept from another time.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use assay_wire::{Row, Rows};

use crate::OptionError;
use crate::description::Question;
use crate::own::draw::Source;
use crate::own::pool::Pool;
use crate::own::sampler::Sampler;
use crate::own::schema::{Answers as SchemaAnswers, COLUMNS, INDEXES, Schema, TABLES};
use crate::own::taken::{Taken, read_back, written};

/// The taker of the samples that a server was asked for.
pub type Keep = Box<dyn FnOnce(Vec<u8>) + Send + Sync>;

/// The questions, and what came of them.
#[derive(Default)]
pub(super) struct Asked {
    sources: Vec<Asking>,
    /// The largest numbers of columns, by the count that goes on from there.
    largest: BTreeMap<usize, (String, String, String, Largest)>,
    schema: SchemaAnswers,
    /// Samples that are kept, of this file's sources and of others'.
    kept: BTreeMap<String, Taken>,
    keep: Option<Keep>,
}

/// A source of rows.
#[derive(Debug)]
struct Asking {
    source: Source,
    /// Whether all lines of a file are wanted, in their order.
    lines: bool,
    /// Where the first draw from it stands.
    place: String,
    sampler: Sampler,
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

/// The answers, ready to draw from.
pub(super) struct Answers {
    /// One for each source.
    pub(super) pools: Vec<Arc<Pool>>,
    /// The next number of each count that goes on from a column's largest.
    pub(super) next: BTreeMap<usize, u64>,
    pub(super) schema: Schema,
}

impl fmt::Debug for Asked {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Asked").field("sources", &self.sources).finish_non_exhaustive()
    }
}

/// The name of a source, for people and in the file of samples.
fn name_of(source: &Source) -> String {
    let (Source::Table { name, columns } | Source::File { name, columns }) = source;
    format!("{name}: {}", columns.join(", ")).replace('`', "")
}

/// A name of a draw, with dots and backticks, with each of its parts in backticks: any may be a word of SQL.
fn quoted(name: &str) -> String {
    let part = |(at, text): (usize, &str)| match at % 2 {
        0 => text
            .split('.')
            .map(|one| if one.is_empty() { String::new() } else { format!("`{one}`") })
            .collect::<Vec<_>>()
            .join("."),
        _ => format!("`{text}`"),
    };
    name.split('`').enumerate().map(part).collect()
}

impl Asked {
    /// The number of a source, new or known.
    pub(super) fn source(&mut self, source: &Source, lines: bool, place: &str) -> usize {
        let known = self.sources.iter().position(|one| one.source == *source && one.lines == lines);
        known.unwrap_or_else(|| {
            let sampler = if lines { Sampler::in_order() } else { Sampler::default() };
            self.sources.push(Asking { source: source.clone(), lines, place: place.to_owned(), sampler });
            self.sources.len() - 1
        })
    }

    /// Asks for the largest number of a column.
    pub(super) fn largest(&mut self, counter: usize, table: &str, column: &str, place: &str) {
        let asking = || (table.to_owned(), column.to_owned(), place.to_owned(), Largest::default());
        self.largest.entry(counter).or_insert_with(asking);
    }

    /// The sources that are files, with what takes their rows.
    pub(super) fn files(&mut self) -> impl Iterator<Item = (&Source, &mut Sampler)> {
        let files = self.sources.iter_mut().filter(|one| matches!(one.source, Source::File { .. }));
        files.map(|one| (&one.source, &mut one.sampler))
    }

    pub(super) fn keep(&mut self, kept: Option<&[u8]>, keep: Keep) {
        self.kept = kept.and_then(read_back).unwrap_or_default().into_iter().collect();
        self.keep = Some(keep);
    }

    /// Says of every column that it has no value.
    #[cfg(test)]
    pub(super) fn all_empty(&mut self) {
        for (_, _, _, largest) in self.largest.values_mut() {
            *largest = Largest::Nothing;
        }
    }

    pub(super) fn questions(&mut self) -> Vec<Question<'_>> {
        let kept = &self.kept;
        let tables =
            self.sources.iter_mut().filter_map(|Asking { source, place, sampler, .. }| match &*source {
                Source::Table { name, columns } if !kept.contains_key(&name_of(source)) => Some(Question {
                    sql: format!(
                        "SELECT {} FROM {}",
                        columns.iter().map(|column| quoted(column)).collect::<Vec<_>>().join(", "),
                        quoted(name)
                    ),
                    rows: sampler as &mut dyn Rows,
                    place: Some(place.clone()),
                    optional: false,
                }),
                _ => None,
            });
        let largest = self.largest.values_mut().map(|(table, column, place, largest)| Question {
            sql: format!("SELECT MAX({}) FROM {}", quoted(column), quoted(table)),
            rows: largest as &mut dyn Rows,
            place: Some(place.clone()),
            optional: false,
        });
        let schema = [
            (COLUMNS, &mut self.schema.columns),
            (TABLES, &mut self.schema.tables),
            (INDEXES, &mut self.schema.indexes),
        ];
        let schema =
            schema.map(|(sql, rows)| Question { sql: sql.into(), rows, place: None, optional: true });
        tables.chain(largest).chain(schema).collect()
    }

    /// What was answered; says of it what a result is to know.
    ///
    /// # Errors
    /// There is no row to draw from, or a largest number is none.
    pub(super) fn answers(mut self, facts: &mut BTreeMap<String, String>) -> Result<Answers, OptionError> {
        let mut pools = Vec::new();
        let mut fresh = false;
        for Asking { source, place, sampler, lines } in self.sources {
            let name = name_of(&source);
            let kept = matches!(source, Source::Table { .. }).then(|| self.kept.remove(&name)).flatten();
            let again = kept.is_some();
            let taken = kept.unwrap_or_else(|| sampler.taken());
            let pool = taken.pool().ok_or_else(|| {
                OptionError(format!("{place}: {name}: there is no row to draw from, of {}: load rows, or leave out what draws them", taken.rows))
            })?;
            let kept = pool.len();
            let what = match () {
                () if lines => format!("{kept} lines, in their order"),
                () if taken.is_cut() => format!("a sample of {kept} distinct"),
                () => format!("{kept} distinct"),
            };
            let fact = format!(
                "{what} of {} rows, {} with NULL left out; sample {:016x}",
                taken.rows,
                taken.nulls,
                pool.key()
            );
            facts.insert(format!("drawn from {name}"), fact);
            pools.push(Arc::new(pool));
            if matches!(source, Source::Table { .. }) {
                fresh |= !again;
                self.kept.insert(name, taken);
            }
        }
        if let Some(keep) = self.keep.filter(|_| fresh) {
            keep(written(self.kept.iter().map(|(name, taken)| (name.as_str(), taken))));
        }
        let mut next = BTreeMap::new();
        for (counter, (table, column, place, largest)) in self.largest {
            let number = match largest {
                Largest::Nothing => Some(1),
                Largest::Number(number) => number.checked_add(1),
                Largest::Unknown => None,
            };
            let unfit = || {
                OptionError(format!(
                    "{place}: seq({table}.{column}): its largest value is not a whole number from 0 on"
                ))
            };
            next.insert(counter, number.ok_or_else(unfit)?);
        }
        Ok(Answers { pools, next, schema: self.schema.schema() })
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_name_may_be_a_word_of_sql() {
        assert_eq!(quoted("shop.order.index"), "`shop`.`order`.`index`");
        assert_eq!(quoted("`a b`.c.`d.e`"), "`a b`.`c`.`d.e`");
    }
}
