//! A connection as workloads see it: sends statements, takes their times, counts what came of them.

mod statements;
#[cfg(test)]
mod tests;

use std::rc::Rc;
use std::sync::Arc;

use assay_tally::{Scheduled, Times};
use assay_wire::{Connection, Discard, Error, Outcome, Param, Rows, ServerError};
use assay_workload::{Failure, LabelId, Session, StatementId};

use crate::load::commits::{Boundary, Open};
use crate::load::discipline::Work;
use crate::load::shard::Shard;
use crate::process::failure::Fatal;
use crate::reactor::socket::Socket;
use crate::server::nearest::with_nearest_name;
use assay_format::job::PsMode;

/// The code under which lost connections are counted among errors.
const LOST: u16 = 0;

use statements::{OwnStatements, Planned, Transport};
pub(crate) use statements::{StatementPlan, travels_as_text};

/// The message to a workload that uses a handle after closing it.
const NOT_PREPARED: &str = "the workload used a statement that it has not prepared, or has closed";

/// The server's error code; of what this side refused, the code that client libraries give it. Neither is a lost
/// connection.
fn code_of(error: &Error) -> u16 {
    const CR_UNKNOWN_ERROR: u16 = 2000;
    const CR_INVALID_PARAMETER_NO: u16 = 2034;
    const CR_LOAD_DATA_LOCAL_INFILE_REJECTED: u16 = 2068;
    match error {
        Error::LocalInfile { .. } => CR_LOAD_DATA_LOCAL_INFILE_REJECTED,
        Error::ParameterCount { .. } => CR_INVALID_PARAMETER_NO,
        other => other.code().unwrap_or(CR_UNKNOWN_ERROR),
    }
}

/// A logged-in connection with its statements.
pub(crate) struct MeasuredSession {
    connection: Connection<Socket>,
    shard: Rc<Shard>,
    plan: Rc<StatementPlan>,
    /// How each statement of the workload's list travels.
    ways: Box<[Transport]>,
    /// The statements that the workload has prepared itself at run time, as far as they were used here.
    own: OwnStatements,
    ps_mode: PsMode,
    text: Vec<u8>,
    /// The instant at which the next statement's time begins: the end of the one before.
    mark: u64,
    /// The schedule of the transaction, until its first statement has taken it.
    scheduled: Option<u64>,
    /// What is open on this connection, and whether its transaction holds something.
    open: Open,
    holds: bool,
    /// Whether no statement of the operation has been answered yet.
    fresh: bool,
    /// The last failure, for people, and where a person has written the statement.
    pub last_error: Option<Error>,
    pub last_place: Option<Arc<str>>,
    /// The second that the server was last told to take for the present.
    told_second: Option<u64>,
}

impl MeasuredSession {
    /// Prepares the plan's statements on a fresh connection, all in one go.
    ///
    /// # Errors
    /// The server refuses one (no such table, too many prepared statements), or goes away.
    pub(crate) async fn open(
        mut connection: Connection<Socket>,
        shard: Rc<Shard>,
        plan: Rc<StatementPlan>,
        ps_mode: PsMode,
    ) -> Result<Self, Fatal> {
        const WHAT: &str = "cannot prepare the workload's statements";
        for sql in &plan.setup {
            shard.note_setup(1);
            connection.run(sql).await.map_err(|error| Fatal::statement(WHAT, &error))?;
        }
        let ways = match ps_mode {
            PsMode::Disable => plan.listed.iter().map(|_| Transport::Text).collect(),
            PsMode::Auto => {
                let prepared = connection.prepare_all(plan.listed.iter().map(|one| one.template.sql())).await;
                let answers = prepared.map_err(|error| Fatal::statement(WHAT, &error))?;
                let way = |(answer, listed): (_, &Planned)| {
                    Transport::of(answer, listed.uses_made).map_err(|error| match listed.place.as_deref() {
                        Some(place) => (true, Fatal::of_load(Some(place), &error)),
                        None => (false, Fatal::statement(WHAT, &error)),
                    })
                };
                let ways: Result<Box<[_]>, _> = answers.into_iter().zip(&plan.listed).map(way).collect();
                let ways = match ways {
                    Ok(ways) => ways,
                    Err((false, fatal)) => return Err(fatal),
                    Err((true, fatal)) => return Err(with_nearest_name(&mut connection, fatal).await),
                };
                for (listed, way) in plan.listed.iter().zip(&ways) {
                    note_way(&shard, way, listed.boundary);
                }
                ways
            }
        };
        let mark = shard.reactor.clock.now();
        Ok(Self {
            connection,
            shard,
            plan,
            ways,
            own: OwnStatements::default(),
            ps_mode,
            text: Vec::new(),
            mark,
            scheduled: None,
            open: Open::default(),
            holds: false,
            fresh: false,
            last_error: None,
            last_place: None,
            told_second: None,
        })
    }

