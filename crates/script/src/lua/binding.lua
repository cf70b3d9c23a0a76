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

inner.text_into, inner.written_param = text_into, WRITTEN

-- Gives a parameter for numbers a number that it has room for, and returns whether it has: one check in compiled code, where
-- each takes memory in every state.
local put = inner.native(inner.OF_NUMBERS, "param_put")

function param:set(value)
  if is_param(self) then
    local kind = type(value)
    if kind == "number" and put(self, value, 0) ~= 0 then
      return
    elseif kind == "string" and self.holds == TEXT then
      return text_into(self, value)
    end
  end
  return inner.rest("setting")(self, value)
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

-- Bytes of the longest text.
local LONGEST = 2 ^ 31 - 1

function inner.statement:bind_create(kind, most)
  local holds = HOLDS[kind]
  if getmetatable(self) ~= inner.statement then
    return inner.rest("arguments").refuse_self("bind_create", inner.statement.__name, self)
  elseif not holds then
    inner.fail("Unsupported argument type: " .. tostring(kind))
  end
  local made = slot()
  -- In sysbench only texts have a length.
  if holds ~= TEXT or most == nil then
    most = -1
  elseif type(most) ~= "number" or not (most >= 0 and most <= LONGEST) then
    most = inner.rest("arguments").number(2, "bind_create", most, 0, LONGEST)
  end
  local written = cast(WRITTEN, made)
  written.holds, written.most = holds, most
  return made
end
