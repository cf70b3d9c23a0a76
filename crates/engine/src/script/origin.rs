//! The script of a job, with its options as texts.

use std::sync::Arc;

use assay_format::job::{Action, Job, PsMode};
use assay_script::{Inputs, Origin, bundled};
use serde_json::Value;

use crate::process::failure::Fatal;

/// What the name of a workload begins with that is a script.
pub(super) const PREFIX: &str = "lua:";

/// Bytes that one state may use where the job does not say: half of what LuaJIT itself gave all states together without
/// GC64.
pub(super) const MEMORY_BYTES: u64 = 1 << 30;

/// Checks what a script cannot be combined with.
///
/// # Errors
/// A key of the job that means nothing to a script; the message names it.
pub(super) fn check(job: &Job) -> Result<(), Fatal> {
    let load = &job.load;
    let refuse = |key: &str| Err(Fatal::job(format!("{key}: cannot be combined with a script")));
    if job.action == Action::Command && command(job).is_none() {
        return Err(Fatal::job("workload.script.command: action command needs it"));
    }
    if load.terminals > 0 {
        return refuse("load.terminals");
    }
    if load.reconnect_each > 0 {
        return refuse("load.reconnect_each").map_err(|fatal| fatal.hint("oltp scripts have --reconnect=N"));
    }
    if load.part.is_some() {
        return refuse("load.part");
    }
    if load.deferred_file.is_some() {
        return refuse("load.deferred_file");
    }
    if job.engine.ledger.is_some() {
        return refuse("engine.ledger");
    }
    Ok(())
}

/// The command that a job has its script carry out; none for `run`.
pub(super) fn command(job: &Job) -> Option<String> {
    match job.action {
        Action::Prepare => Some("prepare".into()),
        Action::Cleanup => Some("cleanup".into()),
        Action::Check => Some("check".into()),
        Action::Command => job.workload.script.as_ref().and_then(|script| script.command.clone()),
        Action::Run => None,
    }
}

/// The script and its options. Those of the load that nobody gave as options of the script are the job's.
pub(super) fn origin(job: &Job) -> Origin {
    let script = job.workload.script.clone().unwrap_or_default();
    let mut given: std::collections::BTreeMap<String, String> =
        job.workload.options.iter().map(|(name, value)| (name.replace('-', "_"), text(value))).collect();
    let mut add = |name: &str, value: String| {
        given.entry(name.to_owned()).or_insert(value);
    };
    add("threads", job.load.connections.to_string());
    add("time", (job.phases.measure_ms / 1000).to_string());
    add("events", job.phases.max_transactions.to_string());
    add("rand_seed", job.seed.to_string());
    let ps_mode = if job.target.ps_mode == PsMode::Auto { "auto" } else { "disable" };
    add("db_ps_mode", ps_mode.into());
    add("mysql_user", job.target.user.clone());
    add("mysql_db", job.target.database.clone());
    match &job.target.socket {
        Some(socket) => add("mysql_socket", socket.display().to_string()),
        None => {
            add("mysql_host", job.target.host.clone());
            add("mysql_port", job.target.port.to_string());
        }
    }
    let memory = if script.memory_bytes > 0 { script.memory_bytes } else { MEMORY_BYTES };
    let path = job.workload.name.trim_start_matches(PREFIX).to_owned();
    // A script that came with its files is not looked for beside this process.
    let own = || script.files.as_ref().and_then(|_| bundled(&path)).map(str::to_owned);
    let threads = given.get("threads").and_then(|text| text.parse().ok()).unwrap_or(job.load.connections);
    Origin {
        source: script.source.or_else(own),
        path,
        files: script.files.map(Arc::new),
        given: Arc::new(given),
        argv: script.argv,
        command: command(job).or_else(|| Some("run".into())).filter(|name| !name.is_empty()),
        seed: job.seed,
        threads,
        beside_threads: false,
        sandbox: None,
        memory_bytes: usize::try_from(memory).unwrap_or(usize::MAX),
        inputs: if job.action == Action::Prepare { Inputs::taken() } else { Inputs::default() },
    }
}

/// An option's value as the command line has it.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(on) => if *on { "on" } else { "off" }.into(),
        Value::Null => String::new(),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// Whether nothing is sent anywhere.
pub(super) fn is_dry(origin: &Origin) -> bool {
    origin.given.get("mysql_dry_run").is_some_and(|text| ["on", "true", "1", ""].contains(&&**text))
}