    /// The instant at which the last statement ended.
    #[inline]
    pub(crate) fn mark(&self) -> u64 {
        self.mark
    }

    /// Begins the operation of some work; returns when it starts. `times`: what has a schedule in this load.
    #[inline]
    pub(crate) fn begin(&mut self, work: &Work, times: Scheduled) -> u64 {
        let statements = times == Scheduled::All;
        self.fresh = true;
        if statements {
            self.scheduled = Some(work.scheduled);
        }
        // A connection that was busy until now starts at the end of what it did.
        if work.prompt || statements {
            self.mark = self.shard.reactor.clock.now();
            self.shard.note_start(work, self.mark);
        }
        self.mark
    }

    /// Whether the connection can go on: false when it is lost, or a statement on it was given up.
    pub(crate) fn is_usable(&self) -> bool {
        self.connection.is_usable()
    }

    /// Takes the error of a connection that the server had closed while it was idle, before anything of the operation went
    /// out; none where the last failure is another.
    pub(crate) fn take_cut(&mut self) -> Option<Error> {
        let cut = self.fresh && matches!(self.last_error, Some(Error::Idle(_)));
        self.last_error.take_if(|_| cut)
    }

    /// The server's number of this connection: they grow until the server restarts.
    pub(crate) fn number(&self) -> u32 {
        self.connection.server().connection_id
    }

    /// The server's error code of the last failure, where it sent one.
    pub(crate) fn last_code(&self) -> Option<u16> {
        self.last_error.as_ref().and_then(Error::code)
    }

    /// Reads the clock, where time has passed that belongs to no statement.
    pub(crate) fn set_mark(&mut self) {
        self.mark = self.shard.reactor.clock.now();
    }

    /// Whether the server takes another second than this one for the present.
    #[inline]
    pub(crate) fn is_behind(&self, second: u64) -> bool {
        self.told_second != Some(second)
    }

    /// Tells the server which second to take for the present.
    pub(crate) async fn tell_time(&mut self, second: u64) -> Result<(), Failure> {
        self.shard.note_sent(1);
        let sql = format!("SET timestamp = {second}");
        let result = self.connection.query(sql.as_bytes(), &mut Discard).await;
        self.set_mark();
        if result.is_ok() {
            self.told_second = Some(second);
        }
        result.map(drop).map_err(|error| self.failure(error, None))
    }

    /// Ends whatever transaction a failure left open.
    pub(crate) async fn roll_back(&mut self) -> Result<(), Failure> {
        self.shard.note_sent(1);
        let result = self.connection.query(b"ROLLBACK", &mut Discard).await;
        self.set_mark();
        self.open.gone(&mut self.holds);
        result.map(drop).map_err(|error| self.failure(error, None))
    }

    /// Hears that the operation has succeeded; one that ends inside an open transaction is kept only if a commit follows.
    #[inline]
    pub(crate) fn ended(&mut self) {
        if self.open.ended() {
            self.shard.note_ended_open();
        }
    }

    pub(crate) async fn quit(self) {
        if self.holds {
            self.shard.note_left_open();
        }
        // The server sees the socket close in any case.
        let _ = self.connection.quit().await;
    }

    #[inline]
    fn note(
        &mut self,
        (label, boundary): (LabelId, Boundary),
        result: Result<Outcome, Error>,
        place: Option<Arc<str>>,
    ) -> Result<Outcome, Failure> {
        let started = self.mark;
        let ended = self.shard.reactor.clock.now();
        self.mark = ended;
        let scheduled = self.scheduled.take().unwrap_or(started);
        match result {
            Ok(outcome) => {
                let times = Times { scheduled, started, ended };
                self.shard.note_statement(StatementPlan::histogram(label), &times, &outcome);
                let settled = self.open.heard(&mut self.holds, self.connection.in_transaction(), boundary);
                self.shard.note_settled(settled);
                self.fresh = false;
                Ok(outcome)
            }
            Err(error) => Err(self.failure(error, place)),
        }
    }

    #[cold]
    fn failure(&mut self, error: Error, place: Option<Arc<str>>) -> Failure {
        self.last_place = place;
        if self.fresh && matches!(error, Error::Idle(_)) {
            // Opened again and counted, and no error: the pool's affair, not the load's.
            self.last_error = Some(error);
            return Failure::Lost;
        }
        let code = if error.is_fatal() { LOST } else { code_of(&error) };
        self.shard.note_error(code);
        self.shard.notice_of(error.code(), || Fatal::of_load(self.last_place.as_deref(), &error));
        let failure = if error.is_fatal() { Failure::Lost } else { Failure::Server { code } };
        self.last_error = Some(error);
        failure
    }

