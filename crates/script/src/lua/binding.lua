-- Parameters of prepared statements.
local native, inner = ...

local ffi = inner.ffi
local kinds = sysbench.sql.type
local tostring, type, istype, sizeof, cast = tostring, type, ffi.istype, ffi.sizeof, ffi.cast

-- What a parameter holds, by the types that scripts give.
local WHOLE, REAL, TEXT = 1, 2, 3
local HOLDS = {
  [kinds.TINYINT] = WHOLE,
  [kinds.SMALLINT] = WHOLE,
  [kinds.INT] = WHOLE,
  [kinds.BIGINT] = WHOLE,
  [kinds.FLOAT] = REAL,
  [kinds.DOUBLE] = REAL,
  [kinds.CHAR] = TEXT,
  [kinds.VARCHAR] = TEXT,
}
local NULL = 0

-- A parameter as the driver reads it (what it has, and that), and what it is for.
local slot, WRITTEN = inner.sealed("int32_t has; uint32_t length; int64_t whole; double real; int32_t holds, most;")
local TEXT_AT, ADDRESS = ffi.typeof("const char *"), ffi.typeof("intptr_t")
local param = {}
local SIZE = sizeof(slot)

-- Whether a value is a parameter itself; `istype` takes an address of one, too.
local function is_param(value)
  return type(value) == "cdata" and istype(slot, value) and sizeof(value) == SIZE
end

inner.is_param = is_param

-- The texts of parameters, which have only their addresses.
local texts = setmetatable({}, { __mode = "k" })

local function text_into(self, text)
  text = text:sub(1, self.most)
  texts[self] = text
  local written = cast(WRITTEN, self)
  written.has, written.whole, written.length = TEXT, ffi.cast(ADDRESS, ffi.cast(TEXT_AT, text)), #text
end

-- Whole numbers below have room in a parameter.
local END = 2 ^ 63

function param:set(value)
  if not is_param(self) then
    return inner.rest("arguments").refuse_self("set", "<sql_param>", self)
  end
  local holds, kind, written = self.holds, type(value), cast(WRITTEN, self)
  if holds == WHOLE and kind == "number" and value > -END and value < END then
    written.has, written.whole = WHOLE, value
  elseif holds == REAL and kind == "number" and value - value == 0 then
    written.has, written.real = REAL, value
  elseif value == nil then
    written.has = NULL
  elseif holds == TEXT then
    if kind ~= "string" and kind ~= "number" then
      return inner.rest("arguments").refuse(1, "set", "string", value)
    end
    text_into(self, tostring(value))
  else
    value = inner.rest("arguments").to_bind(value, holds == WHOLE)
    written.has = holds
    if holds == WHOLE then
      written.whole = value
    else
      written.real = value
    end
  end
end

inner.face(param, "set", "setting", nil, slot())

function param:set_rand_str(format)
  if not is_param(self) or self.holds ~= TEXT then
    return inner.rest("arguments").refuse_self("set_rand_str", "<sql_param> of a text", self)
  end
  text_into(self, sysbench.rand.string(format))
end

ffi.metatype(slot, {
  __index = param,
  __tostring = function()
    return "<sql_param>"
  end,
})

function inner.statement:bind_create(kind, most)
  local holds = HOLDS[kind]
  if getmetatable(self) ~= inner.statement then
    return inner.rest("arguments").refuse_self("bind_create", inner.statement.__name, self)
  elseif not holds then
    inner.fail("Unsupported argument type: " .. tostring(kind))
  end
  local made = slot()
  -- In sysbench only texts have a length.
  if holds == TEXT and most ~= nil then
    most = inner.rest("arguments").number(2, "bind_create", most, 0, 2 ^ 31 - 1)
  else
    most = -1
  end
  local written = cast(WRITTEN, made)
  written.holds, written.most = holds, most
  return made
end
