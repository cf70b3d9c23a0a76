-- Tables and statements that the oltp scripts share. Scripts require this module and use, or replace, what it defines.

local kinds = sysbench.sql.type

-- The options that every oltp script has.
sysbench.cmdline.options = {
  table_size = { "Number of rows per table", 10000 },
  range_size = { "Number of rows in a range", 100 },
  tables = { "Number of tables", 1 },
  point_selects = { "Number of point SELECTs per transaction", 10 },
  simple_ranges = { "Number of range SELECTs per transaction", 1 },
  sum_ranges = { "Number of SELECT SUM() per transaction", 1 },
  order_ranges = { "Number of SELECT ... ORDER BY per transaction", 1 },
  distinct_ranges = { "Number of SELECT DISTINCT per transaction", 1 },
  index_updates = { "Number of UPDATEs of the indexed column per transaction", 1 },
  non_index_updates = { "Number of UPDATEs of a column without an index per transaction", 1 },
  delete_inserts = { "Number of pairs of DELETE and INSERT per transaction", 1 },
  range_selects = { "Whether the range SELECTs are sent at all", true },
  auto_inc = { "Whether the server counts the ids (AUTO_INCREMENT)", true },
  create_table_options = { "Options at the end of CREATE TABLE", "" },
  skip_trx = { "Send no BEGIN and COMMIT: every statement commits by itself", false },
  secondary = { "Use an ordinary index on the ids in place of the PRIMARY KEY", false },
  create_secondary = { "Make an index on the column k", true },
  reconnect = { "Open the connection again after so many events; 0: never", 0 },
  mysql_storage_engine = { "Storage engine of the tables", "innodb" },
  pgsql_variant = { "Variant of PostgreSQL; not used here", "" },
}

-- Calls a function for the number of each table that belongs to this thread.
local function for_own_tables(body)
  local first = sysbench.tid % sysbench.opt.threads + 1
  for number = first, sysbench.opt.tables, sysbench.opt.threads do
    body(number)
  end
end

-- Makes and fills the tables of this thread.
function cmd_prepare()
  local driver = sysbench.sql.driver()
  local connection = driver:connect()
  for_own_tables(function(number)
    create_table(driver, connection, number)
  end)
end

-- Reads the tables of this thread into the server's memory.
function cmd_warmup()
  local driver = sysbench.sql.driver()
  local connection = driver:connect()
  connection:query("SET tmp_table_size=2*1024*1024*1024")
  connection:query("SET max_heap_table_size=2*1024*1024*1024")
  for_own_tables(function(number)
    local name = "sbtest" .. number
    print("Preloading table " .. name)
    connection:query("ANALYZE TABLE " .. name)
    local limit = sysbench.opt.table_size
    connection:query(
      ("SELECT AVG(id) FROM (SELECT * FROM %s FORCE KEY (PRIMARY) LIMIT %u) t"):format(name, limit)
    )
    connection:query(
      ("SELECT COUNT(*) FROM (SELECT * FROM %s WHERE k LIKE '%%0%%' LIMIT %u) t"):format(name, limit)
    )
  end)
end

-- Loads the tables and warms them up.
function cmd_prewarm()
  cmd_prepare()
  cmd_warmup()
end

sysbench.cmdline.commands = {
  prepare = { cmd_prepare, sysbench.cmdline.PARALLEL_COMMAND },
  warmup = { cmd_warmup, sysbench.cmdline.PARALLEL_COMMAND },
  prewarm = { cmd_prewarm, sysbench.cmdline.PARALLEL_COMMAND },
}

-- Groups of eleven digits, joined by dashes.
local C_FORMAT = ("###########-"):rep(9) .. "###########"
local PAD_FORMAT = ("###########-"):rep(4) .. "###########"

function get_c_value()
  return sysbench.rand.string(C_FORMAT)
end

function get_pad_value()
  return sysbench.rand.string(PAD_FORMAT)
end

