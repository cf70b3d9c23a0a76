//! The statements of a session: those of the workload's list, and those that the workload prepares while it runs.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use assay_wire::{Error, Prepared, ServerError, Template};
use assay_workload::{LabelId, Statement, StatementId};

use crate::load::commits::Boundary;

/// The code of a server that cannot prepare this kind of statement (ER_UNSUPPORTED_PS).
const UNSUPPORTED_PS: u16 = 1295;
/// The code of a server that has no such table (ER_NO_SUCH_TABLE).
const NO_SUCH_TABLE: u16 = 1146;

/// Whether a statement travels as text because of this refusal to prepare it: the server cannot prepare its kind, or the
/// table that it uses is made by another statement of the load.
pub(crate) fn travels_as_text(refusal: Option<u16>, uses_made: bool) -> bool {
    refusal == Some(UNSUPPORTED_PS) || (uses_made && refusal == Some(NO_SUCH_TABLE))
}

/// A statement as all connections of an event loop know it.
pub(crate) struct Planned {
    pub label: LabelId,
    pub template: Template,
    pub boundary: Boundary,
    /// Where a person has written it.
    pub place: Option<Arc<str>>,
    /// Whether it uses a table that another statement of the list makes.
    pub uses_made: bool,
    /// Whether the workload has closed it: then its handle means nothing any more.
    closed: Cell<bool>,
}

impl Planned {
    fn new(label: LabelId, sql: &str) -> Self {
        let boundary = Boundary::of(sql.as_bytes());
        let template = Template::new(sql);
        Self { label, template, boundary, place: None, uses_made: false, closed: Cell::new(false) }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.get()
    }
}

/// The statements of a workload, parsed once for all connections of an event loop.
pub(crate) struct StatementPlan {
    /// Statements that are sent first, on every connection.
    pub setup: Vec<String>,
    /// The workload's list, prepared on every connection.
    pub listed: Vec<Planned>,
    /// The statements that the workload has prepared at run time, on whichever connection, and has not closed.
    own: RefCell<HashMap<StatementId, Rc<Planned>>>,
    next_own: Cell<u32>,
}

impl StatementPlan {
    pub(crate) fn new(setup: &[String], statements: &[Statement]) -> Self {
        let uses_made = assay_sql::uses_made(statements.iter().map(|one| one.sql.as_bytes()));
        Self {
            setup: setup.to_vec(),
            listed: statements
                .iter()
                .zip(uses_made)
                .map(|(one, uses_made)| {
                    let place = one.place.clone();
                    Planned { place, uses_made, ..Planned::new(one.label, &one.sql) }
                })
                .collect(),
            own: RefCell::default(),
            next_own: Cell::new(statements.len() as u32),
        }
    }

    /// Histogram number of a statement label; 0 is the whole transaction.
    pub(crate) fn histogram(label: LabelId) -> usize {
        usize::from(label.0) + 1
    }

    /// Keeps a statement that the workload has prepared; its handle, which no other statement of the event loop has.
    pub(crate) fn keep(&self, label: LabelId, sql: &str) -> (StatementId, Rc<Planned>) {
        let number = self.next_own.get();
        // After four billion of them the first are long closed; the list's numbers are never given out.
        self.next_own.set(number.checked_add(1).unwrap_or(self.listed.len() as u32));
        let (id, planned) = (StatementId(number), Rc::new(Planned::new(label, sql)));
        self.own.borrow_mut().insert(id, planned.clone());
        (id, planned)
    }

    /// A statement that the workload has prepared and not closed.
    pub(crate) fn kept(&self, id: StatementId) -> Option<Rc<Planned>> {
        self.own.borrow().get(&id).cloned()
    }

    /// Forgets a statement that the workload closes; false where there is none.
    pub(crate) fn forget(&self, id: StatementId) -> bool {
        let planned = self.own.borrow_mut().remove(&id);
        planned.inspect(|planned| planned.closed.set(true)).is_some()
    }
}

/// The way in which one statement travels on one connection.
pub(crate) enum Transport {
    Prepared(Prepared),
    /// A text: the job wants that, or the server cannot prepare it.
    Text,
}

impl Transport {
    /// # Errors
    /// The server refused to prepare the statement, and as text it would fare no better.
    pub(crate) fn of(answer: Result<Prepared, ServerError>, uses_made: bool) -> Result<Self, Error> {
        Self::of_either(answer.map_err(Error::Server), uses_made)
    }

    /// # Errors
    /// The server refused to prepare the statement, or the connection has ended.
    pub(crate) fn of_one(answer: Result<Prepared, Error>) -> Result<Self, Error> {
        Self::of_either(answer, false)
    }

    fn of_either(answer: Result<Prepared, Error>, uses_made: bool) -> Result<Self, Error> {
        match answer {
            Ok(prepared) => Ok(Self::Prepared(prepared)),
            Err(error) if travels_as_text(error.code(), uses_made) => Ok(Self::Text),
            Err(error) => Err(error),
        }
    }
}

/// A statement that the workload has prepared at run time, on one connection.
pub(crate) struct OwnStatement {
    id: StatementId,
    pub planned: Rc<Planned>,
    pub way: Transport,
}

/// The statements that a workload has prepared at run time as one connection has them: each from its first use there on.
#[derive(Default)]
pub(crate) struct OwnStatements(Vec<OwnStatement>);

impl OwnStatements {
    /// The place of a statement, or the one where it belongs.
    #[inline]
    pub(crate) fn place(&self, id: StatementId) -> Result<usize, usize> {
        self.0.binary_search_by_key(&id, |own| own.id)
    }

    #[inline]
    pub(crate) fn at(&mut self, place: usize) -> &mut OwnStatement {
        &mut self.0[place]
    }

    /// Adds a statement; returns its place.
    pub(crate) fn add(&mut self, id: StatementId, planned: Rc<Planned>, way: Transport) -> usize {
        let place = self.place(id).unwrap_or_else(|place| place);
        self.0.insert(place, OwnStatement { id, planned, way });
        place
    }

    /// Takes out a statement that the workload has closed, where there is one.
    pub(crate) fn take_closed(&mut self) -> Option<Transport> {
        let place = self.0.iter().position(|own| own.planned.is_closed())?;
        Some(self.0.remove(place).way)
    }
}
