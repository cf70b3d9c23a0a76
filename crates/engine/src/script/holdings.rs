//! What a script thread holds of the server: its connections, and the statements that are prepared on them.

use std::rc::Rc;

use assay_script::SqlError;

use crate::script::thread::Crew;

/// ER_MAX_PREPARED_STMT_COUNT_REACHED.
const NO_ROOM: u16 = 1461;

pub(super) struct Holdings {
    crew: Rc<Crew>,
    connections: u32,
    prepared: u32,
    /// How many statements were prepared when the server had no room for another one.
    full: Option<u32>,
}

impl Holdings {
    pub(super) fn new(crew: Rc<Crew>) -> Self {
        Self { crew, connections: 0, prepared: 0, full: None }
    }

    /// Notes a connection that was opened.
    pub(super) fn connected(&mut self) {
        self.connections += 1;
    }

    /// Notes a connection that was closed. With the last one, no statement is left.
    pub(super) fn disconnected(&mut self) {
        self.connections = self.connections.saturating_sub(1);
        if self.connections == 0 {
            self.forget(self.prepared);
        }
    }

    /// Notes what the server said to a statement that it was to prepare.
    pub(super) fn answered<T>(&mut self, answer: &Result<Option<T>, SqlError>) {
        let of_all = &self.crew.prepared;
        of_all.answered(matches!(answer, Ok(Some(_))));
        match answer {
            Ok(Some(_)) => self.prepared += 1,
            Err(error) if error.code == NO_ROOM => {
                self.full = Some(self.prepared);
                of_all.note_full();
            }
            Err(_) => self.full = None,
            Ok(None) => {}
        }
    }

    /// Notes that the thread's first event is to come.
    pub(super) fn ready(&self, connection: u32) {
        self.crew.prepared.ready(connection, self.prepared);
    }

    /// Forgets statements that the server no longer holds.
    pub(super) fn forget(&mut self, count: u32) {
        let count = count.min(self.prepared);
        self.prepared -= count;
        self.crew.prepared.remove(count);
    }

    /// What to do about a server that has no room for the statements, where that was so.
    pub(super) fn remedy(&self) -> Option<String> {
        self.full.map(|own| self.crew.prepared.remedy(self.crew.servers.as_deref(), own))
    }
}
