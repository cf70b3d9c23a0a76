//! A file of statements, tried on one connection: what each statement finds, how long it takes, what the server says against it.
//! JSON, a line for each execution.

use std::collections::HashMap;
use std::io::{self, BufWriter, Stdout, Write};
use std::sync::Mutex;

use assay_format::job::{Job, WorkloadChoice};
use assay_sql::{Lines, Piece, Pieces, named};
use assay_wire::{Connection, Discard, Error, Outcome, Param, Prepared, Rows, ServerError, Template};
use assay_workload::{
    Description, Driver, Failure, LabelId, Operation, Own, Session, Statement, StatementId, reads,
};
use serde::Serialize;

use crate::data::pool::work_off;
use crate::load::own_file;
use crate::load::session::travels_as_text;
use crate::own::dry;
use crate::own::rows::Weighed;
use crate::process::clock::Clock;
use crate::process::failure::Fatal;
use crate::process::poison::unpoisoned;
use crate::process::signal::INTERRUPTED;
use crate::reactor::socket::Socket;
use crate::server::login::{Login, Purpose};
use crate::server::nearest::nearest_name;
use crate::server::notes::learn;

/// Executions of a statement of which the text is told; of others only what came of them.
const TEXTS_MOST: u32 = 5;
const TEXT_MOST: usize = 20_000;
/// Transactions that are drawn to see how many values there are.
const DRAWN: u64 = 20_000;

/// How long and how often statements are tried.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Executions of each statement after which it is tried enough.
    pub(crate) executions: u32,
    pub(crate) transactions: u64,
    pub(crate) seconds: u64,
    /// Whether statements that write are sent, too.
    pub(crate) writes: bool,
}

/// What is told first: the statements of the file.
#[derive(Serialize)]
struct Listed<'a> {
    statement: usize,
    label: &'a str,
    sql: &'a str,
    /// `LINE:COLUMN` in the file.
    place: Option<&'a str>,
    reads: bool,
    /// What the server says when it is to prepare it.
    refused: Option<String>,
}

/// An execution. What is usual is left out.
#[derive(Default, Serialize)]
struct Told {
    of: usize,
    ns: u64,
    rows: u64,
    bytes: u64,
    affected: u64,
    /// Whether the answer was rows, perhaps none.
    result: bool,
    warnings: u16,
    /// Whether a statement before it in its transaction was not sent, so that it may find less.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    after_unsent: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unsent: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// What was drawn for a statement without sending it: how often, and how many different values.
#[derive(Serialize)]
struct Drawn {
    drawn_for: usize,
    times: u64,
    different: usize,
}

type Out = Mutex<BufWriter<Stdout>>;

fn say(out: &Out, line: &impl Serialize) {
    let mut out = unpoisoned(out.lock());
    // A reader that has gone away wants no more.
    let _ = serde_json::to_writer(&mut *out, line);
    let _ = out.write_all(b"\n");
}

/// Tries the statements of a job's workload; returns the exit code.
///
/// # Errors
/// The file is wrong, its tables do not hold what it draws from, no login, or the server goes away.
pub(crate) fn rehearse(job: &Job, limits: Limits, clock: Clock) -> Result<i32, Fatal> {
    if !own_file::is_own(&job.workload) {
        return Err(Fatal::job(format!("{} is not a file of statements", job.workload.name)));
    }
    let mut own = own_file::own(&job.workload, job.seed)?.letting_all_through();
    let places = places(&job.workload)?;
    let login = Login::new(&job.target, Purpose { own: true, ..Purpose::default() })?;
    learn(&mut own, &login)?;
    let out: Out = Mutex::new(BufWriter::new(io::stdout()));
    let drawn = dry::draw(&own, job.seed, DRAWN).map_err(Fatal::job)?;
    for (number, one) in drawn.iter().enumerate() {
        say(&out, &Drawn { drawn_for: number, times: one.times, different: one.different.len() });
    }
    let whole = work_off(
        &login,
        clock,
        1,
        vec![()],
        |_, connection, ()| {
            let (own, places, out) = (&own, &places, &out);
            async move {
                let mut stage = Stage::open(connection, own, places, out, limits.writes, clock).await?;
                stage.play(own, job.seed, limits).await?;
                Ok(stage.connection)
            }
        },
        |_| {},
    )?;
    let written = unpoisoned(out.lock()).flush();
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Fatal::host(format!("the answer is lost: {error}")))
        }
        _ => Ok(if whole { 0 } else { INTERRUPTED }),
    }
}

