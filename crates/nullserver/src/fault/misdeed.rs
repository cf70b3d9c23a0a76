//! What a hostile or broken server sends: replies that no client may take for an answer.

use std::str::FromStr;

/// A reply that is not what the request calls for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Half of the reply, then the connection is closed.
    Cut,
    /// A result set whose rows never end.
    EndlessRows,
    /// A result set with one row that never ends.
    EndlessRow,
    /// A packet that never ends.
    EndlessChain,
    /// Column definitions that never end.
    EndlessColumns,
    /// A result set without a column.
    NoColumns,
    /// OK in place of rows, rows in place of OK.
    WrongKind,
    /// The reply, and a second one that nobody asked for.
    Surplus,
    /// A request for a local file.
    FileRequest,
    /// An error whose message holds control characters, and many of them.
    Controls,
    /// OK with this many affected rows.
    Affected(u64),
    /// An OK that says this many warnings more than the reply has.
    Warnings(u16),
}

/// The part of a conversation in which a misdeed happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stage {
    Greeting,
    Login,
    /// A question beside the load: `SHOW`, `SELECT @@x`, `SET`, PING.
    Question,
    Prepare,
    #[default]
    Statement,
}

/// A deed and where it happens, on every connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Misdeed {
    pub deed: Deed,
    pub stage: Stage,
    /// Requests of this stage that a connection has answered rightly before.
    pub after: u64,
}

impl Misdeed {
    /// The misdeed at request number `number` (from 1) of this stage of a connection.
    pub(crate) fn at(self, stage: Stage, number: u64) -> Option<Deed> {
        (stage == self.stage && number > self.after).then_some(self.deed)
    }
}

const DEEDS: [(&str, Deed); 10] = [
    ("cut", Deed::Cut),
    ("endless-rows", Deed::EndlessRows),
    ("endless-row", Deed::EndlessRow),
    ("endless-chain", Deed::EndlessChain),
    ("endless-columns", Deed::EndlessColumns),
    ("no-columns", Deed::NoColumns),
    ("wrong-kind", Deed::WrongKind),
    ("surplus", Deed::Surplus),
    ("file-request", Deed::FileRequest),
    ("controls", Deed::Controls),
];

impl FromStr for Deed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let count = |text: &str| text.parse().map_err(|_| format!("`{text}` is not a whole number"));
        match text.split_once(':') {
            Some(("affected", rows)) => return Ok(Self::Affected(count(rows)?)),
            Some(("warnings", rows)) => {
                let warnings = count(rows)?.try_into().map_err(|_| "at most 65535 warnings are possible")?;
                return Ok(Self::Warnings(warnings));
            }
            _ => {}
        }
        DEEDS.iter().find(|(name, _)| *name == text).map(|(_, deed)| *deed).ok_or_else(|| {
            let known: Vec<_> = DEEDS.iter().map(|(name, _)| *name).collect();
            format!("`{text}` is not a misdeed; expected {}, affected:N or warnings:N", known.join(", "))
        })
    }
}

impl FromStr for Stage {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            "greeting" => Self::Greeting,
            "login" => Self::Login,
            "question" => Self::Question,
            "prepare" => Self::Prepare,
            "statement" => Self::Statement,
            _ => {
                return Err(format!(
                    "`{text}` is not a stage; expected greeting, login, question, prepare or statement"
                ));
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misdeeds_are_read() {
        assert_eq!("cut".parse(), Ok(Deed::Cut));
        assert_eq!("affected:7".parse(), Ok(Deed::Affected(7)));
        assert_eq!("warnings:3".parse(), Ok(Deed::Warnings(3)));
        for text in ["", "cuts", "affected", "affected:x", "warnings:70000"] {
            assert!(text.parse::<Deed>().is_err(), "{text}");
        }
        assert_eq!("prepare".parse(), Ok(Stage::Prepare));
        assert!("before".parse::<Stage>().is_err());
    }

    #[test]
    fn a_misdeed_has_its_stage_and_its_beginning() {
        let misdeed = Misdeed { deed: Deed::Cut, stage: Stage::Statement, after: 2 };
        assert_eq!(misdeed.at(Stage::Statement, 2), None);
        assert_eq!(misdeed.at(Stage::Statement, 3), Some(Deed::Cut));
        assert_eq!(misdeed.at(Stage::Prepare, 3), None);
    }
}
