//! The statements that a workload sends, and the labels under which their times are kept.

use std::sync::Arc;

use crate::OptionError;

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
    /// Where a person has written it, `shop.sql:14:3`, for messages about it.
    pub place: Option<Arc<str>>,
}

/// Labels that a [`LabelId`] can name.
const LABELS_MOST: usize = 1 << 16;

/// Statements and their labels, in the order in which they were added.
#[derive(Debug, Default)]
pub struct Statements {
    setup: Vec<String>,
    list: Vec<Statement>,
    labels: Vec<Arc<str>>,
    packets: bool,
}

impl Statements {
    /// Adds a statement.
    ///
    /// # Panics
    /// As [`Statements::label`].
    pub fn once(&mut self, label: &str, sql: impl Into<String>) -> StatementId {
        self.each(label, [sql.into()])
    }

    /// Adds statements that share a label; returns the id of the first, those of the others follow.
    ///
    /// # Panics
    /// As [`Statements::label`].
    pub fn each(&mut self, label: &str, sqls: impl IntoIterator<Item = String>) -> StatementId {
        // A million tables times ten statements: far below the end of u32.
        let first = StatementId(self.list.len() as u32);
        let label = self.label(label);
        self.list.extend(sqls.into_iter().map(|sql| Statement { label, sql, place: None }));
        first
    }

    /// Says where a statement stands.
    pub fn place(&mut self, id: StatementId, place: &str) {
        self.list[id.0 as usize].place = Some(place.into());
    }

    /// A label, new or known, also for text that is not in the list. `transaction`, the whole unit, is not among them.
    ///
    /// # Panics
    /// There are more labels than a [`LabelId`] can name. Names that the workload does not choose itself, such as those
    /// of a script, come through [`Statements::try_label`].
    pub fn label(&mut self, name: &str) -> LabelId {
        self.try_label(name).unwrap_or_else(|error| panic!("{error}"))
    }

    /// A label, new or known, whose name comes from outside.
    ///
    /// # Errors
    /// There are more labels than a [`LabelId`] can name: their times would be kept under each other's names.
    pub fn try_label(&mut self, name: &str) -> Result<LabelId, OptionError> {
        let known = self.labels.iter().position(|label| **label == *name);
        let index = known.unwrap_or_else(|| {
            self.labels.push(name.into());
            self.labels.len() - 1
        });
        let too_many = |_| OptionError(format!("label {name:?} is one too many: there can be {LABELS_MOST}"));
        u16::try_from(index).map(LabelId).map_err(too_many)
    }

    /// Adds a statement that is sent once on every connection, before any other: `SET SESSION …`.
    pub fn set_up(&mut self, sql: impl Into<String>) {
        self.setup.push(sql.into());
    }

    /// Announces that several statements travel in one text, [`Session::packet`](crate::Session::packet): connections then
    /// ask the server to take them so.
    pub fn send_packets(&mut self) {
        self.packets = true;
    }

    /// Every statement that is prepared on every connection before the clocks start.
    pub fn list(&self) -> &[Statement] {
        &self.list
    }

    /// The names of the labels.
    pub fn labels(&self) -> &[Arc<str>] {
        &self.labels
    }

    /// The statements that are sent once on every connection, before any other.
    pub fn setup(&self) -> &[String] {
        &self.setup
    }

    /// Whether several statements travel in one text.
    pub fn packets(&self) -> bool {
        self.packets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hundreds_of_labels_keep_their_names() {
        let names: Vec<String> = (0..300).map(|number| format!("label-{number}")).collect();
        let mut statements = Statements::default();
        for name in &names {
            statements.once(name, "SELECT 1");
        }
        for (statement, name) in statements.list().iter().zip(&names) {
            assert_eq!(*statements.labels()[usize::from(statement.label.0)], **name);
        }
    }

    #[test]
    fn a_label_too_many_is_refused_by_its_name() {
        let labels = (0..LABELS_MOST).map(|number| number.to_string().into()).collect();
        let mut statements = Statements { labels, ..Statements::default() };
        assert_eq!(statements.try_label("65535"), Ok(LabelId(u16::MAX)));
        let refused = statements.try_label("checkout").expect_err("one too many");
        assert_eq!(refused.0, "label \"checkout\" is one too many: there can be 65536");
    }
}
