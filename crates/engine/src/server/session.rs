//! The session that the engine's own statements rely on: each login states it, in one statement.
//!
//! A server's configuration, or its `init_connect`, may have any other: with autocommit off nothing is committed, with
//! NO_BACKSLASH_ESCAPES no file is read. What a study varies, or a person has set, stays as the server has it. In either
//! case the values in force are read back once a load.

use std::collections::BTreeMap;

use assay_wire::{Flavour, Row, Rows, ServerInfo};

use crate::process::failure::Fatal;
use std::ops::Deref;

use crate::server::ask::Inquiry;
use crate::server::login::Login;

/// A setting of the session.
struct Setting {
    /// Its part of the SET statement.
    sql: &'static str,
    /// The server variables and options that decide about it elsewhere.
    variables: &'static [&'static str],
}

/// Every setting that some statement of the engine relies on.
const SETTINGS: &[Setting] = &[
    Setting {
        sql: "NAMES utf8mb4 COLLATE utf8mb4_general_ci",
        variables: &[
            "character_set_client",
            "character_set_client_handshake",
            "character_set_connection",
            "character_set_results",
            "collation_connection",
        ],
    },
    Setting { sql: "autocommit = 1", variables: &["autocommit"] },
    Setting { sql: "sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'", variables: &["sql_mode"] },
    Setting { sql: "time_zone = '+00:00'", variables: &["time_zone", "default_time_zone"] },
    Setting { sql: "completion_type = 0", variables: &["completion_type"] },
    Setting { sql: "foreign_key_checks = 1", variables: &["foreign_key_checks"] },
    Setting { sql: "unique_checks = 1", variables: &["unique_checks"] },
    Setting { sql: "sql_auto_is_null = 0", variables: &["sql_auto_is_null"] },
    Setting { sql: "sql_safe_updates = 0", variables: &["sql_safe_updates"] },
    Setting { sql: "sql_big_selects = 1", variables: &["sql_big_selects", "max_join_size"] },
    Setting { sql: "sql_select_limit = 18446744073709551615", variables: &["sql_select_limit"] },
    Setting { sql: READ_WRITE, variables: &["transaction_read_only", "tx_read_only"] },
];

/// The one setting whose name depends on the server.
const READ_WRITE: &str = "transaction_read_only = 0";

/// The variable that sets any of them.
const ANY: &str = "init_connect";

/// The variable that has the server's own version.
pub(crate) const VERSION: &str = "version";

/// What is read back: all settings, and what else decides what the statements of a session mean or how long they wait.
const READ_BACK: [&str; 33] = [
    "autocommit",
    "auto_increment_increment",
    "auto_increment_offset",
    "binlog_format",
    "character_set_client",
    "character_set_connection",
    "character_set_results",
    "collation_connection",
    "completion_type",
    "default_storage_engine",
    "foreign_key_checks",
    "innodb_lock_wait_timeout",
    "innodb_rollback_on_timeout",
    "lock_wait_timeout",
    "max_connections",
    "max_execution_time",
    "max_statement_time",
    "max_user_connections",
    "sql_auto_is_null",
    "sql_big_selects",
    "sql_log_bin",
    "sql_mode",
    "sql_safe_updates",
    "sql_select_limit",
    "system_time_zone",
    "time_zone",
    "transaction_isolation",
    "transaction_read_only",
    "tx_isolation",
    "tx_read_only",
    "unique_checks",
    VERSION,
    "wait_timeout",
];

/// Longest value that is kept, in characters.
const VALUE_MOST: usize = 512;

