//! The layers of the Rust half: no crate, and no room of the engine, imports one that stands above it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The rooms of the engine, lowest first. Rooms of one line stand beside each other and do not know of one another.
const ROOMS: &[&[&str]] = &[
    &["process"],
    &["say", "job"],
    &["reactor"],
    &["course"],
    &["server", "ledger"],
    &["load", "data", "storage", "machine"],
    &["script", "own"],
    &["bench"],
    &["main", "tests"],
];

/// The crates that each crate may use. What is missing here may use none of ours.
const CRATES: &[(&str, &[&str])] = &[
    ("assay-pace", &["assay-chance"]),
    ("assay-nullserver", &["assay-chance"]),
    ("assay-storage", &["assay-chance", "assay-pace"]),
    ("assay-machine", &["assay-chance"]),
    ("assay-generate", &["assay-chance"]),
    ("assay-workload", &["assay-chance", "assay-sql", "assay-wire"]),
    ("assay-script", &["assay-chance", "assay-wire", "assay-workload"]),
    ("assay-format", &["assay-generate", "assay-machine", "assay-pace", "assay-storage"]),
    (
        "assay-engine",
        &[
            "assay-format",
            "assay-generate",
            "assay-machine",
            "assay-pace",
            "assay-script",
            "assay-sql",
            "assay-storage",
            "assay-tally",
            "assay-wire",
            "assay-workload",
        ],
    ),
];

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The room a file belongs to: its folder, or the file itself where it stands beside the rooms.
fn room_of(file: &Path) -> String {
    let within = file.strip_prefix(sources()).unwrap();
    let first = within.components().next().unwrap().as_os_str().to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

/// The rooms that a text names as `crate::room` or, in a list, `crate::{room, …}`.
fn named_rooms(text: &str) -> BTreeSet<String> {
    let mut rooms = BTreeSet::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        if let Some(list) = rest.strip_prefix('{') {
            let mut depth = 1;
            let mut word = String::new();
            for letter in list.chars() {
                match letter {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    _ if depth == 1 && (letter.is_alphanumeric() || letter == '_') => word.push(letter),
                    _ => {}
                }
                if depth == 0 || (depth == 1 && (letter == ',' || letter == ':')) {
                    rooms.insert(std::mem::take(&mut word));
                }
                if depth == 0 {
                    break;
                }
            }
        } else {
            rooms.insert(
                rest.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect(),
            );
        }
    }
    rooms.remove("");
    rooms
}

fn floor(room: &str) -> Option<usize> {
    ROOMS.iter().position(|rooms| rooms.contains(&room))
}

/// The imports of a file that run up, or sideways into another room of its floor.
fn breaches(room: &str, text: &str) -> Vec<String> {
    let mine = floor(room).unwrap_or_else(|| panic!("`{room}` is a room that ROOMS does not know"));
    let higher = |other: &&String| *other != room && floor(other).is_some_and(|other| other >= mine);
    named_rooms(text).iter().filter(higher).cloned().collect()
}

#[test]
fn no_room_of_the_engine_imports_one_above_it() {
    let mut files = Vec::new();
    rust_files(&sources(), &mut files);
    assert!(files.len() > 50, "{files:?}");
    let mut found = BTreeMap::new();
    for file in files {
        let up = breaches(&room_of(&file), &std::fs::read_to_string(&file).unwrap());
        if !up.is_empty() {
            found.insert(file, up);
        }
    }
    assert!(found.is_empty(), "imports that run up: {found:#?}");
}

#[test]
fn an_import_that_runs_up_is_found() {
    assert_eq!(breaches("say", "use crate::load::plan::Timing;"), ["load"]);
    assert_eq!(breaches("data", "use crate::{load::names, process::clock};"), ["load"]);
    assert_eq!(breaches("course", "use crate::{process::{clock, signal}, say::{emit, server}};"), [""; 0]);
    assert_eq!(breaches("server", "let now = crate::ledger::Book::new();"), ["ledger"]);
}

#[test]
fn no_crate_uses_one_above_it() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline", "--manifest-path"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let names: BTreeSet<&str> = packages.iter().map(|package| package["name"].as_str().unwrap()).collect();
    assert!(names.contains("assay-engine"), "{names:?}");
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let allowed = CRATES.iter().find(|(one, _)| *one == name).map_or(&[][..], |(_, allowed)| allowed);
        for dependency in package["dependencies"].as_array().unwrap() {
            let used = dependency["name"].as_str().unwrap();
            // The null server tests those above it.
            if names.contains(used) && dependency["kind"].is_null() {
                assert!(allowed.contains(&used), "{name} uses {used}");
            }
        }
    }
}
