//! What the prelude is told: addresses of functions, and functions of Rust that answer at once.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::path::Path;
use std::rc::Rc;

use mlua::{Function, LightUserData, Lua, MultiValue, Table, Value};

use crate::bundled::bundled;
use crate::compiled::{compiled, module};
use crate::error::{ScriptError, SqlError};
use crate::inputs::Inputs;
use crate::own_files::OwnFiles;
use crate::random::Native;
use crate::results::Results;
use crate::state::Origin;
use crate::{door, edge, interpreted, random, statement};

/// The results of the connections of a script, by connection: each keeps those of its last text.
pub(crate) struct Slots {
    slots: RefCell<Vec<Slot>>,
    most_bytes: usize,
}

#[derive(Default)]
struct Slot {
    /// The number of texts with results that the connection has sent.
    serial: u64,
    results: Results,
}

impl Slots {
    /// Results of so many bytes at most for each text.
    pub(crate) fn new(most_bytes: usize) -> Self {
        Self { slots: RefCell::default(), most_bytes }
    }

    /// Takes the memory of a connection's results, to be filled; those of its last text are gone.
    pub(crate) fn take(&self, connection: usize) -> Results {
        let mut slots = self.slots.borrow_mut();
        if slots.len() <= connection {
            slots.resize_with(connection + 1, Slot::default);
        }
        let slot = &mut slots[connection];
        slot.serial += 1;
        let mut results = std::mem::take(&mut slot.results);
        results.clear();
        results.limit_to(self.most_bytes);
        results
    }

    /// Puts results back; returns the rows and fields of the first, and its serial number.
    pub(crate) fn put(&self, connection: usize, results: Results) -> Option<(u64, usize, u64)> {
        let mut slots = self.slots.borrow_mut();
        let slot = &mut slots[connection];
        slot.results = results;
        slot.results.current().map(|set| (set.rows, set.fields, slot.serial))
    }

    fn with<T>(
        &self,
        connection: usize,
        serial: u64,
        look: impl FnOnce(&mut Results) -> Option<T>,
    ) -> Option<T> {
        let mut slots = self.slots.borrow_mut();
        let slot = slots.get_mut(connection)?;
        (slot.serial == serial).then_some(&mut slot.results).and_then(look)
    }

    /// The next row as a table with a hole for each NULL.
    fn fetch(&self, lua: &Lua, connection: usize, serial: u64) -> mlua::Result<Option<Table>> {
        let row = self.with(connection, serial, |results| {
            let set = results.current()?;
            let fields = set.fields;
            let row = set.next_row()?;
            Some(lua.create_table_with_capacity(fields, 0).and_then(|table| {
                for (place, field) in row.enumerate() {
                    if let Some(text) = field {
                        table.raw_set(place + 1, lua.create_string(text)?)?;
                    }
                }
                Ok(table)
            }))
        });
        row.transpose()
    }

    /// The fields of the first row, one value each.
    fn first(&self, lua: &Lua, connection: usize, serial: u64) -> mlua::Result<MultiValue> {
        let values = self.with(connection, serial, |results| {
            let row = results.current()?.next_row()?;
            let value = |field: Option<&[u8]>| match field {
                Some(text) => lua.create_string(text).map(Value::String),
                None => Ok(Value::Nil),
            };
            Some(row.map(value).collect::<mlua::Result<Vec<_>>>())
        });
        Ok(match values.transpose()? {
            Some(values) => values.into(),
            None => vec![Value::Nil].into(),
        })
    }

    fn next_result(&self, connection: usize) -> Option<(f64, usize, f64)> {
        let mut slots = self.slots.borrow_mut();
        let slot = slots.get_mut(connection)?;
        let set = slot.results.advance()?;
        Some((set.rows as f64, set.fields, slot.serial as f64))
    }

    fn has_more(&self, connection: usize) -> bool {
        self.slots.borrow().get(connection).is_some_and(|slot| slot.results.has_more())
    }

    /// Frees a result; false where it was freed before, or is not that of the connection's last text.
    fn free(&self, connection: usize, serial: u64) -> bool {
        let freed = self.with(connection, serial, |results| {
            let held = results.current().is_some();
            results.clear();
            held.then_some(())
        });
        freed.is_some()
    }
}

