//! What the prelude is told: addresses of functions, and functions of Rust that answer at once.

use std::cell::RefCell;
use std::ffi::c_void;
use std::path::Path;
use std::rc::Rc;

use mlua::{LightUserData, Lua, MultiValue, Table, Value};

use crate::bundled::bundled;
use crate::error::ScriptError;
use crate::random::{Native, addresses};
use crate::request::marks;
use crate::results::Results;
use crate::state::Origin;

/// The results of the connections of a script, by connection: each keeps those of its last text.
#[derive(Default)]
pub(crate) struct Slots(RefCell<Vec<Slot>>);

#[derive(Default)]
struct Slot {
    /// The number of texts with results that the connection has sent.
    serial: u64,
    results: Results,
}

impl Slots {
    /// Takes the memory of a connection's results, to be filled; those of its last text are gone.
    pub(crate) fn take(&self, connection: usize) -> Results {
        let mut slots = self.0.borrow_mut();
        if slots.len() <= connection {
            slots.resize_with(connection + 1, Slot::default);
        }
        let slot = &mut slots[connection];
        slot.serial += 1;
        let mut results = std::mem::take(&mut slot.results);
        results.clear();
        results
    }

    /// Puts results back; returns the rows and fields of the first, and its serial number.
    pub(crate) fn put(&self, connection: usize, results: Results) -> Option<(u64, usize, u64)> {
        let mut slots = self.0.borrow_mut();
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
        let mut slots = self.0.borrow_mut();
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
        let mut slots = self.0.borrow_mut();
        let slot = slots.get_mut(connection)?;
        let set = slot.results.advance()?;
        Some((set.rows as f64, set.fields, slot.serial as f64))
    }

    fn has_more(&self, connection: usize) -> bool {
        self.0.borrow().get(connection).is_some_and(|slot| slot.results.has_more())
    }

    fn free(&self, connection: usize, serial: u64) {
        self.with(connection, serial, |results| {
            results.clear();
            Some(())
        });
    }
}

/// Lines that a state has to say, until the driver takes them.
pub(crate) type Log = Rc<RefCell<Vec<String>>>;

/// Makes the table for the prelude.
pub(crate) fn table(
    lua: &Lua,
    origin: &Origin,
    tid: u32,
    state: *mut Native,
    slots: &Rc<Slots>,
    log: &Log,
) -> Result<Table, ScriptError> {
    let native = lua.create_table()?;
    native.set("requests", lua.create_table_from(marks())?)?;
    native.set("state", LightUserData(state.cast::<c_void>()))?;
    for (name, address) in addresses() {
        native.set(name, LightUserData(address))?;
    }
    native.set("tid", tid)?;
    native
        .set("given", lua.create_table_from(origin.given.iter().map(|(name, text)| (&**name, &**text)))?)?;
    let argv = origin.argv.iter().enumerate().map(|(place, word)| (place, &**word));
    native.set("argv", lua.create_table_from(argv)?)?;
    native.set("command", origin.command.as_deref())?;
    native.set("script_path", &*origin.path)?;
    native.set("path", lua_path(&origin.path))?;
    native.set("cpath", lua_cpath())?;
    native.set("bundled", lua.create_function(|_, name: String| Ok(bundled(&name)))?)?;
    let lines = log.clone();
    let push = move |_: &Lua, line: mlua::String| {
        lines.borrow_mut().push(line.to_string_lossy());
        Ok(())
    };
    native.set("log", lua.create_function(push)?)?;
    results(lua, &native, slots)?;
    Ok(native)
}

/// Adds the functions that read results.
fn results(lua: &Lua, native: &Table, slots: &Rc<Slots>) -> Result<(), ScriptError> {
    let of = slots.clone();
    let fetch = move |lua: &Lua, (number, serial): (usize, f64)| of.fetch(lua, number, serial as u64);
    native.set("fetch", lua.create_function(fetch)?)?;
    let of = slots.clone();
    let row = move |lua: &Lua, (number, serial): (usize, f64)| of.first(lua, number, serial as u64);
    native.set("row", lua.create_function(row)?)?;
    let of = slots.clone();
    let free = move |_: &Lua, (number, serial): (usize, f64)| {
        of.free(number, serial as u64);
        Ok(())
    };
    native.set("free", lua.create_function(free)?)?;
    let of = slots.clone();
    native.set("more_results", lua.create_function(move |_, number: usize| Ok(of.has_more(number)))?)?;
    let of = slots.clone();
    let next = move |lua: &Lua, number: usize| match of.next_result(number) {
        Some(found) => lua.pack_multi(found),
        None => Ok(MultiValue::new()),
    };
    native.set("next_result", lua.create_function(next)?)?;
    Ok(())
}

/// The places where `require` looks, in sysbench's order; `;;` of LUA_PATH stands for them. The script's own folder
/// comes last.
fn lua_path(script: &str) -> String {
    let home = std::env::var("HOME").unwrap_or_default();
    let mut places = vec!["./?.lua".to_owned(), "./?/init.lua".into(), "./src/lua/?.lua".into()];
    for root in [format!("{home}/.luarocks"), "/usr/local".into(), "/usr".into()] {
        places.push(format!("{root}/share/lua/5.1/?.lua"));
        places.push(format!("{root}/share/lua/5.1/?/init.lua"));
    }
    let folder = Path::new(script).parent().filter(|folder| !folder.as_os_str().is_empty());
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
