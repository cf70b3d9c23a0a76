-- The functions of 0.4 and 0.5: those for one connection without a name, and two for random numbers.
local native, inner = ...

local rand, kinds = sysbench.rand, sysbench.sql.type
local NONE, FATAL = sysbench.sql.error.NONE, sysbench.sql.error.FATAL
local pcall, error, getmetatable = inner.pcall, error, getmetatable
local arguments = inner.rest("arguments")
local older = {}

function older.sb_rnd()
  return rand.uniform(0, 4294967295)
end

function older.sb_rand_uniq(a, b)
  local drawn = rand.unique()
  if a ~= nil and b ~= nil then
    a = arguments.number(1, "sb_rand_uniq", a, 0, 2 ^ 32 - 1)
    b = arguments.number(2, "sb_rand_uniq", b, math.ceil(a), 2 ^ 32 - 1)
  end
  while a and b and (drawn < a or drawn > b) do
    drawn = rand.unique()
  end
  return drawn
end

-- The one connection of a state, opened when it is first needed.
local con

local function the_connection()
  if not con then
    con = sysbench.sql.driver():connect()
  end
  return con
end

function older.connect()
  the_connection()
end

function older.disconnect()
  if con then
    con:disconnect()
    con = nil
  end
end

-- Calls a method of a connection, or of one of its statements.
local function call(connection, method, object, ...)
  connection.error = NONE
  return pcall(method, object, ...)
end

-- Raises an error. One of the server that is not to be ignored is in the log with its statement; what a script sees is the
-- name of the function, as in sysbench.
local function fail(name, raised)
  if con.error == FATAL then
    error(("db_%s() failed"):format(name), 3)
  end
  error(raised, 0)
end

-- Raises an error, save one of the server in a run: sysbench's goes on after it, and the log and the counters have it. What a
-- command has not loaded would be missing from all that is measured later; and where the connection is gone, events without
-- a server would be measured.
local function fail_command(connection, raised)
  local code = connection.sql_errno
  local of_server = connection.error ~= NONE and not (code >= 2000 and code < 3000)
  if not of_server or sysbench.cmdline.command ~= "run" then
    error(type(raised) == "string" and inner.explained(raised) or raised, 0)
  end
end

function older.query(query)
  local succeeded, raised = call(the_connection(), con.query, con, query)
  if not succeeded then
    fail("query", raised)
  end
end

function older.bulk_insert_init(head)
  the_connection():bulk_insert_init(head)
end

function older.bulk_insert_next(row)
  local succeeded, raised = call(the_connection(), con.bulk_insert_next, con, row)
  if not succeeded then
    fail_command(con, raised)
  end
end

function older.bulk_insert_done()
  local succeeded, raised = call(the_connection(), con.bulk_insert_done, con)
  if not succeeded then
    fail_command(con, raised)
  end
end

function older.prepare(query)
  local succeeded, made = call(the_connection(), con.prepare, con, query)
  if not succeeded then
    fail("prepare", made)
  end
  return made
end

-- Texts that were bound may grow later: as much as a column of text can have.
local TEXT_BYTES = 65535

-- The table of values is kept: each execution reads it again.
local function check_statement(name, stmt)
  if type(stmt) ~= "table" or getmetatable(stmt) ~= inner.statement then
    return arguments.refuse(1, name, inner.statement.__name, stmt)
  end
end

function older.bind_param(stmt, values)
  check_statement("db_bind_param", stmt)
  arguments.table(2, "db_bind_param", values)
  stmt.values, stmt.params = values, {}
  for place, value in ipairs(values) do
    local text = type(value) == "string"
    stmt.params[place] = stmt:bind_create(text and kinds.CHAR or kinds.INT, text and TEXT_BYTES or nil)
  end
  stmt:bind_param(unpack(stmt.params))
end

function older.bind_result() end

function older.execute(stmt)
  check_statement("db_execute", stmt)
  for place, param in ipairs(stmt.params or {}) do
    param:set(stmt.values[place])
  end
  local connection = stmt.connection
  local succeeded, answer = call(connection, stmt.execute, stmt)
  if succeeded then
    return answer
  elseif connection.error ~= FATAL then
    error(answer, 0)
  end
  fail_command(connection, answer)
end

function older.store_results() end

function older.free_results(result)
  if result ~= nil then
    local of = type(result) == "table" and getmetatable(result)
    if type(of) ~= "table" or rawget(of, "__name") ~= inner.result.__name then
      return arguments.refuse(1, "db_free_results", inner.result.__name, result)
    end
    result:free()
  end
end

function older.close(stmt)
  check_statement("db_close", stmt)
  stmt:close()
end

return older
