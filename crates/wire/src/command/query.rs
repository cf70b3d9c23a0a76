//! `COM_QUERY`

use mysql_common::constants::Command;

use crate::answer::{OkAnswer, ResultAnswer};
use crate::connection::Connection;
use crate::error::Error;
use crate::outcome::Outcome;
use crate::param::Param;
use crate::row::{Discard, Rows};
use crate::stream::Stream;
use crate::template::Template;

impl<S: Stream> Connection<S> {
    /// Sends SQL text and hands over the rows of all its results.
    ///
    /// # Errors
    /// [`Error::Server`] when the server refuses: results before the refusal have been handed over.
    /// [`Error::LocalInfile`] when it asks for a file. Both leave the connection usable.
    pub async fn query(&mut self, sql: &[u8], rows: &mut (impl Rows + ?Sized)) -> Result<Outcome, Error> {
        self.start()?;
        self.link.command(Command::COM_QUERY as u8).extend_from_slice(sql);
        self.send_query(rows).await
    }

    /// Like [`Connection::query`], with the parameters written into the text on the way: no statement is prepared.
    ///
    /// # Errors
    /// As [`Connection::query`], and [`Error::ParameterCount`].
    pub async fn query_template(
        &mut self,
        template: &Template,
        params: &[Param<'_>],
        rows: &mut (impl Rows + ?Sized),
    ) -> Result<Outcome, Error> {
        template.check(params)?;
        self.start()?;
        template.put(params, self.link.command(Command::COM_QUERY as u8));
        self.send_query(rows).await
    }

    async fn send_query(&mut self, rows: &mut (impl Rows + ?Sized)) -> Result<Outcome, Error> {
        let mut answer = ResultAnswer::text(rows, self.dialect, &mut self.metadata);
        let mut result = self.link.exchange(&mut answer).await.map(|()| answer.outcome);
        if let Some(file) = answer.wants_file.take() {
            result = self.refuse_file(file).await;
        }
        self.finish(result)
    }

    /// Sends a `LOAD DATA LOCAL INFILE`; when the server asks for the file, whatever its name, it gets `contents`.
    ///
    /// No file is ever opened: every other command refuses such a request.
    ///
    /// # Errors
    /// [`Error::Server`] when the server refuses the statement (1148 or 3948 where `local_infile` is off) or the rows.
    pub async fn load(&mut self, sql: &[u8], contents: &[u8]) -> Result<Outcome, Error> {
        self.start()?;
        self.link.command(Command::COM_QUERY as u8).extend_from_slice(sql);
        let mut nowhere = Discard;
        let mut answer = ResultAnswer::text(&mut nowhere, self.dialect, &mut self.metadata);
        let mut result = self.link.exchange(&mut answer).await.map(|()| answer.outcome);
        if answer.wants_file.is_some() {
            result = self.give_file(contents).await;
        }
        self.finish(result)
    }

    async fn give_file(&mut self, contents: &[u8]) -> Result<Outcome, Error> {
        let outbox = &mut self.link.outbox;
        outbox.clear();
        let mut sequence = self.link.inbox.sequence();
        if !contents.is_empty() {
            outbox.begin(sequence).extend_from_slice(contents);
            sequence = outbox.end();
        }
        // The end of the file.
        outbox.begin(sequence);
        let mut nowhere = Discard;
        let mut answer = ResultAnswer::text(&mut nowhere, self.dialect, &mut self.metadata);
        self.link.exchange(&mut answer).await.map(|()| answer.outcome)
    }

    /// `LOAD DATA LOCAL INFILE`: an empty packet stands for an empty file; what the server says to it is of no use.
    #[cold]
    pub(super) async fn refuse_file(&mut self, file: String) -> Result<Outcome, Error> {
        self.link.outbox.clear();
        self.link.outbox.begin(self.link.inbox.sequence());
        match self.link.exchange(&mut OkAnswer).await {
            Ok(()) | Err(Error::Server(_)) => Err(Error::LocalInfile(file)),
            Err(error) => Err(error),
        }
    }

    /// [`Connection::query`] for statements whose rows do not matter.
    ///
    /// # Errors
    /// As [`Connection::query`].
    pub async fn run(&mut self, sql: &str) -> Result<Outcome, Error> {
        self.query(sql.as_bytes(), &mut Discard).await
    }
}
