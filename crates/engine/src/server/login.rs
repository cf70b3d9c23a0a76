//! Opening connections: the target of a job, made ready once for all of them.

use std::cell::Cell;
use std::io;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use assay_wire::{Connection, Error, Options, TlsFiles, TlsMode as WireTlsMode, TlsOptions};

use crate::process::clock::ns;
use crate::process::failure::Fatal;
use crate::reactor::socket::{Endpoint, Socket, bare};
use crate::reactor::{Reactor, TaskId};
use crate::server::cut;
use crate::server::session::Session;
use assay_format::event::ErrorKind;
use assay_format::job::{Target, TlsMode};

/// The purpose for which connections are opened: a server is offered no more than that needs.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Purpose {
    /// Whether rows go by `LOAD DATA LOCAL INFILE`, from memory.
    pub files: bool,
    /// Whether texts may hold several statements.
    pub packets: bool,
    /// Whether the statements are the engine's own, and rely on the session that it states; those of a script do not.
    pub own: bool,
}

/// The login of a target: everything that opening one more connection needs.
pub(crate) struct Login {
    way: Arc<Way>,
    session: Session,
    timeout_ns: u64,
}

/// The way to a server: its address, and who logs in there.
pub(crate) struct Way {
    /// The address; or that the host has none, which every attempt says.
    endpoint: Result<Endpoint, Fatal>,
    options: Options,
}

impl Way {
    /// Connects and logs in until `deadline`, without a word to whoever may wait; `None` where it does not come to that.
    pub(crate) async fn enter(
        &self,
        reactor: &Rc<Reactor>,
        task: TaskId,
        deadline: u64,
    ) -> Option<Connection<Socket>> {
        let socket = Socket::connect(reactor.clone(), task, self.endpoint.as_ref().ok()?, deadline).await;
        Connection::open(socket.ok()?, &self.options).await.ok()
    }
}

/// CR_UNKNOWN_HOST: what the client library says of a host without an address.
pub(crate) const UNKNOWN_HOST: u16 = 2005;

impl Login {
    /// Resolves the host, reads the password from the environment and the certificates from their files.
    ///
    /// # Errors
    /// A named environment variable is missing, a file cannot be read.
    pub(crate) fn new(target: &Target, purpose: Purpose) -> Result<Self, Fatal> {
        let endpoint = Endpoint::of(target).map_err(|error| {
            let place = target.socket.as_ref().map_or(target.host.clone(), |path| path.display().to_string());
            let kind = ErrorKind::Connect;
            let message = format!("cannot find the server {place}: {error}");
            Fatal { code: Some(UNKNOWN_HOST), ..Fatal::new(kind, message) }
        });
        let password = match &target.password_env {
            None => None,
            Some(name) => Some(std::env::var(name).map_err(|_| {
                Fatal::job(format!("target.password_env: there is no environment variable {name}"))
            })?),
        };
        let server_public_key = match &target.tls.server_public_key {
            None => None,
            Some(path) => Some(read_file(path, "target.tls.server_public_key")?),
        };
        // Over a network as MySQL's clients have it; where nobody can listen, a measurement is not of TLS unless asked for.
        let default = if endpoint.as_ref().is_ok_and(Endpoint::is_local) {
            TlsMode::Disabled
        } else {
            TlsMode::Preferred
        };
        let mode = match target.tls.mode.unwrap_or(default) {
            TlsMode::Disabled => WireTlsMode::Disabled,
            TlsMode::Preferred => WireTlsMode::Preferred,
            TlsMode::Required => WireTlsMode::Required,
            TlsMode::VerifyCa => WireTlsMode::VerifyCa,
            TlsMode::VerifyIdentity => WireTlsMode::VerifyIdentity,
        };
        let files = TlsFiles {
            ca: target.tls.ca.clone(),
            cert: target.tls.cert.clone(),
            key: target.tls.key.clone(),
        };
        let tls =
            TlsOptions::load(mode, &files).map_err(|error| Fatal::job(format!("target.tls: {error}")))?;
        let way = Way {
            options: Options {
                user: target.user.clone(),
                password,
                database: Some(target.database.clone()),
                local_files: purpose.files,
                multi_statements: purpose.packets,
                tls,
                server_name: Some(bare(&target.host).to_owned()),
                server_public_key,
                get_server_public_key: target.tls.get_server_public_key,
                program_name: Some("assay-engine".into()),
                local: endpoint.as_ref().is_ok_and(Endpoint::is_unix),
                ..Options::default()
            },
            endpoint,
        };
        Ok(Self {
            way: Arc::new(way),
            session: if purpose.own {
                Session::stated_but(&target.server_session)
            } else {
                Session::default()
            },
            timeout_ns: ns(target.connect_timeout_ms),
        })
    }

