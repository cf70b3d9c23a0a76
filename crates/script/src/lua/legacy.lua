-- The globals of 0.4 and 0.5, which 1.0 still has.
local native, inner = ...

local rand, kinds = sysbench.rand, sysbench.sql.type

thread_id = sysbench.tid
mysql_table_engine = "innodb"
myisam_max_rows = 1000000

DB_ERROR_NONE = 0
DB_ERROR_RESTART_TRANSACTION = 1
DB_ERROR_FAILED = 2

function sb_rand(a, b)
  return rand.default(a, b)
end

function sb_rand_uniform(a, b)
  return rand.uniform(a, b)
end

function sb_rand_gaussian(a, b)
  return rand.gaussian(a, b)
end

function sb_rand_special(a, b)
  return rand.special(a, b)
end

function sb_rand_str(format)
  return rand.string(format)
end

function sb_rnd()
  return rand.uniform(0, 4294967295)
end

function sb_rand_uniq(a, b)
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

local db = {}
sysbench.db = db

function db.connect()
  the_connection()
end

function db.disconnect()
  if con then
    con:disconnect()
    con = nil
  end
end

function db.query(query)
  the_connection():query(query)
end

function db.bulk_insert_init(head)
  the_connection():bulk_insert_init(head)
end

function db.bulk_insert_next(row)
  the_connection():bulk_insert_next(row)
end

function db.bulk_insert_done()
  the_connection():bulk_insert_done()
end

function db.prepare(query)
  return the_connection():prepare(query)
end

-- Texts that were bound may grow later: as much as a column of text can have.
local TEXT_BYTES = 65535

-- The table of values is kept: each execution reads it again.
function db.bind_param(stmt, values)
  stmt.bound, stmt.bound_params = values, {}
  for place, value in ipairs(values) do
    local text = type(value) == "string"
    stmt.bound_params[place] = stmt:bind_create(text and kinds.CHAR or kinds.INT, text and TEXT_BYTES or nil)
  end
  stmt:bind_param(unpack(stmt.bound_params))
end

function db.bind_result() end

function db.execute(stmt)
  for place, param in ipairs(stmt.bound_params or {}) do
    param:set(stmt.bound[place])
  end
  return stmt:execute()
end

function db.store_results() end

function db.free_results(result)
  if result then
    result:free()
  end
end

function db.close(stmt)
  stmt:close()
end

for name, body in pairs(db) do
  _G["db_" .. name] = body
end
