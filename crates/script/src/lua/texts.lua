-- Random texts, which the driver writes where it has room for them.
local native, inner = ...

local ffi, state, reply = inner.ffi, inner.state, inner.reply
local fill = inner.native(inner.OF_TEXT, "rand_string")
local vary = inner.native(inner.OF_NUMBERS, "rand_varstring")
local ADDRESS = ffi.typeof("const char *")
local texts = {}

function texts.string(format)
  fill(state, 0, 0, format, #format)
  return ffi.string(ffi.cast(ADDRESS, reply[6]), #format)
end

function texts.varstring(least, most)
  assert(least <= most, "the least length must not be above the most")
  local length = vary(state, least, most)
  return ffi.string(ffi.cast(ADDRESS, reply[6]), length)
end

return texts
