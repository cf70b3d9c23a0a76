//! Tables whose rows can be made one by one.

use assay_chance::{Permutation, chained, mix};

use crate::build::build;
use crate::fault::Fault;
use crate::links::{Domain, Level, Link, Tree};
use crate::order::{Gaps, Order};
use crate::spec::Profile;
use crate::values::Values;

/// Tables made of a profile.
#[derive(Debug, Clone)]
pub struct Model {
    pub(crate) tables: Vec<Table>,
    /// What the rows do not keep of the profile, in sentences.
    pub notes: Vec<String>,
}

/// One table.
#[derive(Debug, Clone)]
pub struct Table {
    pub name: String,
    pub create: String,
    pub rows: u64,
    pub(crate) columns: Vec<Column>,
    pub(crate) links: Vec<Link>,
    pub(crate) trees: Vec<Tree>,
}

#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub name: String,
    pub gaps: Gaps,
    pub source: Source,
}

/// Where the values of a column come from.
#[derive(Debug, Clone)]
pub(crate) enum Source {
    /// Its own statistics, in some order.
    Values(Values, Order),
    /// A row has the value with its number.
    Unique(Values),
    /// A column of the table that it refers to.
    Link(usize, usize),
    /// A column of the table that the roots of a key are rows of.
    Root(usize, usize),
    Level(Box<Level>),
}

impl Model {
    /// The tables of a profile, whose values follow from the seed.
    ///
    /// # Errors
    /// The profile contradicts itself, or a key has no room for so many rows.
    pub fn new(profile: &Profile, seed: u64) -> Result<Self, Fault> {
        build(profile, seed)
    }

    /// The tables, in the order of the profile.
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// Writes a row of a table as SQL: `(1,'x',NULL)`.
    pub fn row(&self, table: usize, row: u64, out: &mut Vec<u8>) {
        out.push(b'(');
        for column in 0..self.tables[table].columns.len() {
            if column > 0 {
                out.push(b',');
            }
            self.value(table, column, row, out);
        }
        out.push(b')');
    }

    fn value(&self, table: usize, column: usize, row: u64, out: &mut Vec<u8>) {
        let own = &self.tables[table];
        let column = &own.columns[column];
        if let Source::Link(link, theirs) = column.source {
            let link = &own.links[link];
            match link.row(row) {
                Some(row) => self.value(link.table, theirs, row, out),
                None => out.extend_from_slice(b"NULL"),
            }
            return;
        }
        let Some(rank) = column.gaps.rank(row) else {
            out.extend_from_slice(b"NULL");
            return;
        };
        match &column.source {
            Source::Link(..) => {}
            Source::Values(values, order) => values.write(order.at(rank), out),
            Source::Unique(values) => values.write(rank, out),
            Source::Root(tree, theirs) => {
                let tree = &own.trees[*tree];
                if let Some(base) = tree.base {
                    self.value(base, *theirs, tree.root(row), out);
                }
            }
            Source::Level(level) => {
                let number = level.number(&own.trees[level.tree], row);
                match &level.domain {
                    Domain::Values(values) => values.write(number, out),
                    Domain::Column(table, column) => self.value(*table, *column, number, out),
                }
            }
        }
    }
}

impl Level {
    /// The number of a row's value.
    fn number(&self, tree: &Tree, row: u64) -> u64 {
        let Some(level) = self.level else { return tree.root(row) };
        let belongs = tree.at(row, level);
        let key = self.key ^ mix(belongs.owner.wrapping_add(1));
        if self.mixed {
            return Permutation::<4>::new(self.of, key).at(belongs.number);
        }
        if self.dense {
            return belongs.number;
        }
        // One value of each of as many stretches as the owner has rows: different, in order, and random.
        let edge =
            |number: u64| (u128::from(number) * u128::from(self.of) / u128::from(belongs.of.max(1))) as u64;
        let (low, high) = (edge(belongs.number), edge(belongs.number + 1));
        if high > low + 1 { low + chained(&[key, belongs.number]) % (high - low) } else { low }
    }
}

impl Table {
    /// The beginning of a statement that inserts rows.
    pub fn insert(&self) -> String {
        let names: Vec<String> = self.columns.iter().map(|column| quoted_name(&column.name)).collect();
        format!("INSERT INTO {} ({}) VALUES ", quoted_name(&self.name), names.join(","))
    }
}

/// A name in its quotes.
pub fn quoted_name(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}
