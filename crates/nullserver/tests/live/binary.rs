//! The program itself: started, spoken to by real clients, filled with connections, stopped.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use super::client::{Client, socket_path};
use assay_nullserver::raise_file_limit;

struct Program {
    child: Child,
    out: BufReader<ChildStdout>,
    socket: PathBuf,
    ready: String,
}

impl Program {
    fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_assay-nullserver"));
        command.args(arguments);
        Self::spawn(command)
    }

    fn spawn(mut command: Command) -> Self {
        let socket = socket_path();
        let mut child =
            command.arg("--socket").arg(&socket).stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut ready = String::new();
        out.read_line(&mut ready).unwrap();
        Self { child, out, socket, ready }
    }

    /// Asks it to end; returns its last words.
    fn stop(mut self) -> String {
        // SAFETY: the child has not been waited for, so its number is still its own.
        unsafe { libc::kill(self.child.id() as libc::pid_t, libc::SIGTERM) };
        let mut words = String::new();
        self.out.read_to_string(&mut words).unwrap();
        assert!(self.child.wait().unwrap().success());
        words
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // After `stop` there is nothing left to kill or to remove.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_file(&self.socket);
    }
}

#[expect(clippy::print_stderr, reason = "a test that did not run must be seen")]
fn skip(reason: &str) {
    eprintln!("skipped: {reason}");
}

/// Whether a program is there; where it is not, the test says so and passes.
fn present(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        skip(&format!("{program} is not installed"));
    }
    found
}

fn sysbench(socket: &Path, script: &str, more: &[&str]) -> String {
    let output = Command::new("sysbench")
        .args([script, "--db-driver=mysql", "--mysql-user=root", "--mysql-db=test", "--table-size=1000"])
        .arg(format!("--mysql-socket={}", socket.display()))
        .args(more)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}");
    text
}

#[test]
fn it_announces_itself_and_leaves_nothing_behind() {
    let program = Program::start(&["--port", "0"]);
    let ready: serde_json::Value = serde_json::from_str(&program.ready).unwrap();
    assert_eq!(ready["event"], "ready");
    assert_eq!(ready["socket"], program.socket.to_str().unwrap());
    assert!(ready["port"].as_u64().unwrap() > 0 && ready["origin_ns"].as_u64().unwrap() > 0);
    Client::connect(&program.socket, 0).unwrap().query("SELECT 1").unwrap();
    let socket = program.socket.clone();
    let last: serde_json::Value = serde_json::from_str(&program.stop()).unwrap();
    assert_eq!(last["status"]["Com_select"], 1);
    assert!(!socket.exists());
}

#[test]
fn a_socket_in_use_is_refused_and_an_old_one_replaced() {
    let mut program = Program::start(&[]);
    let second =
        Command::new(env!("CARGO_BIN_EXE_assay-nullserver")).arg("--socket").arg(&program.socket).output();
    let second = second.unwrap();
    assert!(!second.status.success());
    assert!(String::from_utf8_lossy(&second.stderr).contains("listening there already"));
    Client::connect(&program.socket, 0).unwrap();

    program.child.kill().unwrap();
    program.child.wait().unwrap();
    assert!(program.socket.exists(), "killed, it could not clean up");
    let options = assay_nullserver::Options {
        socket: Some(program.socket.clone()),
        ..assay_nullserver::Options::default()
    };
    let heir = assay_nullserver::Server::start(&options).unwrap();
    Client::connect(&program.socket, 0).unwrap();
    heir.stop().unwrap();
}

#[test]
fn bad_options_are_explained() {
    for (arguments, words) in [
        (&["--socket", "/nowhere/at/all.sock"][..], "cannot listen on unix socket"),
        (&[], "no address to listen on"),
        (&["--port", "0", "--freeze", "1s", "--every", "1s"], "--freeze must be shorter than --every"),
        (&["--port", "0", "--freeze", "1s"], "--every"),
        (&["--port", "0", "--delay", "5ms"], "write constant:2ms"),
        (&["--port", "0", "--error", "1213"], "--error-probability"),
        (&["--port", "0", "--error-every", "5"], "need --error CODE"),
        (&["--port", "0", "--reset-probability", "2"], "not a probability; write a number from 0 to 1"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_assay-nullserver")).args(arguments).output().unwrap();
        assert!(!output.status.success(), "{arguments:?}");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains(words), "{arguments:?}: {message}");
    }
}