/// Makes the table for the prelude. `state` is the state's own, which lasts as long.
pub(crate) fn table(
    lua: &Lua,
    origin: &Origin,
    tid: u32,
    state: *mut Native,
    slots: &Rc<Slots>,
) -> Result<Table, ScriptError> {
    let native = lua.create_table()?;
    native.set("state", LightUserData(state.cast::<c_void>()))?;
    // SAFETY: the caller's own pointer, to what nobody else looks at yet.
    let reply = unsafe { (*state).door.reply() };
    native.set("reply", LightUserData(reply.cast_mut()))?;
    native.set("tid", tid)?;
    let argv = origin.argv.iter().enumerate().map(|(place, word)| (place, &**word));
    native.set("argv", lua.create_table_from(argv)?)?;
    native.set("command", origin.command.as_deref())?;
    native.set("script_path", &*origin.path)?;
    native.set("path", lua_path(origin))?;
    native.set("cpath", lua_cpath())?;
    native.set("has_files", origin.files.is_some())?;
    native.set("notes_inputs", origin.inputs.are_taken())?;
    native.set("address", lua.create_function(|_, name: String| Ok(address(&name).map(LightUserData)))?)?;
    let (files, script, given, slots) =
        (origin.files.clone(), origin.path.clone(), origin.given.clone(), slots.clone());
    let inputs = origin.inputs.clone();
    let make = move |lua: &Lua, name: String| match (&*name, &files) {
        ("own_file" | "own_module", Some(files)) => {
            own_file(lua, OwnFiles::new(files, &script), &name).map(Some)
        }
        ("read_file" | "other_input", _) => note_input(lua, inputs.clone(), &name).map(Some),
        ("error", _) => {
            let error = move |_: &Lua, ()| {
                // SAFETY: the state's own, which lasts as long; Lua runs, so nobody else looks at it.
                let SqlError { code, state, message } = unsafe { (*state).door.error() };
                Ok((code, state, message))
            };
            lua.create_function(error).map(Some)
        }
        ("compiled", _) => lua.create_function(|lua, path: String| Ok(compiled(lua, &path))).map(Some),
        ("module", _) => {
            let find = |lua: &Lua, (name, places): (String, String)| Ok(module(lua, &name, &places));
            lua.create_function(find).map(Some)
        }
        ("given", _) => {
            let given = given.clone();
            lua.create_function(move |lua, ()| texts(lua, &given)).map(Some)
        }
        ("bundled", _) => lua.create_function(|_, name: String| Ok(bundled(&name))).map(Some),
        // SAFETY: Lua calls it with an error.
        ("note_place", _) => unsafe { lua.create_c_function(edge::note_place) }.map(Some),
        ("noted_place", _) => lua.create_function(|_, ()| Ok(edge::noted_place())).map(Some),
        // SAFETY: the prelude calls it with what it takes.
        ("make_face", _) => unsafe { lua.create_c_function(interpreted::make) }.map(Some),
        _ => of_results(lua, &name, slots.clone()),
    };
    native.set("make", lua.create_function(make)?)?;
    Ok(native)
}

/// The texts of options, by name.
fn texts(lua: &Lua, given: &BTreeMap<String, String>) -> mlua::Result<Table> {
    lua.create_table_from(given.iter().map(|(name, text)| (&**name, &**text)))
}

/// A function that the prelude may ask for by name, and what gives its address.
pub(crate) type Named = (&'static str, fn() -> *mut c_void);

/// The address of a function that the prelude calls.
fn address(name: &str) -> Option<*mut c_void> {
    let all = random::ADDRESSES.iter().chain(door::ADDRESSES).chain(statement::ADDRESSES);
    all.copied().find_map(|(known, address)| (known == name).then(address))
}

/// A function that finds what came with a script: a file by its path, or a module by its name.
fn own_file(lua: &Lua, own: OwnFiles, name: &str) -> mlua::Result<Function> {
    match name {
        "own_file" => lua.create_function(move |_, path: Option<String>| Ok(own.file(path).unzip())),
        _ => lua.create_function(move |_, name: String| Ok(own.module(&name).unzip())),
    }
}

/// A function that notes what a command reads.
fn note_input(lua: &Lua, inputs: Inputs, name: &str) -> mlua::Result<Function> {
    match name {
        "read_file" => lua.create_function(move |_, path: mlua::String| {
            inputs.file(path.to_string_lossy());
            Ok(())
        }),
        _ => lua.create_function(move |_, name: String| {
            inputs.other(name);
            Ok(())
        }),
    }
}

/// A function that reads results, by its name; `None`: there is none of that name.
fn of_results(lua: &Lua, name: &str, of: Rc<Slots>) -> mlua::Result<Option<Function>> {
    let made = match name {
        "fetch" => lua
            .create_function(move |lua, (number, serial): (usize, f64)| of.fetch(lua, number, serial as u64)),
        "row" => lua
            .create_function(move |lua, (number, serial): (usize, f64)| of.first(lua, number, serial as u64)),
        "free" => {
            lua.create_function(move |_, (number, serial): (usize, f64)| Ok(of.free(number, serial as u64)))
        }
        "more_results" => lua.create_function(move |_, number: usize| Ok(of.has_more(number))),
        "next_result" => lua.create_function(move |lua, number: usize| match of.next_result(number) {
            Some(found) => lua.pack_multi(found),
            None => Ok(MultiValue::new()),
        }),
        _ => return Ok(None),
    };
    made.map(Some)
}

/// The places where `require` looks, in sysbench's order; `;;` of LUA_PATH stands for them. The script's own folder
/// comes last. A script that came with its files finds none beside it.
fn lua_path(origin: &Origin) -> String {
    let home = std::env::var("HOME").unwrap_or_default();
    let beside = origin.files.is_none();
    let mut places = Vec::new();
    if beside {
        places.extend(["./?.lua", "./?/init.lua", "./src/lua/?.lua"].map(str::to_owned));
    }
    for root in [format!("{home}/.luarocks"), "/usr/local".into(), "/usr".into()] {
        places.push(format!("{root}/share/lua/5.1/?.lua"));
        places.push(format!("{root}/share/lua/5.1/?/init.lua"));
    }
    let folder = Path::new(&origin.path).parent().filter(|folder| beside && !folder.as_os_str().is_empty());
    places.extend(folder.map(|folder| format!("{}/?.lua", folder.display())));
    with_variable("LUA_PATH", &places.join(";"))
}

fn lua_cpath() -> String {
    let home = std::env::var("HOME").unwrap_or_default();
    let roots = ["./?.so".to_owned(), format!("{home}/.luarocks/lib/lua/5.1/?.so")];
    with_variable(
        "LUA_CPATH",
        &format!("{};/usr/local/lib/lua/5.1/?.so;/usr/lib/lua/5.1/?.so", roots.join(";")),
    )
}

/// A path as an environment variable changes it.
fn with_variable(name: &str, places: &str) -> String {
    match std::env::var(name) {
        Ok(chosen) => chosen.replace(";;", &format!(";{places};")).trim_matches(';').to_owned(),
        Err(_) => places.to_owned(),
    }
}
