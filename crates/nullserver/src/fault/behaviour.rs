//! Everything that the server may do wrong, and what becomes of each statement.

use crate::fault::random::{Aspect, unit};
use crate::fault::{Delay, Freeze, InjectedError, Misdeed, When};

/// Replies in small pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dribble {
    /// Bytes of one write.
    pub bytes: usize,
    pub pause_ns: u64,
}

/// What the server does wrong; by default nothing. Questions about the server (`SHOW`, `SELECT @@…`), `SET`, PREPARE
/// and PING are left alone: they are not part of the load.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Behaviour {
    /// Same seed, same fate of statement n on connection m.
    pub seed: u64,
    pub freeze: Option<Freeze>,
    pub delay: Option<Delay>,
    pub error: Option<InjectedError>,
    /// The connection is cut instead of a reply.
    pub reset: Option<When>,
    /// The connection falls silent instead of a reply, and stays open.
    pub hang: Option<When>,
    /// Everything is sent in small pieces.
    pub dribble: Option<Dribble>,
    /// Every login is refused with error 1045.
    pub refuse_logins: bool,
    /// Something in place of a reply that is none.
    pub misdeed: Option<Misdeed>,
}

/// How a statement ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Reply,
    Error { code: u16 },
    Reset,
    Hang,
}

/// The fate of one statement: when it is answered, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fate {
    /// How long after the request the outcome comes.
    pub delay_ns: u64,
    pub outcome: Outcome,
}

impl Behaviour {
    /// Whether any statement can have another fate than its reply at once.
    pub fn disturbs_statements(&self) -> bool {
        self.delay.is_some() || self.error.is_some() || self.reset.is_some() || self.hang.is_some()
    }

    /// The fate of statement number `statement` (from 1) on connection number `connection` (from 1, in the order that
    /// the server accepted them). Where several faults meet, cutting goes before silence before an error.
    pub fn fate(&self, connection: u32, statement: u64) -> Fate {
        let hits = |when: When, aspect| when.hits(self.seed, connection, statement, aspect);
        let outcome = if self.reset.is_some_and(|when| hits(when, Aspect::Reset)) {
            Outcome::Reset
        } else if self.hang.is_some_and(|when| hits(when, Aspect::Hang)) {
            Outcome::Hang
        } else {
            match self.error {
                Some(error) if hits(error.when, Aspect::Error) => Outcome::Error { code: error.code },
                _ => Outcome::Reply,
            }
        };
        let delay = |delay: Delay| delay.at(unit(self.seed, connection, statement, Aspect::Delay));
        Fate { delay_ns: self.delay.map_or(0, delay), outcome }
    }
}
