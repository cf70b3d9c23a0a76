-- The functions of 0.4 and 0.5: those for one connection without a name, and two for random numbers.
local native, inner = ...

local rand, kinds = sysbench.rand, sysbench.sql.type
local older = {}

function older.sb_rnd()
  return rand.uniform(0, 4294967295)
end

function older.sb_rand_uniq(a, b)
  local drawn = rand.unique()
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

function older.query(query)
  the_connection():query(query)
end

function older.bulk_insert_init(head)
  the_connection():bulk_insert_init(head)
end

function older.bulk_insert_next(row)
  the_connection():bulk_insert_next(row)
end

function older.bulk_insert_done()
  the_connection():bulk_insert_done()
end

function older.prepare(query)
  return the_connection():prepare(query)
end

-- Texts that were bound may grow later: as much as a column of text can have.
local TEXT_BYTES = 65535

-- The table of values is kept: each execution reads it again.
function older.bind_param(stmt, values)
  stmt.values, stmt.params = values, {}
  for place, value in ipairs(values) do
    local text = type(value) == "string"
    stmt.params[place] = stmt:bind_create(text and kinds.CHAR or kinds.INT, text and TEXT_BYTES or nil)
  end
  stmt:bind_param(unpack(stmt.params))
end

function older.bind_result() end

function older.execute(stmt)
  for place, param in ipairs(stmt.params or {}) do
    param:set(stmt.values[place])
  end
  return stmt:execute()
end

function older.store_results() end

function older.free_results(result)
  if result then
    result:free()
  end
end

function older.close(stmt)
  stmt:close()
end

return older