-- Makes one table, fills it, and makes its index.
function create_table(driver, connection, number)
  local opt = sysbench.opt
  local name = "sbtest" .. number
  print(("Creating table '%s'..."):format(name))
  local id = opt.auto_inc and "INTEGER NOT NULL AUTO_INCREMENT" or "INTEGER NOT NULL"
  local key = opt.secondary and "KEY xid (id)" or "PRIMARY KEY (id)"
  connection:query(
    ([[
CREATE TABLE %s(
  id %s,
  k INTEGER DEFAULT '0' NOT NULL,
  c CHAR(120) DEFAULT '' NOT NULL,
  pad CHAR(60) DEFAULT '' NOT NULL,
  %s
) /*! ENGINE = %s */ %s]]):format(name, id, key, opt.mysql_storage_engine, opt.create_table_options)
  )
  if opt.table_size > 0 then
    print(("Inserting %d records into '%s'"):format(opt.table_size, name))
  end
  local columns = opt.auto_inc and "(k, c, pad)" or "(id, k, c, pad)"
  connection:bulk_insert_init(("INSERT INTO %s%s VALUES"):format(name, columns))
  for row = 1, opt.table_size do
    local k, c, pad = sysbench.rand.default(1, opt.table_size), get_c_value(), get_pad_value()
    if opt.auto_inc then
      connection:bulk_insert_next(("(%d, '%s', '%s')"):format(k, c, pad))
    else
      connection:bulk_insert_next(("(%d, %d, '%s', '%s')"):format(row, k, c, pad))
    end
  end
  connection:bulk_insert_done()
  if opt.create_secondary then
    print(("Creating a secondary index on '%s'..."):format(name))
    connection:query(("CREATE INDEX k_%d ON %s(k)"):format(number, name))
  end
end

-- For Assay: the options on which the tables depend, as long as these functions make them.
sysbench.cmdline.prepare_reads = {
  "tables", "table_size", "auto_inc", "secondary", "create_secondary", "create_table_options", "mysql_storage_engine",
  "rand_type", "rand_spec_iter", "rand_spec_pct", "rand_spec_res", "rand_pareto_h", "rand_zipfian_exp",
  made_by = {
    prepare = cmd_prepare,
    cmd_prepare = cmd_prepare,
    create_table = create_table,
    get_c_value = get_c_value,
    get_pad_value = get_pad_value,
  },
}

-- The prepared statements by name: the text, and the types of the parameters.
local STATEMENTS = {
  point_selects = { "SELECT c FROM sbtest%u WHERE id=?", kinds.INT },
  simple_ranges = { "SELECT c FROM sbtest%u WHERE id BETWEEN ? AND ?", kinds.INT, kinds.INT },
  sum_ranges = { "SELECT SUM(k) FROM sbtest%u WHERE id BETWEEN ? AND ?", kinds.INT, kinds.INT },
  order_ranges = { "SELECT c FROM sbtest%u WHERE id BETWEEN ? AND ? ORDER BY c", kinds.INT, kinds.INT },
  distinct_ranges = { "SELECT DISTINCT c FROM sbtest%u WHERE id BETWEEN ? AND ? ORDER BY c", kinds.INT, kinds.INT },
  index_updates = { "UPDATE sbtest%u SET k=k+1 WHERE id=?", kinds.INT },
  non_index_updates = { "UPDATE sbtest%u SET c=? WHERE id=?", { kinds.CHAR, 120 }, kinds.INT },
  deletes = { "DELETE FROM sbtest%u WHERE id=?", kinds.INT },
  inserts = {
    "INSERT INTO sbtest%u (id, k, c, pad) VALUES (?, ?, ?, ?)",
    kinds.INT,
    kinds.INT,
    { kinds.CHAR, 120 },
    { kinds.CHAR, 60 },
  },
}

function prepare_begin()
  stmt.begin = con:prepare("BEGIN")
end

function prepare_commit()
  stmt.commit = con:prepare("COMMIT")
end

-- Prepares one of the statements for each table: stmt[table][name], with its parameters in param[table][name].
function prepare_for_each_table(name)
  local text = STATEMENTS[name][1]
  for number = 1, sysbench.opt.tables do
    local statement = con:prepare(text:format(number))
    local params = {}
    for place = 2, #STATEMENTS[name] do
      local kind = STATEMENTS[name][place]
      if type(kind) == "table" then
        params[place - 1] = statement:bind_create(kind[1], kind[2])
      else
        params[place - 1] = statement:bind_create(kind)
      end
    end
    statement:bind_param(unpack(params))
    stmt[number][name], param[number][name] = statement, params
  end
