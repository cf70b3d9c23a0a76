//! `COM_QUERY`

use mysql_common::constants::Command;

use crate::answer::{OkAnswer, ResultAnswer};
use crate::connection::Connection;
use crate::error::Error;
use crate::inbox::HEADER;
use crate::outcome::Outcome;
use crate::param::Param;
use crate::row::{Discard, Rows};
use crate::server::Dialect;
use crate::statement::{AnswerKind, too_many};
use crate::stream::Stream;
use crate::template::Template;

/// Bytes of a file in one packet: what a server has room for whatever its `max_allowed_packet` (manual,
/// `net_buffer_length`).
const FILE_PACKET: usize = 16 << 10;

impl<S: Stream> Connection<S> {
    /// Sends SQL text and hands over the rows of all its results.
    ///
    /// # Errors
    /// [`Error::Server`] when the server refuses: results before the refusal have been handed over.
    /// [`Error::LocalInfile`] when it asks for a file. Both leave the connection usable.
    pub async fn query(&mut self, sql: &[u8], rows: &mut (impl Rows + ?Sized)) -> Result<Outcome, Error> {
        self.start()?;
        self.link.command(Command::COM_QUERY as u8).extend_from_slice(sql);
        self.send_query(1, rows).await
    }

    /// Sends a text as [`Connection::query`] does, which may be a `LOAD DATA LOCAL INFILE`: when the server asks for a file,
    /// `file` has its contents, by the name that the server gave; none: the file is refused.
    ///
    /// # Errors
    /// As [`Connection::query`].
    pub async fn query_with_file(
        &mut self,
        sql: &[u8],
        rows: &mut (impl Rows + ?Sized),
        file: impl FnOnce(&str) -> Option<Vec<u8>>,
    ) -> Result<Outcome, Error> {
        self.start()?;
        self.link.command(Command::COM_QUERY as u8).extend_from_slice(sql);
        let mut answer = ResultAnswer::text(rows, self.dialect, &mut self.metadata);
        let exchanged = self.link.exchange(&mut answer).await;
        let mut result = exchanged.map(|()| answer.outcome);
        if let Some(name) = answer.wants_file.take() {
            result = match file(&name) {
                Some(contents) => self.give_file(&contents).await,
                None => self.refuse_file(name).await,
            };
        }
        self.finish(result)
    }

    /// Sends a text of several statements, as many as are told; the connection must have been opened with
    /// [`Options::multi_statements`](crate::Options::multi_statements). The outcome is that of all of them.
    ///
    /// # Errors
    /// As [`Connection::query`].
    pub async fn query_many(
        &mut self,
        sql: &[u8],
        statements: u32,
        rows: &mut (impl Rows + ?Sized),
    ) -> Result<Outcome, Error> {
        self.start()?;
        self.link.command(Command::COM_QUERY as u8).extend_from_slice(sql);
        self.send_query(statements, rows).await
    }

    /// Sends a template with the parameters written into its text, as [`Connection::query`] does: no statement is
    /// prepared.
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
        self.send_query(1, rows).await
    }

    /// Sends the text that is in the outbox, and reads its results.
    async fn send_query(
        &mut self,
        statements: u32,
        rows: &mut (impl Rows + ?Sized),
    ) -> Result<Outcome, Error> {
        let mut answer = ResultAnswer::text(rows, self.dialect, &mut self.metadata);
        let exchanged = self.link.exchange(&mut answer).await;
        let mut result = exchanged.map(|()| answer.outcome);
        if let Some(file) = answer.wants_file.take() {
            result = self.refuse_file(file).await;
        } else if result.is_ok()
            && let Err(error) = check(self.link.outbox.bytes(), statements, self.dialect, &answer)
        {
            result = Err(error);
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
        let result = match self.link.exchange(&mut answer).await {
            Err(error) => Err(error),
            Ok(()) if answer.wants_file.is_some() => self.give_file(contents).await,
            Ok(()) => Err(Error::Protocol("the server reported a loaded file without asking for one".into())),
        };
        self.finish(result)
    }

    /// Sends the contents of a file that the server has asked for, and reads what it did with them.
    async fn give_file(&mut self, contents: &[u8]) -> Result<Outcome, Error> {
        let outbox = &mut self.link.outbox;
        outbox.clear();
        let mut sequence = self.link.inbox.sequence();
        for piece in contents.chunks(FILE_PACKET) {
            outbox.begin(sequence).extend_from_slice(piece);
            sequence = outbox.end();
        }
        // The end of the file.
        outbox.begin(sequence);
        let mut nowhere = Discard;
        let mut answer = ResultAnswer::text(&mut nowhere, self.dialect, &mut self.metadata);
        self.link.exchange(&mut answer).await?;
        if answer.wants_file.is_some() {
            return Err(Error::Protocol("the server asks for a second file".into()));
        }
        AnswerKind::Ok.check(&answer)?;
        Ok(answer.outcome)
    }

    /// Refuses a file that the server has asked for: an empty packet stands for an empty file, and what the server says
    /// to it is of no use.
    #[cold]
    pub(super) async fn refuse_file(&mut self, file: String) -> Result<Outcome, Error> {
        self.link.outbox.clear();
        self.link.outbox.begin(self.link.inbox.sequence());
        match self.link.exchange(&mut OkAnswer).await {
            Ok(()) | Err(Error::Server(_)) => Err(Error::LocalInfile(file)),
            Err(error) => Err(Error::Protocol(format!("{}; then: {error}", Error::LocalInfile(file)))),
        }
    }

    /// Sends a statement whose rows do not matter, as [`Connection::query`] does.
    ///
    /// # Errors
    /// As [`Connection::query`].
    pub async fn run(&mut self, sql: &str) -> Result<Outcome, Error> {
        self.query(sql.as_bytes(), &mut Discard).await
    }
}

/// Whether the answer to a text, which is in the packet of its command, is of the kind that it calls for.
fn check<R: Rows + ?Sized>(
    command: &[u8],
    statements: u32,
    dialect: Dialect,
    answer: &ResultAnswer<'_, R>,
) -> Result<(), Error> {
    let sql = command.get(HEADER + 1..).unwrap_or_default();
    if statements > 1 && answer.results != statements {
        return Err(too_many(answer.results, statements));
    }
    if statements == 1 && answer.results > 1 && dialect.multi_statements && sql.contains(&b';') {
        // How many the caller meant is not known.
        return Ok(());
    }
    if statements > 1 { Ok(()) } else { AnswerKind::judge(sql, answer) }
}
