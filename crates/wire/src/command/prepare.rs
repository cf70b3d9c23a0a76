//! `COM_STMT_PREPARE`

use mysql_common::constants::Command;

use crate::answer::PreparedAnswer;
use crate::connection::Connection;
use crate::error::Error;
use crate::prepared::Prepared;
use crate::server_error::ServerError;
use crate::stream::Stream;

/// Most bytes of commands that are sent before answers are read: below what any socket holds, so that neither side ever
/// waits for the other to read.
const BATCH_BYTES: usize = 8 * 1024;

impl<S: Stream> Connection<S> {
    /// Prepares a statement at the server.
    ///
    /// # Errors
    /// [`Error::Server`] when the server refuses: 1295 for a statement that its prepared protocol does not have.
    pub async fn prepare(&mut self, sql: &str) -> Result<Prepared, Error> {
        match self.prepare_all([sql]).await?.pop() {
            Some(prepared) => prepared.map_err(Error::Server),
            None => Err(Error::malformed("answer to COM_STMT_PREPARE")),
        }
    }

    /// Prepares many statements: the commands go out in batches, not one round trip each.
    ///
    /// The result has an entry for each statement, in order: prepared, or why the server refused (1295 for a statement
    /// that its prepared protocol does not have).
    ///
    /// # Errors
    /// An error that ends the connection; a refusal is in the result.
    pub async fn prepare_all<'a>(
        &mut self,
        statements: impl IntoIterator<Item = &'a str>,
    ) -> Result<Vec<Result<Prepared, ServerError>>, Error> {
        self.start()?;
        let mut prepared = Vec::new();
        let mut statements = statements.into_iter().peekable();
        while statements.peek().is_some() {
            self.link.outbox.clear();
            let mut bytes = 0;
            let mut batch = Vec::new();
            while let Some(sql) =
                statements.next_if(|sql| batch.is_empty() || bytes + sql.len() <= BATCH_BYTES)
            {
                let payload = self.link.outbox.begin(0);
                payload.push(Command::COM_STMT_PREPARE as u8);
                payload.extend_from_slice(sql.as_bytes());
                let sequence = self.link.outbox.end();
                if batch.is_empty() {
                    self.link.inbox.expect(sequence);
                }
                batch.push(sql);
                bytes += sql.len();
            }
            let definitions = &mut self.metadata.definitions;
            let before = prepared.len();
            let mut answer = PreparedAnswer::new(batch.len(), self.dialect, definitions, &mut prepared);
            if let Err(error) = self.link.run(&mut answer).await {
                return self.finish(Err(error));
            }
            for (sql, one) in batch.iter().zip(&mut prepared[before..]) {
                if let Ok(one) = one
                    && let Err(error) = one.note_text(sql)
                {
                    return self.finish(Err(error));
                }
            }
        }
        self.finish(Ok(prepared))
    }
}
