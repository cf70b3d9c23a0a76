//! A file of statements as a job's workload.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use assay_format::event::Event;
use assay_format::job::{Job, WorkloadChoice};
use assay_workload::{OWN_PREFIX, OptionError, Own};
use ring::digest::{Context, SHA256};
use serde_json::{Map, Value};

use crate::process::failure::Fatal;
use crate::say::emit::emit;
use crate::server::login::{Login, Purpose};
use crate::server::notes::learn;

/// Whether a workload is a file of statements.
pub(crate) fn is_own(chosen: &WorkloadChoice) -> bool {
    chosen.name.starts_with(OWN_PREFIX)
}

/// The files of SQL that make the tables of a workload, with their texts.
///
/// # Errors
/// A file cannot be read, or something in it is wrong; its place is named.
pub(crate) fn data(chosen: &WorkloadChoice) -> Result<Vec<(String, Vec<u8>)>, Fatal> {
    let (text, mut files) = texts(chosen, &chosen.options)?;
    let names = Own::data_names(&chosen.name, &text, &chosen.options).map_err(told)?;
    Ok(names
        .into_iter()
        .filter_map(|name| files.remove(&name).map(|text| (name, text.into_bytes())))
        .collect())
}

/// The workload of a job.
///
/// # Errors
/// The file cannot be read, or something in it is wrong.
pub(crate) fn own(chosen: &WorkloadChoice, seed: u64) -> Result<Own, Fatal> {
    let (text, files) = texts(chosen, &chosen.options)?;
    let own = Own::read(&chosen.name, &text, &files, &chosen.options).map_err(told)?.seeded(seed);
    let Some(path) = chosen.script.as_ref().and_then(|script| script.samples.clone()) else { return Ok(own) };
    let kept = match std::fs::read(&path) {
        Ok(kept) => Some(kept),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => {
            return Err(Fatal::host(format!("cannot read the samples {}: {error}", path.display())));
        }
    };
    Ok(own.keeping(kept.as_deref(), Box::new(move |samples| keep(&path, &samples))))
}

/// Takes the samples that the statements of a job draw from, where they are to be kept with tables that were just made: a run
/// then reads no table before its load. What cannot be taken is asked for, and complained about, by the run.
pub(crate) fn take_samples(job: &Job) {
    let wanted = job.workload.script.as_ref().is_some_and(|script| script.samples.is_some());
    if wanted
        && let Ok(mut own) = own(&job.workload, job.seed)
        && let Ok(login) = Login::new(&job.target, Purpose::default())
    {
        let _ = learn(&mut own, &login);
    }
}

/// Writes samples beside a dataset, whole or not at all. Who cannot has them for this load alone: another run asks again.
fn keep(path: &Path, samples: &[u8]) {
    let fresh = path.with_extension(format!("{}.new", std::process::id()));
    let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    let written =
        folder.and_then(|()| std::fs::write(&fresh, samples)).and_then(|()| std::fs::rename(&fresh, path));
    if let Err(error) = written {
        let _ = std::fs::remove_file(&fresh);
        let message =
            format!("cannot keep the samples {}: {error}: each server is asked for its own", path.display());
        emit(&Event::Error(Fatal::host(message).notice(0)));
    }
}

/// The text of the file.
///
/// # Errors
/// The file cannot be read.
pub(crate) fn text(chosen: &WorkloadChoice) -> Result<String, Fatal> {
    let path = chosen.name.strip_prefix(OWN_PREFIX).unwrap_or(&chosen.name);
    let failed = |error| Fatal::job(format!("cannot read the file {path}: {error}"));
    let given = chosen.script.as_ref().and_then(|script| script.source.clone());
    given.map_or_else(|| std::fs::read_to_string(path).map_err(failed), Ok)
}

/// Lists the file as the catalogue lists a workload, with the identity of its tables.
///
/// # Errors
/// A file cannot be read, or something in it is wrong; its place is named.
pub(crate) fn listing(chosen: &WorkloadChoice) -> Result<Value, Fatal> {
    let (text, files) = texts(chosen, &chosen.options)?;
    let mut listing = Own::listing(&chosen.name, &text, &files, &chosen.options).map_err(told)?;
    // Tables are made of the files that @data names alone: another query needs no other tables.
    let data = Own::data_names(&chosen.name, &text, &chosen.options).map_err(told)?;
    let mut context = Context::new(&SHA256);
    for part in data.iter().flat_map(|name| [Some(name), files.get(name)]).flatten() {
        context.update(&(part.len() as u64).to_le_bytes());
        context.update(part.as_bytes());
    }
    let identity: String = context.finish().as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    listing["identity"] = identity.into();
    Ok(listing)
}

/// What is wrong in a file, whose name and place the message has.
fn told(error: OptionError) -> Fatal {
    Fatal::job(error.0)
}

/// The text of the file, and those of the files that it needs: from the job, or from where they are, beside it.
fn texts(
    chosen: &WorkloadChoice,
    options: &Map<String, Value>,
) -> Result<(String, BTreeMap<String, String>), Fatal> {
    let path = chosen.name.strip_prefix(OWN_PREFIX).unwrap_or(&chosen.name);
    let script = chosen.script.clone().unwrap_or_default();
    let read = |path: &Path| {
        let failed = |error| Fatal::job(format!("cannot read the file {}: {error}", path.display()));
        std::fs::read_to_string(path).map_err(failed)
    };
    let text = script.source.map_or_else(|| read(Path::new(path)), Ok)?;
    let wanted = Own::file_names(&chosen.name, &text, options).map_err(told)?;
    let folder = Path::new(path).parent().unwrap_or_else(|| Path::new(""));
    let found = wanted.into_iter().map(|name| {
        let beside = folder.join(&name);
        let text = match &script.files {
            Some(files) => {
                let missing =
                    || Fatal::job(format!("the job has no file {}, which {path} names", beside.display()));
                files.get(&beside.display().to_string()).cloned().ok_or_else(missing)
            }
            None => read(&beside),
        };
        text.map(|text| (name, text))
    });
    let files = found.collect::<Result<_, _>>()?;
    Ok((text, files))
}
