-- The functions that sysbench itself would export to the C interface of scripts, and sleeps that hold up nobody but the
-- script.
local native, inner, face = ...

local ffi, state = inner.ffi, inner.state
local pause = inner.native("int (*)(void *, double)", "ask_sleep")

-- Scripts may declare functions and types again, but neither constants of an enumeration nor tags: nothing else is
-- declared here.
ffi.cdef([[
typedef enum {
  SB_CNT_OTHER, SB_CNT_READ, SB_CNT_WRITE, SB_CNT_TRX, SB_CNT_ERROR, SB_CNT_RECONNECT,
  SB_CNT_BYTES_READ, SB_CNT_BYTES_WRITTEN, SB_CNT_MAX
} sb_counter_type;
]])

local add = inner.native("void (*)(void *, int, int64_t)", "count")
local val = inner.native("int64_t (*)(void *, int)", "counted")
local MICROSECOND = 1e3
local SECOND = 1e9
-- Times and counters are unsigned numbers of 32 bits in C, amounts are of 64 bits.
local MOST_TIME, MOST_AMOUNT = 2 ^ 32 - 1, 2 ^ 63 - 1024

local number = inner.rest("arguments").number
local known = {}

-- The number of a counter; the last of the names is the number of them.
local function counter_of(name, counter)
  return number(2, name, counter, 0, ffi.C.SB_CNT_MAX - 1)
end

function known.sb_counter_inc(_, counter)
  add(state, counter_of("sb_counter_inc", counter), 1)
end

function known.sb_counter_add(_, counter, amount)
  add(state, counter_of("sb_counter_add", counter), number(3, "sb_counter_add", amount, -MOST_AMOUNT, MOST_AMOUNT))
end

function known.sb_counter_val(_, counter)
  return val(state, counter_of("sb_counter_val", counter))
end

local next_event = inner.request("next")

function known.sb_more_events()
  local ended = inner.has_ended and 1 or 0
  inner.has_ended = false
  local answer = next_event(state, ended, 0)
  if answer > 1 then
    inner.compile()
  end
  return answer ~= 0
end

function known.sb_event_start() end

-- The driver hears of it with the next request.
function known.sb_event_stop()
  inner.has_ended = true
end

function known.usleep(us)
  pause(state, number(1, "usleep", us, 0, MOST_TIME) * MICROSECOND)
  return 0
end

function known.sleep(seconds)
  pause(state, number(1, "sleep", seconds, 0, MOST_TIME) * SECOND)
  return 0
end

for name, function_name in pairs({
  sb_rand_default = "default",
  sb_rand_uniform = "uniform",
  sb_rand_gaussian = "gaussian",
  sb_rand_special = "special",
  sb_rand_pareto = "pareto",
  sb_rand_zipfian = "zipfian",
  sb_rand_unique = "unique",
  sb_rand_uniform_double = "uniform_double",
  sb_rand_uniform_uint64 = "uniform_uint64",
}) do
  known[name] = function(...)
    return sysbench.rand[function_name](...)
  end
end

face.C = setmetatable(known, { __index = ffi.C, __newindex = ffi.C })
getmetatable(face).__index = ffi
