-- The table `sysbench`: who runs, hooks, errors; and the loop that calls event().
local native, inner = ...

local pcall = pcall
local state = inner.state
local next_event = inner.request("next")

sysbench = {
  tid = native.tid,
  version = "1.0.20",
  version_string = "sysbench 1.0.20",
  error = { NONE = 0, RESTART_EVENT = 1 },
  -- Scripts write `function sysbench.hooks.before_restart_event(…)`: the table must be there.
  hooks = {},
}

-- The loop of a thread; a script may have one of its own.
function thread_run(thread_id)
  local event, ended = event, 0
  while next_event(state, ended, 0) ~= 0 do
    ended = 0
    local succeeded, answer = pcall(event, thread_id)
    while not succeeded do
      inner.rest("errors").begin_again(answer)
      succeeded, answer = pcall(event, thread_id)
    end
    if answer then
      -- The last event of this thread, which is not counted.
      return
    end
    ended = 1
  end
end

inner.thread_run = thread_run

-- Calls a function of the script by its name; an error is told with that name, and where it happened.
function inner.call(name, body, ...)
  local succeeded, answer = xpcall(body, inner.explained, ...)
  if not succeeded then
    error(("`%s' function failed: %s"):format(name, answer), 0)
  end
  return answer
end

-- Has loops compiled from their tenth round on, not from the 56th: of a thousand threads, each has few events a second, and an
-- event costs five times as much before it is compiled.
local optimise = jit.opt.start
local function compile_early()
  optimise("hotloop=10")
end

-- The life of a script thread.
function inner.api.worker(tid)
  if thread_init then
    inner.call("thread_init", thread_init, tid)
  end
  inner.request("ready")(state, 0, 0)
  compile_early()
  inner.call("thread_run", thread_run, tid)
  if inner.has_ended then
    inner.request("ended")(state, 0, 0)
  end
  if thread_done then
    inner.call("thread_done", thread_done, tid)
  end
end