    /// Prepares a statement of the workload's own on this connection, as the job wants it. What the workload has closed
    /// on another connection meanwhile is freed on this one before. The time belongs to no statement.
    async fn prepare_own(&mut self, sql: &str) -> Result<Transport, Error> {
        while let Some(way) = self.own.take_closed() {
            self.free(way).await?;
        }
        match self.ps_mode {
            PsMode::Disable => Ok(Transport::Text),
            PsMode::Auto => {
                let prepared = self.connection.prepare(sql).await;
                self.set_mark();
                let way = Transport::of_one(prepared)?;
                note_way(&self.shard, &way, Boundary::of(sql.as_bytes()));
                Ok(way)
            }
        }
    }

    /// Frees what the server keeps of a statement.
    async fn free(&mut self, way: Transport) -> Result<(), Error> {
        let Transport::Prepared(prepared) = way else { return Ok(()) };
        let closed = self.connection.close_statement(prepared).await;
        self.set_mark();
        closed
    }

    /// Prepares on this connection what the workload has prepared on another; its place among this one's.
    #[cold]
    async fn prepare_here(&mut self, statement: StatementId) -> Result<usize, Failure> {
        let planned = self.plan.kept(statement).ok_or(Failure::Data(NOT_PREPARED))?;
        let way =
            self.prepare_own(planned.template.sql()).await.map_err(|error| self.failure(error, None))?;
        Ok(self.own.add(statement, planned, way))
    }
}

/// Notes a statement that was to be prepared and goes as text. Servers that cannot prepare `BEGIN` are common, and it costs
/// them nothing.
fn note_way(shard: &Shard, way: &Transport, boundary: Boundary) {
    if matches!(way, Transport::Text) && boundary == Boundary::Within {
        shard.note_unprepared();
    }
}

impl Session for MeasuredSession {
    #[inline]
    async fn execute(&mut self, statement: StatementId, params: &[Param<'_>]) -> Result<Outcome, Failure> {
        self.select(statement, params, &mut Discard).await
    }

    #[inline]
    async fn select(
        &mut self,
        statement: StatementId,
        params: &[Param<'_>],
        rows: &mut impl Rows,
    ) -> Result<Outcome, Failure> {
        let number = statement.0 as usize;
        let (way, planned) = if number < self.ways.len() {
            (&mut self.ways[number], &self.plan.listed[number])
        } else {
            let place = match self.own.place(statement) {
                Ok(place) => place,
                Err(_) => Box::pin(self.prepare_here(statement)).await?,
            };
            let own = self.own.at(place);
            if own.planned.is_closed() {
                return Err(Failure::Data(NOT_PREPARED));
            }
            (&mut own.way, &*own.planned)
        };
        let (known, place) = ((planned.label, planned.boundary), &planned.place);
        self.shard.note_sent(1);
        let result = match way {
            Transport::Prepared(prepared) => self.connection.execute(prepared, params, rows).await,
            Transport::Text => {
                self.text.clear();
                match planned.template.fill(params, &mut self.text) {
                    Ok(()) => self.connection.query(&self.text, rows).await,
                    Err(error) => Err(error),
                }
            }
        };
        let place = if result.is_err() { place.clone() } else { None };
        self.note(known, result, place)
    }

    #[inline]
    async fn packet(&mut self, label: LabelId, sql: &[u8], statements: u32) -> Result<Outcome, Failure> {
        self.shard.note_sent(statements);
        // Until all have succeeded nobody knows how many of them the server came to.
        let doubtful = u64::from(statements - 1);
        self.shard.note_unsure(doubtful);
        let result = self.connection.query_many(sql, statements, &mut Discard).await;
        if result.is_ok() {
            self.shard.note_sure(doubtful);
        }
        self.note((label, Boundary::of(sql)), result, None)
    }

    async fn select_text(
        &mut self,
        label: LabelId,
        sql: &[u8],
        rows: &mut impl Rows,
    ) -> Result<Outcome, Failure> {
        self.shard.note_sent(1);
        let result = self.connection.query(sql, rows).await;
        self.note((label, Boundary::of(sql)), result, None)
    }

    async fn prepare(&mut self, label: LabelId, sql: &str) -> Result<StatementId, Failure> {
        let way = self.prepare_own(sql).await.map_err(|error| self.failure(error, None))?;
        let (statement, planned) = self.plan.keep(label, sql);
        self.own.add(statement, planned, way);
        Ok(statement)
    }

    async fn close(&mut self, statement: StatementId) -> Result<(), Failure> {
        if !self.plan.forget(statement) {
            return Err(Failure::Data(NOT_PREPARED));
        }
        while let Some(way) = self.own.take_closed() {
            self.free(way).await.map_err(|error| self.failure(error, None))?;
        }
        Ok(())
    }

    fn last_error(&self) -> Option<&ServerError> {
        match &self.last_error {
            Some(Error::Server(error)) => Some(error),
            _ => None,
        }
    }

    fn begin_now(&mut self) {
        self.set_mark();
    }
}
