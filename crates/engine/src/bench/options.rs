//! The options that every test has, by sysbench's names: what the command takes is what its help lists.

/// One option: what stands for its value in the help, its default there and where nobody gives it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    pub name: &'static str,
    pub value: &'static str,
    pub default: &'static str,
    pub help: &'static str,
}

const fn known(name: &'static str, value: &'static str, default: &'static str, help: &'static str) -> Known {
    Known { name, value, default, help }
}

pub(super) const SWITCH: &str = "[=on|off]";

pub(super) const GENERAL: &[Known] = &[
    known("threads", "=N", "1", "threads, each with its own connection"),
    known("events", "=N", "0", "stop after N events; 0: no limit"),
    known("time", "=N", "10", "measured time: seconds, or 500ms, 5min, 2h; 0: no limit"),
    known("rate", "=N", "0", "events per second of all threads, arriving at random; 0: as fast as possible"),
    known("warmup-time", "=N", "0", "load before the measured time"),
    known(
        "forced-shutdown",
        "=STRING",
        "off",
        "time after --time before events are given up: N seconds or N%",
    ),
    known("report-interval", "=N", "0", "time between live lines; 0: none"),
    known("report-checkpoints", "=[LIST,...]", "", "seconds at which statistics are printed and begin anew"),
    known("percentile", "=N", "95", "percentile of latency in the statistics; 0: none"),
    known("histogram", SWITCH, "off", "print the histogram of latency"),
    known("rand-seed", "=N", "0", "the same seed gives the same random numbers; 0: a new seed each time"),
    known("think-ms", "=N", "0", "pause of each thread between two events; sysbench has none"),
    known("verbosity", "=N", "3", "3 and more print the report, 0 to 2 only errors"),
    known("debug", SWITCH, "off", "set the verbosity to 5"),
    known("validate", SWITCH, "off", "accepted"),
    known("thread-init-timeout", "=N", "30", "limit of one login"),
    known("thread-stack-size", "=SIZE", "64K", "accepted"),
    known("config-file", "=FILENAME", "", "read options from a file, one NAME=VALUE a line"),
    known("json", SWITCH, "off", "print the result as one JSON object, the text on standard error"),
    known("help", SWITCH, "off", "print this list"),
    known("version", SWITCH, "off", "print the version"),
];

pub(super) const DRIVER: &[Known] = &[
    known(
        "mysql-host",
        "=[LIST,...]",
        "localhost",
        "hosts, each as HOST or USER@HOST; connections take turns",
    ),
    known("mysql-port", "=[LIST,...]", "3306", "ports of each host"),
    known("mysql-socket", "=[LIST,...]", "", "unix sockets, which go before hosts and ports"),
    known("mysql-user", "=STRING", "sbtest", "user"),
    known("mysql-password", "=STRING", "", "password; $MYSQL_PWD where it is empty"),
    known("mysql-db", "=STRING", "sbtest", "database"),
    known("mysql-ssl", "=STRING", "", "on, off, disabled, preferred, required, verify_ca or verify_identity"),
    known("mysql-ssl-key", "=FILENAME", "", "PEM file with the client's key"),
    known("mysql-ssl-ca", "=FILENAME", "", "PEM file with the certificates to trust"),
    known("mysql-ssl-cert", "=FILENAME", "", "PEM file with the client's certificate"),
    known("db-ps-mode", "=STRING", "auto", "auto prepares statements at the server, disable sends text"),
    known("db-driver", "=STRING", "mysql", "accepted: every server here speaks the MySQL protocol"),
    known("db-debug", SWITCH, "off", "accepted"),
    known("mysql-debug", SWITCH, "off", "accepted"),
];

/// Options that only scripts read, beside their own.
pub(super) const OF_SCRIPTS: &[Known] = &[
    known("mysql-ignore-errors", "=[LIST,...]", "1213,1020,1205", "codes after which an event restarts"),
    known("mysql-dry-run", SWITCH, "off", "send nothing: every statement succeeds"),
    known("luajit-cmd", "=STRING", "", "command for LuaJIT, such as off or opt=hotloop=20"),
    known(
        "rand-type",
        "=STRING",
        "special",
        "how numbers are drawn: uniform, gaussian, special, pareto, zipfian",
    ),
    known("rand-spec-iter", "=N", "12", "draws that are added up for one number"),
    known("rand-spec-pct", "=N", "1", "percent of the range that special draws more often"),
    known("rand-spec-res", "=N", "75", "percent of the draws that fall there"),
    known("rand-pareto-h", "=N", "0.2", "shape of the Pareto distribution"),
    known("rand-zipfian-exp", "=N", "0.8", "shape of the Zipfian distribution"),
];

/// Names that options had before sysbench 1.0, in the order in which it warns of them.
pub(super) const FORMER: &[(&str, &str)] =
    &[("num-threads", "threads"), ("max-requests", "events"), ("max-time", "time"), ("tx-rate", "rate")];

/// Options of this command that no script is told.
pub(super) const UNTOLD: &[&str] = &["mysql-password", "help", "version", "json", "config-file", "think-ms"];

/// The option of every test that has this name.
pub(super) fn find(name: &str) -> Option<&'static Known> {
    GENERAL.iter().chain(DRIVER).find(|known| known.name == name)
}

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    GENERAL.iter().chain(DRIVER).chain(OF_SCRIPTS).map(|known| known.name)
}
