//! A host that answers by rules, and notes what a script does.

use std::sync::Arc;

use assay_script::{Call, Counter, Host, Origin, Results, Script, ScriptError, SqlError, Touched};
use assay_wire::{Outcome, Param, Row, Rows, block_on};

/// An answer to a statement.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// Rows of two columns.
    Rows(Vec<[&'static str; 2]>),
    Changed(u64),
    Inserted(u64),
    Refused(u16, &'static str),
}

/// Answers the first so many statements that contain a text; `times` 0: all of them.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    pub part: &'static str,
    pub times: usize,
    pub reply: Reply,
}

#[derive(Debug, Default)]
pub(crate) struct Played {
    pub rules: Vec<(Rule, usize)>,
    pub events: u64,
    /// What happened, in order, one line each.
    pub notes: Vec<String>,
    pub logged: Vec<String>,
    pub counted: Vec<(Counter, i64)>,
    /// What the script said that it would touch, at each of its requests.
    pub touched: Vec<Touched>,
    /// Events that may still begin again; none: any number.
    pub restarts_left: Option<u32>,
    /// Sleeps never end.
    pub sleeps_for_ever: bool,
}

impl Played {
    pub(crate) fn new(events: u64, rules: &[Rule]) -> Self {
        let rules = rules.iter().cloned().map(|rule| (rule, 0)).collect();
        Self { rules, events, ..Self::default() }
    }

    fn note(&mut self, line: impl Into<String>) {
        self.notes.push(line.into());
    }

    fn answer(&mut self, sql: &str, results: Option<&mut Results>) -> Result<Outcome, SqlError> {
        let rule = self
            .rules
            .iter_mut()
            .find(|(rule, used)| sql.contains(rule.part) && (rule.times == 0 || *used < rule.times));
        let reply = rule.map_or(Reply::Changed(0), |(rule, used)| {
            *used += 1;
            rule.reply.clone()
        });
        match reply {
            Reply::Inserted(last_insert_id) => {
                Ok(Outcome { affected_rows: 1, last_insert_id, ..Outcome::default() })
            }
            Reply::Changed(affected_rows) => Ok(Outcome { affected_rows, ..Outcome::default() }),
            Reply::Refused(code, message) => Err(SqlError::new(code, "40001", message)),
            Reply::Rows(rows) => {
                if let Some(results) = results {
                    for (number, fields) in rows.iter().enumerate() {
                        Row::of_text(fields, |row| {
                            if number == 0 {
                                results.columns(row.columns());
                            }
                            results.row(row);
                        });
                    }
                }
                Ok(Outcome { result_set: true, rows: rows.len() as u64, ..Outcome::default() })
            }
        }
    }
}

impl Host for Played {
    type Connection = u32;
    type Prepared = String;

    async fn connect(&mut self) -> Result<u32, SqlError> {
        self.answer("connect", None)?;
        self.note("connect");
        Ok(0)
    }

    async fn query(&mut self, _: &mut u32, sql: &[u8], results: &mut Results) -> Result<Outcome, SqlError> {
        let sql = String::from_utf8_lossy(sql).into_owned();
        self.note(format!("query {sql}"));
        self.answer(&sql, Some(results))
    }

    async fn prepare(&mut self, _: &mut u32, sql: &str) -> Result<Option<String>, SqlError> {
        self.note(format!("prepare {sql}"));
        if sql == "BEGIN" {
            return Ok(None);
        }
        self.answer(&format!("prepare {sql}"), None)?;
        Ok(Some(sql.to_owned()))
    }

    async fn execute(
        &mut self,
        _: &mut u32,
        prepared: &mut String,
        params: &[Param<'_>],
    ) -> Result<Outcome, SqlError> {
        self.note(format!("execute {prepared} {params:?}"));
        let sql = prepared.clone();
        self.answer(&sql, None)
    }

    fn parameters(&self, prepared: &String) -> Option<usize> {
        let marks = prepared.matches('?').count();
        (marks > 0).then_some(marks)
    }

    async fn close(&mut self, _: &mut u32, prepared: String) {
        self.note(format!("close {prepared}"));
    }

    async fn disconnect(&mut self, _: u32) {
        self.note("disconnect");
    }

    fn is_usable(&self, _: &u32) -> bool {
        true
    }

    fn failed(&mut self, error: &SqlError, reconnected: bool) {
        self.note(format!("failed {} {reconnected}", error.code));
    }

    async fn ready(&mut self) {
        self.note("ready");
    }

    async fn next(&mut self, ended: bool) -> bool {
        if ended {
            self.note("ended");
        }
        let more = self.events > 0;
        self.events -= u64::from(more);
        more
    }

    fn over(&mut self, ended: bool) {
        if ended {
            self.note("ended at last");
        }
    }

    fn restarts(&mut self) -> bool {
        self.note("restart");
        self.restarts_left = self.restarts_left.map(|left| left.saturating_sub(1));
        self.restarts_left != Some(0)
    }

    async fn sleep(&mut self, ns: u64) {
        self.note(format!("sleep {ns}"));
        if self.sleeps_for_ever {
            std::future::pending::<()>().await;
        }
    }

    async fn pause_between_tries(&mut self, ns: u64) -> bool {
        self.note(format!("pause {ns}"));
        true
    }

    fn count(&mut self, counter: Counter, amount: i64) {
        self.counted.push((counter, amount));
    }

    fn waits(&mut self, touched: Touched) {
        self.touched.push(touched);
    }

    fn log(&mut self, line: &str) {
        self.logged.push(line.to_owned());
    }
}

/// A script as text, with options as on a command line.
pub(crate) fn origin(source: &str, options: &[(&str, &str)]) -> Origin {
    let given = options.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let given = Arc::new(given.collect());
    Origin { path: "a.lua".into(), source: Some(source.into()), given, seed: 7, ..Origin::default() }
}

/// Has a host play a script's call.
pub(crate) fn play(origin: &Origin, host: &mut Played, call: Call<'_>) -> Result<bool, ScriptError> {
    block_on(async {
        let mut script = Script::open(origin, 0, host).await?;
        let outcome = script.call(host, call).await;
        script.leave(host).await;
        outcome
    })
}

/// Has a script's thread run so many events; its error, where it ends in one.
pub(crate) fn work(source: &str, options: &[(&str, &str)], host: &mut Played) -> Result<(), String> {
    play(&origin(source, options), host, Call::Worker(0)).map(drop).map_err(|error| error.message)
}
