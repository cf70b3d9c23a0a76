//! The options of TLS.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use rustls::ClientConfig;
use rustls::client::WebPkiServerVerifier;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::verify::{AnyCertificate, Chain};
use crate::error::Error;

/// Mode of TLS, as `--ssl-mode` of MySQL's clients has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TlsMode {
    /// In clear.
    Disabled,
    /// TLS with any certificate where the server offers it, in clear otherwise and over unix sockets.
    #[default]
    Preferred,
    /// TLS with any certificate, or failure.
    Required,
    /// The certificate must be signed by a given authority.
    VerifyCa,
    /// The certificate must be signed by a given authority, and carry the server's name.
    VerifyIdentity,
}

impl TlsMode {
    const ALL: [(Self, &str); 5] = [
        (Self::Disabled, "disabled"),
        (Self::Preferred, "preferred"),
        (Self::Required, "required"),
        (Self::VerifyCa, "verify-ca"),
        (Self::VerifyIdentity, "verify-identity"),
    ];
}

impl fmt::Display for TlsMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::ALL.iter().find(|(mode, _)| mode == self).map_or("", |(_, name)| *name);
        f.write_str(name)
    }
}

impl FromStr for TlsMode {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let name = text.to_ascii_lowercase().replace('_', "-");
        let found = Self::ALL.iter().find(|(_, known)| *known == name);
        found.map(|(mode, _)| *mode).ok_or_else(|| {
            let known = Self::ALL.map(|(_, name)| name).join(", ");
            Error::Tls(format!("unknown mode {text:?}; known: {known}"))
        })
    }
}

/// Paths of the PEM files that TLS reads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TlsFiles {
    /// Certificates of authorities. Modes verify-ca and verify-identity need it, as MySQL's clients do: the system's
    /// authorities do not sign database servers.
    pub ca: Option<PathBuf>,
    /// The client's certificate, for servers that ask for one; with `key`.
    pub cert: Option<PathBuf>,
    /// The private key of the client's certificate.
    pub key: Option<PathBuf>,
}

/// Mode and configuration of TLS: built once, shared by all connections.
#[derive(Debug, Clone)]
pub struct TlsOptions {
    mode: TlsMode,
    config: Option<Arc<ClientConfig>>,
}

impl Default for TlsOptions {
    fn default() -> Self {
        Self::disabled()
    }
}

impl TlsOptions {
    #[must_use]
    pub fn disabled() -> Self {
        Self { mode: TlsMode::Disabled, config: None }
    }

    /// Reads the files and builds the configuration.
    ///
    /// # Errors
    /// [`Error::Tls`] naming the file that is missing or does not parse.
    pub fn load(mode: TlsMode, files: &TlsFiles) -> Result<Self, Error> {
        if mode == TlsMode::Disabled {
            return Ok(Self::disabled());
        }
        let provider = Arc::new(ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| Error::Tls(error.to_string()))?;
        let builder = match mode {
            TlsMode::VerifyIdentity | TlsMode::VerifyCa => {
                let strict = authorities(mode, files, &provider)?;
                let verifier = Chain::new(strict, mode == TlsMode::VerifyCa);
                builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier))
            }
            _ => {
                builder.dangerous().with_custom_certificate_verifier(Arc::new(AnyCertificate::new(&provider)))
            }
        };
        let config = match (&files.cert, &files.key) {
            (Some(cert), Some(key)) => {
                let key = PrivateKeyDer::from_pem_file(key).map_err(|error| unreadable(key, &error))?;
                builder
                    .with_client_auth_cert(certificates(cert)?, key)
                    .map_err(|error| Error::Tls(format!("{}: {error}", cert.display())))?
            }
            (None, None) => builder.with_no_client_auth(),
            _ => return Err(Error::Tls("a certificate needs its key, and a key its certificate".into())),
        };
        Ok(Self::with_config(mode, Arc::new(config)))
    }

    /// Options with a configuration made elsewhere, whose verifier must be as strict as the mode says.
    #[must_use]
    pub fn with_config(mode: TlsMode, config: Arc<ClientConfig>) -> Self {
        Self { mode, config: Some(config) }
    }

    #[must_use]
    pub fn mode(&self) -> TlsMode {
        self.mode
    }

    pub(super) fn config(&self) -> Option<&Arc<ClientConfig>> {
        self.config.as_ref()
    }
}

fn authorities(
    mode: TlsMode,
    files: &TlsFiles,
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<WebPkiServerVerifier>, Error> {
    let Some(ca) = &files.ca else {
        return Err(Error::Tls(format!("mode {mode} needs a file with the authority's certificate (ca)")));
    };
    let mut roots = rustls::RootCertStore::empty();
    for certificate in certificates(ca)? {
        roots.add(certificate).map_err(|error| unreadable(ca, &error))?;
    }
    WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider))
        .build()
        .map_err(|error| unreadable(ca, &error))
}

/// The certificates of a PEM file: at least one.
fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, Error> {
    let certificates: Vec<_> = CertificateDer::pem_file_iter(path)
        .and_then(Iterator::collect)
        .map_err(|error| unreadable(path, &error))?;
    if certificates.is_empty() {
        return Err(Error::Tls(format!("{}: no certificate in it", path.display())));
    }
    Ok(certificates)
}

fn unreadable(path: &Path, error: &dyn fmt::Display) -> Error {
    Error::Tls(format!("{}: {error}", path.display()))
}
