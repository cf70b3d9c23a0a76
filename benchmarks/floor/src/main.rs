//! A bare ping-pong over epoll: what a round trip of given sizes costs a client that does nothing else.
//!
//! One client process and one server process, one thread each. The client keeps one request in flight on every
//! connection; whatever a load generator spends above this is its own doing.

mod client;
mod pairs;
mod poll;
mod server;
mod sizes;

use std::io::Write;
use std::time::Duration;

use anyhow::Context;
use clap::{Parser, ValueEnum};

use crate::sizes::Sizes;

#[derive(Debug, Parser)]
#[command(name = "assay-floor", version, about)]
struct Cli {
    /// Connections, each with one request in flight
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=4_096))]
    connections: u32,
    #[arg(long, value_enum, default_value = "unix")]
    transport: Transport,
    /// How the server waits: one loop over all connections, or a thread for each of them
    #[arg(long, value_enum, default_value = "loop")]
    server: server::Kind,
    /// Bytes of request and reply, e.g. 23:203; several, separated by commas, are gone through in turn
    #[arg(long, default_value = "23:203")]
    exchange: Sizes,
    /// Measured time; a fifth of it goes before, unmeasured
    #[arg(long, default_value_t = 1_000, value_name = "MILLISECONDS")]
    time_ms: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Transport {
    Unix,
    Tcp,
}

fn main() -> anyhow::Result<()> {
    let cli = Cli::parse();
    let (clients, servers) = pairs::connect(cli.transport, cli.connections)
        .context("connecting: is the limit of open files too low?")?;
    let time = Duration::from_millis(cli.time_ms);
    // Two processes, because a table of descriptors that threads share costs each of them more.
    // SAFETY: no thread has been started, so the child may go on like any process.
    let child = unsafe { libc::fork() };
    if child < 0 {
        return Err(std::io::Error::last_os_error()).context("fork");
    }
    if child == 0 {
        drop(clients);
        let ended = server::serve(cli.server, &servers, &cli.exchange);
        // SAFETY: ends this process without running what the parent will run too.
        unsafe { libc::_exit(i32::from(ended.is_err())) };
    }
    drop(servers);
    let measured = client::drive(&clients, &cli.exchange, time);
    // The server leaves when its last connection is closed.
    drop(clients);
    // SAFETY: `child` is ours, and nobody asks for its status.
    unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) };
    let measured = measured?;
    let line = serde_json::json!({
        "connections": cli.connections,
        "server": format!("{:?}", cli.server).to_lowercase(),
        "transport": if cli.transport == Transport::Unix { "unix" } else { "tcp" },
        "round_trips": measured.round_trips,
        "elapsed_s": measured.elapsed_s,
        "user_us": measured.user_us,
        "system_us": measured.system_us,
    });
    writeln!(std::io::stdout(), "{line}")?;
    Ok(())
}
