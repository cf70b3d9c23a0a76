//! The command line.

use std::path::PathBuf;

use assay_nullserver::fault::{
    Deed, Delay, Dribble, Freeze, InjectedError, Misdeed, Stage, When, parse_duration_ns, parse_probability,
};
use assay_nullserver::{Behaviour, Content, Options};
use clap::Parser;

/// A MySQL server that answers from memory: it stores nothing, accepts any password, and says what a benchmark wants
/// to hear. It shows how fast a load generator is by itself, and, with faults that are known in advance, whether the
/// generator reports the truth.
#[derive(Debug, Parser)]
#[command(name = "assay-nullserver", version, after_long_help = EXAMPLES)]
pub(crate) struct Cli {
    /// Listen on this unix socket (made at start, removed at the end)
    #[arg(long, value_name = "PATH")]
    socket: Option<PathBuf>,
    /// Listen on this port of 127.0.0.1, never on another address; 0 takes a free one and prints it
    #[arg(long, value_name = "NUMBER")]
    port: Option<u16>,
    /// Event loops; connections are dealt out to them in turn
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Version told to clients
    #[arg(long, default_value_t = Content::default().version, value_name = "TEXT")]
    server_version: String,
    /// Rows of a SELECT (an aggregate always has 1)
    #[arg(long, default_value_t = Content::default().rows, value_name = "N")]
    rows: usize,
    /// Rows of a SELECT with BETWEEN
    #[arg(long, default_value_t = Content::default().range_rows, value_name = "N")]
    range_rows: usize,

    /// Stand still this long at the start of every period but the first: [k·every, k·every + length), k ≥ 1, on
    /// CLOCK_MONOTONIC from the `origin_ns` printed at the start
    #[arg(long, value_name = "LENGTH", value_parser = parse_duration_ns, requires = "every", help_heading = "Faults")]
    freeze: Option<u64>,
    /// Period of --freeze
    #[arg(long, value_name = "LENGTH", value_parser = parse_duration_ns, requires = "freeze", help_heading = "Faults")]
    every: Option<u64>,
    /// Hold every reply back: constant:2ms, exponential:5ms (the mean), or bimodal:1ms,50ms,0.05 (5 % take 50 ms)
    #[arg(long, value_name = "DISTRIBUTION", help_heading = "Faults")]
    delay: Option<Delay>,
    /// Answer statements with this server error code instead
    #[arg(long, value_name = "CODE", requires = "error_when", help_heading = "Faults")]
    error: Option<u16>,
    /// … each with this probability
    #[arg(long, value_name = "P", value_parser = parse_probability, group = "error_when", help_heading = "Faults")]
    error_probability: Option<f64>,
    /// … every Nth statement of a connection
    #[arg(long, value_name = "N", value_parser = at_least_one, group = "error_when", help_heading = "Faults")]
    error_every: Option<u64>,
    /// Cut a connection after it had this many replies
    #[arg(long, value_name = "N", conflicts_with = "reset_probability", help_heading = "Faults")]
    reset_after: Option<u64>,
    /// Cut the connection instead of a reply, with this probability
    #[arg(long, value_name = "P", value_parser = parse_probability, help_heading = "Faults")]
    reset_probability: Option<f64>,
    /// Fall silent on a connection after it had this many replies
    #[arg(long, value_name = "N", help_heading = "Faults")]
    hang_after: Option<u64>,
    /// Send everything in pieces of this many bytes
    #[arg(long, value_name = "BYTES", value_parser = at_least_one, help_heading = "Faults")]
    dribble: Option<u64>,
    /// Pause between the pieces of --dribble
    #[arg(long, value_name = "LENGTH", value_parser = parse_duration_ns, default_value = "1ms", help_heading = "Faults")]
    dribble_pause: u64,
    /// Refuse every login with error 1045
    #[arg(long, help_heading = "Faults")]
    refuse_logins: bool,
    /// Send, in place of a reply, what is none: cut (half of it, then the end), endless-rows, endless-row,
    /// endless-chain, endless-columns, no-columns, wrong-kind (OK for rows, rows for OK), surplus (the reply twice),
    /// file-request, controls (an error full of control characters), affected:N or warnings:N
    #[arg(long, value_name = "DEED", help_heading = "Faults")]
    misdeed: Option<Deed>,
    /// Where: greeting, login, question, prepare or statement
    #[arg(
        long,
        value_name = "STAGE",
        default_value = "statement",
        requires = "misdeed",
        help_heading = "Faults"
    )]
    misdeed_at: Stage,
    /// … after so many right replies of that stage on a connection
    #[arg(long, value_name = "N", default_value_t = 0, requires = "misdeed", help_heading = "Faults")]
    misdeed_after: u64,
    /// Ask logins for full caching_sha2_password authentication and send this file as the RSA public key
    #[arg(long, value_name = "FILE", help_heading = "Faults")]
    public_key: Option<PathBuf>,
    /// Seed of everything random: statement n of connection m always has the same fate
    #[arg(long, default_value_t = 1, value_name = "N", help_heading = "Faults")]
    seed: u64,
}

