//! What a run knows of a script beforehand: labels for its statements, and no tables.

use assay_wire::Outcome;
use assay_workload::{Dataset, Description, LabelId, Rng, Statements, Table};

use crate::load::commits::Boundary;

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

/// The first word of a statement: its label, where there is one of that name, and what it does to an open transaction.
#[derive(Clone, Copy)]
pub(super) struct FirstWord {
    label: Option<u16>,
    pub boundary: Boundary,
}

const INSERT: u16 = 1;
const REPLACE: u16 = 4;
/// The labels of statements that read and change rows, and do nothing else.
const WITHIN: u16 = 5;

impl FirstWord {
    pub(super) fn of(sql: &[u8]) -> Self {
        let word = sql.trim_ascii_start();
        let length = word.iter().take(LONGEST + 1).take_while(|byte| byte.is_ascii_alphabetic()).count();
        let word = &word[..length];
        let labels = &LABELS[..usize::from(OTHER)];
        let place = labels.iter().position(|label| word.eq_ignore_ascii_case(label.as_bytes()));
        let label = place.map(|place| place as u16);
        // Nearly all statements are of these kinds, and are looked at no further.
        let boundary = match label {
            Some(label) if label < WITHIN => Boundary::Within,
            _ => Boundary::of(sql),
        };
        Self { label, boundary }
    }

    /// Whether the statement is there to store rows.
    #[inline]
    pub(super) fn stores(self) -> bool {
        matches!(self.label, Some(INSERT | REPLACE))
    }

    /// The label of the statement; other words are told apart by what they were answered with.
    pub(super) fn label(self, outcome: &Outcome) -> LabelId {
        let otherwise = if outcome.result_set { 0 } else { OTHER };
        LabelId(self.label.unwrap_or(otherwise))
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
        let stores = |sql: &str| FirstWord::of(sql.as_bytes()).stores();
        assert_eq!(
            ["INSERT IGNORE", "replace into", "UPDATE", "INSERTS"].map(stores),
            [true, true, false, false]
        );
        assert_eq!([label("SELECTED"), label(""), label("CREATE TABLE t")], ["other"; 3]);
        let rows = Outcome { result_set: true, ..Outcome::default() };
        assert_eq!(FirstWord::of(b"SHOW TABLES").label(&rows), LabelId(0), "rows are read");
    }
}
