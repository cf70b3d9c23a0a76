-- The ground of the prelude: requests to the driver, coroutines that let them through, loading of files.
--
-- A script runs in a coroutine. What it wants from outside (an answer of a server, its next event) is a request: the
-- coroutine yields it, and the driver resumes with the answer. So thousands of scripts share a thread.
local native, inner = ...

-- What the driver calls.
inner.api = {}

local create, resume, yield, running = coroutine.create, coroutine.resume, coroutine.yield, coroutine.running
local MARKS = native.requests
local type, error = type, error

local is_mark = {}
for _, mark in pairs(MARKS) do
  is_mark[mark] = true
end

-- Asks the driver for something; returns its answer.
function inner.ask(operation, ...)
  return yield(MARKS[operation], ...)
end

-- The outermost coroutine, which stands for the Lua state itself: to a script there is none.
local outermost

-- Runs a function of the prelude as the outermost coroutine. Returns true and its results, or false and what it raised.
function inner.outermost(body, ...)
  outermost = running()
  return pcall(body, ...)
end

-- Hands requests on from a coroutine of the script's own to the driver, and the answers back to it.
local function through(co, succeeded, first, ...)
  if succeeded and is_mark[first] then
    return through(co, resume(co, yield(first, ...)))
  end
  return succeeded, first, ...
end

function coroutine.resume(co, ...)
  return through(co, resume(co, ...))
end

local function wrapped(succeeded, ...)
  if not succeeded then
    error((...), 0)
  end
  return ...
end

function coroutine.wrap(body)
  local co = create(body)
  return function(...)
    return wrapped(through(co, resume(co, ...)))
  end
end

function coroutine.yield(...)
  if running() == outermost then
    error("attempt to yield from outside a coroutine", 2)
  end
  return yield(...)
end

function coroutine.running()
  local co = running()
  if co ~= outermost then
    return co
  end
end

-- dofile and require of Lua are C functions, which no request can pass: a connection that a file opens while it is loaded
-- would fail.
function dofile(path)
  local chunk, message = loadfile(path)
  if not chunk then
    error(message, 0)
  end
  return chunk()
end

local LOADING = {}

function require(name)
  local loaded = package.loaded
  local known = loaded[name]
  if known then
    if known == LOADING then
      error(("loop or previous error loading module '%s'"):format(name), 2)
    end
    return known
  end
  local tried = {}
  for _, loader in ipairs(package.loaders) do
    local found = loader(name)
    if type(found) == "function" then
      loaded[name] = LOADING
      local result = found(name)
      if result ~= nil then
        loaded[name] = result
      elseif loaded[name] == LOADING then
        loaded[name] = true
      end
      return loaded[name]
    elseif type(found) == "string" then
      tried[#tried + 1] = found
    end
  end
  error(("module '%s' not found:%s"):format(name, table.concat(tried)), 2)
end

-- The modules that come with the program are found after all files.
package.loaders[#package.loaders + 1] = function(name)
  local source = native.bundled(name)
  if not source then
    return ("\n\tno module '%s' comes with the program"):format(name)
  end
  return assert(loadstring(source, "@" .. name .. ".lua"))
end

package.path = native.path
package.cpath = native.cpath
