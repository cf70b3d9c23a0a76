-- sysbench.sql: drivers, connections, statements, results. Errors are raised in Lua, so that scripts catch tables and texts.
local native, inner = ...

local ffi, state = inner.ffi, inner.state
local setmetatable, getmetatable, type, error, select, tostring = setmetatable, getmetatable, type, error, select, tostring

local connect, disconnect, close = inner.request("connect"), inner.request("disconnect"), inner.request("close")
local query_text, prepare = inner.request_of_text("query"), inner.request_of_text("prepare")
local execute = inner.request_of_text("execute")

-- What was answered last: rows, fields and serial number of a result set, or affected rows and the insert id.
local reply = inner.reply
local REPLY_ROWS, REPLY_FIELDS, REPLY_SERIAL, REPLY_AFFECTED, REPLY_ID, REPLY_WHOLE_ID = 0, 1, 2, 3, 4, 5

local sql = {
  type = {
    NONE = 0,
    TINYINT = 1,
    SMALLINT = 2,
    INT = 3,
    BIGINT = 4,
    FLOAT = 5,
    DOUBLE = 6,
    TIME = 7,
    DATE = 8,
    DATETIME = 9,
    TIMESTAMP = 10,
    CHAR = 11,
    VARCHAR = 12,
  },
  error = { NONE = 0, IGNORABLE = 1, FATAL = 2 },
}
sysbench.sql = sql

local NONE = sql.error.NONE

-- What the driver answers to a statement: no result set, a result set, or why there is neither; or one of which only the
-- numbers are known, after which nothing is to be noted.
local OK, ROWS, IGNORED, COUNTED = 0, 1, 2, 4

-- What the driver knows of an object is at its place 0. That of a connection is of the driver's half of the state; it has its
-- number, rows and fields of the last result that was only counted, and whether it has an error. That of a statement is of
-- its connection's; it has its number and its parameters, which are their number, then where they are. One type serves both,
-- as each takes memory in every state.
local object_of, WRITTEN = inner.sealed("const void *of, *bound; double number, rows, fields; int32_t kind, has_error;")
local CONNECTION, STATEMENT, CLOSED = 1, 2, 3
local words_of, WORD = ffi.typeof("const void *[?]"), ffi.typeof("const void *")
local UNBOUND = words_of(1)

-- Places of a connection and of a statement: what the driver knows of it, the result of which only the numbers are known, and a
-- connection's number. A script's own fields have names.
local OBJECT, COUNTS, NUMBER = 0, 1, 2
inner.OBJECT, inner.NUMBER = OBJECT, NUMBER
local istype, cast = ffi.istype, ffi.cast

-- Notes an error of a connection's statement, or that the last one had none.
function inner.note_error(self, kind)
  self.error = kind
  if istype(object_of, self[OBJECT]) then
    cast(WRITTEN, self[OBJECT]).has_error = kind
  end
end

-- What the driver reads as its own must be: a script may hand over anything.
local function refuse_self(...)
  return inner.rest("arguments").refuse_self(...)
end

-- What the driver knows of an object, where the prelude may write it: a script may have put something else there.
local function written_of(name, self)
  if not istype(object_of, self[OBJECT]) then
    return refuse_self(name, getmetatable(self).__name, nil)
  end
  return cast(WRITTEN, self[OBJECT])
end

-- Methods, which are their objects' metatable as well.
local function class(name)
  local methods = {
    __name = name,
    __tostring = function()
      return name
    end,
  }
  methods.__index = methods
  return methods
end

local driver, connection = class("<sql_driver>"), class("<sql_connection>")
local statement, result = class("<sql_statement>"), class("<sql_result>")
inner.connection, inner.statement, inner.result = connection, statement, result

-- Methods of connections that few scripts call are in a part of their own.
setmetatable(connection, {
  __index = function(_, method)
    return inner.rest("connections")[method]
  end,
})