/// Where the statements of a file stand, by their texts with `?`.
fn places(chosen: &WorkloadChoice) -> Result<HashMap<String, Vec<String>>, Fatal> {
    let text = own_file::text(chosen)?;
    let lines = Lines::new(text.as_bytes());
    let place = |piece| match piece {
        Piece::Statement { text, at } => {
            let found = named(str::from_utf8(text).ok()?).ok()?;
            let place = lines.place(at);
            Some((found.sql, format!("{}:{}", place.line, place.column)))
        }
        _ => None,
    };
    let mut found: HashMap<String, Vec<String>> = HashMap::new();
    for (sql, place) in Pieces::new(text.as_bytes()).filter_map(place) {
        found.entry(sql).or_default().push(place);
    }
    Ok(found)
}

/// A statement as the connection has it.
struct Line {
    prepared: Option<Prepared>,
    template: Template,
    reads: bool,
    tried: u32,
}

struct Stage<'a> {
    connection: Connection<Socket>,
    lines: Vec<Line>,
    out: &'a Out,
    writes: bool,
    clock: Clock,
    unsent: bool,
    last_error: Option<ServerError>,
}

impl<'a> Stage<'a> {
    async fn open(
        mut connection: Connection<Socket>,
        own: &Own,
        places: &HashMap<String, Vec<String>>,
        out: &'a Out,
        writes: bool,
        clock: Clock,
    ) -> Result<Self, Fatal> {
        for sql in own.statements().setup() {
            let failed = |error| Fatal::statement(&format!("cannot begin (`{sql}`)"), &error);
            connection.run(sql).await.map_err(failed)?;
        }
        let mut lines = Vec::new();
        let mut seen: HashMap<&str, usize> = HashMap::new();
        let listed = own.statements().list();
        let uses_made = assay_sql::uses_made(listed.iter().map(|one| one.sql.as_bytes()));
        for (number, (Statement { label, sql, .. }, uses_made)) in listed.iter().zip(uses_made).enumerate() {
            let (prepared, refused) = match connection.prepare(sql).await {
                Ok(prepared) => (Some(prepared), None),
                Err(Error::Server(error)) if travels_as_text(Some(error.code), uses_made) => (None, None),
                Err(Error::Server(error)) => {
                    let said = error.to_string();
                    let fatal = Fatal::statement("", &Error::Server(error));
                    let advice = nearest_name(&mut connection, &fatal).await;
                    (None, Some(advice.map_or_else(|| said.clone(), |advice| format!("{said}; {advice}"))))
                }
                Err(error) => return Err(Fatal::statement("cannot prepare a statement", &error)),
            };
            let reads = reads(sql);
            let label = &own.statements().labels()[usize::from(label.0)];
            // Texts that are the same stand apart where they have labels of their own.
            let times = seen.entry(sql).or_default();
            let place = places.get(sql).and_then(|all| all.get(*times).or(all.last())).map(String::as_str);
            *times += 1;
            say(out, &Listed { statement: number, label, sql, place, reads, refused });
            lines.push(Line { prepared, template: Template::new(sql), reads, tried: 0 });
        }
        if !writes {
            // All is prepared, for which a session must be able to write. What a function does no text says: now the
            // server holds the promise. Before 5.6 it has no such session.
            match connection.run("SET SESSION TRANSACTION READ ONLY").await {
                Ok(_) => {}
                Err(Error::Server(error)) if error.code == 1064 => {}
                Err(error) => return Err(Fatal::statement("cannot begin to read only", &error)),
            }
        }
        Ok(Self { connection, lines, out, writes, clock, unsent: false, last_error: None })
    }

