//! From statistics to tables: where each column's values come from, so that keys are unique and references meet.

use std::collections::BTreeMap;

use assay_chance::chained;

use crate::fault::Fault;
use crate::links::{Domain, Link, Tree};
use crate::model::{Column, Model, Source, Table};
use crate::order::{Gaps, Order};
use crate::spec::{ColumnProfile, Profile, ReferenceProfile, TableProfile};
use crate::spread::Spread;
use crate::values::Values;

/// A table that is being built.
pub(crate) struct Building<'a> {
    pub(crate) profiles: &'a [TableProfile],
    pub(crate) by_name: &'a BTreeMap<String, usize>,
    pub(crate) rows: &'a [u64],
    pub(crate) profile: &'a TableProfile,
    pub(crate) at: usize,
    pub(crate) key: u64,
    pub(crate) sources: Vec<Option<Source>>,
    pub(crate) links: Vec<Link>,
    pub(crate) trees: Vec<Tree>,
    /// Columns of keys that are kept.
    pub(crate) kept: Vec<Vec<usize>>,
    pub(crate) notes: &'a mut Vec<String>,
}

pub(crate) fn build(profile: &Profile, seed: u64) -> Result<Model, Fault> {
    let mut by_name = BTreeMap::new();
    for (at, table) in profile.tables.iter().enumerate() {
        if by_name.insert(table.name.to_lowercase(), at).is_some() {
            return Err(Fault::new(&table.name, "name", "two tables have it"));
        }
    }
    let rows: Vec<u64> = profile.tables.iter().map(|table| scaled(table, profile.scale)).collect();
    let mut notes = Vec::new();
    let mut tables = Vec::new();
    for (at, table) in profile.tables.iter().enumerate() {
        let mut building = Building {
            profiles: &profile.tables,
            by_name: &by_name,
            rows: &rows,
            profile: table,
            at,
            key: chained(&[seed, named(&table.name)]),
            sources: vec![None; table.columns.len()],
            links: Vec::new(),
            trees: Vec::new(),
            kept: Vec::new(),
            notes: &mut notes,
        };
        tables.push(building.table()?);
    }
    let model = Model { tables, notes };
    refuse_circles(&model)?;
    Ok(model)
}

/// Rows of a table at this scale; a table with rows keeps one.
fn scaled(table: &TableProfile, scale: f64) -> u64 {
    if !table.grows || table.rows == 0 {
        return table.rows;
    }
    ((table.rows as f64 * scale).round() as u64).max(1)
}

/// A name as a number, so that what is generated for one does not depend on its place.
fn named(name: &str) -> u64 {
    let bytes: Vec<u64> = name.to_lowercase().bytes().map(u64::from).collect();
    chained(&bytes)
}

