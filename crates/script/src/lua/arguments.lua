-- Arguments that a function of the interface cannot take: all are told here, as Lua's own functions tell theirs, with the
-- script's line. What becomes an address or a count in the driver is looked at before it gets there.
local native, inner = ...

local ffi = inner.ffi
local type, tonumber, tostring, getmetatable = type, tonumber, tostring, getmetatable
local fail = inner.rest("errors").fail
local arguments = {}

-- What a value is, in words.
local function kind_of(value)
  local kind = type(value)
  if kind == "cdata" then
    return inner.is_param(value) and "<sql_param>" or tostring(ffi.typeof(value)):match("^ctype<(.*)>$") or kind
  elseif kind == "table" then
    local class = getmetatable(value)
    local name = type(class) == "table" and rawget(class, "__name")
    return type(name) == "string" and name or kind
  end
  return kind
end

local function wrong(place, name, expected, got)
  return fail(("bad argument #%d to '%s' (%s expected, got %s)"):format(place, name, expected, got))
end

-- Refuses a value that is of another type than a function takes.
function arguments.refuse(place, name, expected, value)
  return wrong(place, name, expected, kind_of(value))
end

-- Refuses an object that is not of the class whose method was called, as after `.` in place of `:`.
function arguments.refuse_self(name, class, object)
  return fail(("calling '%s' on bad self (%s expected, got %s)"):format(name, class, kind_of(object)))
end

local function has_class(object, class)
  return type(object) == "table" and getmetatable(object) == class
end

-- Refuses all but an object of a class.
function arguments.check_self(name, class, object)
  if not has_class(object, class) then
    return arguments.refuse_self(name, class.__name, object)
  end
end

-- A connection, also one as errors name it; with `usable`, none that the script has closed.
function arguments.connection(name, object, usable)
  object = inner.rest("errors").connection_of(object)
  if not has_class(object, inner.closed) then
    arguments.check_self(name, inner.connection, object)
  elseif usable then
    inner.rest("closed").query(object)
  end
  return object
end

-- A number of a range, as Lua has it. Numbers of C are taken as well.
function arguments.number(place, name, value, least, most)
  local number = value
  if type(value) == "cdata" then
    number = tonumber(value)
  end
  if type(number) ~= "number" then
    return wrong(place, name, "number", kind_of(value))
  elseif not (number >= least and number <= most) then
    return wrong(place, name, ("a number from %.14g to %.14g"):format(least, most), tostring(value))
  end
  return number
end

function arguments.text(place, name, value)
  if type(value) ~= "string" then
    return wrong(place, name, "string", kind_of(value))
  end
  return value
end

function arguments.table(place, name, value)
  if type(value) ~= "table" then
    return wrong(place, name, "table", kind_of(value))
  end
  return value
end

-- A connection, and a statement for it as a text. One that is given as a number is its digits, as Lua's own functions have it.
function arguments.statement(name, object, query)
  object = arguments.connection(name, object, true)
  local kind = type(query)
  if kind == "number" then
    return object, tostring(query)
  elseif kind ~= "string" then
    return fail(("a statement must be a text, not a value of the type %s"):format(kind))
  end
  return object, query
end

-- Numbers of 32 bits wrap and fractions are cut, as in sysbench; ends beyond 32 bits are Assay's own.
local END = 2 ^ 64

-- Draws again with arguments that were no plain numbers.
function arguments.drawn(draw, name, low, high)
  local a, b = arguments.number(1, name, low, -END, END), arguments.number(2, name, high, -END, END)
  return draw(inner.state, a, b)
end

-- Numbers of 64 bits that a parameter for whole numbers has room for.
local WHOLE_END = 2 ^ 63
local ULL = ffi.typeof("uint64_t")

-- What a parameter for numbers gets for a value that is no plain number.
function arguments.to_bind(value, is_whole)
  local kind = type(value)
  if kind == "boolean" then
    return value and 1 or 0
  elseif kind == "cdata" and tonumber(value) then
    local is_beyond = is_whole and ffi.istype(ULL, value) and value >= 0x8000000000000000ULL
    return is_beyond and arguments.number(1, "set", value, -WHOLE_END, WHOLE_END - 1024) or value
  elseif kind == "number" then
    return arguments.number(1, "set", value, is_whole and -WHOLE_END or -1.7976931348623157e308, is_whole and WHOLE_END - 1024 or 1.7976931348623157e308)
  end
  return fail(("bad argument #1 to 'set' (cannot convert '%s' to '%s')"):format(kind_of(value), is_whole and "int64_t" or "double"))
end

return arguments