    async fn play(&mut self, own: &Own, seed: u64, limits: Limits) -> Result<(), Fatal> {
        let end = self.clock.now() + limits.seconds * 1_000_000_000;
        let mut visit = own.terminal(&own.local(), 0, 1);
        for number in 0..limits.transactions {
            let tried_enough = self.lines.iter().all(|line| line.tried >= limits.executions);
            if tried_enough || self.clock.now() > end {
                break;
            }
            self.unsent = false;
            let mut operation = Operation::new(seed, 0, number);
            match own.transaction(&mut visit, &mut operation, self).await {
                Ok(()) => {}
                Err(Failure::Server { .. }) => {
                    let rolled_back = self.connection.query(b"ROLLBACK", &mut Discard).await;
                    rolled_back.map_err(|error| Fatal::statement("cannot roll back", &error))?;
                }
                Err(Failure::Data(why)) => return Err(Fatal::job(why)),
                Err(Failure::Lost) => {
                    return Err(Fatal::new(
                        assay_format::event::ErrorKind::Lost,
                        "the server closed the connection while statements were tried",
                    ));
                }
            }
        }
        Ok(())
    }

    /// Tells what came of a statement.
    fn tell(&mut self, mut told: Told, result: Result<Outcome, Error>) -> Result<Outcome, Failure> {
        let answer = match result {
            Ok(outcome) => {
                told.rows = outcome.rows;
                told.affected = outcome.affected_rows;
                told.result = outcome.result_set;
                told.warnings = outcome.warnings;
                Ok(outcome)
            }
            Err(Error::Server(error)) => {
                let code = error.code;
                told.error = Some(code);
                told.message = Some(error.to_string());
                self.last_error = Some(error);
                Err(Failure::Server { code })
            }
            Err(error) if error.is_fatal() => {
                told.message = Some(error.to_string());
                Err(Failure::Lost)
            }
            Err(error) => {
                told.message = Some(error.to_string());
                Err(Failure::Server { code: error.code().unwrap_or(2000) })
            }
        };
        say(self.out, &told);
        answer
    }
}

impl Session for Stage<'_> {
    async fn execute(&mut self, statement: StatementId, params: &[Param<'_>]) -> Result<Outcome, Failure> {
        self.select(statement, params, &mut Discard).await
    }

    async fn select(
        &mut self,
        statement: StatementId,
        params: &[Param<'_>],
        rows: &mut impl Rows,
    ) -> Result<Outcome, Failure> {
        let number = statement.0 as usize;
        let line = &mut self.lines[number];
        line.tried += 1;
        let mut text = Vec::new();
        if let Err(error) = line.template.fill(params, &mut text) {
            return self.tell(Told { of: number, ..Told::default() }, Err(error));
        }
        let mut told = Told { of: number, after_unsent: self.unsent, ..Told::default() };
        if line.tried <= TEXTS_MOST && text.len() <= TEXT_MOST {
            told.text = Some(String::from_utf8_lossy(&text).into_owned());
        }
        if !line.reads && !self.writes {
            self.unsent = true;
            told.unsent = true;
            say(self.out, &told);
            return Ok(Outcome { affected_rows: 1, ..Outcome::default() });
        }
        let mut weighed = Weighed::new(rows);
        let begun = self.clock.now();
        let result = match &mut line.prepared {
            Some(prepared) => self.connection.execute(prepared, params, &mut weighed).await,
            None => self.connection.query(&text, &mut weighed).await,
        };
        told.ns = self.clock.now() - begun;
        told.bytes = weighed.bytes;
        self.tell(told, result)
    }

    async fn packet(&mut self, _label: LabelId, sql: &[u8], _statements: u32) -> Result<Outcome, Failure> {
        // The begin and the end of a transaction.
        match self.connection.query(sql, &mut Discard).await {
            Ok(outcome) => Ok(outcome),
            Err(Error::Server(error)) => {
                let code = error.code;
                self.last_error = Some(error);
                Err(Failure::Server { code })
            }
            Err(_) => Err(Failure::Lost),
        }
    }

    async fn select_text(
        &mut self,
        label: LabelId,
        sql: &[u8],
        _rows: &mut impl Rows,
    ) -> Result<Outcome, Failure> {
        self.packet(label, sql, 1).await
    }

    async fn prepare(&mut self, _label: LabelId, _sql: &str) -> Result<StatementId, Failure> {
        Err(Failure::Data("a file of statements prepares nothing while it runs"))
    }

    async fn close(&mut self, _statement: StatementId) -> Result<(), Failure> {
        Ok(())
    }

    fn last_error(&self) -> Option<&ServerError> {
        self.last_error.as_ref()
    }

    fn begin_now(&mut self) {}
}
