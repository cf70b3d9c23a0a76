//! The databases that a dump names, and the one that is loaded.

use crate::process::failure::Fatal;

/// Databases of the server itself, whose tables hold accounts and no data.
const OF_SERVER: [&str; 5] = ["mysql", "sys", "performance_schema", "information_schema", "ndbinfo"];

/// A statement that makes a database, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Made {
    pub database: String,
    pub sql: Vec<u8>,
    pub place: String,
}

/// Databases of users.
#[derive(Debug, Default)]
pub(super) struct Databases {
    /// Databases that `USE` names, or a statement before the name of a table, in order.
    named: Vec<String>,
    /// Databases that are made, whether or not anything is in them.
    pub made: Vec<Made>,
}

impl Databases {
    pub(super) fn add(&mut self, database: String) {
        if !self.has(&database) && !is_of_server(&database.to_lowercase()) {
            self.named.push(database);
        }
    }

    pub(super) fn has(&self, database: &str) -> bool {
        self.named.iter().any(|one| one.eq_ignore_ascii_case(database))
    }

    /// The database that is loaded, as the statement that makes it writes it, else as others do: the wanted one, or the
    /// only one that they name; `None`: they name none.
    ///
    /// # Errors
    /// The files name several and none is wanted, or not the one that is.
    pub(super) fn loaded(&self, wanted: Option<&str>) -> Result<Option<String>, Fatal> {
        let found = self.found(wanted)?;
        let made = found.as_deref().and_then(|one| self.making(one));
        Ok(made.map(|one| one.database.clone()).or(found))
    }

    fn found(&self, wanted: Option<&str>) -> Result<Option<String>, Fatal> {
        let alone = || match &self.made[..] {
            [one] if !is_of_server(&one.database.to_lowercase()) => Some(one.database.clone()),
            _ => None,
        };
        match (&self.named[..], wanted) {
            ([first, _, ..], None) => {
                let message = format!("the dump holds several databases: {}", self.named.join(", "));
                Err(Fatal::job(message).hint(name_it(first)))
            }
            ([], Some(wanted)) => Ok(Some(wanted.to_owned())),
            ([first, ..], Some(wanted)) => {
                let same = self.named.iter().find(|one| one.eq_ignore_ascii_case(wanted));
                same.map(|one| Some(one.clone())).ok_or_else(|| {
                    let names = self.named.join(", ");
                    Fatal::job(format!("the dump holds no database {wanted}, but {names}"))
                        .hint(name_it(first))
                })
            }
            ([one], None) => Ok(Some(one.clone())),
            ([], None) => Ok(alone()),
        }
    }

    /// The statement that makes a database.
    pub(super) fn making(&self, database: &str) -> Option<&Made> {
        self.made.iter().find(|one| one.database.eq_ignore_ascii_case(database))
    }
}

/// What to do where a dump holds several databases, of which this is one.
fn name_it(database: &str) -> String {
    format!(
        "name the one to take: [dataset] database = \"{database}\" in a study, --database {database} for assay own and init"
    )
}

pub(super) fn is_of_server(database: &str) -> bool {
    OF_SERVER.contains(&database)
}
