//! The requests of a script, carried out over its host: its connections, and what becomes of errors.

use crate::error::SqlError;
use crate::host::{Counter, Host};
use crate::native::Slots;
use crate::options::ScriptOptions;
use crate::request::{Answer, Number, Request};
use crate::results::Results;
use crate::statement::{Params, Statement, Transport, filled};
use assay_wire::{Outcome, Param};

/// Nanoseconds between two tries to open a lost connection again.
const AGAIN_NS: u64 = 1_000_000;

/// Parameters that need no memory of their own.
const FEW: usize = 8;

/// The connections of a script.
pub(crate) struct Serving<H: Host> {
    connections: Vec<Open<H>>,
    pub options: ScriptOptions,
}

/// One connection of a script, with the statements that it has prepared.
struct Open<H: Host> {
    link: Option<H::Connection>,
    statements: Vec<Option<Statement<H::Prepared>>>,
}

impl<H: Host> Open<H> {
    /// Goes on over another connection, or without any.
    fn renew(&mut self, link: Option<H::Connection>) -> Option<H::Connection> {
        for statement in self.statements.iter_mut().flatten() {
            if matches!(statement.way, Transport::Prepared(_)) {
                statement.way = Transport::Stale;
            }
        }
        std::mem::replace(&mut self.link, link)
    }
}

fn closed() -> SqlError {
    SqlError::new(2006, "HY000", "MySQL server has gone away (the script has closed the connection)")
}

/// What a script has asked a server for, as sysbench's log names it: a function of the client library, and a text.
struct ServerRequest<'a> {
    function: &'static str,
    sql: &'a [u8],
}

impl<'a> ServerRequest<'a> {
    fn text(sql: &'a [u8]) -> Self {
        Self { function: "mysql_drv_query", sql }
    }

    fn prepared(sql: &'a str) -> Self {
        Self { function: "mysql_stmt_execute", sql: sql.as_bytes() }
    }
}

/// The counter of a statement that succeeded.
fn counter_of(outcome: &Outcome) -> Counter {
    if outcome.result_set {
        Counter::Read
    } else if outcome.affected_rows > 0 {
        Counter::Write
    } else {
        Counter::Other
    }
}

impl<H: Host> Serving<H> {
    pub(crate) fn new() -> Self {
        Self { connections: Vec::new(), options: ScriptOptions::default() }
    }

    /// Carries out a request. `note` hears what is counted, for scripts that read counters.
    pub(crate) async fn serve(
        &mut self,
        slots: &Slots,
        host: &mut H,
        request: Request<'_>,
        note: impl FnMut(Counter),
    ) -> Answer {
        match request {
            Request::Query { connection, sql } => self.query(slots, host, connection, sql, note).await,
            Request::Execute { connection, statement, params } => {
                self.execute(slots, host, (connection, statement), params, note).await
            }
            Request::Next { ended } => Answer::Flag(host.next(ended).await),
            Request::Connect => match host.connect().await {
                Ok(link) => {
                    self.connections.push(Open { link: Some(link), statements: Vec::new() });
                    Answer::Number(self.connections.len() - 1)
                }
                Err(error) => Answer::Refused(error),
            },
            Request::Prepare { connection, sql } => {
                self.prepare(host, connection, String::from_utf8_lossy(sql).into_owned()).await
            }
            Request::Close { connection, statement } => self.close(host, connection, statement).await,
            Request::Disconnect { connection } => {
                let link = self.connections.get_mut(connection).and_then(|open| open.renew(None));
                if let Some(link) = link {
                    host.disconnect(link).await;
                }
                Answer::Nothing
            }
            Request::Reconnect { connection } => self.reconnect(host, connection, note).await,
            Request::Ready => {
                host.ready().await;
                Answer::Nothing
            }
            Request::Over { ended } => {
                host.over(ended);
                Answer::Nothing
            }
            Request::Restart => Answer::Flag(host.restarts()),
            Request::Sleep { ns } => {
                host.sleep(ns).await;
                Answer::Nothing
            }
            Request::Log { line } => {
                host.log(&String::from_utf8_lossy(line));
                Answer::Nothing
            }
        }
    }

    async fn query(
        &mut self,
        slots: &Slots,
        host: &mut H,
        connection: Number,
        sql: &[u8],
        note: impl FnMut(Counter),
    ) -> Answer {
        let Some(open) = self.connections.get_mut(connection) else {
            return Answer::Failed { error: closed(), ignored: false };
        };
        let mut results = slots.take(connection);
        let answer = match &mut open.link {
            Some(link) => host.query(link, sql, &mut results).await,
            None => Err(closed()),
        };
        self.settle(slots, host, connection, (answer, Some(results)), ServerRequest::text(sql), note).await
    }

    async fn prepare(&mut self, host: &mut H, connection: Number, sql: String) -> Answer {
        let prepares = self.options.prepares;
        let Some(open) = self.connections.get_mut(connection) else { return Answer::Refused(closed()) };
        let way = match &mut open.link {
            None => return Answer::Refused(closed()),
            Some(_) if !prepares => Transport::Text,
            Some(link) => match host.prepare(link, &sql).await {
                Ok(prepared) => prepared.map_or(Transport::Text, Transport::Prepared),
                Err(error) => return Answer::Refused(error),
            },
        };
        let free = open.statements.iter().position(Option::is_none);
        let place = free.unwrap_or_else(|| {
            open.statements.push(None);
            open.statements.len() - 1
        });
        open.statements[place] = Some(Statement { sql, way, told_of_more: false });
        Answer::Number(place)
    }

