//! The code of scripts' files, compiled once a process: there may be thousands of states that load the same.

use std::collections::BTreeMap;
use std::fs;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use mlua::{ChunkMode, Function, Lua};

/// The code of a file, and what tells whether the file is still the same.
#[derive(Clone)]
struct CompiledFile {
    stamp: (SystemTime, u64),
    code: Arc<[u8]>,
}

static KNOWN: Mutex<BTreeMap<String, CompiledFile>> = Mutex::new(BTreeMap::new());

/// A module as a function, from the first of the places of a `package.path` at which it has a file; `None` where Lua's own
/// search should say what is wrong.
pub(crate) fn module(lua: &Lua, name: &str, places: &str) -> Option<Function> {
    let name = name.replace('.', "/");
    let mut files = places.split(';').map(|place| place.replace('?', &name));
    compiled(lua, &files.find(|file| fs::metadata(file).is_ok())?)
}

/// A file of Lua as a function, as `loadfile` gives it; `None` where `loadfile` should say what is wrong with it.
pub(crate) fn compiled(lua: &Lua, path: &str) -> Option<Function> {
    let file = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    let stamp = (file.modified().ok()?, file.len());
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
    if let Some(CompiledFile { code, .. }) = known.filter(|known| known.stamp == stamp) {
        return lua.load(&code[..]).set_name(path).set_mode(ChunkMode::Binary).into_function().ok();
    }
    let mut text = fs::read(path).ok()?;
    if text.starts_with(b"#") {
        // The line that tells a shell who runs the file.
        text.splice(..0, *b"--");
    }
    let function =
        lua.load(text).set_name(format!("@{path}")).set_mode(ChunkMode::Text).into_function().ok()?;
    let code = function.dump(false).into();
    KNOWN
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(path.to_owned(), CompiledFile { stamp, code });
    Some(function)
}
