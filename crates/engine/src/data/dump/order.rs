//! Whether the order of a dump's statements matters, found while they are read one after the other.

use std::collections::{BTreeMap, BTreeSet};

use crate::data::dump::facts::{Counting, Facts, Mark, counting_column};
use crate::data::dump::objects::{Object, object_after, objects};
use crate::data::dump::roles::{Role, role_of};
use crate::data::dump::session::Session;

/// Databases of the server itself, whose tables hold accounts and no data.
const OF_SERVER: [&str; 5] = ["mysql", "sys", "performance_schema", "information_schema", "ndbinfo"];

/// What the statements so far have done, for the meaning of the next.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// The database of several that is taken.
    wanted: Option<String>,
    /// The database that the last USE has named.
    current: Option<String>,
    /// Databases of users, in order.
    pub databases: Vec<String>,
    /// Columns that count by themselves, of the tables so far.
    pub counting: Counting,
    /// Names of tables that were made so far, that were dropped after that, and that have got rows.
    made: BTreeSet<String>,
    dropped: BTreeSet<String>,
    filled: BTreeSet<String>,
    /// A table that is made again: its rows before are of another table than those after.
    again: Option<String>,
    /// Tables whose triggers were made before.
    triggered: BTreeSet<String>,
    session: Session,
    /// The values of the session that the first rows find.
    session_of_rows: Option<BTreeMap<String, String>>,
    refers: bool,
    /// A statement on which rows after it may rely, and where it is.
    pending: Option<String>,
    /// The reason for which the order matters, with its place.
    pub matters: Option<String>,
}

impl Order {
    pub(super) fn new(wanted: Option<&str>) -> Self {
        Self { wanted: wanted.map(str::to_lowercase), ..Self::default() }
    }

    /// What the next statement is for; `place` gives its place in words.
    pub(super) fn role_of(&mut self, facts: &Facts, sql: &[u8], place: impl Fn() -> String) -> Role {
        if let [first, database, ..] = &facts.words[..]
            && first == "USE"
        {
            let database = database.trim_matches(['`', '"']).to_owned();
            self.current = Some(database.to_lowercase());
            let known = self.databases.iter().any(|one| one.eq_ignore_ascii_case(&database));
            if !known && !OF_SERVER.contains(&database.to_lowercase().as_str()) {
                self.databases.push(database);
            }
        }
        let role = self.role_here(facts, sql);
        if role == Role::Setting {
            self.session.set(sql);
        }
        if role == Role::Rows {
            if self.session_of_rows.is_none() {
                self.session_of_rows = Some(self.session.values().clone());
            }
            if !self.filled.contains(&facts.table) {
                self.filled.insert(facts.table.clone());
            }
        }
        if let Some(why) = self.why(role, facts) {
            self.matters.get_or_insert_with(|| format!("{}: {why}", place()));
        }
        if role == Role::Other {
            self.pending.get_or_insert_with(|| format!("rows follow {}", place()));
        }
        role
    }

    fn role_here(&mut self, facts: &Facts, sql: &[u8]) -> Role {
        let role = role_of(facts, sql);
        if matches!(role, Role::LeftOut(_)) {
            return role;
        }
        let named = if matches!(role, Role::Table | Role::Last) { objects(sql) } else { Vec::new() };
        let qualifier =
            facts.qualifier.as_ref().or_else(|| named.first().and_then(|one| one.database.as_ref()));
        let database = qualifier.or(self.current.as_ref());
        if database.is_some_and(|name| OF_SERVER.contains(&name.as_str())) {
            return Role::LeftOut("databases of the server itself");
        }
        let of_rows =
            matches!(role, Role::Table | Role::Last | Role::Rows | Role::DependentRows | Role::Other);
        if let (Some(wanted), Some(database), true) = (&self.wanted, database, of_rows)
            && wanted != database
        {
            return Role::LeftOut("other databases");
        }
        match role {
            Role::Table if facts.words.get(1).is_some_and(|word| word != "SETVAL") => {
                self.role_of_table(facts, sql, named)
            }
            Role::Last if facts.words.iter().any(|word| word == "TRIGGER") => {
                self.triggered.extend(object_after(sql, "ON").map(|table| table.name));
                role
            }
            _ => role,
        }
    }

    fn role_of_table(&mut self, facts: &Facts, sql: &[u8], named: Vec<Object>) -> Role {
        self.refers |= facts.has(Mark::References);
        let is_drop = facts.words[0] == "DROP";
        let again = named.iter().any(|one| self.made.contains(&one.name));
        if is_drop && again {
            // The rows before it are of another table than those after it.
            self.dropped.extend(named.into_iter().map(|one| one.name));
            return Role::Other;
        }
        if is_drop {
            return Role::Table;
        }
        let Some(Object { name, .. }) = named.into_iter().next() else { return Role::Other };
        let replaces = facts.words.get(1).is_some_and(|word| word == "OR") && self.filled.contains(&name);
        if replaces || self.dropped.contains(&name) {
            self.again = Some(name.clone());
        }
        if let Some(column) = counting_column(sql) {
            self.counting.insert(name.clone(), column);
        }
        self.made.insert(name);
        Role::Table
    }

    /// Whether strings of the statements that follow have no escapes.
    pub(super) fn without_escapes(&self) -> bool {
        self.session.value("sql_mode").contains("no_backslash_escapes")
    }

    /// The reason for which a statement must find everything before it as it stands.
    fn why(&self, role: Role, facts: &Facts) -> Option<String> {
        match role {
            Role::DependentRows => Some("rows depend on what is there".into()),
            Role::LeftOut(_) | Role::Last => None,
            Role::Table if self.again.is_some() => {
                self.again.as_ref().map(|table| format!("{table} is made a second time"))
            }
            _ if facts.has(Mark::AsksBack) => Some("a statement asks what the one before it has done".into()),
            Role::Rows
                if facts.has(Mark::Numbered)
                    || (facts.has(Mark::Zero)
                        && !self.session.value("sql_mode").contains("no_auto_value_on_zero")) =>
            {
                Some(format!("the server numbers rows of {}", facts.table))
            }
            Role::Rows if self.triggered.contains(&facts.table) => {
                Some(format!("a trigger of {} is made before its rows", facts.table))
            }
            Role::Rows if self.session_of_rows.as_ref() != Some(self.session.values()) => {
                Some("rows need other settings of the session than those before".into())
            }
            Role::Rows if self.refers && !matches!(self.session.value("foreign_key_checks"), "0" | "off") => {
                Some("rows refer to others, and FOREIGN_KEY_CHECKS is not switched off".into())
            }
            Role::Rows => self.pending.clone(),
            _ => None,
        }
    }

    /// The reason for which a file of rows must find everything before it as it stands.
    pub(super) fn before_file(&self, name: &str) -> Option<String> {
        self.pending.as_ref().map(|why| format!("{name}: {why}"))
    }

    /// Whether no rows have come.
    pub(super) fn before_rows(&self) -> bool {
        self.session_of_rows.is_none()
    }
}
