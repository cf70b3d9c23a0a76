//! The statements that a workload sends, and the labels under which their times are kept.

/// Index into [`Statements::list`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StatementId(pub u32);

/// Index into [`Statements::labels`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabelId(pub u16);

/// One statement a workload sends: prepared at the server, or filled in as text, as the job says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    pub label: LabelId,
    /// With `?` for parameters.
    pub sql: String,
}

/// Statements and their labels, in the order in which they were added.
#[derive(Debug, Default)]
pub(crate) struct Statements {
    list: Vec<Statement>,
    labels: Vec<&'static str>,
}

impl Statements {
    /// Adds a statement.
    pub(crate) fn once(&mut self, label: &'static str, sql: impl Into<String>) -> StatementId {
        self.each(label, [sql.into()])
    }

    /// Adds statements that share a label; the id of the first, those of the others follow.
    pub(crate) fn each(
        &mut self,
        label: &'static str,
        sqls: impl IntoIterator<Item = String>,
    ) -> StatementId {
        // A million tables times ten statements: far below the end of u32.
        let first = StatementId(self.list.len() as u32);
        let label = self.label(label);
        self.list.extend(sqls.into_iter().map(|sql| Statement { label, sql }));
        first
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hundreds_of_labels_keep_their_names() {
        let names: Vec<&'static str> = (0..300).map(|number| &*format!("label-{number}").leak()).collect();
        let mut statements = Statements::default();
        for name in &names {
            statements.once(name, "SELECT 1");
        }
        for (statement, name) in statements.list().iter().zip(&names) {
            assert_eq!(statements.labels()[usize::from(statement.label.0)], *name);
        }
    }
}
