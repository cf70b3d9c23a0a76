//! Reactions to errors: what a job's error policy says of each.

use std::collections::BTreeMap;

use assay_format::job::{ErrorPolicy, OnError, Reaction};

/// Names of `on_error` beside server error codes.
const LOST: &str = "lost";
const TIMEOUT: &str = "timeout";
/// Codes by which client libraries know a lost connection (CR_SERVER_GONE_ERROR, CR_SERVER_LOST): people write these.
const LOST_CODES: [u16; 2] = [2006, 2013];

/// Whether `on_error` knows an error by this name.
pub(crate) fn is_error_name(name: &str) -> bool {
    name == LOST || name == TIMEOUT || name.parse::<u16>().is_ok()
}

/// An error policy, ready to be asked at every failure.
#[derive(Debug, Clone)]
pub(crate) struct Reactions {
    by_code: BTreeMap<u16, Reaction>,
    retry: Vec<u16>,
    lost: Option<Reaction>,
    timeout: Option<Reaction>,
    otherwise: Reaction,
}

impl Reactions {
    /// `goes_on`: what the policy says nothing about is counted, and ends nothing.
    pub(crate) fn new(policy: &ErrorPolicy, goes_on: bool) -> Self {
        let named = |name: &str| policy.on_error.get(name).copied();
        let code = |(name, reaction): (&String, &Reaction)| Some((name.parse().ok()?, *reaction));
        Self {
            by_code: policy.on_error.iter().filter_map(code).collect(),
            retry: policy.retry.clone(),
            lost: named(LOST),
            timeout: named(TIMEOUT),
            otherwise: match policy.other {
                Some(OnError::Count) => Reaction::Count,
                None if goes_on => Reaction::Count,
                Some(OnError::Stop) | None => Reaction::Stop,
            },
        }
    }

    /// What the server's error `code` does.
    pub(crate) fn on_code(&self, code: u16) -> Reaction {
        if let Some(reaction) = self.by_code.get(&code) {
            *reaction
        } else if self.retry.contains(&code) {
            Reaction::Retry
        } else {
            self.otherwise
        }
    }

    /// What a broken connection does; `code` is the server's last word, where there was one.
    pub(crate) fn on_lost(&self, code: Option<u16>) -> Reaction {
        let mut codes = code.into_iter().chain(LOST_CODES);
        let by_code = codes.find_map(|code| self.by_code.get(&code).copied());
        by_code.or(self.lost).unwrap_or(self.otherwise)
    }

    /// What an answer that does not come in time does.
    pub(crate) fn on_timeout(&self) -> Reaction {
        self.timeout.unwrap_or_else(|| self.on_lost(None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reactions(on_error: &[(&str, Reaction)]) -> Reactions {
        let on_error = on_error.iter().map(|(name, reaction)| ((*name).to_owned(), *reaction)).collect();
        Reactions::new(&ErrorPolicy { on_error, ..ErrorPolicy::default() }, false)
    }

    #[test]
    fn a_named_error_goes_before_the_lists() {
        let reactions = reactions(&[("1205", Reaction::Count), ("1062", Reaction::Count)]);
        assert_eq!(reactions.on_code(1205), Reaction::Count);
        assert_eq!(reactions.on_code(1213), Reaction::Retry);
        assert_eq!(reactions.on_code(1146), Reaction::Stop);
        assert_eq!(reactions.on_lost(None), Reaction::Stop);
    }

    #[test]
    fn lost_connections_have_three_names_and_silent_ones_follow_them() {
        for name in ["lost", "2006", "2013"] {
            let reactions = reactions(&[(name, Reaction::Reconnect)]);
            assert_eq!(reactions.on_lost(Some(1927)), Reaction::Reconnect, "{name}");
            assert_eq!(reactions.on_timeout(), Reaction::Reconnect, "{name}");
        }
        let reactions =
            reactions(&[("lost", Reaction::Stop), ("1927", Reaction::Count), ("timeout", Reaction::Retry)]);
        assert_eq!(reactions.on_lost(Some(1927)), Reaction::Count);
        assert_eq!(reactions.on_timeout(), Reaction::Retry);
    }
}
