//! Whether the order of a dump's statements matters, found while they are read one after the other.

use std::collections::{BTreeMap, BTreeSet};

use crate::data::dump::facts::{Counting, Facts, Mark, counting_column, plain};
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
    /// Names of tables that were made so far.
    made: BTreeSet<String>,
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
            let database = database.trim_matches('`').to_owned();
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
        if role == Role::Rows && self.session_of_rows.is_none() {
            self.session_of_rows = Some(self.session.values().clone());
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
        let of_server = |name: &String| OF_SERVER.contains(&name.as_str());
        if facts.qualifier.as_ref().is_some_and(of_server) || self.current.as_ref().is_some_and(of_server) {
            return Role::LeftOut("databases of the server itself");
        }
        if let (Some(wanted), Some(current)) = (&self.wanted, &self.current)
            && self.databases.len() > 1
            && wanted != current
        {
            return Role::LeftOut("other databases");
        }
        if role == Role::Table && facts.words.get(1).is_some_and(|word| word != "SETVAL") {
            self.refers |= facts.has(Mark::References);
            let passed = ["CREATE", "DROP", "OR", "REPLACE", "TABLE", "SEQUENCE", "IF", "NOT", "EXISTS"];
            let name = facts.words.iter().find(|word| !passed.contains(&word.as_str()));
            let name = name.map_or_else(String::new, |name| plain(name.as_bytes()));
            if facts.words[0] == "CREATE" {
                if let Some(column) = counting_column(sql) {
                    self.counting.insert(name.clone(), column);
                }
                self.made.insert(name);
            } else if self.made.contains(&name) {
                // The rows before it are of another table than those after it.
                return Role::Other;
            }
        }
        if role == Role::Last
            && let Some(at) = facts.words.iter().position(|word| word == "TRIGGER")
        {
            let table = facts.words[at..].iter().skip_while(|word| *word != "ON").nth(1);
            self.triggered.extend(table.map(|name| plain(name.as_bytes())));
        }
        role
    }

    /// The reason for which a statement must find everything before it as it stands.
    fn why(&self, role: Role, facts: &Facts) -> Option<String> {
        match role {
            Role::DependentRows => Some("rows depend on what is there".into()),
            Role::LeftOut(_) | Role::Last => None,
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
