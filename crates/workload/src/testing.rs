//! A session that writes down what a workload sends, and answers every statement with one row.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use assay_wire::{Outcome, Param, Row, Rows, ServerError};
use serde_json::Value;

use crate::{
    Description, Driver, Failure, LabelId, Operation, OptionError, Session, Statement, StatementId, Visitor,
};

/// The only field of the row that every select finds: a number, a decimal.
const FOUND: &str = "1000";

/// Everything that a workload sent, one line each: `label: SQL with its values`.
#[derive(Debug, Default)]
pub(crate) struct Transcript {
    statements: Vec<Statement>,
    labels: Vec<Arc<str>>,
    pub(crate) lines: Vec<String>,
    refuse: Option<usize>,
    affected_rows: u64,
    found: &'static str,
    refused: Option<ServerError>,
    /// Statements prepared while it runs and closed again.
    closed: Vec<StatementId>,
}

impl Transcript {
    pub(crate) fn of(workload: &impl Description) -> Self {
        Self {
            statements: workload.statements().list().to_vec(),
            labels: workload.statements().labels().to_vec(),
            affected_rows: 1,
            found: FOUND,
            ..Self::default()
        }
    }

    /// Refuses the call with this number, from 0, as a deadlock.
    pub(crate) fn refusing(self, call: usize) -> Self {
        Self { refuse: Some(call), ..self }
    }

    /// Has every select find this.
    pub(crate) fn finding(self, found: &'static str) -> Self {
        Self { found, ..self }
    }

    /// Says of every statement that it affected so many rows.
    pub(crate) fn affecting(self, affected_rows: u64) -> Self {
        Self { affected_rows, ..self }
    }

    fn record(&mut self, label: LabelId, sql: &str) -> Result<Outcome, Failure> {
        let refused = self.refuse == Some(self.lines.len());
        self.lines.push(format!("{}: {sql}", self.labels[usize::from(label.0)]));
        let outcome = Outcome { rows: 1, affected_rows: self.affected_rows, ..Outcome::default() };
        if refused {
            self.refused = Some(ServerError::new(1213, "40001", "Deadlock found"));
            return Err(Failure::Server { code: 1213 });
        }
        Ok(outcome)
    }
}

impl Session for Transcript {
    async fn execute(&mut self, id: StatementId, params: &[Param<'_>]) -> Result<Outcome, Failure> {
        assert!(!self.closed.contains(&id), "{id:?} was closed");
        let statement = self.statements[id.0 as usize].clone();
        let mut pieces = statement.sql.split('?');
        let mut sql = pieces.next().unwrap_or_default().to_owned();
        let mut values = params.iter();
        for piece in pieces {
            sql += &text(values.next().expect("a value for every ?"));
            sql += piece;
        }
        assert!(values.next().is_none(), "more values than ? in {}", statement.sql);
        self.record(statement.label, &sql)
    }

    async fn select(
        &mut self,
        id: StatementId,
        params: &[Param<'_>],
        rows: &mut impl Rows,
    ) -> Result<Outcome, Failure> {
        let outcome = self.execute(id, params).await?;
        Row::of_text(&[self.found], |row| rows.row(row));
        Ok(outcome)
    }

    async fn packet(&mut self, label: LabelId, sql: &[u8], statements: u32) -> Result<Outcome, Failure> {
        let sql = std::str::from_utf8(sql).expect("SQL in ASCII");
        assert_eq!(sql.split("; ").count(), statements as usize, "{sql}");
        self.record(label, sql)
    }

    async fn select_text(
        &mut self,
        label: LabelId,
        sql: &[u8],
        rows: &mut impl Rows,
    ) -> Result<Outcome, Failure> {
        let outcome = self.packet(label, sql, 1).await?;
        Row::of_text(&[self.found], |row| rows.row(row));
        Ok(outcome)
    }

    async fn prepare(&mut self, label: LabelId, sql: &str) -> Result<StatementId, Failure> {
        self.record(label, &format!("PREPARE {sql}"))?;
        self.statements.push(Statement { label, sql: sql.to_owned(), place: None });
        Ok(StatementId(self.statements.len() as u32 - 1))
    }

    async fn close(&mut self, statement: StatementId) -> Result<(), Failure> {
        assert!(!self.closed.contains(&statement), "{statement:?} was closed");
        let Statement { label, sql, .. } = self.statements[statement.0 as usize].clone();
        self.closed.push(statement);
        self.record(label, &format!("CLOSE {sql}")).map(drop)
    }

    fn last_error(&self) -> Option<&ServerError> {
        self.refused.as_ref()
    }

    fn begin_now(&mut self) {
        self.lines.push("clock".to_owned());
    }
}

fn text(value: &Param<'_>) -> String {
    match value {
        Param::Null => "NULL".into(),
        Param::Int(value) => value.to_string(),
        Param::UInt(value) => value.to_string(),
        Param::Double(value) => value.to_string(),
        Param::Decimal { unscaled, scale } => format!("{unscaled}e-{scale}"),
        Param::Binary(value) => format!("x'{}'", String::from_utf8_lossy(value)),
        Param::Bytes(value) => format!("'{}'", String::from_utf8_lossy(value)),
    }
}

/// Runs a future that never waits.
pub(crate) fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("a recorder never waits"),
    }
}

