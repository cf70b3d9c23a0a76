-- The C library as scripts see it: the real one, with the functions that sysbench itself would export, and with sleeps
-- that hold up nobody but the script.
local native, inner = ...

local ffi = require("ffi")
local ask = inner.ask

-- Scripts may declare functions and types again, but neither constants of an enumeration nor tags: nothing else is
-- declared here.
ffi.cdef([[
typedef enum {
  SB_CNT_OTHER, SB_CNT_READ, SB_CNT_WRITE, SB_CNT_TRX, SB_CNT_ERROR, SB_CNT_RECONNECT,
  SB_CNT_BYTES_READ, SB_CNT_BYTES_WRITTEN, SB_CNT_MAX
} sb_counter_type;
]])

-- A function of the program, by its address. Calls of these are compiled with the code around them.
function inner.native(signature, address)
  return ffi.cast(signature, address)
end

local state = ffi.cast("void *", native.state)
inner.state = state
inner.ffi = ffi

local add = ffi.cast("void (*)(void *, int, int64_t)", native.count)
local val = ffi.cast("int64_t (*)(void *, int)", native.counted)
local MICROSECOND = 1e3
local SECOND = 1e9

local known = {}

function known.sb_counter_inc(_, counter)
  add(state, counter, 1)
end

function known.sb_counter_add(_, counter, amount)
  add(state, counter, amount)
end

function known.sb_counter_val(_, counter)
  return val(state, counter)
end

function known.sb_more_events()
  return inner.more_events()
end

function known.sb_event_start() end

function known.sb_event_stop()
  inner.event_stop()
end

function known.usleep(us)
  ask("sleep", tonumber(us) * MICROSECOND)
  return 0
end

function known.sleep(seconds)
  ask("sleep", tonumber(seconds) * SECOND)
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

local C = setmetatable(known, { __index = ffi.C, __newindex = ffi.C })
local face = setmetatable({ C = C }, { __index = ffi })
package.loaded.ffi = face
-- A global, as sysbench's own scripts make it one.
_G.ffi = face

-- `sleep` of the shell is the usual pause of a script: the others of its thread go on meanwhile.
local execute = os.execute
function os.execute(command)
  local seconds = type(command) == "string" and command:match("^%s*sleep%s+(%d+%.?%d*)%s*$")
  if seconds then
    ask("sleep", tonumber(seconds) * SECOND)
    return 0
  end
  return execute(command)
end
