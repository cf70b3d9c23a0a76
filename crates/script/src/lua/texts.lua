-- Random texts, which the driver writes where it has room for them.
local native, inner = ...

local ffi, state, reply = inner.ffi, inner.state, inner.reply
local fill = inner.native(inner.OF_TEXT, "rand_string")
local vary = inner.native(inner.OF_NUMBERS, "rand_varstring")
local ADDRESS = ffi.typeof("const char *")
local texts = {}

-- Bytes of the longest text: what MySQL takes in one statement where nobody has said otherwise.
local MOST = 64 * 1024 * 1024

function texts.string(format)
  if type(format) ~= "string" then
    inner.rest("arguments").refuse(1, "string", "string", format)
  end
  fill(state, 0, 0, format, #format)
  return ffi.string(ffi.cast(ADDRESS, reply[6]), #format)
end

function texts.varstring(least, most)
  if not (type(least) == "number" and type(most) == "number" and least >= 0 and most >= least and most <= MOST) then
    local number = inner.rest("arguments").number
    least = number(1, "varstring", least, 0, MOST)
    most = number(2, "varstring", most, least, MOST)
  end
  local length = vary(state, least, most)
  return ffi.string(ffi.cast(ADDRESS, reply[6]), length)
end

return texts
