-- The table `sysbench`: who runs, hooks, errors; and the loop that calls event().
local native, inner = ...

local ask, pcall, type, error = inner.ask, pcall, type, error

sysbench = {
  tid = native.tid,
  version = "1.0.20",
  version_string = "sysbench 1.0.20",
  error = { NONE = 0, RESTART_EVENT = 1 },
  -- Scripts write `function sysbench.hooks.before_restart_event(…)`: the table must be there.
  hooks = {},
}

local RESTART = sysbench.error.RESTART_EVENT

-- Whether an event has ended that the driver has not heard of: the next request says so.
local ended = false

function inner.more_events()
  local had = ended
  ended = false
  return ask("next", had)
end

function inner.event_stop()
  ended = true
end

-- Whether an error wants the same event again. Scripts for 0.5 raise the number 1.
local function restarts(raised)
  return raised == RESTART or (type(raised) == "table" and raised.errcode == RESTART)
end

-- The loop of a thread; a script may have one of its own.
function thread_run(thread_id)
  local event = event
  while inner.more_events() do
    local succeeded, answer = pcall(event, thread_id)
    while not succeeded and restarts(answer) do
      ask("restart")
      local hook = sysbench.hooks.before_restart_event
      if hook then
        hook(answer)
      end
      succeeded, answer = pcall(event, thread_id)
    end
    if not succeeded then
      error(answer, 0)
    end
    if answer then
      -- The last event of this thread, which is not counted.
      return
    end
    inner.event_stop()
  end
end

-- What an error says, where it is no text.
local function words(raised)
  if type(raised) ~= "table" then
    return tostring(raised)
  end
  if raised.sql_errno then
    local text = "SQL error, errno = %d, state = '%s': %s"
    return text:format(raised.sql_errno, tostring(raised.sql_state), tostring(raised.sql_errmsg))
  end
  return tostring(raised)
end

-- The innermost place in a script on the stack, for errors that do not say where they were raised.
function inner.place()
  for level = 2, 60 do
    local info = debug.getinfo(level, "Sl")
    if not info then
      return ""
    end
    if info.source:sub(1, 1) == "@" and info.currentline > 0 then
      return ("%s:%d: "):format(info.short_src, info.currentline)
    end
  end
  return ""
end

local function explained(raised)
  local text = words(raised)
  if text:find("^[^\n]-:%d+: ") then
    return text
  end
  return inner.place() .. text
end

-- Calls a function of the script by its name; an error is told with that name, and where it happened.
function inner.call(name, body, ...)
  local succeeded, answer = xpcall(body, explained, ...)
  if not succeeded then
    error(("`%s' function failed: %s"):format(name, answer), 0)
  end
  return answer
end

local api = inner.api

-- The life of a script thread.
function api.worker(tid)
  if type(event) ~= "function" then
    error(("cannot find the event() function in %s"):format(inner.script), 0)
  end
  if thread_init then
    inner.call("thread_init", thread_init, tid)
  end
  ask("ready")
  inner.call("thread_run", thread_run, tid)
  if ended then
    ended = false
    ask("ended")
  end
  if thread_done then
    inner.call("thread_done", thread_done, tid)
  end
end

-- Calls a global function of the script, where it has one.
function api.call(name, ...)
  local body = rawget(_G, name)
  if type(body) == "function" then
    return inner.call(name, body, ...)
  end
end

-- Calls a hook with the figures of a report, where the script has it; returns whether it has.
function api.report(name, stat)
  local hook = sysbench.hooks[name]
  if not hook then
    return false
  end
  inner.call(name, hook, stat)
  return true
end

-- Whether the script has a hook.
function api.has_hook(name)
  return sysbench.hooks[name] ~= nil
end

-- Loads a script: a file, or else a module by its name.
function api.load(path, source)
  inner.script = path
  test = path
  if source then
    local chunk, message = loadstring(source, "@" .. path)
    if not chunk then
      error(message, 0)
    end
    return inner.loaded(chunk)
  end
  local file = io.open(path)
  if file then
    file:close()
    local chunk, message = loadfile(path)
    if not chunk then
      error(message, 0)
    end
    return inner.loaded(chunk)
  end
  return inner.loaded(function()
    require((path:gsub("%.lua$", "")))
  end)
end

function inner.loaded(chunk)
  local succeeded, message = xpcall(chunk, explained)
  if not succeeded then
    error(message, 0)
  end
end
