//! The authentication plugins: what each answers to a challenge, and when it may tell the password. Their arithmetic
//! (hashes, the signature) is that of `mysql_common`, over challenges whose length was checked.

use mysql_common::auth::plugins::caching_sha2_password::scramble_sha256;
use mysql_common::auth::plugins::client_ed25519::ClientEd25519;
use mysql_common::auth::plugins::mysql_native_password::scramble_native;
use mysql_common::auth::plugins::{ChallengeResponsePlugin, Context, Response};
use mysql_common::packets::AuthPlugin;

use super::key::PublicKey;
use crate::error::Error;
use crate::options::Options;

/// Request of `caching_sha2_password` for the server's RSA key.
const CACHING_SHA2_KEY: u8 = 2;
/// Request of `sha256_password` for the server's RSA key.
const SHA256_KEY: u8 = 1;
/// The server's word that its cache has the password's hash, and the login is done.
const FAST: &[u8] = &[3];
/// The server's word that it needs the whole password.
const FULL: &[u8] = &[4];

/// An authentication plugin that this side can answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Plugin {
    Native,
    CachingSha2,
    Sha256,
    Ed25519,
    Clear,
}

impl Plugin {
    pub(super) const ALL: [Self; 5] =
        [Self::Native, Self::CachingSha2, Self::Sha256, Self::Ed25519, Self::Clear];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Native => "mysql_native_password",
            Self::CachingSha2 => "caching_sha2_password",
            Self::Sha256 => "sha256_password",
            Self::Ed25519 => "client_ed25519",
            Self::Clear => "mysql_clear_password",
        }
    }

    /// The plugin of this name. Servers before 5.5 name none: theirs is the native one.
    pub(super) fn of(name: &[u8]) -> Option<Self> {
        if name.is_empty() {
            return Some(Self::Native);
        }
        Self::ALL.into_iter().find(|plugin| plugin.name().as_bytes() == name)
    }

    pub(super) fn on_the_wire(self) -> AuthPlugin<'static> {
        match self {
            Self::Native => AuthPlugin::MysqlNativePassword,
            Self::CachingSha2 => AuthPlugin::CachingSha2Password,
            Self::Sha256 => AuthPlugin::Sha256Password,
            Self::Ed25519 => AuthPlugin::Ed25519,
            Self::Clear => AuthPlugin::MysqlClearPassword,
        }
    }

    /// Whether the plugin may answer the greeting's challenge before the server has asked for it. Without TLS the
    /// answer of `sha256_password` needs the server's key, which the user's own plugin may not.
    pub(super) fn may_be_guessed(self, tls: bool) -> bool {
        matches!(self, Self::Native | Self::CachingSha2) || (self == Self::Sha256 && tls)
    }
}

/// The password, and how well the line is protected: what plugins may know.
#[derive(Debug, Clone, Copy)]
pub(super) struct Secrets<'a> {
    pub(super) options: &'a Options,
    pub(super) tls: bool,
}

impl Secrets<'_> {
    fn password(&self) -> &[u8] {
        self.options.password.as_deref().unwrap_or_default().as_bytes()
    }

    /// The password as it goes over a line that nobody reads, and into an encrypted block.
    fn spelled_out(&self) -> Vec<u8> {
        [self.password(), b"\0"].concat()
    }
}

/// Subject of the server's next packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NextPacket {
    Nothing,
    /// Whether the server's cache has the password's hash.
    Cache,
    /// The server's RSA key.
    Key,
}

/// A plugin in the middle of its conversation.
#[derive(Debug)]
pub(super) struct Procedure {
    plugin: Plugin,
    /// The server's challenge, with which plugins scramble the password.
    nonce: [u8; 20],
    due: NextPacket,
}

impl Procedure {
    /// Answers the first challenge.
    ///
    /// # Errors
    /// [`Error::Auth`] where the plugin may not be answered or the challenge is not one of it.
    pub(super) fn begin(
        plugin: Plugin,
        challenge: &[u8],
        secrets: &Secrets<'_>,
    ) -> Result<(Self, Vec<u8>), Error> {
        let mut procedure = Self { plugin, nonce: [0; 20], due: NextPacket::Nothing };
        if let Plugin::Native | Plugin::CachingSha2 | Plugin::Sha256 = plugin {
            // The zero at its end belongs to no challenge.
            let nonce = challenge.strip_suffix(b"\0").filter(|nonce| nonce.len() == 20).unwrap_or(challenge);
            procedure.nonce = nonce.try_into().map_err(|_| procedure.bad_challenge())?;
        }
        let password = secrets.password();
        let reply = match plugin {
            Plugin::Native => scramble_native(&procedure.nonce, password).map(Vec::from).unwrap_or_default(),
            Plugin::Ed25519 => procedure.sign(challenge, secrets)?,
            Plugin::Clear => {
                permit_clear(secrets)?;
                secrets.spelled_out()
            }
            Plugin::CachingSha2 | Plugin::Sha256 if password.is_empty() => Vec::new(),
            Plugin::CachingSha2 => {
                procedure.due = NextPacket::Cache;
                scramble_sha256(&procedure.nonce, password).map(Vec::from).unwrap_or_default()
            }
            // Servers take it in clear over TLS alone, not over a unix socket.
            Plugin::Sha256 if secrets.tls => secrets.spelled_out(),
            Plugin::Sha256 => procedure.by_key(secrets)?,
        };
        Ok((procedure, reply))
    }

