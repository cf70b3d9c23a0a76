//! `assay-nullserver`: see the library, and `--help`.

mod cli;
mod signals;

use std::io::Write;
use std::process::ExitCode;

use anyhow::Context;
use assay_nullserver::{Server, raise_file_limit};
use clap::Parser;

/// Descriptors asked for: tens of thousands of connections.
const WANTED_FILES: u64 = 65_536;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing can be done if even this cannot be written.
            let _ = writeln!(std::io::stderr(), "assay-nullserver: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<()> {
    let options = cli::Cli::parse().options().map_err(anyhow::Error::msg)?;
    // Before the threads start, so that they inherit it and only this one takes the signals.
    let signals = signals::Signals::block().context("blocking signals")?;
    let files = raise_file_limit(WANTED_FILES);
    let server = Server::start(&options)?;
    say(&serde_json::json!({
        "event": "ready",
        "pid": std::process::id(),
        "socket": options.socket,
        "port": server.port(),
        "origin_ns": server.origin_ns(),
        "max_files": files,
    }))?;
    signals.wait();
    let status: serde_json::Map<String, serde_json::Value> =
        server.status().into_iter().map(|(name, value)| (name.to_string(), value.into())).collect();
    server.stop()?;
    say(&serde_json::json!({ "event": "stopped", "status": status }))
}

fn say(line: &serde_json::Value) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    // A reader that has left does not matter.
    match writeln!(out, "{line}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
