-- The ground of the prelude: requests to the driver, and the parts that a state does without until it needs them.
--
-- What a script wants from outside (an answer of a server, its next event) is a request: a function of the driver, which
-- returns with the answer. Meanwhile the driver carries on with other scripts, so thousands of them share a thread.
--
-- There is a state for each of them: what most scripts never call is no part of it before somebody calls it.
local native, inner = ...

local ffi = require("ffi")

-- Functions of the driver that answer at once are made when they are first used.
setmetatable(native, {
  __index = function(known, name)
    local made = native.make(name)
    known[name] = made
    return made
  end,
})

-- As it is before a script puts something else in its place.
inner.pcall = pcall
inner.debug = debug
inner.ffi = ffi

-- Parts that were needed, by name.
local kept = {}

-- A part that is loaded when it is first needed, and kept.
function inner.rest(part)
  local found = kept[part]
  if not found then
    found = inner.part(part)(native, inner)
    kept[part] = found
  end
  return found
end

-- Puts stand-ins for functions of a part into a table: the part is loaded when one of them is first called.
function inner.later(part, into, ...)
  for _, name in ipairs({ ... }) do
    into[name] = function(...)
      return inner.rest(part)[name](...)
    end
  end
end

inner.later("errors", inner, "explained", "place", "fail")

-- What the driver calls. Those that are called once have memory of their own, which is free again afterwards.
local api = setmetatable({ collect = collectgarbage }, {
  __index = function(_, name)
    if name == "load" then
      return inner.part(name)(native, inner)
    elseif name == "options" then
      return inner.part(name)(native, inner).read
    elseif name == "declared" then
      return inner.part(name)(native, inner).list
    end
    return inner.rest("calls")[name]
  end,
})
inner.api = api

local pcall, tostring, type = pcall, tostring, type

local function call_by_name(name, ...)
  return api[name](...)
end

-- What a call has come to. A script may raise any object, and its objects may compute what they say of themselves: that is asked
-- here, where it has its limits, and the driver gets the text.
local function outcome(succeeded, value)
  local kind = type(value)
  if succeeded or kind == "string" or kind == "userdata" then
    return succeeded, value
  end
  local _, text = pcall(tostring, value)
  return false, type(text) == "string" and text or "an error that is no text"
end

-- Carries out a call of the driver, by its name; returns whether it has succeeded, then what it returned or raised.
function inner.carry_out(...)
  return outcome(pcall(call_by_name, ...))
end

-- A function of the driver, by its name. Calls of these are compiled with the code around them.
function inner.native(signature, name)
  return ffi.cast(signature, native.address(name))
end

-- The driver's half of this state, which every request begins with, and the numbers that it answers.
inner.state = ffi.cast("void *", native.state)
inner.reply = ffi.cast("double *", native.reply)

-- Functions of the driver have two types between them, of two numbers or of a text: each type takes memory in every state,
-- and the table of types doubles beyond 128 of them. Numbers are handed over as Lua has them, so that compiled code converts
-- none. Below zero is what was refused.
inner.OF_NUMBERS = ffi.typeof("double (*)(const void *, double, double)")
inner.OF_TEXT = ffi.typeof("int (*)(void *, double, double, const void *, size_t)")

function inner.request(name)
  return inner.native(inner.OF_NUMBERS, "ask_" .. name)
end

function inner.request_of_text(name)
  return inner.native(inner.OF_TEXT, "ask_" .. name)
end

-- Functions that have another face for code that is interpreted: each a field of a table, or one to which a function of Lua
-- refers.
inner.faces = {}

function inner.face(...)
  inner.faces[#inner.faces + 1] = { ... }
end

-- A type of C whose values scripts may hold and not write, and that of the address by which the prelude writes them: the driver
-- takes their fields for addresses and lengths.
function inner.sealed(fields)
  local open = ffi.typeof("struct { " .. fields .. " }")
  return ffi.typeof("const $", open), ffi.typeof("$ *", open)
end

-- A hook of the script, which may have put something else where its hooks are.
function inner.hook(name)
  local hooks = sysbench.hooks
  return type(hooks) == "table" and hooks[name] or nil
end

-- Says a line of the log, after what the script has printed.
function inner.log(line)
  inner.request_of_text("log")(inner.state, 0, 0, line, #line)
end

-- Files are compiled once a process, as there may be thousands of states.
local search = package.loaders[2]
package.loaders[2] = function(name)
  local found = type(package.path) == "string" and native.module(name, package.path)
  if found then
    return found
  end
  -- At the tail, so that an error in the file has no place in here.
  return search(name)
end

-- Files that a script came with come before those of the file system.
if native.has_files then
  inner.part("own_files")(native, inner)
end

-- The modules that come with the program are found after all files.
package.loaders[#package.loaders + 1] = function(name)
  local source = native.bundled(name)
  if not source then
    return ("\n\tno module '%s' comes with the program"):format(name)
  end
  return assert(loadstring(source, "@" .. name .. ".lua"))
end

package.path, package.cpath = native.path, native.cpath
native.path, native.cpath = nil, nil
