//! Where the server is, and how to log in there.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where the server is and how to log in. A socket wins over host and port.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// Path of a unix socket.
    #[serde(default)]
    pub socket: Option<PathBuf>,
    /// Host name or address.
    #[serde(default = "default_host")]
    pub host: String,
    #[serde(default = "default_port")]
    pub port: u16,
    pub user: String,
    /// Name of the environment variable that holds the password: a job file never holds it.
    #[serde(default)]
    pub password_env: Option<String>,
    pub database: String,
    #[serde(default)]
    pub tls: Tls,
    /// `auto` prepares statements at the server, `disable` sends text.
    #[serde(default)]
    pub ps_mode: PsMode,
    /// Server variables whose value a session keeps, because a study varies them or a person has set them. The engine states
    /// the other settings that its statements rely on at each login (autocommit, sql_mode, character set, time zone and
    /// more); sessions of scripts keep them all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub server_session: Vec<String>,
    /// Limit for one connect and login.
    #[serde(default = "default_connect_timeout_ms")]
    pub connect_timeout_ms: u64,
}

fn default_host() -> String {
    "127.0.0.1".into()
}
fn default_port() -> u16 {
    3306
}
fn default_connect_timeout_ms() -> u64 {
    10_000
}

/// Statement protocol (sysbench `--db-ps-mode`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PsMode {
    #[default]
    Auto,
    Disable,
}

/// Transport security, by the names of the MySQL clients' `--ssl-mode`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tls {
    /// Absent: `preferred` over TCP to another machine, `disabled` over a unix socket and the loopback interface.
    #[serde(default)]
    pub mode: Option<TlsMode>,
    /// PEM file with the certificates to trust (verify-ca, verify-identity).
    #[serde(default)]
    pub ca: Option<PathBuf>,
    /// PEM files of a client certificate and its key.
    #[serde(default)]
    pub cert: Option<PathBuf>,
    #[serde(default)]
    pub key: Option<PathBuf>,
    /// PEM file of the server's RSA public key, for `caching_sha2_password` and `sha256_password` over TCP without TLS.
    #[serde(default)]
    pub server_public_key: Option<PathBuf>,
    /// Ask the server for that key where none is given. Whoever can answer in its place, or stands between, can send a key
    /// of their own and read the password.
    #[serde(default)]
    pub get_server_public_key: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TlsMode {
    Disabled,
    Preferred,
    Required,
    VerifyCa,
    VerifyIdentity,
}
