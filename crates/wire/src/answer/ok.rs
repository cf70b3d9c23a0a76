//! The OK packet, and commands that answer with nothing else.

use mysql_common::constants::StatusFlags;

use super::{EOF, EOF_LIMIT, ERR, OK};
use crate::error::Error;
use crate::inbox::{Answer, Step};
use crate::outcome::Outcome;
use crate::reader::Reader;
use crate::server_error::ServerError;

/// An OK or EOF packet. What follows the numbers in an OK packet (a message, session state) is for people and poolers:
/// skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OkPacket {
    pub(crate) affected_rows: u64,
    pub(crate) last_insert_id: u64,
    pub(crate) status: u16,
    pub(crate) warnings: u16,
}

impl OkPacket {
    /// Reads an OK packet, its first byte (0x00, or 0xFE at the end of rows) included.
    #[inline]
    pub(crate) fn parse(payload: &[u8]) -> Result<Self, Error> {
        let mut fields = Reader(payload);
        let mut read = || {
            fields.u8()?;
            Some(Self {
                affected_rows: fields.lenenc()?,
                last_insert_id: fields.lenenc()?,
                status: fields.u16()?,
                warnings: fields.u16()?,
            })
        };
        read().ok_or_else(|| Error::malformed("OK packet"))
    }

    /// Reads an EOF packet as servers sent it before `CLIENT_DEPRECATE_EOF`.
    pub(crate) fn parse_eof(payload: &[u8]) -> Result<Self, Error> {
        let mut fields = Reader(payload);
        let mut read = || {
            fields.u8()?;
            let warnings = fields.u16()?;
            Some(Self { affected_rows: 0, last_insert_id: 0, status: fields.u16()?, warnings })
        };
        read().ok_or_else(|| Error::malformed("EOF packet"))
    }

    /// Whether another result follows.
    pub(crate) fn more_results(&self) -> bool {
        self.status & StatusFlags::SERVER_MORE_RESULTS_EXISTS.bits() != 0
    }

    /// Adds the packet's numbers to the outcome of its command.
    pub(crate) fn add_to(&self, outcome: &mut Outcome) {
        outcome.affected_rows = outcome.affected_rows.saturating_add(self.affected_rows);
        if self.last_insert_id != 0 {
            outcome.last_insert_id = self.last_insert_id;
        }
        outcome.warnings = outcome.warnings.saturating_add(self.warnings);
    }
}

/// The answer to a command that has no result: OK, EOF or ERR.
#[derive(Debug, Default)]
pub(crate) struct OkAnswer;

impl Answer for OkAnswer {
    fn packet(&mut self, payload: &[u8]) -> Result<Step, Error> {
        match payload.first() {
            Some(&OK) => Ok(Step::Done),
            Some(&EOF) if payload.len() < EOF_LIMIT => Ok(Step::Done),
            Some(&ERR) => Err(ServerError::parse(payload)?.into()),
            _ => Err(Error::malformed("answer: neither OK nor ERR")),
        }
    }
}