impl Building<'_> {
    fn table(&mut self) -> Result<Table, Fault> {
        let profile = self.profile;
        for number in 0..profile.keys.len() {
            self.key(number)?;
        }
        for reference in &profile.references {
            self.reference(reference)?;
        }
        let mut columns = Vec::new();
        for (at, column) in profile.columns.iter().enumerate() {
            let gaps = self.gaps(at);
            let source = match self.sources[at].take() {
                Some(source) => source,
                None => self.own_values(at, &gaps),
            };
            columns.push(Column { name: column.name.clone(), gaps, source });
        }
        Ok(Table {
            name: profile.name.clone(),
            create: profile.create.clone(),
            rows: self.own_rows(),
            columns,
            links: std::mem::take(&mut self.links),
            trees: std::mem::take(&mut self.trees),
        })
    }

    pub(crate) fn own_rows(&self) -> u64 {
        self.rows[self.at]
    }

    /// How many times as many rows there are as were measured.
    pub(crate) fn factor(&self) -> f64 {
        self.own_rows() as f64 / self.profile.rows.max(1) as f64
    }

    pub(crate) fn key_of(&self, at: usize, purpose: u64) -> u64 {
        chained(&[self.key, named(&self.profile.columns[at].name), purpose])
    }

    pub(crate) fn gaps(&self, at: usize) -> Gaps {
        Gaps::new(self.own_rows(), self.profile.columns[at].nulls, self.key_of(at, 1))
    }

    fn own_values(&self, at: usize, gaps: &Gaps) -> Source {
        let column = &self.profile.columns[at];
        let values = Values::of_rows(column, gaps.filled(), self.factor(), self.key_of(at, 2));
        Source::Values(values, Order::new(gaps.filled(), column.order, self.key_of(at, 3)))
    }

    pub(crate) fn columns(&self, names: &[String], part: &str) -> Result<Vec<usize>, Fault> {
        names.iter().map(|name| column_of(self.profile, name, part)).collect()
    }

    fn reference(&mut self, reference: &ReferenceProfile) -> Result<(), Fault> {
        let part = part_of(reference);
        let columns = self.columns(&reference.columns, &part)?;
        let (table, theirs) = self.target(reference)?;
        let free = columns.iter().filter(|at| self.sources[**at].is_none()).count();
        if free < columns.len() {
            if free > 0 {
                let columns = reference.columns.join(", ");
                self.notes.push(format!(
                    "{}: ({columns}) refers to {} by the values of each column alone, since a key binds some of them",
                    self.profile.name, reference.table
                ));
            }
            return Ok(());
        }
        let first = columns.iter().max_by(|a, b| {
            let nulls = |at: usize| self.profile.columns[at].nulls;
            nulls(**a).total_cmp(&nulls(**b))
        });
        let Some(first) = first.copied() else { return Ok(()) };
        let gaps = self.gaps(first);
        if gaps.filled() > 0 && self.rows[table] == 0 {
            return Err(self.without_owners(&part));
        }
        let owners = self.rows[table].max(1);
        let spread = Spread::new(owners, gaps.filled(), &reference.fan_out, self.key_of(first, 4));
        let order = Order::new(gaps.filled(), self.profile.columns[first].order, self.key_of(first, 3));
        for (own, their) in columns.iter().zip(theirs) {
            self.sources[*own] = Some(Source::Link(self.links.len(), their));
        }
        self.links.push(Link { table, spread, gaps, order });
        Ok(())
    }

    pub(crate) fn target(&self, reference: &ReferenceProfile) -> Result<(usize, Vec<usize>), Fault> {
        let part = part_of(reference);
        let fault = |message: String| Fault::new(&self.profile.name, part.clone(), message);
        let table = self.by_name.get(&reference.table.to_lowercase()).copied();
        let table = table.ok_or_else(|| fault(format!("there is no table {}", reference.table)))?;
        if reference.columns.len() != reference.to.len() || reference.columns.is_empty() {
            return Err(fault("needs as many columns here as there".into()));
        }
        let columns: Result<Vec<usize>, Fault> =
            reference.to.iter().map(|name| column_of(&self.profiles[table], name, &part)).collect();
        Ok((table, columns?))
    }

    pub(crate) fn without_owners(&self, part: &str) -> Fault {
        Fault::new(&self.profile.name, part, "rows refer to a table that has none")
    }
}

pub(crate) fn part_of(reference: &ReferenceProfile) -> String {
    format!("reference ({})", reference.columns.join(", "))
}

fn column_of(table: &TableProfile, name: &str, part: &str) -> Result<usize, Fault> {
    let found =
        table.columns.iter().position(|column: &ColumnProfile| column.name.eq_ignore_ascii_case(name));
    found.ok_or_else(|| Fault::new(&table.name, part, format!("there is no column {name}")))
}

/// # Errors
/// The values of a column are, by way of others, its own.
fn refuse_circles(model: &Model) -> Result<(), Fault> {
    for (table, own) in model.tables.iter().enumerate() {
        for column in 0..own.columns.len() {
            let mut at = (table, column);
            let steps: usize = model.tables.iter().map(|table| table.columns.len()).sum();
            for step in 0.. {
                let source = &model.tables[at.0].columns[at.1].source;
                at = match source {
                    Source::Link(link, theirs) => (model.tables[at.0].links[*link].table, *theirs),
                    Source::Root(tree, theirs) => match model.tables[at.0].trees[*tree].base {
                        Some(base) => (base, *theirs),
                        None => break,
                    },
                    Source::Level(level) => match level.domain {
                        Domain::Column(table, column) => (table, column),
                        Domain::Values(_) => break,
                    },
                    Source::Values(..) | Source::Unique(_) => break,
                };
                if step > steps {
                    let message = "its values are its own, by way of other columns; leave a reference out";
                    return Err(Fault::new(
                        &own.name,
                        format!("column {}", own.columns[column].name),
                        message,
                    ));
                }
            }
        }
    }
    Ok(())
}
