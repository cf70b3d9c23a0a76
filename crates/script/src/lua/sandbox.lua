-- A state in which a script only declares things: it has nothing with which it could act outside of itself. What acts raises
-- an error, and is noted even where the script catches that.
local native, inner = ...

local note, fail, text_mode = native.note_blocked, inner.fail, "t"
local getinfo, tostring, type, pairs, setmetatable, sub = debug.getinfo, tostring, type, pairs, setmetatable, string.sub
local loadstring_of, load_of, own_file = loadstring, load, native.has_files and native.own_file
local place = inner.place

-- Bytes of a name that are told.
local LONGEST = 200

-- What stands for a function, or a table of functions, that is not here.
local function blocked(name)
  name = type(name) == "string" and sub(name, 1, LONGEST) or "?"
  return function()
    note(place() .. name)
    fail(name .. " is not there while a script is only read")
  end
end

local function stand_ins(prefix, kept)
  return setmetatable(kept, {
    __index = function(_, name)
      name = tostring(name)
      return blocked(type(name) == "string" and prefix .. "." .. name or prefix)
    end,
  })
end

-- Code comes as text only: byte code could do anything.
local function loadstring(text, name)
  return loadstring_of(text, name, text_mode)
end

local function load(from, name, _, ...)
  return load_of(from, name, text_mode, ...)
end

local function loadfile(path)
  inner.rest("arguments").text(1, "loadfile", path)
  local source, name
  if own_file then
    source, name = own_file(path)
  end
  if not source then
    return blocked("loadfile(" .. path .. ")")()
  end
  return loadstring(source, "@" .. name)
end

_G.loadstring, _G.load, _G.loadfile = loadstring, load, loadfile

function _G.dofile(path)
  local chunk, message = loadfile(path)
  if not chunk then
    error(message, 0)
  end
  return chunk()
end

_G.os = stand_ins("os", { time = os.time, date = os.date, clock = os.clock, difftime = os.difftime })

-- What is printed goes nowhere: whoever reads the script keeps all that it prints.
function _G.print() end
local stream = stand_ins("file", {
  setvbuf = function() end,
  flush = function() end,
})
function stream:write()
  return self
end
_G.io = stand_ins("io", {
  stdout = stream,
  stderr = stream,
  flush = function() end,
  write = function()
    return stream
  end,
})

_G.debug = stand_ins("debug", {
  traceback = debug.traceback,
  getinfo = function(...)
    local found = getinfo(...)
    if type(found) == "table" then
      found.func = nil
    end
    return found
  end,
})

local ffi = stand_ins("ffi", {
  os = inner.ffi.os,
  arch = inner.ffi.arch,
  abi = inner.ffi.abi,
  cdef = function() end,
  C = stand_ins("ffi.C", {}),
})
_G.ffi = ffi

local jit = {
  version = jit.version,
  version_num = jit.version_num,
  os = jit.os,
  arch = jit.arch,
  on = jit.on,
  off = jit.off,
  flush = jit.flush,
  status = jit.status,
  opt = { start = function() end },
}
_G.jit = jit

-- Modules: what Lua itself is made of, the script's own files, and those that come with the program.
local loaded = package.loaded
for name in pairs(loaded) do
  loaded[name] = nil
end
for _, name in pairs({ "_G", "string", "table", "math", "coroutine", "bit", "os", "io", "debug", "ffi", "jit" }) do
  loaded[name] = name == "_G" and _G or rawget(_G, name)
end
loaded.package, loaded["jit.opt"] = package, jit.opt
local others, searchpath, path_of, cpath_of = {}, package.searchpath, package.path, package.cpath
for name, of in pairs(package.preload) do
  others[name], package.preload[name] = of, nil
end

local bundled = native.bundled
local own_module = own_file and native.own_module
local function loader(name)
  local source, path
  if own_module then
    source, path = own_module(name)
  end
  if not source then
    source, path = bundled(name), name .. ".lua"
  end
  if not source then
    if others[name] or searchpath(name, path_of) or searchpath(name, cpath_of) then
      blocked("require of " .. name)()
    end
    return ("\n\tno file of the script is the module '%s'"):format(name)
  end
  return assert(loadstring(source, "@" .. path))
end
local loaders = { package.loaders[1], loader }
for place_of in pairs(package.loaders) do
  package.loaders[place_of] = loaders[place_of]
end
package.cpath, package.loadlib = "", blocked("package.loadlib")
package.searchpath, package.seeall = blocked("package.searchpath"), nil
_G.module, _G.newproxy, _G.getfenv, _G.setfenv = blocked("module"), blocked("newproxy"), blocked("getfenv"), blocked("setfenv")

-- Objects of the driver are addresses of its own.
sysbench.sql.driver = blocked("sysbench.sql.driver")
for name in pairs(sysbench.db) do
  sysbench.db[name] = blocked("db_" .. name)
  _G["db_" .. name] = sysbench.db[name]
end
_G.thread_run = blocked("thread_run")
