-- sysbench.sql: drivers, connections, statements, results. Errors are raised here, so that scripts catch tables and texts.
local native, inner = ...

local ask = inner.ask
local setmetatable, type, error, select, unpack = setmetatable, type, error, select, unpack

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

local NONE, IGNORABLE, FATAL = sql.error.NONE, sql.error.IGNORABLE, sql.error.FATAL

-- What the driver answers to a statement: no result set, a result set, or why there is neither.
local OK, ROWS, IGNORED = 0, 1, 2

local function class(name)
  local methods = {}
  return methods, { __index = methods, __tostring = function()
    return "<" .. name .. ">"
  end }
end

local driver, driver_class = class("sql_driver")
local connection, connection_class = class("sql_connection")
local statement, statement_class = class("sql_statement")
local result, result_class = class("sql_result")
inner.param_class = select(2, class("sql_param"))

-- Raises an error as a text that begins with the place in the script.
local function fail(text)
  error(inner.place() .. text, 0)
end

-- The driver, by name: every server here speaks one protocol.
function sql.driver(name)
  name = name or sysbench.opt and sysbench.opt.db_driver or "mysql"
  if name ~= "mysql" and name ~= "mariadb" then
    native.log(("FATAL: invalid database driver name: '%s'"):format(tostring(name)))
    fail("failed to initialize the DB driver")
  end
  _G.db_driver = "mysql"
  return setmetatable({}, driver_class)
end

function driver:name()
  return "mysql"
end

local function connected(self, number, code, state, message)
  if not number then
    native.log(("FATAL: error %d: %s"):format(code, message))
    fail("connection creation failed")
  end
  return setmetatable({ driver = self, number = number, error = NONE, sql_errno = 0, sql_state = "", sql_errmsg = "" },
    connection_class)
end

function driver:connect()
  return connected(self, ask("connect"))
end

-- Raises the error of a statement: as a table where the event is to be begun again, else as a text.
local function raise(self, query, kind, code, state, message)
  self.error = kind == IGNORED and IGNORABLE or FATAL
  self.sql_errno, self.sql_state, self.sql_errmsg = code, state, message
  if state == "" then
    fail("SQL API error")
  end
  local described = {
    connection = self,
    query = query,
    sql_errno = code,
    sql_state = state,
    sql_errmsg = message,
  }
  local hook = sysbench.hooks.sql_error_ignorable
  if kind == IGNORED or (hook and hook(described)) then
    described.errcode = sysbench.error.RESTART_EVENT
    error(described, 0)
  end
  fail(("SQL error, errno = %d, state = '%s': %s"):format(code, state, message))
end

-- The result of a statement, or nil where it has none.
local function answered(self, query, kind, a, b, c)
  if kind == OK then
    self.error, self.affected_rows, self.insert_id = NONE, a, b
    return nil
  elseif kind == ROWS then
    self.error = NONE
    return setmetatable({ connection = self, nrows = a, nfields = b, serial = c }, result_class)
  end
  return raise(self, query, kind, a, b, c)
end

function connection:query(query)
  return answered(self, query, ask("query", self.number, query))
end

local function first_row(self, query, kind, a, b, c)
  if kind == ROWS then
    self.error = NONE
    return native.row(self.number, c)
  end
  return answered(self, query, kind, a, b, c)
end

function connection:query_row(query)
  return first_row(self, query, ask("query", self.number, query))
end

function connection:check_error(value, query)
  if self.error == NONE then
    return value
  end
  local kind = self.error == IGNORABLE and IGNORED or IGNORED + 1
  return raise(self, query, kind, self.sql_errno, self.sql_state, self.sql_errmsg)
end

function connection:disconnect()
  ask("disconnect", self.number)
  return 0
end

function connection:reconnect()
  local succeeded, code, state, message = ask("reconnect", self.number)
  if not succeeded then
    return raise(self, "", IGNORED + 1, code, state, message)
  end
  return 0
end

-- Whether the last text had another result behind the one that was read; scripts for 1.1 ask.
function connection:more_results()
  return native.more_results(self.number)
end

function connection:next_result()
  local rows, fields, serial = native.next_result(self.number)
  if rows then
    return setmetatable({ connection = self, nrows = rows, nfields = fields, serial = serial }, result_class)
  end
end

local function prepared(self, text, number, code, state, message)
  if number then
    return setmetatable({ connection = self, number = number, count = 0 }, statement_class)
  end
  native.log(("FATAL: cannot prepare a statement: error %d (%s) for query '%s'"):format(code, message, text))
  self.error, self.sql_errno, self.sql_state, self.sql_errmsg = FATAL, code, state, message
  fail("SQL API error")
end

function connection:prepare(text)
  return prepared(self, text, ask("prepare", self.number, text))
end

function statement:bind_param(...)
  local count = select("#", ...)
  if count == 0 then
    return nil
  end
  self.params, self.count = { ... }, count
  local kinds = {}
  for place, param in ipairs(self.params) do
    kinds[place] = param.kind
  end
  return ask("bind", self.connection.number, self.number, kinds)
end

local function execution(self, ...)
  local to = self.connection
  return answered(to, "<prepared statement>", ask("execute", to.number, self.number, ...))
end

function statement:execute()
  local count, params = self.count, self.params
  if count == 0 then
    return execution(self)
  elseif count == 1 then
    return execution(self, params[1].value)
  elseif count == 2 then
    return execution(self, params[1].value, params[2].value)
  end
  local values = {}
  for place = 1, count do
    values[place] = params[place].value
  end
  return execution(self, unpack(values, 1, count))
end

function statement:close()
  ask("close", self.connection.number, self.number)
  return 0
end

statement.next_result = function(self)
  return self.connection:next_result()
end

function result:fetch_row()
  if self.serial == 0 then
    fail("the rows of a prepared statement are not kept: use con:query(), or --db-ps-mode=disable")
  end
  return native.fetch(self.connection.number, self.serial)
end

function result:free()
  native.free(self.connection.number, self.serial)
  return 0
end

inner.connection, inner.statement = connection, statement