-- The driver, by name: every server here speaks one protocol.
function sql.driver(name)
  name = name or sysbench.opt and sysbench.opt.db_driver or "mysql"
  if name ~= "mysql" and name ~= "mariadb" then
    inner.log(("FATAL: invalid database driver name: '%s'"):format(tostring(name)))
    error("failed to initialize the DB driver", 2)
  end
  _G.db_driver = "mysql"
  return setmetatable({}, driver)
end

function driver:name()
  return "mysql"
end

function driver:connect()
  if getmetatable(self) ~= driver then
    return refuse_self("connect", driver.__name, self)
  end
  local number = connect(state, 0, 0)
  if number < 0 then
    inner.rest("errors").log_no_connection()
    error("connection creation failed", 2)
  end
  local object = object_of()
  local written = cast(WRITTEN, object)
  written.of, written.number, written.kind = state, number, CONNECTION
  -- The places in their order: a table that is made with them has them one after the other in memory.
  return setmetatable({
    [0] = object,
    false,
    number,
    driver = self,
    error = NONE,
    sql_errno = 0,
    sql_state = "",
    sql_errmsg = "",
  }, connection)
end

-- What stands for the result of a statement that has none: equal to nil, as a pointer to nothing is, and yet a result.
local nothing = ffi.typeof("struct {}")
ffi.metatype(nothing, {
  __index = {
    nrows = 0,
    nfields = 0,
    fetch_row = function() end,
    -- A call at the tail, so that an error names the caller's place.
    free = function(self)
      if self ~= nil then
        return result.free(self)
      end
      return true
    end,
  },
  __tostring = function()
    return "<sql_result>"
  end,
})
local NO_RESULT = ffi.cast(ffi.typeof("$ *", nothing), nil)

-- Numbers of Lua are exact below it.
local EXACT = 2 ^ 53

-- The result of a statement.
local function answered(self, query, kind)
  if kind == OK then
    local id = reply[REPLY_ID]
    self.error, self.affected_rows, self.insert_id = NONE, reply[REPLY_AFFECTED], id < EXACT and id or ffi.cast("uint64_t *", reply)[REPLY_WHOLE_ID]
    return NO_RESULT
  elseif kind == ROWS then
    self.error = NONE
    local found = { connection = self, nrows = reply[REPLY_ROWS], nfields = reply[REPLY_FIELDS], serial = reply[REPLY_SERIAL] }
    return setmetatable(found, result)
  end
  return inner.rest("errors").raise(self, query, kind == IGNORED, native.error())
end

-- The connection and the text of a statement, where either is something else.
local function text_of(...)
  return inner.rest("arguments").statement(...)
end

