-- The C library as scripts see it: the real one, with what sysbench itself would export, which comes when a script first
-- looks for something in it.
local native, inner = ...

local ffi = inner.ffi
local face = setmetatable({}, {
  __index = function(face, name)
    inner.part("counters")(native, inner, face)
    return face[name]
  end,
})
package.loaded.ffi = face
-- A global, as sysbench's own scripts make it one.
_G.ffi = face

-- `sleep` of the shell is the usual pause of a script: the others of its thread go on meanwhile.
local execute = os.execute
function os.execute(command)
  local seconds = type(command) == "string" and command:match("^%s*sleep%s+(%d+%.?%d*)%s*$")
  if seconds then
    return face.C.sleep(tonumber(seconds))
  end
  return execute(command)
end

-- At which lines code is compiled: a loop that never ends leaves no other trace.
--
-- The loop over events is compiled without a copy of its body for what stays the same from event to event: every event asks
-- the driver for something, after which nothing does. A copy is a third of what a state compiles.
local lines = ffi.cast("uint32_t *", native.compiled_lines)
local LINES = 16
local function_of, optimise = package.preload["jit.util"]().funcinfo, jit.opt.start
local of_events = false
jit.attach(function(what, _, func, place)
  if of_events then
    of_events = false
    optimise("+loop")
  end
  if what ~= "start" then
    return
  end
  -- The prelude has no lines.
  local line = 0
  if func == inner.events then
    of_events = true
    optimise("-loop")
  else
    line = function_of(func, place).currentline or 0
  end
  local count = lines[0]
  lines[1 + count % LINES] = line > 0 and line or 0
  lines[0] = count + 1
end, "trace")