    async fn execute(
        &mut self,
        slots: &Slots,
        host: &mut H,
        (connection, statement): (Number, Number),
        params: Params<'_>,
        note: impl FnMut(Counter),
    ) -> Answer {
        let Some(open) = self.connections.get_mut(connection) else { return Answer::Refused(closed()) };
        let Some(Some(known)) = open.statements.get_mut(statement) else {
            return Answer::Failed { error: SqlError::no_statement(), ignored: false };
        };
        let (mut few, many);
        let params = params.iter();
        let params = if params.len() <= FEW {
            few = [Param::Null; FEW];
            let count = few.iter_mut().zip(params).map(|(place, param)| *place = param).count();
            &few[..count]
        } else {
            many = params.collect::<Vec<_>>();
            &many[..]
        };
        let Some(link) = &mut open.link else {
            return self
                .settle(slots, host, connection, (Err(closed()), None), ServerRequest::prepared(""), note)
                .await;
        };
        if matches!(known.way, Transport::Stale) {
            match host.prepare(link, &known.sql).await {
                Ok(prepared) => known.way = prepared.map_or(Transport::Text, Transport::Prepared),
                Err(error) => {
                    let sql = known.sql.clone();
                    let asked = ServerRequest::prepared(&sql);
                    return self.settle(slots, host, connection, (Err(error), None), asked, note).await;
                }
            }
        }
        match &mut known.way {
            Transport::Prepared(prepared) => {
                let taken = host.parameters(prepared).and_then(|count| params.get(..count));
                let more = taken.is_some_and(|taken| taken.len() < params.len());
                if more && !std::mem::replace(&mut known.told_of_more, true) {
                    host.log("FATAL: Wrong number of parameters to mysql_stmt_bind_param");
                }
                let answer = host.execute(link, prepared, taken.unwrap_or(params)).await;
                if let Ok(outcome) = &answer {
                    return succeeded(outcome, None, note);
                }
                let sql = known.sql.clone();
                self.settle(slots, host, connection, (answer, None), ServerRequest::prepared(&sql), note)
                    .await
            }
            _ => {
                let sql = filled(&known.sql, params);
                self.query(slots, host, connection, &sql, note).await
            }
        }
    }

    /// Makes of what a statement came to the answer for the script. After an error that is to be ignored, a connection
    /// that was lost is opened again.
    async fn settle(
        &mut self,
        slots: &Slots,
        host: &mut H,
        connection: Number,
        (answer, results): (Result<Outcome, SqlError>, Option<Results>),
        asked: ServerRequest<'_>,
        mut note: impl FnMut(Counter),
    ) -> Answer {
        let kept = results.and_then(|results| slots.put(connection, results));
        let error = match answer {
            Ok(outcome) => return succeeded(&outcome, kept, note),
            Err(error) => error,
        };
        let ignored = self.options.ignores(error.code);
        let mut reconnected = false;
        if ignored && error.is_lost() {
            reconnected = self.open_again(host, connection).await;
        }
        if !ignored {
            let (SqlError { code, message, .. }, ServerRequest { function, sql }) = (&error, asked);
            let sql = String::from_utf8_lossy(sql);
            host.log(&format!("FATAL: {function}() returned error {code} ({message}) for query '{sql}'"));
        }
        note(if reconnected { Counter::Reconnect } else { Counter::Error });
        host.failed(&error, reconnected);
        Answer::Failed { error, ignored }
    }

    /// Opens a lost connection again, as long as there is time; false when it is over before.
    async fn open_again(&mut self, host: &mut H, connection: Number) -> bool {
        let Some(open) = self.connections.get_mut(connection) else { return false };
        drop(open.renew(None));
        loop {
            if let Ok(link) = host.connect().await {
                open.renew(Some(link));
                return true;
            }
            if !host.pause_between_tries(AGAIN_NS).await {
                return false;
            }
        }
    }

    async fn reconnect(&mut self, host: &mut H, connection: Number, mut note: impl FnMut(Counter)) -> Answer {
        let Some(open) = self.connections.get_mut(connection) else { return Answer::Refused(closed()) };
        if let Some(link) = open.renew(None) {
            host.disconnect(link).await;
        }
        match host.connect().await {
            Ok(link) => {
                open.renew(Some(link));
                note(Counter::Reconnect);
                host.count(Counter::Reconnect, 1);
                Answer::Flag(true)
            }
            Err(error) => Answer::Refused(error),
        }
    }

    async fn close(&mut self, host: &mut H, connection: Number, statement: Number) -> Answer {
        if let Some(open) = self.connections.get_mut(connection)
            && let Some(known) = open.statements.get_mut(statement).and_then(Option::take)
            && let (Some(link), Transport::Prepared(prepared)) = (&mut open.link, known.way)
            && host.is_usable(link)
        {
            host.close(link, prepared).await;
        }
        Answer::Nothing
    }

    /// Says goodbye on every connection that the script has left open.
    pub(crate) async fn leave(&mut self, host: &mut H) {
        for open in &mut self.connections {
            if let Some(link) = open.renew(None) {
                host.disconnect(link).await;
            }
        }
    }
}

/// The answer to a statement that succeeded; `kept`: rows, fields and serial number of its result.
fn succeeded(outcome: &Outcome, kept: Option<(u64, usize, u64)>, mut note: impl FnMut(Counter)) -> Answer {
    note(counter_of(outcome));
    if outcome.result_set {
        let (rows, fields, serial) = kept.unwrap_or((outcome.rows, 0, 0));
        return Answer::Rows { rows, fields, serial };
    }
    Answer::Done { affected: outcome.affected_rows, insert_id: outcome.last_insert_id }
}
