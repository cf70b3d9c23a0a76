//! A statement that exists once for each table.

use crate::StatementId;
use crate::sbtest::{Keys, table_name};
use crate::statement::Statements;

/// The ids of a statement's copies, one for each table, without a table look-up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PerTable {
    first: StatementId,
}

impl PerTable {
    /// Adds `sql`, given the name of a table, for every table of `keys`.
    pub(crate) fn new(
        statements: &mut Statements,
        keys: &Keys,
        label: &'static str,
        sql: impl Fn(&str) -> String,
    ) -> Self {
        Self { first: statements.each(label, (0..keys.tables()).map(|table| sql(&table_name(table)))) }
    }

    /// The statement on a table, from 0.
    #[inline]
    pub(crate) fn on(self, table: u32) -> StatementId {
        StatementId(self.first.0 + table)
    }
}
