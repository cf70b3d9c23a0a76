//! What ends a job, by what the person does next. Each kind has an exit code.

use std::io;

use assay_wire::Error as WireError;

use crate::process::signal::INTERRUPTED;
use assay_format::event::{ErrorEvent, ErrorKind};

/// A fatal error of a job.
#[derive(Debug, Clone)]
pub(crate) struct Fatal {
    pub kind: ErrorKind,
    pub code: Option<u16>,
    pub state: Option<String>,
    pub message: String,
    pub hint: Option<String>,
    /// Whether a signal asked for the end: then nothing failed.
    pub interrupted: bool,
}

impl Fatal {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, code: None, state: None, message: message.into(), hint: None, interrupted: false }
    }

    /// The end of a job that a signal asked for before there was an answer.
    pub(crate) fn interrupted() -> Self {
        Self { interrupted: true, ..Self::host("interrupted before the server answered") }
    }

    pub(crate) fn job(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Job, message)
    }

    pub(crate) fn host(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Host, message)
    }

    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The error that there is no connection to log in on.
    pub(crate) fn unreachable(endpoint: &str, error: &io::Error) -> Self {
        Self::new(ErrorKind::Connect, format!("cannot connect to {endpoint}: {}", plain(error)))
            .hint("check that the server is running, and that the socket, or host and port, is right")
    }

    /// The error that the server refused a login.
    pub(crate) fn refused(endpoint: &str, error: &WireError) -> Self {
        let hint = match error {
            WireError::Server(server) => match server.code {
                1044 | 1045 | 1698 => Some(
                    "check user and password; the password comes from the environment, never the command line",
                ),
                1820 | 1862 => Some(EXPIRED),
                1049 => Some("create the database first, or name another with --db"),
                1040 => Some("raise max_connections at the server, or use fewer threads"),
                _ => None,
            },
            WireError::Io(_) => Some("check that a MySQL or MariaDB server listens there"),
            _ => None,
        };
        let reason = match error {
            WireError::Io(error) => plain(error),
            other => other.to_string(),
        };
        let mut fatal = Self::new(ErrorKind::Connect, format!("cannot log in at {endpoint}: {reason}"));
        fatal.hint = hint.map(Into::into);
        fatal.with_server_code(error)
    }

    /// The error that a statement outside the measured load failed.
    pub(crate) fn statement(what: &str, error: &WireError) -> Self {
        // What it says when it goes away, or ends the connection, is no answer to the statement.
        let answers = matches!(error, WireError::Server(_))
            && (!error.is_fatal() || error.code() == Some(PACKET_TOO_LARGE));
        let kind = if answers { ErrorKind::Server } else { ErrorKind::Lost };
        let fatal = Self::new(kind, format!("{what}: {error}")).with_server_code(error);
        let full = NO_SPACE.iter().any(|words| fatal.message.contains(words)).then_some(FULL);
        match full.or_else(|| fatal.code.and_then(hint_for_code)) {
            Some(hint) => fatal.hint(hint),
            None => fatal,
        }
    }

    /// The error of a statement of the measured load; `place`: where a person has written it.
    pub(crate) fn of_load(place: Option<&str>, error: &WireError) -> Self {
        let fatal = Self::statement(place.unwrap_or("a statement of the load failed"), error);
        if place.is_some() { fatal.of_own_tables() } else { fatal }
    }

    /// The error with the advice for tables that no workload of ours makes or drops: those of a person's own files. Advice
    /// that knows more than the server's code stays.
    #[must_use]
    pub(crate) fn of_own_tables(mut self) -> Self {
        let of_code = self.code.and_then(hint_for_code);
        if let Some(hint) = self.code.and_then(hint_for_own_tables)
            && self.hint.as_deref().is_none_or(|given| Some(given) == of_code)
        {
            self.hint = Some(hint.to_owned());
        }
        self
    }

    /// The error of a statement of the measured load that ends it.
    pub(crate) fn end_of_load(place: Option<&str>, error: &WireError) -> Self {
        let fatal = Self::of_load(place, error);
        match fatal.hint {
            None if fatal.kind == ErrorKind::Server => {
                fatal.hint("errors.on_error or errors.other = \"count\" continues after such errors")
            }
            _ => fatal,
        }
    }

    fn with_server_code(mut self, error: &WireError) -> Self {
        if let WireError::Server(server) = error {
            self.code = Some(server.code);
            self.state = Some(server.state.to_string());
        }
        self
    }

    /// The event of an error that the run survives.
    pub(crate) fn notice(&self, at_ns: u64) -> ErrorEvent {
        ErrorEvent { fatal: false, ..self.event(at_ns) }
    }

    pub(crate) fn event(&self, at_ns: u64) -> ErrorEvent {
        ErrorEvent {
            kind: self.kind,
            code: self.code,
            state: self.state.clone(),
            message: self.message.clone(),
            hint: self.hint.clone(),
            at_ns,
            fatal: true,
        }
    }

    pub(crate) fn exit_code(&self) -> i32 {
        match self.kind {
            _ if self.interrupted => INTERRUPTED,
            ErrorKind::Job => 2,
            ErrorKind::Connect => 3,
            ErrorKind::Server => 4,
            ErrorKind::Lost => 5,
            ErrorKind::Host => 6,
            ErrorKind::Data => 8,
        }
    }
}

