//! What a command of a script reads beside the script's own files, noted while it runs.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Notes of all states of a command; the default takes none, and costs nothing.
#[derive(Debug, Clone, Default)]
pub struct Inputs(Option<Arc<Mutex<Noted>>>);

/// What was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Noted {
    /// Files that were opened for reading, or looked for, as the script names them.
    pub files: BTreeSet<String>,
    /// Functions by which a script reads what nobody sees.
    pub others: BTreeSet<String>,
}

impl Inputs {
    /// Notes that are taken.
    #[must_use]
    pub fn taken() -> Self {
        Self(Some(Arc::default()))
    }

    /// What was noted so far.
    #[must_use]
    pub fn noted(&self) -> Noted {
        self.0
            .as_ref()
            .map(|noted| noted.lock().unwrap_or_else(PoisonError::into_inner).clone())
            .unwrap_or_default()
    }

    pub(crate) fn are_taken(&self) -> bool {
        self.0.is_some()
    }

    pub(crate) fn file(&self, path: String) {
        self.note(|noted| noted.files.insert(path));
    }

    pub(crate) fn other(&self, name: String) {
        self.note(|noted| noted.others.insert(name));
    }

    fn note(&self, add: impl FnOnce(&mut Noted) -> bool) {
        if let Some(noted) = &self.0 {
            add(&mut noted.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }
}

/// Where notes go is no part of what a script is.
impl PartialEq for Inputs {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Inputs {}