    /// The host, as it was named.
    pub(crate) fn host(&self) -> &str {
        self.way.options.server_name.as_deref().unwrap_or_default()
    }

    /// Whether the server is behind a socket file.
    pub(crate) fn is_unix(&self) -> bool {
        self.way.options.local
    }

    /// Statements that each login sends before any other.
    pub(crate) fn statements(&self) -> u32 {
        u32::from(!self.session.is_empty())
    }

    /// Limit for one connect and login, and for any one question around the load.
    pub(crate) fn timeout_ns(&self) -> u64 {
        self.timeout_ns
    }

    /// The limit for one connect and login in words, for people.
    pub(crate) fn timeout(&self) -> String {
        format!("{} ms (target.connect_timeout_ms)", self.timeout_ns / 1_000_000)
    }

    /// Waits, without an event loop, until the server has sent a new client its first byte.
    ///
    /// # Errors
    /// The address of a server that has not.
    pub(crate) fn greet(&self, within: Duration) -> Result<(), String> {
        let Ok(endpoint) = &self.way.endpoint else { return Ok(()) };
        endpoint.greet(within).map_err(|_| endpoint.text().to_owned())
    }

    /// Connects and logs in.
    ///
    /// # Errors
    /// No connection within the time limit, or the server refuses the login.
    pub(crate) async fn open(
        &self,
        reactor: &Rc<Reactor>,
        task: TaskId,
    ) -> Result<Connection<Socket>, Fatal> {
        let deadline = reactor.clock.now() + self.timeout_ns;
        let endpoint = self.way.endpoint.as_ref().map_err(Clone::clone)?;
        let place = endpoint.text();
        let due = Cell::new("connection");
        let opening = async {
            let connecting = Socket::connect(reactor.clone(), task, endpoint, deadline);
            let socket = connecting.await.map_err(|error| Fatal::unreachable(place, &error))?;
            due.set("login");
            let opened = Connection::open(socket, &self.way.options).await;
            let mut connection = opened.map_err(|error| Fatal::refused(place, &error))?;
            let (way, id) = (self.way.clone(), connection.server().connection_id);
            connection.when_cut(move || cut::note(way, id));
            if let Some(sql) = self.session.sql(connection.server()) {
                due.set("session");
                let stated = connection.run(&sql).await;
                stated.map_err(|error| {
                    Fatal::statement(&format!("cannot set the session at {place} (`{sql}`)"), &error)
                })?;
            }
            Ok(connection)
        };
        reactor.until(task, deadline, opening).await.unwrap_or_else(|| {
            if due.get() == "session" {
                let message = format!(
                    "the server did not answer a login's first statement (SET) within {}",
                    self.timeout()
                );
                return Err(Fatal::new(ErrorKind::Lost, message));
            }
            let limit = format!("no {} within {}", due.get(), self.timeout());
            let error = io::Error::new(io::ErrorKind::TimedOut, limit);
            Err(match due.get() {
                "login" => Fatal::refused(place, &Error::Io(error)),
                _ => Fatal::unreachable(place, &error),
            })
        })
    }
}

fn read_file(path: &Path, key: &str) -> Result<Vec<u8>, Fatal> {
    std::fs::read(path).map_err(|error| Fatal::job(format!("{key}: cannot read {}: {error}", path.display())))
}
