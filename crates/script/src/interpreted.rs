//! Functions of the driver for code that is interpreted: functions of C in Lua's own sense.
//!
//! By address, a function of the driver is a few instructions to compiled code. But the interpreter looks at the types of the
//! function and of each argument, in tables of the state: with a thousand states, all of it is in no cache. Whatever these
//! functions do not expect, they leave to the same function by address.

use std::ffi::{c_int, c_void};
use std::{mem, ptr, slice};

use mlua::ffi::{
    LUA_TCDATA, LUA_TNUMBER, LUA_TSTRING, LUA_TTABLE, lua_CFunction, lua_State, lua_call, lua_gettop,
    lua_insert, lua_pushcclosure, lua_pushinteger, lua_pushnumber, lua_pushvalue, lua_rawgeti, lua_settop,
    lua_tolstring, lua_tonumber, lua_topointer, lua_touserdata, lua_type, lua_upvalueindex,
};

use crate::door::{self, COUNTED, OfNumbers, OfText};
use crate::random::Native;
use crate::statement::Slot;

/// What belongs to each function: the same one by address, the driver's half of the state, what else it was made with, and the
/// number of the type of C of which its object must be.
const BY_ADDRESS: c_int = lua_upvalueindex(1);
const NATIVE: c_int = lua_upvalueindex(2);
const OTHER: c_int = lua_upvalueindex(3);
const TYPE: c_int = lua_upvalueindex(4);

/// The functions by the names that the prelude has for them.
const FACES: [(&[u8], lua_CFunction); 4] =
    [(b"of_numbers", of_numbers), (b"of_text", of_text), (b"executing", executing), (b"setting", setting)];

/// Makes a function for interpreted code.
///
/// # Safety
/// Lua calls it: with the same function by address, the driver's half of the state as a value of C, what else it calls (an
/// address, a function, or nothing), its name among the [`FACES`], and one of the objects that it takes, if it takes any.
pub(crate) unsafe extern "C-unwind" fn make(lua: *mut lua_State) -> c_int {
    // SAFETY: as the caller promises. Addresses have fewer bits than a number of Lua, which is read where it is.
    unsafe {
        let mut length = 0;
        let name = lua_tolstring(lua, 4, &raw mut length).cast::<u8>();
        let name = slice::from_raw_parts(name, length);
        let Some((_, face)) = FACES.iter().find(|(known, _)| *known == name) else { return 0 };
        let native = *lua_topointer(lua, 2).cast::<*mut Native>();
        lua_pushvalue(lua, 1);
        lua_pushnumber(lua, native.expose_provenance() as f64);
        match lua_touserdata(lua, 3) {
            address if address.is_null() => lua_pushvalue(lua, 3),
            address => lua_pushnumber(lua, address.expose_provenance() as f64),
        }
        lua_pushinteger(lua, type_of(lua, 5).unwrap_or_default().into());
        lua_pushcclosure(lua, *face, 4);
        1
    }
}

/// The number that LuaJIT has for the type of a value of C: it stands before each (`GCcdata`), in a header that ends with it
/// and is filled up to 16 bytes. `None`: no value of C.
unsafe fn type_of(lua: *mut lua_State, place: c_int) -> Option<u16> {
    const BEFORE: usize = 6;
    // SAFETY: as LuaJIT lays out its values; a test holds it to that.
    unsafe {
        let is_of_c = lua_type(lua, place) == LUA_TCDATA;
        is_of_c.then(|| lua_topointer(lua, place).byte_sub(BEFORE).cast::<u16>().read())
    }
}

/// Whether a value is an object that the function takes.
unsafe fn is_taken(lua: *mut lua_State, place: c_int) -> bool {
    // SAFETY: `make` has put the number there.
    unsafe { type_of(lua, place).is_some_and(|found| lua_tonumber(lua, TYPE) as u16 == found) }
}

/// The address that belongs to a function.
unsafe fn address(lua: *mut lua_State, place: c_int) -> *mut c_void {
    // SAFETY: `make` has put it there.
    ptr::with_exposed_provenance_mut(unsafe { lua_tonumber(lua, place) } as usize)
}

/// Leaves a call to the same function by address.
unsafe fn by_address(lua: *mut lua_State) -> c_int {
    // SAFETY: `make` has put it there.
    unsafe {
        lua_pushvalue(lua, BY_ADDRESS);
        lua_insert(lua, 1);
        lua_call(lua, lua_gettop(lua) - 1, 1);
        1
    }
}

/// A function of the driver with two numbers; the first argument is the driver's half of the state.
unsafe extern "C-unwind" fn of_numbers(lua: *mut lua_State) -> c_int {
    // SAFETY: the prelude has given the address of a function of this type.
    unsafe {
        if lua_type(lua, 2) != LUA_TNUMBER || lua_type(lua, 3) != LUA_TNUMBER {
            return by_address(lua);
        }
        let function = mem::transmute::<*mut c_void, OfNumbers>(address(lua, OTHER));
        let answer = function(address(lua, NATIVE).cast(), lua_tonumber(lua, 2), lua_tonumber(lua, 3));
        lua_pushnumber(lua, answer);
        1
    }
}

/// A function of the driver with two numbers, a text and its length.
unsafe extern "C-unwind" fn of_text(lua: *mut lua_State) -> c_int {
    // SAFETY: the prelude has given the address of a function of this type; the text stays, as it is an argument.
    unsafe {
        if lua_type(lua, 2) != LUA_TNUMBER || lua_type(lua, 4) != LUA_TSTRING {
            return by_address(lua);
        }
        let mut length = 0;
        let text = lua_tolstring(lua, 4, &raw mut length).cast();
        let function = mem::transmute::<*mut c_void, OfText>(address(lua, OTHER));
        let (first, second) = (lua_tonumber(lua, 2), lua_tonumber(lua, 3));
        let answer = function(address(lua, NATIVE).cast(), first, second, text, length);
        lua_pushinteger(lua, answer.into());
        1
    }
}

/// `statement:execute()`; what else it was made with is called with a statement of which more is to be noted.
unsafe extern "C-unwind" fn executing(lua: *mut lua_State) -> c_int {
    // SAFETY: what a statement has at 0 is what the prelude keeps of it for the driver, which its type says, and at 1 its
    // result.
    unsafe {
        lua_settop(lua, 1);
        if lua_type(lua, 1) != LUA_TTABLE {
            return by_address(lua);
        }
        lua_rawgeti(lua, 1, 0);
        if !is_taken(lua, 2) {
            lua_settop(lua, 1);
            return by_address(lua);
        }
        let kind = door::execute(address(lua, NATIVE).cast(), lua_topointer(lua, 2).cast());
        if kind == COUNTED {
            lua_rawgeti(lua, 1, 1);
        } else {
            lua_pushvalue(lua, OTHER);
            lua_pushvalue(lua, 1);
            lua_pushinteger(lua, kind.into());
            lua_call(lua, 2, 1);
        }
        1
    }
}

/// `param:set()`.
unsafe extern "C-unwind" fn setting(lua: *mut lua_State) -> c_int {
    // SAFETY: the first argument is a parameter, as its type says.
    unsafe {
        if is_taken(lua, 1) && lua_type(lua, 2) == LUA_TNUMBER {
            let slot = lua_topointer(lua, 1).cast_mut().cast::<Slot>();
            if (*slot).set_number(lua_tonumber(lua, 2)) {
                return 0;
            }
        }
        by_address(lua)
    }
}
