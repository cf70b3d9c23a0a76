//! The statements of a session: those of the workload's list, and those that the workload prepares while it runs.

use std::cell::Cell;

use assay_wire::{Error, Prepared, ServerError, Template};
use assay_workload::{LabelId, Statement, StatementId};

/// The code of a server that cannot prepare this kind of statement (ER_UNSUPPORTED_PS).
const UNSUPPORTED_PS: u16 = 1295;

/// The statements of a workload, parsed once for all connections of an event loop.
pub(crate) struct StatementPlan {
    /// Statements that are sent first, on every connection.
    pub setup: Vec<String>,
    pub statements: Vec<Statement>,
    pub templates: Vec<Template>,
    /// The next handle of a statement that is prepared at run time: no two connections of the loop give out one number,
    /// so that a handle on the wrong connection is found out.
    next_own: Cell<u32>,
}

impl StatementPlan {
    pub(crate) fn new(setup: &[String], statements: &[Statement]) -> Self {
        let templates = statements.iter().map(|statement| Template::new(&statement.sql)).collect();
        let next_own = Cell::new(statements.len() as u32);
        Self { setup: setup.to_vec(), statements: statements.to_vec(), templates, next_own }
    }

    /// Histogram number of a statement label; 0 is the whole transaction.
    pub(crate) fn histogram(label: LabelId) -> usize {
        usize::from(label.0) + 1
    }

    /// A handle that no statement of this event loop has.
    pub(crate) fn next_own(&self) -> StatementId {
        let number = self.next_own.get();
        // After four billion of them the first are long closed; the list's numbers are never given out.
        self.next_own.set(number.checked_add(1).unwrap_or(self.statements.len() as u32));
        StatementId(number)
    }
}

/// The way in which one statement travels on one connection.
pub(crate) enum Way {
    Prepared(Prepared),
    /// A text: the job wants that, or the server cannot prepare this kind.
    Text,
    /// A statement that was prepared on a connection that is gone: to be prepared again before it is executed.
    Lapsed,
}

impl Way {
    /// # Errors
    /// The server refused to prepare the statement, and not because it cannot prepare its kind.
    pub(crate) fn of(answer: Result<Prepared, ServerError>) -> Result<Self, Error> {
        Self::of_one(answer.map_err(Error::Server))
    }

    /// # Errors
    /// As [`Way::of`]; besides, what ended the connection.
    pub(crate) fn of_one(answer: Result<Prepared, Error>) -> Result<Self, Error> {
        match answer {
            Ok(prepared) => Ok(Self::Prepared(prepared)),
            Err(error) if error.code() == Some(UNSUPPORTED_PS) => Ok(Self::Text),
            Err(error) => Err(error),
        }
    }
}

/// A statement that the workload has prepared at run time.
struct Own {
    id: StatementId,
    label: LabelId,
    template: Template,
    way: Way,
}

/// The statements that a workload has prepared on one connection at run time, and has not closed.
#[derive(Default)]
pub(crate) struct OwnStatements(Vec<Own>);

impl OwnStatements {
    pub(crate) fn add(&mut self, id: StatementId, label: LabelId, sql: &str, way: Way) {
        self.0.push(Own { id, label, template: Template::new(sql), way });
    }

    /// Forgets a statement; how it travelled, where it was there.
    pub(crate) fn remove(&mut self, id: StatementId) -> Option<Way> {
        let place = self.0.iter().position(|own| own.id == id)?;
        Some(self.0.swap_remove(place).way)
    }

    /// The label under which a statement's times are kept.
    pub(crate) fn label(&self, id: StatementId) -> Option<LabelId> {
        self.0.iter().find(|own| own.id == id).map(|own| own.label)
    }

    pub(crate) fn is_lapsed(&self, id: StatementId) -> bool {
        self.0.iter().any(|own| own.id == id && matches!(own.way, Way::Lapsed))
    }

    pub(crate) fn way(&mut self, id: StatementId) -> Option<(&mut Way, &Template)> {
        let own = self.0.iter_mut().find(|own| own.id == id)?;
        Some((&mut own.way, &own.template))
    }

    /// Makes the statements those of another connection, where none is prepared yet.
    pub(crate) fn lapsed(mut self) -> Self {
        for own in &mut self.0 {
            if let Way::Prepared(_) = own.way {
                own.way = Way::Lapsed;
            }
        }
        self
    }
}