pub(crate) fn operation(seed: u64, terminal: u32, number: u64) -> Operation {
    Operation::new(seed, terminal, number)
}

/// Visits the workload `name` with options given as JSON.
pub(crate) fn with<V: Visitor>(name: &str, options: Value, visitor: V) -> Result<V::Output, OptionError> {
    let Value::Object(options) = options else { panic!("options are an object") };
    crate::with_driver(name, &options, 42, visitor)
}

/// The operations `(terminal, number)` in this order, then the end of every terminal, on one recorder.
pub(crate) struct Send<'a> {
    pub(crate) terminals: u32,
    pub(crate) operations: &'a [(u32, u64)],
}

impl Visitor for Send<'_> {
    type Output = Vec<String>;

    fn visit<D: Driver>(self, driver: D) -> Vec<String> {
        let mut recorder = Transcript::of(&driver);
        let local = driver.local();
        let mut terminals: Vec<_> =
            (0..self.terminals).map(|number| driver.terminal(&local, number, self.terminals)).collect();
        for &(terminal, number) in self.operations {
            let state = &mut terminals[terminal as usize];
            let mut operation = operation(42, terminal, number);
            now(driver.transaction(state, &mut operation, &mut recorder)).expect("nothing is refused");
        }
        for state in &mut terminals {
            now(driver.finish(state, &mut recorder)).expect("nothing is refused");
        }
        recorder.lines
    }
}

/// Text, statements prepared at run time and refusals, as a workload that is known only at run time has them.
#[test]
fn a_recorder_takes_what_is_known_only_at_run_time() {
    let mut session =
        Transcript { labels: vec!["read".into(), "write".into()], found: FOUND, ..Transcript::default() }
            .refusing(4);
    let (read, write) = (LabelId(0), LabelId(1));
    let mut found = Vec::new();
    let mut keep = |row: &Row<'_>| found.extend(row.int(0));
    now(async {
        session.select_text(read, b"SELECT n FROM t", &mut keep).await?;
        session.begin_now();
        let insert = session.prepare(write, "INSERT INTO t VALUES (?)").await?;
        session.execute(insert, &[Param::Int(7)]).await?;
        assert_eq!(session.last_error(), None);
        let refused = session.close(insert).await;
        assert_eq!(refused, Err(Failure::Server { code: 1213 }));
        Ok::<_, Failure>(())
    })
    .expect("the rest is not refused");
    assert_eq!(session.last_error().map(|error| error.state.as_str()), Some("40001"));
    assert_eq!(found, [1000]);
    let sent = [
        "read: SELECT n FROM t",
        "clock",
        "write: PREPARE INSERT INTO t VALUES (?)",
        "write: INSERT INTO t VALUES (7)",
        "write: CLOSE INSERT INTO t VALUES (?)",
    ];
    assert_eq!(session.lines, sent);
}