const EXAMPLES: &str = "\
Examples:
  A generator's ceiling, with 64 connections:
    assay-nullserver --socket /tmp/null.sock &
    sysbench oltp_point_select --mysql-socket=/tmp/null.sock --tables=1 --threads=64 --time=10 run

  Does it tell the truth about a server that is frozen a fifth of the time? At a constant rate, p95 must be 150 ms:
    assay-nullserver --socket /tmp/null.sock --freeze 200ms --every 1s

  Are percentiles right? Of an exponential delay with mean m, the median is 0.69 m and p99 is 4.6 m:
    assay-nullserver --port 3399 --delay exponential:5ms

  Does it retry and reconnect?
    assay-nullserver --port 3399 --error 1213 --error-probability 0.01 --reset-after 1000

Faults apply to the statements of a load. SHOW, SELECT @@x, SET, PREPARE and PING are never disturbed, so that a
client can always set itself up, and read SHOW GLOBAL STATUS: Questions, Com_select … are counted for real, and
Assay_injected_errors, _resets and _hangs tell what was done. Assay_alarm_lateness_ns over Assay_alarms is how late
this server itself was, on average, at the end of a delay or a pause: subtract it before blaming a generator.

One JSON line is printed when clients may connect (socket, port, pid, origin_ns), and one with all counters at the
end. SIGTERM or SIGINT ends it.";

fn at_least_one(text: &str) -> Result<u64, String> {
    let number = text.parse::<u64>().ok().filter(|&number| number > 0);
    number.ok_or_else(|| format!("`{text}` is not a whole number above 0"))
}

impl Cli {
    /// # Errors
    /// Options that exclude each other in value.
    pub(crate) fn options(self) -> Result<Options, String> {
        let freeze = match (self.freeze, self.every) {
            (Some(length_ns), Some(every_ns)) if length_ns < every_ns => Some(Freeze { length_ns, every_ns }),
            (Some(_), Some(_)) => return Err("--freeze must be shorter than --every".into()),
            _ => None,
        };
        let error_when = self.error_every.map(When::Every).or(self.error_probability.map(When::Probability));
        let error = self.error.zip(error_when).map(|(code, when)| InjectedError { code, when });
        if error.is_none() && error_when.is_some() {
            return Err("--error-probability and --error-every need --error CODE, e.g. --error 1213".into());
        }
        let behaviour = Behaviour {
            seed: self.seed,
            freeze,
            delay: self.delay,
            error,
            reset: self.reset_after.map(When::After).or(self.reset_probability.map(When::Probability)),
            hang: self.hang_after.map(When::After),
            dribble: self
                .dribble
                .map(|bytes| Dribble { bytes: bytes as usize, pause_ns: self.dribble_pause }),
            refuse_logins: self.refuse_logins,
            misdeed: self.misdeed.map(|deed| Misdeed {
                deed,
                stage: self.misdeed_at,
                after: self.misdeed_after,
            }),
        };
        let public_key = match &self.public_key {
            None => None,
            Some(path) => Some(std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?),
        };
        let content = Content {
            version: self.server_version,
            rows: self.rows,
            range_rows: self.range_rows,
            public_key,
        };
        Ok(Options { socket: self.socket, port: self.port, threads: self.threads.into(), content, behaviour })
    }
}
