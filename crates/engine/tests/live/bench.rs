//! The engine as a tool of its own on a real MariaDB: a script, a workload, a drop-in for sysbench, an end by a signal.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use super::engine::{database, number};
use crate::support::{PASSWORD, Server, server};

fn command(server: &Server, name: &str, words: &str) -> Command {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_assay-engine"));
    engine.arg("bench").args(words.split(' ')).args(["--mysql-user=root", &format!("--mysql-db={name}")]);
    engine.arg(format!("--mysql-socket={}", server.socket().display()));
    engine
}

fn said(command: &mut Command) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command.output().expect("the engine starts");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (status.code().unwrap_or(-1), text(stdout), text(stderr))
}

#[test]
fn a_script_is_prepared_run_and_cleaned_up_in_sysbenchs_words() {
    let server = server();
    let name = "bench_script";
    database(&server, name);
    let (code, text, _) =
        said(&mut command(&server, name, "oltp_read_write prepare --tables=2 --table-size=1000"));
    assert!(code == 0 && text.contains("Inserting 1000 records into 'sbtest2'"), "{text}");
    let words = "oltp_read_write run --tables=2 --table-size=1000 --threads=2 --events=100 --time=0";
    let (code, text, aside) = said(&mut command(&server, name, words));
    assert_eq!(code, 0, "{text}{aside}");
    // A transaction that meets the other connection's is tried again from its first of 14 reads.
    let again = text.lines().find_map(|line| line.trim().strip_prefix("ignored errors:"));
    let again: u32 = again.and_then(|rest| rest.split_whitespace().next()).unwrap().parse().expect("a count");
    for line in [
        "Number of threads: 2\n",
        "Threads started!\n",
        &format!("        read:                            {}\n", 14 * (100 + again)),
        "    total number of events:              100\n",
        "Latency (ms):\n",
        "    events (avg/stddev):           50.0000/",
    ] {
        assert!(text.contains(line), "{line:?} in {text}");
    }
    // The password goes from the command line into the environment of a process without it.
    let password = format!("--mysql_password={PASSWORD}");
    let (code, json, _) =
        said(command(&server, name, words).args(["--json", "--mysql-user=known", &password]));
    let told: Value = serde_json::from_str(&json).expect("one object");
    assert_eq!((code, &told["events"], &told["complete"]), (0, &100.into(), &true.into()), "{json}");
    let (code, _, aside) = said(&mut command(&server, name, "oltp_read_write run --tabels=2"));
    assert_eq!((code, &*aside), (2, "invalid option: --tabels=2\nhint: did you mean --tables?\n"));
    // Under sysbench's own name: no word `bench`, the log on standard output, one exit code of failures.
    let of_bench = command(&server, name, "oltp_read_only run --tables=9");
    let mut own = Command::new(env!("CARGO_BIN_EXE_assay-engine"));
    let (code, text, _) = said(own.arg0("/usr/bin/sysbench").args(of_bench.get_args().skip(1)));
    assert!(code == 1 && text.contains("\nFATAL: "), "{code} {text}");
    assert_eq!(said(&mut command(&server, name, "oltp_read_write cleanup --tables=2")).0, 0);
    let left = format!("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = '{name}'");
    assert_eq!(number(&server, &left), 0);
}

#[test]
fn a_signal_ends_a_workload_whose_figures_are_printed() {
    let server = server();
    let name = "bench_signal";
    database(&server, name);
    let prepared = said(&mut command(&server, name, "select prepare --tables=1 --table-size=100"));
    assert!(prepared.0 == 0 && prepared.1.contains("prepare of 1 tables: 100 rows"), "{prepared:?}");
    let words = "select run --tables=1 --table-size=100 --time=0 --report-interval=0.1";
    let mut engine = command(&server, name, words)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut lines = BufReader::new(engine.stdout.take().unwrap()).lines().map_while(Result::ok);
    let first = lines.find(|line| line.starts_with("[ 0.")).expect("an interval");
    assert!(first.contains(" tps: ") && first.contains(" lat (ms,95%): "), "{first}");
    // SAFETY: the child is there until it is waited for.
    unsafe { libc::kill(engine.id() as i32, libc::SIGINT) };
    let rest: Vec<String> = lines.collect();
    let ended = engine.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(130));
    assert!(rest.iter().any(|line| line.starts_with("    total number of events: ")), "{rest:?}");
    let aside = String::from_utf8(ended.stderr).expect("text");
    assert!(aside.ends_with("Interrupted; the figures cover the time until then.\n"), "{aside}");
}