    pub(super) fn plugin(&self) -> Plugin {
        self.plugin
    }

    /// Answers what the server says after the first answer; `None`: it waits for nothing.
    ///
    /// # Errors
    /// [`Error::Auth`] where the plugin does not expect it, or the key is none.
    pub(super) fn answer(&mut self, said: &[u8], secrets: &Secrets<'_>) -> Result<Option<Vec<u8>>, Error> {
        match std::mem::replace(&mut self.due, NextPacket::Nothing) {
            NextPacket::Nothing => Err(self.bad_challenge()),
            NextPacket::Cache if said == FAST => Ok(None),
            NextPacket::Cache if said == FULL && (secrets.tls || secrets.options.local) => {
                Ok(Some(secrets.spelled_out()))
            }
            NextPacket::Cache if said == FULL => self.by_key(secrets).map(Some),
            NextPacket::Cache => Err(self.bad_challenge()),
            NextPacket::Key => self.encrypt(said, secrets).map(Some),
        }
    }

    /// The password under the key that is known, or a request for the server's.
    fn by_key(&mut self, secrets: &Secrets<'_>) -> Result<Vec<u8>, Error> {
        let options = secrets.options;
        if let Some(pem) = &options.server_public_key {
            return self.encrypt(pem, secrets);
        }
        if !options.get_server_public_key && !options.local {
            return Err(Error::Auth(format!(
                "{}: the server wants the password encrypted with its public key, and whoever answers in its place could \
                 send a key of their own; needs TLS, a unix socket, a file with the key (server_public_key), or leave to \
                 ask the server for it (get_server_public_key)",
                self.plugin.name()
            )));
        }
        self.due = NextPacket::Key;
        let request = if self.plugin == Plugin::Sha256 { SHA256_KEY } else { CACHING_SHA2_KEY };
        Ok(vec![request])
    }

    fn encrypt(&self, pem: &[u8], secrets: &Secrets<'_>) -> Result<Vec<u8>, Error> {
        let wrong = |reason| Error::Auth(format!("{}: the server's public key {reason}", self.plugin.name()));
        let key = PublicKey::from_pem(pem).map_err(wrong)?;
        let mut secret = secrets.spelled_out();
        for (byte, mask) in secret.iter_mut().zip(self.nonce.iter().cycle()) {
            *byte ^= mask;
        }
        key.encrypt(&secret).map_err(wrong)
    }

    fn sign(&self, challenge: &[u8], secrets: &Secrets<'_>) -> Result<Vec<u8>, Error> {
        match ClientEd25519::default().run(*secrets, challenge) {
            Ok(Response::Next { packet } | Response::Last { packet }) => Ok(packet.unwrap_or_default()),
            Err(_) => Err(self.bad_challenge()),
        }
    }

    fn bad_challenge(&self) -> Error {
        Error::Auth(format!("{}: the server's challenge is not one of this plugin", self.plugin.name()))
    }
}

fn permit_clear(secrets: &Secrets<'_>) -> Result<(), Error> {
    let refused = if !secrets.options.clear_password {
        "the server asks for the password in clear (mysql_clear_password), which was not allowed"
    } else if !secrets.tls && !secrets.options.local {
        "the server asks for the password in clear (mysql_clear_password) over an open line: use TLS"
    } else {
        return Ok(());
    };
    Err(Error::Auth(refused.into()))
}

/// The password as `mysql_common`'s signature asks for it.
impl Context for Secrets<'_> {
    fn pass(&self) -> &[u8] {
        self.password()
    }

    fn is_ipc_transport(&self) -> bool {
        self.options.local
    }

    fn is_tls_transport(&self) -> bool {
        self.tls
    }

    fn scramble(&self) -> &[u8] {
        &[]
    }

    fn server_key_pem(&self) -> Option<&[u8]> {
        None
    }
}