/// The settings that a login states; none of them by default.
#[derive(Default)]
pub(crate) struct Session(Vec<&'static str>);

impl Session {
    /// All settings but those that are left to the server, by the names of variables or options.
    pub(crate) fn stated_but(left: &[String]) -> Self {
        let left: Vec<String> = left.iter().map(|name| name.to_ascii_lowercase().replace('-', "_")).collect();
        let is_left = |setting: &&Setting| {
            let named =
                |name: &str| name == ANY || setting.variables.iter().any(|variable| name.ends_with(variable));
            left.iter().any(|name| named(name))
        };
        Self(SETTINGS.iter().filter(|setting| !is_left(setting)).map(|setting| setting.sql).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The statement that states them to this server.
    pub(crate) fn sql(&self, server: &ServerInfo) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        let parts = self.0.iter().filter_map(|part| match *part {
            READ_WRITE => read_write(server),
            other => Some(other),
        });
        Some(format!("SET {}", parts.collect::<Vec<_>>().join(", ")))
    }
}

/// The setting by which transactions may write, as this server calls it; none where there is no such setting.
fn read_write(server: &ServerInfo) -> Option<&'static str> {
    let newer = match server.flavour {
        Flavour::MariaDb => (11, 1, 1),
        Flavour::MySql => (5, 7, 20),
    };
    let oldest = match server.flavour {
        Flavour::MariaDb => (10, 0, 0),
        Flavour::MySql => (5, 6, 5),
    };
    let version = server.version_number;
    (version >= oldest).then_some(if version >= newer { READ_WRITE } else { "tx_read_only = 0" })
}

/// The values of a session by name.
#[derive(Default)]
struct Values(BTreeMap<String, String>);

impl Rows for Values {
    fn row(&mut self, row: &Row<'_>) {
        let text = |column| row.bytes(column).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        if let (Some(name), Some(value)) = (text(0), text(1)) {
            self.0.insert(name.to_ascii_lowercase(), value.chars().take(VALUE_MOST).collect());
        }
    }
}

/// The session that a load has: what a fresh connection finds after its login and the workload's own set-up. Nothing where the
/// server does not say.
///
/// # Errors
/// A signal asked for the end.
pub(crate) fn in_force(
    inquiry: &mut Inquiry<impl Deref<Target = Login>>,
    setup: &[String],
) -> Result<BTreeMap<String, String>, Fatal> {
    let names = READ_BACK.map(|name| format!("'{name}'")).join(", ");
    let sql = format!("SHOW SESSION VARIABLES WHERE Variable_name IN ({names})");
    let mut values = Values::default();
    let patience_ns = inquiry.login().timeout_ns();
    match inquiry.ask(setup, &sql, Some(patience_ns), &mut values) {
        Err(fatal) if fatal.interrupted => Err(fatal),
        Err(_) => Ok(BTreeMap::new()),
        Ok(()) => Ok(values.0.into_iter().filter(|(name, _)| READ_BACK.contains(&name.as_str())).collect()),
    }
}

/// Whether a switch of the session is on.
pub(crate) fn is_on(session: &BTreeMap<String, String>, name: &str) -> bool {
    session.get(name).is_some_and(|value| value == "ON")
}

/// Refuses to send strings as text where the session takes a backslash for itself.
///
/// # Errors
/// It does, and `texts` are sent.
pub(crate) fn refuse_unescaped(session: &BTreeMap<String, String>, texts: bool) -> Result<(), Fatal> {
    let mode = session.get("sql_mode").map_or("", String::as_str);
    if !texts || !mode.split(',').any(|one| one == "NO_BACKSLASH_ESCAPES") {
        return Ok(());
    }
    let message = format!(
        "the session has sql_mode {mode}, and this load sends strings as text with backslash escapes: they would be others"
    );
    Err(Fatal::job(message).hint("use prepared statements (ps_mode auto), or leave NO_BACKSLASH_ESCAPES out"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stated(left: &[&str]) -> String {
        let left: Vec<String> = left.iter().map(|&name| name.into()).collect();
        Session::stated_but(&left).0.join(", ")
    }

    #[test]
    fn what_is_varied_is_left_and_all_else_stated() {
        for setting in SETTINGS {
            assert!(stated(&["innodb_buffer_pool_size"]).contains(setting.sql));
            for variable in setting.variables {
                assert!(!stated(&[variable]).contains(setting.sql), "{variable}");
            }
            assert_eq!(
                stated(&[setting.variables[0]]).matches(" = ").count() + 1,
                stated(&[]).matches(" = ").count() + usize::from(!setting.sql.contains(" = "))
            );
        }
        assert_eq!(stated(&["loose-SQL-mode"]), stated(&["sql_mode"]));
        assert_eq!(stated(&["init_connect"]), "");
    }

    #[test]
    fn strings_are_not_sent_where_backslashes_mean_nothing() {
        let session = |mode: &str| BTreeMap::from([("sql_mode".to_owned(), mode.to_owned())]);
        for (mode, texts, refused) in [
            ("ANSI,NO_BACKSLASH_ESCAPES", true, true),
            ("NO_BACKSLASH_ESCAPES", false, false),
            ("STRICT_TRANS_TABLES", true, false),
            ("", true, false),
        ] {
            assert_eq!(refuse_unescaped(&session(mode), texts).is_err(), refused, "{mode} {texts}");
        }
    }
}
