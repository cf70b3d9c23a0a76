//! The results of a text query or of a prepared statement.

use super::{EOF, EOF_LIMIT, ERR, LOCAL_INFILE, MAX_COLUMNS, OK, OkPacket};
use crate::columns::{Columns, Definitions};
use crate::error::Error;
use crate::inbox::{Answer, ORDINARY_BYTES, Step};
use crate::outcome::Outcome;
use crate::printable::printable;
use crate::reader::Reader;
use crate::row::{Encoding, Row, Rows, Spans};
use crate::server::Dialect;
use crate::server_error::ServerError;

/// Memory of a connection for the result that it reads; it is used again for the next one.
#[derive(Debug, Default)]
pub(crate) struct Metadata {
    pub(crate) definitions: Definitions,
    pub(crate) spans: Spans,
    /// Status flags of the server, as the last result that ended well has told them.
    pub(crate) status: u16,
}

/// Longest file name, in bytes, that is kept of a request for a local file.
const FILE_NAME_BYTES: usize = 512;
/// Results of one command after which no other is waited for: a server that always announces one more never ends.
const MOST_RESULTS: u32 = 1_000_000;

/// Packet that is due of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// OK, ERR, a file request, or the number of columns.
    Head,
    /// A column definition: `left` of the result's `count` are to come.
    Columns {
        left: u64,
        count: u64,
    },
    /// The EOF packet after the definitions.
    ColumnsEnd,
    Rows,
}

/// ResultKind of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResultKind {
    Ok,
    Rows,
}

/// Parser of all results of one command.
#[derive(Debug)]
pub(crate) struct ResultAnswer<'a, R: ?Sized> {
    rows: &'a mut R,
    /// Whether rows are decoded and handed over, not only counted.
    wanted: bool,
    encoding: Encoding,
    dialect: Dialect,
    metadata: &'a mut Metadata,
    /// The prepared statement's memory of its columns.
    remembered: Option<&'a mut Option<Columns>>,
    state: State,
    columns: Option<Columns>,
    pub(crate) outcome: Outcome,
    /// Number of results that have come.
    pub(crate) results: u32,
    /// ResultKind of the first result.
    pub(crate) first: ResultKind,
    /// The local file whose contents the server has asked for and waits for.
    pub(crate) wants_file: Option<String>,
}

impl<'a, R: Rows + ?Sized> ResultAnswer<'a, R> {
    #[inline]
    pub(crate) fn text(rows: &'a mut R, dialect: Dialect, metadata: &'a mut Metadata) -> Self {
        Self::new(rows, Encoding::Text, dialect, metadata, None)
    }

    #[inline]
    pub(crate) fn binary(
        rows: &'a mut R,
        dialect: Dialect,
        metadata: &'a mut Metadata,
        remembered: &'a mut Option<Columns>,
    ) -> Self {
        Self::new(rows, Encoding::Binary, dialect, metadata, Some(remembered))
    }

    fn new(
        rows: &'a mut R,
        encoding: Encoding,
        dialect: Dialect,
        metadata: &'a mut Metadata,
        remembered: Option<&'a mut Option<Columns>>,
    ) -> Self {
        Self {
            wanted: rows.wanted(),
            rows,
            encoding,
            dialect,
            metadata,
            remembered,
            state: State::Head,
            columns: None,
            outcome: Outcome::default(),
            results: 0,
            first: ResultKind::Ok,
            wants_file: None,
        }
    }

    fn head(&mut self, payload: &[u8]) -> Result<Step, Error> {
        self.results = self.results.saturating_add(1);
        if self.results > MOST_RESULTS {
            return Err(Error::Protocol(format!("more than {MOST_RESULTS} results of one command")));
        }
        match payload.first() {
            Some(&OK) => return Ok(self.end(OkPacket::parse(payload)?)),
            Some(&ERR) => return Err(ServerError::parse(payload)?.into()),
            Some(&LOCAL_INFILE) => {
                self.wants_file = Some(printable(&payload[1..], FILE_NAME_BYTES));
                return Ok(Step::Done);
            }
            _ => {}
        }
        let mut fields = Reader(payload);
        let count = fields.lenenc().filter(|count| (1..=MAX_COLUMNS).contains(count));
        let count = count.ok_or_else(|| Error::malformed("result header"))?;
        let follow = !self.dialect.cache_metadata || fields.u8() != Some(0);
        self.outcome.result_set = true;
        if self.results == 1 {
            self.first = ResultKind::Rows;
        }
        if follow {
            self.metadata.definitions.clear();
            self.state = State::Columns { left: count, count };
        } else {
            self.columns_done(count)?;
        }
        Ok(Step::More)
    }

