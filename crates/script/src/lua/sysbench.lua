-- The table `sysbench`: who runs, hooks, errors; and the loop that calls event().
local native, inner = ...

local xpcall, type, note_place = xpcall, type, native.note_place
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

local jit = jit
local optimise = jit.opt.start

-- Whether the script has told the compiler itself when to compile.
local is_told = false

function jit.opt.start(...)
  is_told = true
  inner.turn_back()
  return optimise(...)
end

-- Has loops compiled from so many rounds on, not from 56, and returns their number; none where the script has said when, or
-- nothing is compiled.
function inner.compile()
  if is_told or not jit.status() then
    return 0
  end
  inner.turn_back()
  local rounds = 10
  optimise("hotloop=" .. rounds)
  return rounds
end

-- What the driver answers when it is asked for an event.
local NO_MORE, MORE, TO_COMPILE = 0, 1, 2

-- Carries out events, of which the first is there. Returns what the driver has answered where that was not one more event.
local function events(event, thread_id)
  local answer
  repeat
    local succeeded, result = xpcall(event, note_place, thread_id)
    while not succeeded do
      if not inner.rest("errors").begin_again(result) then
        return NO_MORE
      end
      succeeded, result = xpcall(event, note_place, thread_id)
    end
    if result then
      -- The last event of this thread, which is not counted.
      return NO_MORE
    end
    answer = next_event(state, 1, 0)
  until answer ~= MORE
  return answer
end

inner.events = events
inner.face(events, next_event, "of_numbers", "ask_next")

-- The loop of a thread; a script may have one of its own.
function thread_run(thread_id)
  local answer = next_event(state, 0, 0)
  while answer ~= NO_MORE do
    if answer == TO_COMPILE then
      -- The loop over events first, as what it calls is compiled with it if it can be: all but one of its rounds, without one.
      local rounds = inner.compile()
      for _ = 1, rounds - 1 do
        events(type, thread_id)
      end
    end
    answer = events(event, thread_id)
  end
end

-- Calls a function of the script by its name; an error is told with that name, and where it happened.
function inner.call(name, body, ...)
  local succeeded, answer = xpcall(body, note_place, ...)
  if not succeeded then
    error(("`%s' function failed: %s"):format(name, inner.explained(answer)), 0)
  end
  return answer
end

-- The life of a script thread.
function inner.api.worker(tid)
  if not is_told then
    -- Everything is interpreted until the driver has something else, unless it computes for long.
    optimise("hotloop=32767")
  end
  if thread_init then
    inner.call("thread_init", thread_init, tid)
  end
  inner.request("ready")(state, 0, 0)
  inner.call("thread_run", thread_run, tid)
  inner.request("over")(state, inner.has_ended and 1 or 0, 0)
  if thread_done then
    inner.call("thread_done", thread_done, tid)
  end
end
