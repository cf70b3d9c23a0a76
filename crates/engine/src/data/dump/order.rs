//! Whether the order of a dump's statements matters, found while they are read one after the other.

use std::collections::{BTreeMap, BTreeSet};

use assay_sql::{Letters, Pairs, Token};

use crate::data::dump::databases::{Databases, Made, is_of_server};
use crate::data::dump::facts::{Counting, Facts, Mark, counting_column, unquoted};
use crate::data::dump::objects::{
    Object, as_written, database_altered, database_made, is_word, object_after, objects, solid,
};
use crate::data::dump::roles::{DATABASES, Role, role_of};
use crate::data::dump::session::Session;

/// What the statements so far have done, for the meaning of the next.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// The database of several that is taken.
    wanted: Option<String>,
    /// The database that the last USE has named.
    current: Option<String>,
    pub databases: Databases,
    /// Columns that count by themselves, of the tables so far.
    pub counting: Counting,
    /// Names of tables that were made so far, that were dropped after that, and that have got rows.
    made: BTreeSet<String>,
    dropped: BTreeSet<String>,
    filled: BTreeSet<String>,
    /// What a table that is made needs of the statements before it.
    needs: Option<String>,
    /// Tables whose triggers were made before.
    triggered: BTreeSet<String>,
    session: Session,
    /// The values of the session that the first rows find.
    session_of_rows: Option<BTreeMap<String, String>>,
    refers: bool,
    /// A statement on which rows after it may rely, and where it is.
    pending: Option<String>,
    /// By table, a statement that alters it: its own rows after that may rely on it.
    altered: BTreeMap<String, String>,
    /// The reason for which the order matters, with its place.
    pub matters: Option<String>,
}

impl Order {
    pub(super) fn new(wanted: Option<&str>) -> Self {
        Self { wanted: wanted.map(str::to_lowercase), ..Self::default() }
    }

    /// What the next statement is for; `place` gives its place in words.
    pub(super) fn role_of(&mut self, facts: &Facts, sql: &[u8], place: impl Fn() -> String) -> Role {
        match &facts.words[..] {
            [first, database, ..] if first == "USE" => {
                let database = unquoted(database.as_bytes());
                self.current = Some(database.to_lowercase());
                self.databases.add(database);
            }
            [first, second, ..] if first == "CREATE" && ["DATABASE", "SCHEMA"].contains(&second.as_str()) => {
                if let Some(database) = database_made(sql).filter(|one| self.databases.making(one).is_none())
                {
                    self.databases.made.push(Made { database, sql: sql.to_vec(), place: place() });
                }
            }
            _ => {}
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
            let why = || format!("rows follow {}", place());
            if let Some(table) = altered(facts, sql) {
                self.altered.entry(table).or_insert_with(why);
            } else {
                self.pending.get_or_insert_with(why);
            }
        }
        role
    }

    fn role_here(&mut self, facts: &Facts, sql: &[u8]) -> Role {
        let role = role_of(facts, sql);
        if matches!(role, Role::LeftOut(_)) {
            return role;
        }
        let defines = ["ALTER", "CREATE", "DROP"].contains(&facts.words[0].as_str());
        let named = if defines { objects(sql) } else { Vec::new() };
        // A dump that uses no database may name the one that it is of; where it uses some, the name says which.
        let altered = match role {
            Role::Defaults if self.current.is_some() => database_altered(sql).0,
            _ => None,
        };
        let qualifier =
            facts.qualifier.as_ref().or_else(|| named.first().and_then(|one| one.database.as_ref()));
        let database = altered.as_ref().or(qualifier).or(self.current.as_ref());
        if database.is_some_and(|name| is_of_server(name)) {
            return Role::LeftOut("databases of the server itself");
        }
        // It is sent without its name: another than the one that is loaded stays as it is.
        if altered.is_some() && altered != self.current && self.wanted.is_none() {
            return Role::LeftOut(DATABASES);
        }
        let of_rows = matches!(
            role,
            Role::Defaults | Role::Table | Role::Last | Role::Rows | Role::DependentRows | Role::Other
        );
        if let Some(database) = qualifier
            && of_rows
            && facts.words[0] != "DROP"
            && !self.databases.has(database)
        {
            self.databases.add(as_written(sql, database).unwrap_or_else(|| database.clone()));
        }
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
            // Its rows before are of another table than those after.
            self.needs = Some(format!("{name} is made a second time"));
        }
        let refers = facts.has(Mark::References) && !self.altered.is_empty();
        let like = object_after(sql, "LIKE").is_some_and(|one| self.altered.contains_key(&one.name));
        if refers || like {
            self.needs = Some(format!("{name} may need a table before it as it is altered there"));
        }
        if let Some(column) = counting_column(sql) {
            self.counting.insert(name.clone(), column);
        }
        self.made.insert(name);
        Role::Table
    }

    /// How the quotes of the statements that follow are read.
    pub(super) fn letters(&self) -> Letters {
        let charset = self.session.value("character_set_client").split_whitespace().next();
        Letters {
            escapes: !self.session.value("sql_mode").contains("no_backslash_escapes"),
            pairs: charset.and_then(Pairs::of),
            ..Letters::default()
        }
    }

    /// The reason for which a statement must find everything before it as it stands.
    fn why(&self, role: Role, facts: &Facts) -> Option<String> {
        match role {
            Role::DependentRows => Some("rows depend on what is there".into()),
            Role::LeftOut(_) | Role::Last => None,
            Role::Table if self.needs.is_some() => self.needs.clone(),
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
            Role::Rows => self.pending.as_ref().or_else(|| self.altered.get(&facts.table)).cloned(),
            _ => None,
        }
    }

    /// The reason for which a file of rows must find everything before it as it stands.
    pub(super) fn before_file(&self, name: &str) -> Option<String> {
        let why = self.pending.as_ref().or_else(|| self.altered.values().next());
        why.map(|why| format!("{name}: {why}"))
    }

    /// Whether no rows have come.
    pub(super) fn before_rows(&self) -> bool {
        self.session_of_rows.is_none()
    }
}

/// The table that a statement alters and that is called the same after it.
fn altered(facts: &Facts, sql: &[u8]) -> Option<String> {
    let alters = facts.words.first()? == "ALTER" && facts.words.get(1)? == "TABLE";
    let moves = |token: Token<'_>| is_word(&token, &["RENAME", "EXCHANGE"]);
    if !alters || solid(sql).any(moves) {
        return None;
    }
    objects(sql).into_iter().next().map(|table| table.name)
}