end

for _, name in ipairs({
  "point_selects",
  "simple_ranges",
  "sum_ranges",
  "order_ranges",
  "distinct_ranges",
  "index_updates",
  "non_index_updates",
}) do
  _G["prepare_" .. name] = function()
    prepare_for_each_table(name)
  end
end

function prepare_delete_inserts()
  prepare_for_each_table("deletes")
  prepare_for_each_table("inserts")
end

function begin()
  stmt.begin:execute()
end

function commit()
  stmt.commit:execute()
end

local function a_table()
  return sysbench.rand.uniform(1, sysbench.opt.tables)
end

local function an_id()
  return sysbench.rand.default(1, sysbench.opt.table_size)
end

function execute_point_selects()
  local number = a_table()
  for _ = 1, sysbench.opt.point_selects do
    param[number].point_selects[1]:set(an_id())
    stmt[number].point_selects:execute()
  end
end

-- The range SELECTs: so many of one kind, all on one table.
for _, name in ipairs({ "simple_ranges", "sum_ranges", "order_ranges", "distinct_ranges" }) do
  _G["execute_" .. name] = function()
    local number = a_table()
    for _ = 1, sysbench.opt[name] do
      local id = an_id()
      local params = param[number][name]
      params[1]:set(id)
      params[2]:set(id + sysbench.opt.range_size - 1)
      stmt[number][name]:execute()
    end
  end
end

function execute_index_updates()
  local number = a_table()
  for _ = 1, sysbench.opt.index_updates do
    param[number].index_updates[1]:set(an_id())
    stmt[number].index_updates:execute()
  end
end

function execute_non_index_updates()
  local number = a_table()
  for _ = 1, sysbench.opt.non_index_updates do
    local params = param[number].non_index_updates
    params[1]:set_rand_str(C_FORMAT)
    params[2]:set(an_id())
    stmt[number].non_index_updates:execute()
  end
end

function execute_delete_inserts()
  local number = a_table()
  for _ = 1, sysbench.opt.delete_inserts do
    local id, k = an_id(), an_id()
    local params = param[number].inserts
    param[number].deletes[1]:set(id)
    params[1]:set(id)
    params[2]:set(k)
    params[3]:set_rand_str(C_FORMAT)
    params[4]:set_rand_str(PAD_FORMAT)
    stmt[number].deletes:execute()
    stmt[number].inserts:execute()
  end
end

function thread_init()
  drv = sysbench.sql.driver()
  con = drv:connect()
  stmt, param = {}, {}
  for number = 1, sysbench.opt.tables do
    stmt[number], param[number] = {}, {}
  end
  prepare_statements()
end

-- Closes what prepare_statements() has prepared.
function close_statements()
  for number = 1, sysbench.opt.tables do
    for _, statement in pairs(stmt[number]) do
      statement:close()
    end
  end
  if stmt.begin then
    stmt.begin:close()
  end
  if stmt.commit then
    stmt.commit:close()
  end
end

function thread_done()
  close_statements()
  con:disconnect()
end

function cleanup()
  local connection = sysbench.sql.driver():connect()
  for number = 1, sysbench.opt.tables do
    print(("Dropping table 'sbtest%d'..."):format(number))
    connection:query("DROP TABLE IF EXISTS sbtest" .. number)
  end
end

-- Codes of a connection that is gone: server gone, server lost, commands out of step after it.
local LOST = { [2006] = true, [2011] = true, [2013] = true, [2055] = true }

function sysbench.hooks.before_restart_event(described)
  if LOST[described.sql_errno] then
    close_statements()
    prepare_statements()
  end
end

local events = 0

-- Opens the connection again after every `reconnect` events.
function check_reconnect()
  if sysbench.opt.reconnect > 0 then
    events = events + 1
    if events % sysbench.opt.reconnect == 0 then
      close_statements()
      con:reconnect()
      prepare_statements()
    end
  end
end
