-- Parameters of prepared statements.
local native, inner = ...

local ffi = inner.ffi
local kinds = sysbench.sql.type
local tostring, type, error = tostring, type, error

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
local slot = ffi.typeof("struct { int32_t has; uint32_t length; int64_t whole; double real; int32_t holds, most; }")
local TEXT_AT, ADDRESS = ffi.typeof("const char *"), ffi.typeof("intptr_t")
local param = {}

-- The texts of parameters, which have only their addresses.
local texts = setmetatable({}, { __mode = "k" })

local function text_into(self, text)
  text = text:sub(1, self.most)
  texts[self] = text
  self.has, self.whole, self.length = TEXT, ffi.cast(ADDRESS, ffi.cast(TEXT_AT, text)), #text
end

function param:set(value)
  local holds = self.holds
  if holds == WHOLE and type(value) == "number" then
    self.has, self.whole = WHOLE, value
  elseif value == nil then
    self.has = NULL
  elseif holds == TEXT then
    text_into(self, tostring(value))
  else
    local type_of = type(value)
    if type_of == "boolean" then
      value = value and 1 or 0
    elseif type_of ~= "number" and type_of ~= "cdata" then
      error(("cannot convert '%s' to '%s'"):format(type_of, holds == WHOLE and "int64_t" or "double"), 2)
    end
    self.has = holds
    if holds == WHOLE then
      self.whole = value
    else
      self.real = value
    end
  end
end

inner.face(param, "set", "setting")

function param:set_rand_str(format)
  text_into(self, sysbench.rand.string(format))
end

slot = ffi.metatype(slot, {
  __index = param,
  __tostring = function()
    return "<sql_param>"
  end,
})

function inner.statement:bind_create(kind, most)
  local holds = HOLDS[kind]
  if not holds then
    error("Unsupported argument type: " .. tostring(kind), 2)
  end
  local made = slot()
  made.holds, made.most = holds, most or -1
  return made
end