#[test]
fn the_mariadb_client_talks_to_it() {
    if !present("mariadb") {
        return;
    }
    let program = Program::start(&["--range-rows", "7"]);
    let run = |sql: &str| {
        let mut command = Command::new("mariadb");
        command.args(["--no-defaults", "--user=root", "--password=any", "--batch", "--skip-column-names"]);
        command.arg(format!("--socket={}", program.socket.display())).args(["--execute", sql, "test"]);
        let output = command.output().unwrap();
        (
            String::from_utf8_lossy(&output.stdout).into_owned(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    assert_eq!(run("SELECT @@version, @@max_prepared_stmt_count").0, "8.0.0-assay-null\t1048576\n");
    assert_eq!(run("SELECT c FROM t WHERE id BETWEEN 1 AND 2").0.lines().count(), 7);
    assert_eq!(run("BEGIN; UPDATE t SET k=1; COMMIT; SELECT COUNT(*) FROM t").0, "100\n");
    assert!(run("SELECT @@nonsense").1.contains("ERROR 1193 (HY000)"));
}

#[test]
fn sysbench_and_the_counters_agree() {
    if !present("sysbench") {
        return;
    }
    let program = Program::start(&[]);
    sysbench(&program.socket, "oltp_read_write", &["--tables=2", "prepare"]);
    for mode in ["auto", "disable"] {
        let before = counts(&program.socket);
        let mode = format!("--db-ps-mode={mode}");
        let report = sysbench(
            &program.socket,
            "oltp_read_write",
            &["--tables=2", "--threads=8", "--events=400", &mode, "run"],
        );
        assert!(report.contains("transactions:                        400 "), "{report}");
        let difference: Vec<u64> =
            counts(&program.socket).iter().zip(before).map(|(after, before)| after - before).collect();
        // 14 reads, 4 writes and 2 others in a transaction.
        assert_eq!(difference, [400 * 14, 400 * 2, 400, 400, 400, 400], "{mode}");
    }
}

fn counts(socket: &Path) -> Vec<u64> {
    let mut client = Client::connect(socket, 0).unwrap();
    ["Com_select", "Com_update", "Com_insert", "Com_delete", "Com_begin", "Com_commit"]
        .iter()
        .map(|name| client.status(name).unwrap())
        .collect()
}

#[test]
fn ten_thousand_connections() {
    const CONNECTIONS: usize = 10_000;
    if raise_file_limit(CONNECTIONS as u64 + 200) < CONNECTIONS as u64 + 200 {
        skip("the limit of open files is too low");
        return;
    }
    let program = Program::start(&[]);
    let mut clients: Vec<_> =
        (0..CONNECTIONS).map(|_| Client::connect(&program.socket, 0).unwrap()).collect();
    for client in &mut clients {
        client.command(0x03, b"SELECT c FROM t WHERE id=1").unwrap();
    }
    for client in &mut clients {
        assert_eq!(client.answer().unwrap().rows().len(), 1);
    }
    assert_eq!(clients[0].status("Threads_connected").unwrap(), CONNECTIONS as u64);
}

#[test]
fn without_descriptors_it_says_too_many_connections() {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 40; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_assay-nullserver")]);
    let program = Program::spawn(command);
    let greeted = || {
        let mut stream = UnixStream::connect(&program.socket).unwrap();
        let mut beginning = [0; 5];
        stream.read_exact(&mut beginning).unwrap();
        (beginning[4] == 10).then_some(stream)
    };
    let mut kept = Vec::new();
    while let Some(stream) = greeted() {
        kept.push(stream);
        assert!(kept.len() < 40);
    }
    assert!(kept.len() > 10, "{}", kept.len());
    kept.pop();
    // A descriptor is free again as soon as the server has seen the end of the connection.
    while greeted().is_none() {}
}
