//! A real MariaDB, private to the test run: own directory, unix socket and a loopback port, killed by its pid.

use std::fs;
use std::io::ErrorKind;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use assay_wire::{Blocking, Connection, Options, block_on};
use tempfile::TempDir;

pub(crate) mod certificates;

/// Password of user `known`.
pub(crate) const PASSWORD: &str = "Pässword, 'quoted' \\ and long enough to be one";
/// The name in the server's certificate.
pub(crate) const NAME: &str = "db.assay.test";
/// `nobody` and `nogroup`: servers do not run as root.
const NOBODY: u32 = 65534;

pub(crate) type Local = Connection<Blocking<UnixStream>>;

pub(crate) struct Server {
    process: Child,
    directory: TempDir,
    port: u16,
}

/// The server that all tests of this process share; gone when no test holds it any more.
pub(crate) fn server() -> Arc<Server> {
    static RUNNING: Mutex<Weak<Server>> = Mutex::new(Weak::new());
    let mut running = RUNNING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(server) = running.upgrade() {
        return server;
    }
    let server = Arc::new(Server::start());
    *running = Arc::downgrade(&server);
    server
}

impl Server {
    /// One of its own: what is counted on it is one test's.
    pub(crate) fn start() -> Self {
        let directory =
            tempfile::Builder::new().prefix("assay-wire-").tempdir().expect("a temporary directory");
        let root = directory.path();
        fs::set_permissions(root, fs::Permissions::from_mode(0o755)).expect("permissions");
        certificates::make(root, NAME);
        for entry in fs::read_dir(root).expect("a directory") {
            give(&entry.expect("an entry").path());
        }
        give(root);
        // A server that starts removes what servers have in their directory for temporary tables.
        let temporary = root.join("tmp");
        fs::create_dir(&temporary).expect("a directory");
        give(&temporary);
        run(unprivileged("mariadb-install-db").env("TMPDIR", &temporary).args([
            "--no-defaults",
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
            "--skip-name-resolve",
            &format!("--datadir={}", root.join("data").display()),
        ]));
        let port = free_port();
        let mut command = unprivileged("mariadbd");
        command
            .env("TMPDIR", &temporary)
            .arg("--no-defaults")
            .arg(format!("--datadir={}", root.join("data").display()))
            .arg(format!("--socket={}", root.join("socket").display()))
            .arg(format!("--port={port}"))
            .arg(format!("--log-error={}", root.join("log.err").display()))
            .arg(format!("--ssl-ca={}", root.join("ca.pem").display()))
            .arg(format!("--ssl-cert={}", root.join("server.pem").display()))
            .arg(format!("--ssl-key={}", root.join("server-key.pem").display()))
            .args(["--bind-address=127.0.0.1", "--max-allowed-packet=64M", "--innodb-buffer-pool-size=32M"])
            .args([
                "--innodb-log-file-size=96M",
                "--innodb-flush-log-at-trx-commit=0",
                "--skip-name-resolve",
            ]);
        let process = spawn(command.stdout(Stdio::null()).stderr(Stdio::null()));
        let mut server = Self { process, directory, port };
        server.wait();
        server.make_users();
        server
    }

    fn wait(&mut self) {
        let limit = Instant::now() + Duration::from_secs(600);
        while UnixStream::connect(self.socket()).is_err() {
            let ended = self.process.try_wait().expect("the server's state");
            if ended.is_some() || Instant::now() > limit {
                let log = fs::read_to_string(self.file("log.err")).unwrap_or_default();
                panic!("the test server did not start ({ended:?}); its log:\n{log}");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn make_users(&self) {
        let quoted = PASSWORD.replace('\\', "\\\\").replace('\'', "\\'");
        let mut root = self.connect(&self.root());
        block_on(async {
            for sql in [
                format!("CREATE USER known@'%' IDENTIFIED BY '{quoted}'"),
                "GRANT ALL ON *.* TO known@'%'".into(),
                "CREATE USER empty@'%'".into(),
                format!("CREATE USER guarded@'%' IDENTIFIED BY '{quoted}' REQUIRE X509"),
                "CREATE DATABASE test".into(),
            ] {
                root.run(&sql).await.expect(&sql);
            }
        });
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.file("socket")
    }

    pub(crate) fn unix(&self) -> Blocking<UnixStream> {
        Blocking(UnixStream::connect(self.socket()).expect("the server's socket"))
    }

    pub(crate) fn tcp(&self) -> Blocking<TcpStream> {
        Blocking(TcpStream::connect(("127.0.0.1", self.port)).expect("the server's port"))
    }

    /// Options of the administrator.
    #[expect(clippy::unused_self, reason = "asked of the server that knows the user")]
    pub(crate) fn root(&self) -> Options {
        Options { user: "root".into(), local: true, ..Options::default() }
    }

    /// Options of a user with a password, in database `test`.
    #[expect(clippy::unused_self, reason = "asked of the server that knows the user")]
    pub(crate) fn known(&self) -> Options {
        Options {
            user: "known".into(),
            password: Some(PASSWORD.into()),
            database: Some("test".into()),
            ..Options::default()
        }
    }

    /// A connection over the unix socket.
    pub(crate) fn connect(&self, options: &Options) -> Local {
        block_on(Connection::open(self.unix(), options)).expect("a connection")
    }

    /// A connection of user `known` with a database to itself.
    pub(crate) fn fresh(&self, database: &str) -> Local {
        let mut connection = self.connect(&Options { multi_statements: true, ..self.known() });
        block_on(async {
            connection
                .run(&format!("CREATE OR REPLACE DATABASE {database} CHARACTER SET utf8mb4"))
                .await
                .expect("a database");
            connection.set_database(database).await.expect("the database");
        });
        connection
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // By its pid, and waited for, before its directory goes.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A program of the server's package, as an ordinary user when we are root.
fn unprivileged(program: &str) -> Command {
    let path = ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/usr/local/sbin"]
        .map(|directory| Path::new(directory).join(program))
        .into_iter()
        .find(|path| path.exists());
    let Some(path) = path else {
        panic!(
            "{program} not found: these tests need MariaDB 10.11 or later; on Debian and Ubuntu install it with \
             `apt-get install mariadb-server-core mariadb-client-core` (no service is started)"
        );
    };
    let mut command = Command::new(path);
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command.stdin(Stdio::null());
    command
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|this| std::os::unix::fs::MetadataExt::uid(&this) == 0)
}

fn give(path: &Path) {
    if is_root() {
        chown(path, Some(NOBODY), Some(NOBODY)).expect("an owner");
    }
}

/// Runs a program to its end, which must be a good one.
pub(crate) fn run(command: &mut Command) {
    match command.output() {
        Ok(output) if output.status.success() => {}
        Ok(output) => panic!(
            "{command:?} failed:\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        ),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let program = command.get_program().display();
            panic!("{command:?}: not found; install it (`apt-get install {program}`)")
        }
        Err(error) => panic!("{command:?}: {error}"),
    }
}

fn spawn(command: &mut Command) -> Child {
    command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}
