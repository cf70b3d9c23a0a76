-- Notes what a command reads beside the script's own files: its data may follow from it.
local native, inner = ...

local file, other = native.read_file, native.other_input
local type, tostring = type, tostring

local function noted(path)
  if type(path) == "string" then
    file(path)
  end
end

-- Files for reading; one that is also written may have been read before.
local open, lines, input = io.open, io.lines, io.input
function io.open(path, mode, ...)
  mode = mode or "r"
  if type(mode) == "string" and (mode:find("r", 1, true) or mode:find("+", 1, true)) then
    noted(path)
  end
  return open(path, mode, ...)
end

function io.lines(path, ...)
  noted(path)
  return lines(path, ...)
end

function io.input(path, ...)
  noted(path)
  return input(path, ...)
end

-- Code that did not come with the script.
local load_file, do_file = loadfile, dofile
local function is_own(path)
  return native.has_files and native.own_file(path) ~= nil
end

function loadfile(path, ...)
  if not is_own(path) then
    noted(path)
  end
  return load_file(path, ...)
end

function dofile(path)
  if not is_own(path) then
    noted(path)
  end
  return do_file(path)
end

local first = native.has_files and 3 or 2
for place = first, first + 2 do
  local search = package.loaders[place]
  package.loaders[place] = function(name)
    local found = search(name)
    if type(found) == "function" then
      local path = place == first and package.searchpath(name, package.path)
      if path then
        file(path)
      else
        other("a module in C")
      end
    end
    return found
  end
end

-- Whatever else reaches out: nobody sees what it reads.
local execute, popen, getenv, loadlib = os.execute, io.popen, os.getenv, package.loadlib
function os.execute(command)
  if not (type(command) == "string" and command:match("^%s*sleep%s+%d+%.?%d*%s*$")) then
    other("os.execute()")
  end
  return execute(command)
end

function io.popen(...)
  other("io.popen()")
  return popen(...)
end

function os.getenv(name)
  other(("os.getenv(%q)"):format(tostring(name)))
  return getenv(name)
end

function package.loadlib(...)
  other("package.loadlib()")
  return loadlib(...)
end

local face = package.loaded.ffi
local watched = setmetatable({}, {
  __index = function(_, name)
    if name == "C" or name == "load" then
      other("ffi." .. name)
    end
    return face[name]
  end,
})
package.loaded.ffi, _G.ffi = watched, watched

-- Files that statements name, of the client or of a server beside it.
function inner.note_statements(connection)
  local query = connection.query
  function connection:query(text, ...)
    if type(text) == "string" then
      local head = text:sub(1, 4096)
      local at = head:lower():find("infile", 1, true) or head:lower():find("load_file", 1, true)
      if at then
        local path = head:match("^[%w_]+[%s(]*['\"]([^'\"]+)['\"]", at)
        if path then
          file(path)
        else
          other("a file of a statement")
        end
      end
    end
    return query(self, text, ...)
  end
end
