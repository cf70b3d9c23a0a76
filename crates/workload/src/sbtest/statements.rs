//! The statement list of a workload, with ids that need no table look-up.

use crate::sbtest::table_name;
use crate::{LabelId, Statement, StatementId};

/// Statements and their labels, in the order in which they were added.
#[derive(Debug)]
pub(crate) struct Statements {
    tables: u32,
    list: Vec<Statement>,
    labels: Vec<&'static str>,
}

/// A statement that exists once for each table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PerTable {
    first: u32,
}

impl PerTable {
    #[inline]
    pub(crate) fn on(self, table: u32) -> StatementId {
        StatementId(self.first + table)
    }
}

impl Statements {
    pub(crate) fn new(tables: u32) -> Self {
        Self { tables, list: Vec::new(), labels: Vec::new() }
    }

    /// Adds `sql`, given the name of a table, for every table.
    pub(crate) fn per_table(&mut self, label: &'static str, sql: impl Fn(&str) -> String) -> PerTable {
        let first = self.next();
        let label = self.label(label);
        let statement = |table| Statement { label, sql: sql(&table_name(table)) };
        self.list.extend((0..self.tables).map(statement));
        PerTable { first }
    }

    pub(crate) fn once(&mut self, label: &'static str, sql: impl Into<String>) -> StatementId {
        let id = StatementId(self.next());
        let label = self.label(label);
        self.list.push(Statement { label, sql: sql.into() });
        id
    }

    /// A label, also for text that is not in the list.
    ///
    /// # Panics
    /// More labels than a number of one can name: their times would be booked under each other's names.
    pub(crate) fn label(&mut self, name: &'static str) -> LabelId {
        let known = self.labels.iter().position(|&label| label == name);
        let index = known.unwrap_or_else(|| {
            self.labels.push(name);
            self.labels.len() - 1
        });
        LabelId(u16::try_from(index).expect("a workload has fewer than 65 536 labels"))
    }

    pub(crate) fn list(&self) -> &[Statement] {
        &self.list
    }

    pub(crate) fn labels(&self) -> &[&'static str] {
        &self.labels
    }

    fn next(&self) -> u32 {
        // A million tables times ten statements: far below the end of u32.
        self.list.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hundreds_of_labels_keep_their_names() {
        let names: Vec<&'static str> = (0..300).map(|number| &*format!("label-{number}").leak()).collect();
        let mut statements = Statements::new(1);
        for name in &names {
            statements.once(name, "SELECT 1");
        }
        for (statement, name) in statements.list().iter().zip(&names) {
            assert_eq!(statements.labels()[usize::from(statement.label.0)], *name);
        }
    }
}