function connection:query(query)
  if getmetatable(self) ~= connection or type(query) ~= "string" then
    self, query = text_of("query", self, query)
  end
  return answered(self, query, query_text(state, self[NUMBER], 0, query, #query))
end

inner.face(connection.query, query_text, "of_text", "ask_query")

function connection:query_row(query)
  if getmetatable(self) ~= connection or type(query) ~= "string" then
    self, query = text_of("query_row", self, query)
  end
  local kind = query_text(state, self[NUMBER], 0, query, #query)
  if kind == ROWS then
    self.error = NONE
    return native.row(self[NUMBER], reply[REPLY_SERIAL])
  end
  answered(self, query, kind)
  return nil
end

-- A connection that the script has closed.
local closed = {
  __tostring = connection.__tostring,
  __name = connection.__name,
  __index = function(_, method)
    return inner.rest("closed")[method]
  end,
}

inner.closed = closed

function connection:disconnect()
  if getmetatable(self) ~= connection then
    self = inner.rest("arguments").connection("disconnect", self, true)
  end
  disconnect(state, self[NUMBER], 0)
  setmetatable(self, closed)
  return true
end

-- The result of a statement that the server has prepared. Its rows are not kept, so all that a script can read of it is their
-- number: one result serves all such statements of a connection, as in sysbench.
local counted = {
  __name = result.__name,
  __tostring = result.__tostring,
  __index = function(self, key)
    return result[key] or inner.rest("connections").number_of(self, key)
  end,
}

-- What the driver reaches from what it knows of a statement, by that, and reads when the statement is executed: its connection,
-- and what keeps its parameters. A script may not lay hands on either.
local by_object = { __mode = "k" }
local owners, bindings = setmetatable({}, by_object), setmetatable({}, by_object)

function connection:prepare(text)
  if getmetatable(self) ~= connection or type(text) ~= "string" then
    self, text = text_of("prepare", self, text)
  end
  written_of("prepare", self)
  local number = prepare(state, self[NUMBER], 0, text, #text)
  if number < 0 then
    inner.rest("errors").log_unprepared(self)
    error("SQL API error", 2)
  end
  local object = object_of()
  local written = cast(WRITTEN, object)
  written.of, written.bound, written.number, written.kind = self[OBJECT], UNBOUND, number, STATEMENT
  owners[object] = self[OBJECT]
  self[COUNTS] = self[COUNTS] or setmetatable({ [0] = self[OBJECT], connection = self, serial = 0 }, counted)
  return setmetatable({ [0] = object, self[COUNTS], connection = self }, statement)
end

function statement:bind_param(...)
  if getmetatable(self) ~= statement then
    return refuse_self("bind_param", statement.__name, self)
  end
  local count = select("#", ...)
  if count == 0 then
    return nil
  end
  local bound, held = words_of(count + 1), { ... }
  bound[0], held[0] = ffi.cast(WORD, count), bound
  for place = 1, count do
    local param = held[place]
    if not inner.is_param(param) then
      return inner.rest("arguments").refuse(place, "bind_param", "<sql_param>", param)
    end
    bound[place] = param
  end
  written_of("bind_param", self).bound, bindings[self[OBJECT]] = bound, held
  return 0
end

-- The result of a statement of which more than the numbers is known, or after which something is to be noted.
local function executed(self, kind)
  if getmetatable(self) ~= statement then
    return refuse_self("execute", statement.__name, self)
  end
  local to = self.connection
  if kind == ROWS and reply[REPLY_SERIAL] == 0 then
    inner.note_error(to, NONE)
    return self[COUNTS]
  end
  return answered(to, "<prepared statement>", kind)
end

function statement:execute()
  if getmetatable(self) ~= statement or not istype(object_of, self[OBJECT]) then
    return refuse_self("execute", statement.__name, self)
  end
  local kind = execute(state, 0, 0, self[OBJECT], 0)
  if kind == COUNTED then
    return self[COUNTS]
  end
  return executed(self, kind)
end

inner.face(statement, "execute", "executing", executed, object_of())

function statement:close()
  if getmetatable(self) ~= statement then
    return refuse_self("close", statement.__name, self)
  end
  local object = written_of("close", self)
  -- Another statement may get its number.
  if object.kind == STATEMENT then
    object.kind = CLOSED
    close(state, self.connection[NUMBER], object.number)
  end
  return 0
end

function statement:next_result()
  if getmetatable(self) ~= statement then
    return refuse_self("next_result", statement.__name, self)
  end
  return self.connection:next_result()
end

local function check_result(name, self)
  local of = getmetatable(self)
  if of ~= result and of ~= counted then
    return refuse_self(name, result.__name, self)
  end
end

function result:fetch_row()
  check_result("fetch_row", self)
  if self.serial == 0 then
    inner.fail("the rows of a prepared statement are not kept: use con:query(), or --db-ps-mode=disable")
  end
  return native.fetch(self.connection[NUMBER], self.serial)
end

function result:free()
  check_result("free", self)
  if self.serial ~= 0 and not native.free(self.connection[NUMBER], self.serial) then
    inner.log("ALERT: attempt to free an invalid result set")
    error("db_free_results() failed", 2)
  end
  return true
end
