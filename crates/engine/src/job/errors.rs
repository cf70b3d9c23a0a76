//! What follows when a statement fails, a connection breaks, or an answer does not come.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Names of `on_error` beside server error codes.
const LOST: &str = "lost";
const TIMEOUT: &str = "timeout";
/// How client libraries call a lost connection (CR_SERVER_GONE_ERROR, CR_SERVER_LOST): people write these.
const LOST_CODES: [u16; 2] = [2006, 2013];

/// What follows an error.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ErrorPolicy {
    /// Codes after which the transaction is rolled back and tried again with the same parameters.
    #[serde(default = "default_retry")]
    pub retry: Vec<u16>,
    /// Tries of one transaction before it counts as failed.
    #[serde(default = "default_max_tries")]
    pub max_tries: u32,
    /// What any other error does: `stop` ends the run, `count` goes on with the next transaction, over a new
    /// connection if need be.
    #[serde(default)]
    pub other: OnError,
    /// By server error code, `lost` (also 2006, 2013) for a broken connection, `timeout` for one that does not answer.
    /// Goes before `retry` and `other`.
    #[serde(default)]
    pub on_error: BTreeMap<String, Reaction>,
    /// Longest time of one try of a transaction, and of the ROLLBACK after it. 0 is no limit of its own: such an
    /// operation is given up when the drain ends, or after ten minutes where no time ends the window.
    #[serde(default)]
    pub operation_timeout_ms: u64,
    /// Failed tries in a row to open a lost connection again before the run ends. Pauses double from 10 ms to 1 s.
    #[serde(default = "default_reconnect_tries")]
    pub reconnect_tries: u32,
}

fn default_retry() -> Vec<u16> {
    vec![1213, 1205, 1020]
}
fn default_max_tries() -> u32 {
    100
}
fn default_reconnect_tries() -> u32 {
    100
}

impl Default for ErrorPolicy {
    fn default() -> Self {
        Self {
            retry: default_retry(),
            max_tries: default_max_tries(),
            other: OnError::default(),
            on_error: BTreeMap::new(),
            operation_timeout_ms: 0,
            reconnect_tries: default_reconnect_tries(),
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnError {
    #[default]
    Stop,
    Count,
}

/// What one kind of error does. A broken or silent connection is always opened again before anything goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Reaction {
    /// Ends the run.
    Stop,
    /// The transaction is rolled back and counts as failed.
    Count,
    /// The transaction is rolled back and tried again, at most `max_tries` times.
    Retry,
    /// The transaction counts as failed, and the connection is replaced (a fail-over, a server that turned read-only).
    Reconnect,
}

impl ErrorPolicy {
    /// What the server's error `code` does.
    pub fn on_code(&self, code: u16) -> Reaction {
        if let Some(reaction) = self.on_error.get(&code.to_string()) {
            *reaction
        } else if self.retry.contains(&code) {
            Reaction::Retry
        } else {
            self.otherwise()
        }
    }

    /// What a broken connection does; `code` is the server's last word, where there was one.
    pub fn on_lost(&self, code: Option<u16>) -> Reaction {
        let named = code.into_iter().chain(LOST_CODES).map(|code| code.to_string());
        let mut names = named.chain([LOST.to_owned()]);
        names.find_map(|name| self.on_error.get(&name).copied()).unwrap_or(self.otherwise())
    }

    /// What an answer that does not come in time does.
    pub fn on_timeout(&self) -> Reaction {
        self.on_error.get(TIMEOUT).copied().unwrap_or_else(|| self.on_lost(None))
    }

    fn otherwise(&self) -> Reaction {
        match self.other {
            OnError::Stop => Reaction::Stop,
            OnError::Count => Reaction::Count,
        }
    }

    /// # Errors
    /// A key that is no error, a number out of range; the message names it.
    pub fn validate(&self) -> Result<(), String> {
        if self.max_tries == 0 {
            return Err("errors.max_tries: a transaction is tried at least once".into());
        }
        if self.reconnect_tries == 0 {
            return Err("errors.reconnect_tries: to end the run at once, set on_error.lost to stop".into());
        }
        let known = |name: &str| name == LOST || name == TIMEOUT || name.parse::<u16>().is_ok();
        match self.on_error.keys().find(|name| !known(name)) {
            Some(name) => Err(format!(
                "errors.on_error: `{name}` is neither a server error code (1213) nor `{LOST}` nor `{TIMEOUT}`"
            )),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(on_error: &[(&str, Reaction)]) -> ErrorPolicy {
        let on_error = on_error.iter().map(|(name, reaction)| ((*name).to_owned(), *reaction)).collect();
        ErrorPolicy { on_error, ..ErrorPolicy::default() }
    }

    #[test]
    fn a_named_error_goes_before_the_lists() {
        let policy = policy(&[("1205", Reaction::Count), ("1062", Reaction::Count)]);
        assert_eq!(policy.on_code(1205), Reaction::Count);
        assert_eq!(policy.on_code(1213), Reaction::Retry);
        assert_eq!(policy.on_code(1146), Reaction::Stop);
        assert_eq!(policy.on_lost(None), Reaction::Stop);
    }

    #[test]
    fn lost_connections_have_three_names_and_silent_ones_follow_them() {
        for name in ["lost", "2006", "2013"] {
            let policy = policy(&[(name, Reaction::Reconnect)]);
            assert_eq!(policy.on_lost(Some(1927)), Reaction::Reconnect, "{name}");
            assert_eq!(policy.on_timeout(), Reaction::Reconnect, "{name}");
        }
        let policy =
            policy(&[("lost", Reaction::Stop), ("1927", Reaction::Count), ("timeout", Reaction::Retry)]);
        assert_eq!(policy.on_lost(Some(1927)), Reaction::Count);
        assert_eq!(policy.on_timeout(), Reaction::Retry);
    }

    #[test]
    fn unknown_names_are_refused() {
        let message = policy(&[("deadlock", Reaction::Retry)]).validate().unwrap_err();
        assert!(message.contains("`deadlock`"), "{message}");
    }
}
