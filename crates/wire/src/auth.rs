//! Authentication: the conversation around the plugins. The plugins themselves (scrambles, signatures, RSA) are those
//! of `mysql_common`; adding one that it knows is a line in [`NAMES`].

use mysql_common::auth::plugins::{AuthProc, ChallengeResponsePlugin, Context, Response};
use mysql_common::io::ParseBuf;
use mysql_common::packets::{AuthPlugin, AuthSwitchRequest, HandshakePacket};

use crate::answer::{EOF, ERR, OK};
use crate::error::{Error, ServerError};
use crate::inbox::{Answer, Step};
use crate::link::Link;
use crate::options::Options;
use crate::stream::Stream;

/// Plugins that are answered.
const NAMES: [(AuthPlugin<'static>, &str); 5] = [
    (AuthPlugin::MysqlNativePassword, "mysql_native_password"),
    (AuthPlugin::CachingSha2Password, "caching_sha2_password"),
    (AuthPlugin::Sha256Password, "sha256_password"),
    (AuthPlugin::Ed25519, "client_ed25519"),
    (AuthPlugin::MysqlClearPassword, "mysql_clear_password"),
];

/// The server's packet that carries a plugin's next challenge begins with this.
const MORE_DATA: u8 = 0x01;

/// Our side of the login.
pub(crate) struct Authentication<'a> {
    options: &'a Options,
    tls: bool,
    plugin: AuthPlugin<'static>,
    procedure: Option<AuthProc>,
    scramble: Vec<u8>,
    /// What the server waits for.
    reply: Option<Vec<u8>>,
    /// The server is content.
    accepted: bool,
}

impl<'a> Authentication<'a> {
    pub(crate) fn new(greeting: &HandshakePacket<'_>, options: &'a Options, tls: bool) -> Self {
        let plugin = match greeting.auth_plugin() {
            // Servers before 5.5 name none, and the name may be empty.
            None => AuthPlugin::MysqlNativePassword,
            Some(AuthPlugin::Other(name)) if name.is_empty() => AuthPlugin::MysqlNativePassword,
            Some(plugin) => plugin.into_owned(),
        };
        let scramble = greeting.nonce();
        Self { options, tls, plugin, procedure: None, scramble, reply: None, accepted: false }
    }

    /// The first guess: the server's default plugin and its answer to the greeting's challenge. Which plugin the user
    /// really has, the server says later.
    pub(crate) fn first(&mut self) -> Result<(AuthPlugin<'static>, Option<Vec<u8>>), Error> {
        let guess = matches!(
            self.plugin,
            AuthPlugin::MysqlNativePassword | AuthPlugin::CachingSha2Password | AuthPlugin::Sha256Password
        );
        if !guess {
            // Not to be answered unasked (clear text), or its challenge is not in the greeting.
            self.plugin = AuthPlugin::MysqlNativePassword;
        }
        let challenge = self.scramble.clone();
        let answer = self.begin(&challenge)?;
        Ok((self.plugin.clone(), answer))
    }

    /// Another plugin, with its own challenge.
    fn switch(&mut self, payload: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        if payload.len() == 1 {
            return Err(Error::Auth(
                "the server asks for the password hash of MySQL before 4.1, which is not secure and not answered; \
                 give the user a new password"
                    .into(),
            ));
        }
        let request: AuthSwitchRequest<'_> =
            ParseBuf(payload).parse(()).map_err(|_| Error::malformed("request for another plugin"))?;
        self.plugin = request.auth_plugin().into_owned();
        self.scramble = request.plugin_data().to_vec();
        let challenge = self.scramble.clone();
        self.begin(&challenge)
    }

    fn begin(&mut self, challenge: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        self.permit()?;
        self.procedure = Some(self.plugin.init().map_err(|_| self.unknown())?);
        self.answer(challenge)
    }

    fn permit(&self) -> Result<(), Error> {
        if !NAMES.iter().any(|(plugin, _)| *plugin == self.plugin) {
            return Err(self.unknown());
        }
        if self.plugin == AuthPlugin::MysqlClearPassword {
            if !self.options.clear_password {
                return Err(Error::Auth(
                    "the server asks for the password in clear (mysql_clear_password), which was not allowed"
                        .into(),
                ));
            }
            if !self.tls && !self.options.local {
                return Err(Error::Auth(
                    "the server asks for the password in clear (mysql_clear_password) over an open line: use TLS".into(),
                ));
            }
        }
        Ok(())
    }

    fn unknown(&self) -> Error {
        let asked = String::from_utf8_lossy(self.plugin.as_bytes());
        let known = NAMES.map(|(_, name)| name).join(", ");
        Error::Auth(format!("the user needs plugin {asked:?}; known here: {known}"))
    }

    /// The answer to a challenge of the current plugin.
    fn answer(&mut self, challenge: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        let context = Login { options: self.options, tls: self.tls, scramble: &self.scramble };
        let Some(procedure) = &mut self.procedure else {
            return Err(Error::malformed("login: a challenge before its plugin"));
        };
        match procedure.run(context, challenge) {
            Ok(Response::Next { packet } | Response::Last { packet }) => Ok(packet),
            Err(error) => {
                let name = String::from_utf8_lossy(self.plugin.as_bytes());
                Err(Error::Auth(format!("{name}: {error}")))
            }
        }
    }

    fn name(&self) -> &'static str {
        NAMES.iter().find(|(plugin, _)| *plugin == self.plugin).map_or("", |(_, name)| *name)
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
            [MORE_DATA, challenge @ ..] => self.answer(challenge)?,
            _ => return Err(Error::malformed("login: an unknown packet")),
        };
        // Some packets want no reply (a fast login of caching_sha2_password): the next comes by itself.
        Ok(if self.reply.is_some() { Step::Done } else { Step::More })
    }
}

/// Sends what the outbox holds (the handshake's response) and talks until the server is content. The name of the
/// plugin that made it so.
pub(crate) async fn converse<S: Stream>(
    link: &mut Link<S>,
    authentication: &mut Authentication<'_>,
) -> Result<&'static str, Error> {
    loop {
        link.exchange(authentication).await?;
        if authentication.accepted {
            return Ok(authentication.name());
        }
        let reply = authentication.reply.take().unwrap_or_default();
        link.outbox.clear();
        link.outbox.begin(link.inbox.sequence()).extend_from_slice(&reply);
    }
}

/// What plugins may know.
struct Login<'a> {
    options: &'a Options,
    tls: bool,
    scramble: &'a [u8],
}

impl Context for Login<'_> {
    fn pass(&self) -> &[u8] {
        self.options.password.as_deref().unwrap_or_default().as_bytes()
    }

    fn is_ipc_transport(&self) -> bool {
        self.options.local
    }

    fn is_tls_transport(&self) -> bool {
        self.tls
    }

    fn scramble(&self) -> &[u8] {
        self.scramble
    }

    fn server_key_pem(&self) -> Option<&[u8]> {
        self.options.server_public_key.as_deref()
    }
}