    /// Reads a column definition. It is decoded when rows are, and when the server will not repeat it.
    #[inline]
    fn column(&mut self, payload: &[u8], left: u64, count: u64) -> Result<Step, Error> {
        match payload.first() {
            Some(&ERR) => return Err(ServerError::parse(payload)?.into()),
            Some(&EOF) | None => return Err(Error::malformed("column definition")),
            Some(_) => {}
        }
        self.state = State::Columns { left: left - 1, count };
        let remember = self.dialect.cache_metadata && self.remembered.is_some();
        if self.wanted || remember {
            self.keep(payload, left == 1, remember)?;
        }
        if left == 1 {
            self.columns_done(count)?;
        }
        Ok(Step::More)
    }

    /// Gathers a column definition; the last one has them decoded.
    fn keep(&mut self, definition: &[u8], last: bool, remember: bool) -> Result<(), Error> {
        self.metadata.definitions.push(definition)?;
        if last {
            let columns = self.metadata.definitions.columns()?;
            self.metadata.definitions.clear();
            if remember && let Some(remembered) = &mut self.remembered {
                **remembered = Some(columns.clone());
            }
            self.columns = Some(columns);
        }
        Ok(())
    }

    /// Goes on to the rows.
    #[inline]
    fn columns_done(&mut self, count: u64) -> Result<(), Error> {
        if self.wanted {
            self.show_columns(count)?;
        }
        self.state = if self.dialect.deprecate_eof { State::Rows } else { State::ColumnsEnd };
        Ok(())
    }

    /// Hands over the columns, those that are remembered where the server has left them out.
    fn show_columns(&mut self, count: u64) -> Result<(), Error> {
        if self.columns.is_none() {
            self.columns = self.remembered.as_ref().and_then(|columns| (**columns).clone());
        }
        let Some(columns) = &self.columns else {
            return Err(Error::Protocol("the server left out columns that it never told".into()));
        };
        if columns.len() as u64 != count {
            return Err(Error::malformed("result: another number of columns than was told before"));
        }
        self.rows.columns(columns);
        self.taken()
    }

    fn columns_end(&mut self, payload: &[u8]) -> Result<Step, Error> {
        match payload.first() {
            Some(&ERR) => Err(ServerError::parse(payload)?.into()),
            Some(&EOF) if payload.len() < EOF_LIMIT => {
                self.state = State::Rows;
                Ok(Step::More)
            }
            _ => Err(Error::malformed("end of column definitions")),
        }
    }

    #[inline]
    fn row(&mut self, payload: &[u8]) -> Result<Step, Error> {
        match payload.first() {
            Some(&EOF) if self.dialect.deprecate_eof && payload.len() < crate::inbox::FULL => {
                Ok(self.end(OkPacket::parse(payload)?))
            }
            Some(&EOF) if payload.len() < EOF_LIMIT => Ok(self.end(OkPacket::parse_eof(payload)?)),
            Some(&ERR) => Err(ServerError::parse(payload)?.into()),
            _ => {
                self.outcome.rows += 1;
                self.outcome.bytes += payload.len() as u64;
                if self.wanted {
                    self.hand_over(payload)?;
                }
                Ok(Step::More)
            }
        }
    }

    fn hand_over(&mut self, payload: &[u8]) -> Result<(), Error> {
        let Some(columns) = &self.columns else {
            return Err(Error::malformed("result: a row before its columns"));
        };
        let row = Row::new(payload, columns, self.encoding, &mut self.metadata.spans)
            .ok_or_else(|| Error::malformed("row"))?;
        self.rows.row(&row);
        self.taken()
    }

    #[inline]
    fn taken(&self) -> Result<(), Error> {
        self.rows.refusal().map_or(Ok(()), |why| Err(Error::Refused(why)))
    }

    #[inline]
    fn end(&mut self, ok: OkPacket) -> Step {
        ok.add_to(&mut self.outcome);
        self.metadata.status = ok.status;
        if ok.more_results() {
            self.state = State::Head;
            self.columns = None;
            Step::More
        } else {
            Step::Done
        }
    }
}

impl<R: Rows + ?Sized> Answer for ResultAnswer<'_, R> {
    #[inline]
    fn packet(&mut self, payload: &[u8]) -> Result<Step, Error> {
        match self.state {
            State::Rows => self.row(payload),
            State::Head => self.head(payload),
            State::Columns { left, count } => self.column(payload, left, count),
            State::ColumnsEnd => self.columns_end(payload),
        }
    }

    fn limit(&self) -> usize {
        match self.state {
            State::Rows => self.dialect.max_row_bytes as usize,
            _ => ORDINARY_BYTES,
        }
    }

    fn passes_over(&self, first: u8) -> bool {
        self.state == State::Rows && !self.wanted && first != EOF && first != ERR
    }

    fn passed_over(&mut self, bytes: usize) {
        self.outcome.bytes += bytes as u64;
    }
}
