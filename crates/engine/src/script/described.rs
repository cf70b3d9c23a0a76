//! What a run knows of a script beforehand: labels for its statements, and no tables.

use assay_wire::Outcome;
use assay_workload::{Dataset, Description, LabelId, Rng, Statements, Table};

/// The labels under which statements are timed: their first word.
const LABELS: [&str; 11] = [
    "select", "insert", "update", "delete", "replace", "begin", "commit", "rollback", "call", "set", "other",
];
const OTHER: u16 = LABELS.len() as u16 - 1;
/// Letters of the longest of them.
const LONGEST: usize = 8;

/// A script as the load sees it.
#[derive(Default)]
pub(super) struct Described {
    statements: Statements,
    tables: NoTables,
}

/// The tables of a script are its own affair.
#[derive(Default)]
struct NoTables;

impl Dataset for NoTables {
    fn tables(&self) -> &[Table] {
        &[]
    }

    fn row(&self, _table: usize, _number: u64, _rng: &mut Rng, _out: &mut Vec<u8>) {}
}

impl Described {
    pub(super) fn new() -> Self {
        let mut described = Self::default();
        described.statements.send_packets();
        for label in LABELS {
            described.statements.label(label);
        }
        described
    }
}

impl Description for Described {
    fn statements(&self) -> &Statements {
        &self.statements
    }

    fn data(&self) -> &dyn Dataset {
        &self.tables
    }

    fn resizes(&self) -> bool {
        true
    }
}

/// The first word of a statement: its label, where there is one of that name.
#[derive(Clone, Copy)]
pub(super) struct FirstWord(Option<u16>);

impl FirstWord {
    pub(super) fn of(sql: &[u8]) -> Self {
        let word = sql.trim_ascii_start();
        let length = word.iter().take(LONGEST + 1).take_while(|byte| byte.is_ascii_alphabetic()).count();
        let word = &word[..length];
        let labels = &LABELS[..usize::from(OTHER)];
        let place = labels.iter().position(|label| word.eq_ignore_ascii_case(label.as_bytes()));
        Self(place.map(|place| place as u16))
    }

    /// The label of the statement; other words are told apart by what they were answered with.
    pub(super) fn label(self, outcome: &Outcome) -> LabelId {
        let otherwise = if outcome.result_set { 0 } else { OTHER };
        LabelId(self.0.unwrap_or(otherwise))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_known_by_its_first_word() {
        let label =
            |sql: &str| LABELS[usize::from(FirstWord::of(sql.as_bytes()).label(&Outcome::default()).0)];
        assert_eq!(
            [label(" SELECT 1"), label("insert into t"), label("BEGIN"), label("COMMIT;")],
            ["select", "insert", "begin", "commit"]
        );
        assert_eq!([label("SELECTED"), label(""), label("CREATE TABLE t")], ["other"; 3]);
        let rows = Outcome { result_set: true, ..Outcome::default() };
        assert_eq!(FirstWord::of(b"SHOW TABLES").label(&rows), LabelId(0), "rows are read");
    }
}
