-- What errors say, and how they are raised.
local native, inner = ...

local ffi = inner.ffi
local error, tostring, type = error, tostring, type
local errors = {}

-- What an error says, where it is no text.
local function words(raised)
  if type(raised) == "table" and raised.sql_errno then
    local text = "SQL error, errno = %d, state = '%s': %s"
    return text:format(raised.sql_errno, tostring(raised.sql_state), tostring(raised.sql_errmsg))
  end
  local text = tostring(raised)
  return type(text) == "string" and text or "an error that is no text"
end

-- The innermost place in a script on the stack, for errors that do not say where they were raised.
function errors.place()
  for level = 2, 60 do
    local info = inner.debug.getinfo(level, "Sl")
    if not info then
      return ""
    end
    if info.source:sub(1, 1) == "@" and info.currentline > 0 then
      return ("%s:%d: "):format(info.short_src, info.currentline)
    end
  end
  return ""
end

-- What an error says, with the place in the script: that which the driver has noted, or else that which calls this. Code of the
-- prelude and of LuaJIT itself has no lines: what Lua raises there gets the script's.
function errors.explained(raised)
  local text = words(raised):gsub("^assay:0: ", ""):gsub("^%[builtin:[%w_]+%]:%d+: ", "")
  if text:find("^[^\n]-:%d+: ") then
    return text
  end
  local noted = native.noted_place()
  return (noted ~= "" and noted or errors.place()) .. text
end

-- Whether an error wants the same event again. Scripts for 0.5 raise the number 1.
local function restarts(raised)
  local restart = sysbench.error.RESTART_EVENT
  return raised == restart or (type(raised) == "table" and raised.errcode == restart)
end

-- Has an event begin again after an error, if the error wants that; else raises it. Returns whether it does: there may be no
-- time for it any more.
function errors.begin_again(raised)
  if not restarts(raised) then
    error(raised, 0)
  end
  native.noted_place()
  local is_time = inner.request("restart")(inner.state, 0, 0) ~= 0
  local hook = inner.hook("before_restart_event")
  if is_time and hook then
    hook(raised)
  end
  return is_time
end

-- Raises an error as a text that begins with the place in the script.
function errors.fail(text)
  error(errors.place() .. text, 0)
end

-- The server of the options, as sysbench names it.
local function server()
  local opt = sysbench.opt or {}
  if opt.mysql_socket and opt.mysql_socket[1] then
    return ("socket '%s'"):format(opt.mysql_socket[1])
  end
  return ("host '%s', port %s"):format(opt.mysql_host and opt.mysql_host[1], opt.mysql_port and opt.mysql_port[1])
end

-- Says why there is no connection.
function errors.log_no_connection()
  local code, _, message = native.error()
  inner.log(("FATAL: unable to connect to MySQL server on %s, aborting..."):format(server()))
  inner.log(("FATAL: error %d: %s"):format(code, message))
end

-- Says why a statement was not prepared on a connection.
function errors.log_unprepared(self)
  local code, sqlstate, message = native.error()
  inner.log("FATAL: mysql_stmt_prepare() failed")
  inner.log(('FATAL: MySQL error: %d "%s"'):format(code, message))
  inner.note_error(self, sysbench.sql.error.FATAL)
  self.sql_errno, self.sql_state, self.sql_errmsg = code, sqlstate, message
end

-- A connection as errors name it: opaque, as it is in sysbench, so that scripts may print them.
local handles, handle_of = {}, ffi.typeof("struct { int number; }")

-- The connection itself, where a script has one as errors name it.
function errors.connection_of(object)
  return type(object) == "cdata" and ffi.istype(handle_of, object) and handles[object.number] or object
end

ffi.metatype(handle_of, {
  __index = function(self, key)
    return handles[self.number][key]
  end,
  __newindex = function(self, key, value)
    handles[self.number][key] = value
  end,
  __eq = function(a, b)
    return rawequal(errors.connection_of(a), errors.connection_of(b))
  end,
  __tostring = function()
    return inner.connection.__name
  end,
})

local function handle(self)
  local number = self[inner.NUMBER]
  handles[number] = handles[number] or self
  return handle_of(number)
end

-- Raises the error of a statement: as a table where the event is to be begun again, else as a text.
function errors.raise(self, query, ignored, code, sqlstate, message)
  local kinds = sysbench.sql.error
  inner.note_error(self, ignored and kinds.IGNORABLE or kinds.FATAL)
  self.sql_errno, self.sql_state, self.sql_errmsg = code, sqlstate, message
  if sqlstate == "" then
    errors.fail("SQL API error")
  end
  local described = {
    connection = handle(self),
    query = query,
    sql_errno = code,
    sql_state = sqlstate,
    sql_errmsg = message,
  }
  local hook = inner.hook("sql_error_ignorable")
  if ignored or (hook and hook(described)) then
    described.errcode = sysbench.error.RESTART_EVENT
    error(described, 0)
  end
  errors.fail(("SQL error, errno = %d, state = '%s': %s"):format(code, sqlstate, message))
end

return errors
