//! Authentication: the conversation around the plugins.

mod key;
mod plugin;

use mysql_common::packets::AuthPlugin;

use crate::answer::{EOF, ERR, OK};
use crate::error::Error;
use crate::greeting::Greeting;
use crate::inbox::{Answer, Step};
use crate::link::Link;
use crate::options::Options;
use crate::printable::printable;
use crate::reader::Reader;
use crate::server_error::ServerError;
use crate::stream::Stream;
use plugin::{Plugin, Procedure, Secrets};

/// First byte of the server's packet with a plugin's next challenge.
const MORE_DATA: u8 = 0x01;

/// The client's side of a login.
pub(crate) struct Authentication<'a> {
    secrets: Secrets<'a>,
    procedure: Procedure,
    /// The reply that the server waits for.
    reply: Option<Vec<u8>>,
    /// Whether the server has accepted the login.
    accepted: bool,
}

impl<'a> Authentication<'a> {
    /// Begins with a guess: the server's default plugin, and its answer to the greeting's challenge. The server says
    /// later which plugin the user really has.
    ///
    /// # Errors
    /// The greeting's challenge is not one of the guessed plugin.
    pub(crate) fn new(greeting: &Greeting<'_>, options: &'a Options, tls: bool) -> Result<Self, Error> {
        let plugin = match Plugin::of(greeting.plugin) {
            Some(plugin) if plugin.may_be_guessed(tls) => plugin,
            // Not to be answered unasked (clear text), not known, or its challenge is not in the greeting.
            _ => Plugin::Native,
        };
        let secrets = Secrets { options, tls };
        let (procedure, reply) = Procedure::begin(plugin, &greeting.challenge, &secrets)?;
        Ok(Self { secrets, procedure, reply: Some(reply), accepted: false })
    }

    /// The guessed plugin and its answer, for the handshake's response.
    pub(crate) fn first(&mut self) -> (AuthPlugin<'static>, Option<Vec<u8>>) {
        (self.procedure.plugin().on_the_wire(), self.reply.take())
    }

    /// Changes to the plugin that the server asks for, with a challenge of its own.
    fn switch(&mut self, payload: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        if payload.len() == 1 {
            return Err(Error::Auth(
                "the server asks for the password hash of MySQL before 4.1, which is insecure and not supported; \
                give the user a new password"
                    .into(),
            ));
        }
        let mut fields = Reader(&payload[1..]);
        let name = fields.until_zero().ok_or_else(|| Error::malformed("request for another plugin"))?;
        let Some(plugin) = Plugin::of(name).filter(|_| !name.is_empty()) else {
            let known = Plugin::ALL.map(Plugin::name).join(", ");
            let asked = printable(name, 64);
            return Err(Error::Auth(format!("the user needs plugin {asked:?}; known here: {known}")));
        };
        let (procedure, reply) = Procedure::begin(plugin, fields.0, &self.secrets)?;
        self.procedure = procedure;
        Ok(Some(reply))
    }
}

impl Answer for Authentication<'_> {
    fn packet(&mut self, payload: &[u8]) -> Result<Step, Error> {
        self.reply = match payload {
            [OK, ..] => {
                self.accepted = true;
                return Ok(Step::Done);
            }
            [ERR, ..] => return Err(ServerError::parse(payload)?.into()),
            [EOF, ..] => self.switch(payload)?,
            [MORE_DATA, challenge @ ..] => self.procedure.answer(challenge, &self.secrets)?,
            _ => return Err(Error::malformed("login: an unknown packet")),
        };
        // Some packets want no reply (a fast login of caching_sha2_password): the next comes by itself.
        Ok(if self.reply.is_some() { Step::Done } else { Step::More })
    }
}

/// Sends what the outbox holds (the handshake's response) and talks until the server accepts the login; the name of
/// the plugin that it accepted.
pub(crate) async fn converse<S: Stream>(
    link: &mut Link<S>,
    authentication: &mut Authentication<'_>,
) -> Result<&'static str, Error> {
    loop {
        link.exchange(authentication).await?;
        if authentication.accepted {
            return Ok(authentication.procedure.plugin().name());
        }
        let reply = authentication.reply.take().unwrap_or_default();
        link.outbox.clear();
        link.outbox.begin(link.inbox.sequence()).extend_from_slice(&reply);
    }
}