/// The system's words for an I/O error, without its number.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    let text = error
        .raw_os_error()
        .and_then(|code| text.strip_suffix(&format!(" (os error {code})")))
        .unwrap_or(&text);
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// ER_MUST_CHANGE_PASSWORD, ER_MUST_CHANGE_PASSWORD_LOGIN: the advice for a password that has expired.
const EXPIRED: &str =
    "log in with the server's own client, and give the account a new password (ALTER USER … IDENTIFIED BY …)";

/// ER_NET_PACKET_TOO_LARGE: the server ends the connection for the statement's sake.
const PACKET_TOO_LARGE: u16 = 1153;

/// How servers say that a disk is full (ENOSPC), whatever the code of their error.
const NO_SPACE: [&str; 3] = ["No space left on device", "Errcode: 28", "errno: 28"];
const FULL: &str = "make room on the server's disk; where it has room, a tablespace may not grow \
    (innodb_data_file_path), or a table in memory (max_heap_table_size)";

/// The advice for a server error that is another one where the tables are a person's own, by its code.
fn hint_for_own_tables(code: u16) -> Option<&'static str> {
    Some(match code {
        1050 => "drop the tables, or their database, by hand, or name an empty database",
        1062 => {
            "a row with this key exists already: draw keys by seq(TABLE.COLUMN), or load into an empty database"
        }
        1054 => "correct the name, or load the data that has this column",
        1146 => {
            "correct the name, name the tables' database, or run prepare first if the file names its data"
        }
        _ => return None,
    })
}

/// The advice for a server error that people often meet, by its code.
pub(crate) fn hint_for_code(code: u16) -> Option<&'static str> {
    Some(match code {
        1050 => {
            "the tables exist already: run cleanup first, or continue an interrupted load with prepare --resume"
        }
        1062 => "a row with this key exists already: run cleanup and prepare again",
        1146 => "run prepare first, with the same options",
        1173 | 3750 => {
            "the server requires a primary key for every table (sql_require_primary_key, in MariaDB \
            innodb_force_primary_key); tpcc: --history-key auto_inc"
        }
        1820 | 1862 => EXPIRED,
        1461 => "raise max_prepared_stmt_count at the server, or use --ps-mode disable",
        1114 | 1021 => FULL,
        PACKET_TOO_LARGE => {
            "raise max_allowed_packet at the server: connections that are opened after that have the new limit"
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_a_persons_own_are_not_made_or_dropped_by_a_command_of_ours() {
        for code in [1050, 1054, 1062, 1146] {
            let ours = Fatal { code: Some(code), ..Fatal::job("refused") };
            let ours = match hint_for_code(code) {
                Some(hint) => ours.hint(hint),
                None => ours,
            };
            let hint = ours.of_own_tables().hint.expect("a hint");
            assert!(!hint.contains("cleanup") && !hint.contains("--resume"), "{code}: {hint}");
        }
        for code in [1062, 1205] {
            let other = Fatal { code: Some(code), ..Fatal::job("refused") }.hint("wait");
            assert_eq!(other.of_own_tables().hint.as_deref(), Some("wait"), "{code}");
        }
    }
}
