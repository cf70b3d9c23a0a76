//! Answers to `COM_STMT_PREPARE`, one or many in a row.

use super::{EOF, EOF_LIMIT, ERR, MAX_COLUMNS, OK};
use crate::columns::Definitions;
use crate::error::Error;
use crate::inbox::{Answer, Step};
use crate::param::BoundTypes;
use crate::prepared::Prepared;
use crate::reader::Reader;
use crate::server::Dialect;
use crate::server_error::ServerError;

/// Packet that is due of a statement's answer.
#[derive(Debug, Clone, Copy)]
enum State {
    /// OK or ERR.
    Head,
    /// One of so many packets with definitions of parameters, their EOF packet among them: of no use to anybody.
    Params(u32),
    /// One of so many packets with definitions of columns, their EOF packet among them.
    Columns(u32),
}

/// Parser of the answers to several pipelined `COM_STMT_PREPARE`.
#[derive(Debug)]
pub(crate) struct PreparedAnswer<'a> {
    dialect: Dialect,
    definitions: &'a mut Definitions,
    state: State,
    left: usize,
    statements: &'a mut Vec<Result<Prepared, ServerError>>,
}

impl<'a> PreparedAnswer<'a> {
    pub(crate) fn new(
        count: usize,
        dialect: Dialect,
        definitions: &'a mut Definitions,
        statements: &'a mut Vec<Result<Prepared, ServerError>>,
    ) -> Self {
        Self { dialect, definitions, state: State::Head, left: count, statements }
    }

    fn head(&mut self, payload: &[u8]) -> Result<Step, Error> {
        if payload.first() == Some(&ERR) {
            let error = ServerError::parse(payload)?;
            if Error::from(error.clone()).is_fatal() {
                return Err(error.into());
            }
            self.statements.push(Err(error));
            return Ok(self.next());
        }
        let mut fields = Reader(payload);
        let mut read = || {
            let (OK, id) = (fields.u8()?, fields.u32()?) else {
                return None;
            };
            let (columns, params) = (fields.u16()?, fields.u16()?);
            Some(Prepared { id, params, columns, bound: BoundTypes::default(), metadata: None })
        };
        let prepared = read()
            .filter(|prepared| u64::from(prepared.columns) <= MAX_COLUMNS)
            .ok_or_else(|| Error::malformed("answer to COM_STMT_PREPARE"))?;
        self.definitions.clear();
        self.state = State::Params(self.packets(prepared.params));
        let columns = prepared.columns;
        self.statements.push(Ok(prepared));
        Ok(self.settle(columns))
    }

    /// Number of packets in which this many definitions come.
    fn packets(&self, definitions: u16) -> u32 {
        let eof = definitions > 0 && !self.dialect.deprecate_eof;
        u32::from(definitions) + u32::from(eof)
    }

    /// Goes on to the columns when no definition of a parameter is left, and to the next answer when no column is.
    fn settle(&mut self, columns: u16) -> Step {
        if let State::Params(0) = self.state {
            self.state = State::Columns(self.packets(columns));
        }
        if let State::Columns(0) = self.state { self.next() } else { Step::More }
    }

    /// Ends the answer of one statement.
    fn next(&mut self) -> Step {
        self.state = State::Head;
        self.left -= 1;
        if self.left == 0 { Step::Done } else { Step::NextCommand }
    }

    /// Checks a packet among definitions: they end with an EOF packet or with nothing, and no other packet is theirs.
    fn fits(&self, payload: &[u8], left: u32) -> Result<(), Error> {
        let ends = left == 1 && !self.dialect.deprecate_eof;
        match payload.first() {
            // Other commands are on their way: what belongs to which answer is no longer known.
            Some(&ERR) => {
                let error = ServerError::parse(payload)?;
                Err(Error::Protocol(format!("an error among the definitions of a statement: {error}")))
            }
            Some(&EOF) if payload.len() < EOF_LIMIT && ends => Ok(()),
            Some(&EOF) | None => Err(Error::malformed("column definition")),
            Some(_) if ends => Err(Error::malformed("end of column definitions")),
            Some(_) => Ok(()),
        }
    }

    fn column(&mut self, payload: &[u8], left: u32) -> Result<Step, Error> {
        self.fits(payload, left)?;
        self.state = State::Columns(left - 1);
        if let Some(Ok(prepared)) = self.statements.last_mut()
            && self.dialect.cache_metadata
            // The EOF packet, where there is one, is the last.
            && (left > 1 || self.dialect.deprecate_eof)
        {
            self.definitions.push(payload)?;
            if left == 1 + u32::from(!self.dialect.deprecate_eof) {
                prepared.metadata = Some(self.definitions.columns()?);
                self.definitions.clear();
            }
        }
        Ok(if left == 1 { self.next() } else { Step::More })
    }
}

impl Answer for PreparedAnswer<'_> {
    fn packet(&mut self, payload: &[u8]) -> Result<Step, Error> {
        match self.state {
            State::Head => self.head(payload),
            State::Params(left) => {
                self.fits(payload, left)?;
                self.state = State::Params(left - 1);
                let columns = self.statements.last().and_then(|last| last.as_ref().ok());
                let columns = columns.map_or(0, |prepared| prepared.columns);
                Ok(self.settle(columns))
            }
            State::Columns(left) => self.column(payload, left),
        }
    }
}
