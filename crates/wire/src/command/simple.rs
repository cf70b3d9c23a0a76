//! Commands that answer with OK, or not at all: `COM_PING`, `COM_RESET_CONNECTION`, `COM_INIT_DB`, `COM_QUIT`

use mysql_common::constants::Command;

use crate::answer::OkAnswer;
use crate::connection::Connection;
use crate::error::Error;
use crate::stream::Stream;

impl<S: Stream> Connection<S> {
    /// Asks the server for a sign of life.
    ///
    /// # Errors
    /// [`Error::Io`] when the connection is gone.
    pub async fn ping(&mut self) -> Result<(), Error> {
        self.simple(Command::COM_PING, &[]).await
    }

    /// Puts the session back to its beginning: transaction rolled back, variables as at login, prepared statements and
    /// temporary tables gone.
    ///
    /// # Errors
    /// [`Error::Server`] from servers older than MySQL 5.7 and MariaDB 10.2, which do not know the command.
    pub async fn reset_connection(&mut self) -> Result<(), Error> {
        self.simple(Command::COM_RESET_CONNECTION, &[]).await
    }

    /// Changes the default database.
    ///
    /// # Errors
    /// [`Error::Server`] when there is no database of this name, or it may not be used.
    pub async fn set_database(&mut self, name: &str) -> Result<(), Error> {
        self.simple(Command::COM_INIT_DB, name.as_bytes()).await
    }

    /// Takes leave; the server closes the connection. The stream is given back.
    ///
    /// # Errors
    /// [`Error::Io`] when the command cannot be sent.
    pub async fn quit(mut self) -> Result<S, Error> {
        self.start()?;
        self.link.command(Command::COM_QUIT as u8);
        self.link.outbox.end();
        self.link.send().await?;
        Ok(self.into_stream())
    }

    /// Sends a command whose answer is OK or ERR.
    async fn simple(&mut self, command: Command, argument: &[u8]) -> Result<(), Error> {
        self.start()?;
        self.link.command(command as u8).extend_from_slice(argument);
        let result = self.link.exchange(&mut OkAnswer).await;
        self.finish(result)
    }
}
