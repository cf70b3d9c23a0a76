//! The handshake: from the server's first byte to the last of the login.

use std::collections::HashMap;

use mysql_common::collations::CollationId;
use mysql_common::constants::{CapabilityFlags, MariadbCapabilities};
use mysql_common::packets::{HandshakeResponse, SslRequest};
use mysql_common::proto::MySerialize;

use crate::auth::{self, Authentication};
use crate::error::Error;
use crate::greeting::Greeting;
use crate::inbox::{Answer, Step};
use crate::link::Link;
use crate::options::Options;
use crate::server::{ServerInfo, identify};
use crate::stream::Stream;
use crate::tls::TlsMode;

/// Longest row that is taken, in bytes, where the options name no other limit.
const MAX_PACKET_BYTES: u32 = 64 << 20;

/// Longest greeting that is taken, in bytes.
const GREETING_BYTES: usize = 64 * 1024;

/// The payload of the server's greeting, kept until the handshake reads it.
#[derive(Debug, Default)]
struct GreetingPayload(Vec<u8>);

impl Answer for GreetingPayload {
    fn limit(&self) -> usize {
        GREETING_BYTES
    }

    fn packet(&mut self, payload: &[u8]) -> Result<Step, Error> {
        self.0.extend_from_slice(payload);
        Ok(Step::Done)
    }
}

/// Shakes hands, upgrades to TLS where asked for, authenticates.
pub(crate) async fn shake<S: Stream>(
    mut link: Link<S>,
    options: &Options,
) -> Result<(Link<S>, ServerInfo), Error> {
    let mut first = GreetingPayload::default();
    link.inbox.expect(0);
    link.run(&mut first).await?;
    let greeting = Greeting::parse(&first.0)?;
    let (flavour, version, version_number) = identify(greeting.version, greeting.capabilities);

    let use_tls = wants_tls(&greeting, options)?;
    let (capabilities, mariadb_capabilities) = negotiate(&greeting, options, use_tls);
    let max_packet = options.max_packet_bytes.unwrap_or(MAX_PACKET_BYTES);
    let mut sequence = 1;
    let mut tls = None;
    if use_tls {
        let request = SslRequest::new(capabilities, max_packet, CollationId::UTF8MB4_GENERAL_CI as u8)
            .with_mariadb_capabilities(mariadb_capabilities);
        link.outbox.clear();
        request.serialize(link.outbox.begin(sequence));
        sequence = link.outbox.end();
        link.send().await?;
        let (transport, info) = link.transport.upgrade(options).await?;
        link.transport = transport;
        tls = Some(info);
    }

    let mut authentication = Authentication::new(&greeting, options, tls.is_some())?;
    let (plugin, answer) = authentication.first();
    let response = HandshakeResponse::new(
        answer,
        version_number,
        Some(options.user.as_bytes()),
        options.database.as_deref().map(str::as_bytes),
        capabilities.contains(CapabilityFlags::CLIENT_PLUGIN_AUTH).then_some(plugin),
        capabilities,
        capabilities.contains(CapabilityFlags::CLIENT_CONNECT_ATTRS).then(|| attributes(options)),
        max_packet,
    )
    .with_mariadb_ext_capabilities(mariadb_capabilities);
    link.outbox.clear();
    response.serialize(link.outbox.begin(sequence));
    let auth_plugin = auth::converse(&mut link, &mut authentication).await?;

    let server = ServerInfo {
        flavour,
        version,
        version_number,
        connection_id: greeting.connection_id,
        capabilities,
        mariadb_capabilities,
        tls,
        auth_plugin,
        max_row_bytes: max_packet,
    };
    Ok((link, server))
}

/// Whether the connection changes to TLS, by the mode asked for and by what the server offers.
fn wants_tls(greeting: &Greeting<'_>, options: &Options) -> Result<bool, Error> {
    let offered = greeting.capabilities.contains(CapabilityFlags::CLIENT_SSL);
    match options.tls.mode() {
        TlsMode::Disabled => Ok(false),
        TlsMode::Preferred => Ok(offered && !options.local),
        _ if offered => Ok(true),
        mode => Err(Error::Tls(format!("mode {mode} needs TLS, which the server does not offer"))),
    }
}

/// The capabilities that this side wants and the server has.
fn negotiate(
    greeting: &Greeting<'_>,
    options: &Options,
    use_tls: bool,
) -> (CapabilityFlags, MariadbCapabilities) {
    let mut wanted = CapabilityFlags::CLIENT_LONG_PASSWORD
        | CapabilityFlags::CLIENT_LONG_FLAG
        | CapabilityFlags::CLIENT_PROTOCOL_41
        | CapabilityFlags::CLIENT_TRANSACTIONS
        | CapabilityFlags::CLIENT_SECURE_CONNECTION
        | CapabilityFlags::CLIENT_MULTI_RESULTS
        | CapabilityFlags::CLIENT_PS_MULTI_RESULTS
        | CapabilityFlags::CLIENT_PLUGIN_AUTH
        | CapabilityFlags::CLIENT_PLUGIN_AUTH_LENENC_CLIENT_DATA
        | CapabilityFlags::CLIENT_CONNECT_ATTRS
        | CapabilityFlags::CLIENT_DEPRECATE_EOF;
    wanted.set(CapabilityFlags::CLIENT_CONNECT_WITH_DB, options.database.is_some());
    wanted.set(CapabilityFlags::CLIENT_MULTI_STATEMENTS, options.multi_statements);
    wanted.set(CapabilityFlags::CLIENT_LOCAL_FILES, options.local_files);
    wanted.set(CapabilityFlags::CLIENT_SSL, use_tls);
    let agreed = wanted & greeting.capabilities;
    // A server with the old bit has no capabilities of MariaDB's, and one with them wants the bit unset.
    let mariadb = if agreed.contains(CapabilityFlags::CLIENT_LONG_PASSWORD) {
        MariadbCapabilities::empty()
    } else {
        greeting.mariadb_capabilities
            & (MariadbCapabilities::MARIADB_CLIENT_CACHE_METADATA
                | MariadbCapabilities::MARIADB_CLIENT_STMT_BULK_OPERATIONS)
    };
    (agreed, mariadb)
}

/// Connection attributes, which the server shows in its `performance_schema`.
fn attributes(options: &Options) -> HashMap<String, String> {
    let mut attributes = HashMap::from([
        ("_client_name".to_owned(), env!("CARGO_PKG_NAME").to_owned()),
        ("_client_version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
        ("_os".to_owned(), std::env::consts::OS.to_owned()),
        ("_platform".to_owned(), std::env::consts::ARCH.to_owned()),
        ("_pid".to_owned(), std::process::id().to_string()),
    ]);
    if let Some(name) = &options.program_name {
        attributes.insert("program_name".to_owned(), name.clone());
    }
    attributes
}
