//! What people and the lab are told of a script before any load: its options, whether it makes tables, its identity.

use std::os::fd::RawFd;
use std::sync::{Arc, OnceLock};

use assay_format::job::WorkloadChoice;
use assay_script::{
    Declared, DeclaredOption, DryRun, Kind, Origin, Script, Setting, Watch, bundled, bundled_names,
};
use assay_wire::block_on;
use ring::digest::{Context, SHA256};
use serde_json::{Map, Value, json};

use crate::process::failure::Fatal;
use crate::say::answer::complain;
use crate::script::failed;
use crate::script::origin::{MEMORY_BYTES, PREFIX};
use crate::script::watch::{READING, watch};

/// Version of the rows of scripts, as far as the engine's functions draw them. Since 2 the distributions `special` and
/// `gaussian` are those of sysbench 1.0.20.
const ROWS_VERSION: u32 = 2;

/// Lists a script as the catalogue lists a workload. The script is loaded, without a server; nothing else of it runs.
///
/// Unless it `may_act`, it has nothing with which it could act outside of itself. Of a script that needs that to declare
/// something, nothing is known but the text: the listing has what it needs under `unread`.
///
/// # Errors
/// There is no such script, or it fails.
pub(crate) fn listing(chosen: &WorkloadChoice, may_act: bool) -> Result<Value, Fatal> {
    let Some(path) = chosen.name.strip_prefix(PREFIX) else {
        return Err(Fatal::job(format!("{} is not a script: its name begins with {PREFIX}", chosen.name)));
    };
    let script = chosen.script.clone().unwrap_or_default();
    let text = match &script.source {
        Some(source) => source.clone(),
        None => found(path, script.files.is_none())?,
    };
    let tried = Arc::<OnceLock<String>>::default();
    let origin = Origin {
        sandbox: (!may_act).then(|| tried.clone()),
        path: path.to_owned(),
        source: Some(text),
        files: script.files.map(Arc::new),
        command: Some("run".into()),
        memory_bytes: usize::try_from(MEMORY_BYTES).unwrap_or(usize::MAX),
        ..Origin::default()
    };
    let computing = watch(READING, || false, end_without);
    let watched = computing.clone();
    let declared = without_output(|| {
        let watch: Watch = Box::new(move |whereabouts| watched.turn(whereabouts));
        let mut host = DryRun { watch: Some(watch), ..DryRun::default() };
        block_on(async {
            let mut script = Script::open(&origin, 0, &mut host).await?;
            let declared = script.declared(&mut host).await;
            script.leave(&mut host).await;
            declared
        })
    });
    computing.end();
    if let Some(unread) = tried.get() {
        return Ok(unread_listing(&chosen.name, &origin, unread));
    }
    let declared = declared.map_err(|error| failed(&error))?;
    Ok(json!({
        "name": chosen.name,
        "summary": "A script for sysbench",
        "kinds": [],
        "measures": [],
        "conditions": declared.checks,
        "ledger": false,
        "rows_version": ROWS_VERSION,
        "options": schema(&declared),
        "prepares": declared.prepares,
        "identity": identity(&origin),
    }))
}

/// Ends the process: its script computes for ever.
#[allow(clippy::exit, reason = "a thread that computes for ever cannot be joined")]
fn end_without(fatal: Fatal) {
    std::process::exit(complain(&fatal));
}

/// What is known of a script that needs more than its own text to say what it declares: it takes any option.
fn unread_listing(name: &str, origin: &Origin, unread: &str) -> Value {
    let text = origin.source.as_deref().unwrap_or_default();
    json!({
        "name": name,
        "summary": "A script for sysbench",
        "kinds": [],
        "measures": [],
        "conditions": false,
        "ledger": false,
        "rows_version": ROWS_VERSION,
        "options": {"type": "object", "properties": {}, "additionalProperties": true},
        "prepares": text.contains("prepare"),
        "identity": identity(origin),
        "unread": unread,
    })
}

/// The text of a script that comes with the engine, or is in a file, where it may be in one.
fn found(path: &str, in_files: bool) -> Result<String, Fatal> {
    if let Some(text) = bundled(path).filter(|_| bundled_names().any(|name| name == path)) {
        return Ok(text.to_owned());
    }
    let wrong = if in_files {
        match std::fs::read_to_string(path) {
            Ok(text) => return Ok(text),
            Err(error) => format!("cannot read the script {path}: {error}"),
        }
    } else {
        format!("no script {path} comes with the engine")
    };
    let names: Vec<_> = bundled_names().collect();
    Err(Fatal::job(wrong).hint(format!("these come with it: {}", names.join(", "))))
}

/// What a script prints while it is loaded is no part of the answer.
fn without_output<T>(work: impl FnOnce() -> T) -> T {
    const OUT: RawFd = libc::STDOUT_FILENO;
    // SAFETY: descriptors of this process; `kept` is closed once.
    let kept = unsafe { libc::dup(OUT) };
    // SAFETY: both are open.
    unsafe { libc::dup2(libc::STDERR_FILENO, OUT) };
    let done = work();
    // SAFETY: all streams of the C library, and the descriptor that was kept.
    unsafe {
        libc::fflush(std::ptr::null_mut());
        libc::dup2(kept, OUT);
        libc::close(kept);
    }
    done
}

/// The JSON Schema of the options. A script that declares none takes any.
fn schema(declared: &Declared) -> Value {
    let properties: Map<String, Value> =
        declared.options.iter().map(|(name, option)| (name.clone(), property(option))).collect();
    json!({"type": "object", "properties": properties, "additionalProperties": !declared.declares})
}

fn property(option: &DeclaredOption) -> Value {
    let kind = match option.kind {
        Kind::Switch => json!("boolean"),
        Kind::Whole => json!("integer"),
        Kind::Number => json!("number"),
        Kind::Size => json!(["string", "integer"]),
        Kind::Text => json!(["string", "number"]),
    };
    let default = match &option.default {
        Setting::Switch(on) => json!(on),
        Setting::Number(number) if number.fract() == 0.0 && number.abs() < 1e15 => json!(*number as i64),
        Setting::Number(number) => json!(number),
        Setting::Text(text) => json!(text),
    };
    let mut property = json!({"type": kind, "default": default, "description": option.help});
    if !option.shapes {
        property["x-shapes"] = json!("load");
    }
    property
}

/// A digest of what makes the script's rows: its own text, its files', the engine's `oltp_common` where one of them names it,
/// and the version of the functions that draw them.
fn identity(origin: &Origin) -> String {
    let mut texts = Context::new(&SHA256);
    let mut add = |name: &str, text: &str| {
        for part in [name, text] {
            texts.update(&(part.len() as u64).to_le_bytes());
            texts.update(part.as_bytes());
        }
    };
    add("rows", &ROWS_VERSION.to_string());
    add("", origin.source.as_deref().unwrap_or_default());
    for (name, text) in origin.files.iter().flat_map(|files| files.iter()) {
        add(name, text);
    }
    if loads_common(origin) {
        add("oltp_common", bundled("oltp_common").unwrap_or_default());
    }
    texts.finish().as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether a text of the script names the module that comes with the engine.
fn loads_common(origin: &Origin) -> bool {
    let texts = origin.source.iter().chain(origin.files.iter().flat_map(|files| files.values()));
    texts.into_iter().any(|text| text.contains("oltp_common"))
}
