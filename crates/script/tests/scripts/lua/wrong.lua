-- Every function of the interface with every wrong value in every place, in both faces: the driver refuses what it cannot
-- take, with this script's line, and takes nothing for what it is not.
local ffi = require("ffi")
local kinds = sysbench.sql.type
local drv, con

-- What a call may be about, fresh for each: calls close and free things.
local make = {
  driver = function()
    return sysbench.sql.driver()
  end,
  connection = function()
    return con
  end,
  statement = function()
    return con:prepare("SELECT ?")
  end,
  whole = function()
    return make_statement:bind_create(kinds.INT)
  end,
  real = function()
    return make_statement:bind_create(kinds.DOUBLE)
  end,
  text = function()
    return make_statement:bind_create(kinds.VARCHAR, 10)
  end,
  result = function()
    return con:query("SELECT 1")
  end,
  counted = function()
    return con:prepare("SELECT 2"):execute()
  end,
  histogram = function()
    return sysbench.histogram.new(10, 1, 100)
  end,
}

-- What else a script may hand over by mistake, by name; the names say which places may take it.
local function wrong_values()
  local closed = con:prepare("SELECT ?")
  closed:close()
  return {
    ["nil"] = nil,
    boolean = true,
    nan = 0 / 0,
    infinite = 1 / 0,
    below = -1 / 0,
    huge = 1e300,
    negative = -5,
    word = "word",
    digits = "5",
    table = {},
    ["function"] = print,
    thread = coroutine.create(print),
    userdata = newproxy(true),
    array = ffi.new("int64_t[8]", { 3, 0x7fff00000000, 1 }),
    small = ffi.new("char[1]"),
    address = ffi.cast("void *", 8),
    address_of_param = ffi.cast(ffi.typeof("$ *", ffi.typeof(make.whole())), make.whole()),
    C = ffi.C,
    driver = drv,
    connection = con,
    closed_statement = closed,
    statement = make.statement(),
    param = make.whole(),
    result = make.result(),
    no_result = con:query("UPDATE"),
    histogram = make.histogram(),
    class = getmetatable(con),
  }
end

-- What a place takes, by its kind: all else must be refused.
local function set(...)
  local found = {}
  for _, name in ipairs({ ... }) do
    found[name] = true
  end
  return found
end
local TAKES = {
  number = set("negative"),
  draw = set("negative"),
  count = set(),
  most = set("huge"),
  bytes = set("nil", "no_result"),
  text = set("word", "digits"),
  statement = set("word", "digits", "negative", "nan", "infinite", "below", "huge"),
  param = set("param"),
  table = set("table", "C", "class", "histogram", "driver", "connection", "statement", "closed_statement", "result"),
  whole = set("nil", "boolean", "negative", "no_result"),
  real = set("nil", "boolean", "negative", "huge", "no_result"),
  characters = set("nil", "word", "digits", "negative", "nan", "infinite", "below", "huge", "no_result"),
  wide = set("negative", "huge"),
  figures = set(),
  prepared = set("statement", "closed_statement"),
  driver_name = set("nil"),
  command = set(),
}

-- Functions with what they are about (which must be of that class), and the kinds of their arguments with good values.
local rand, db, C = sysbench.rand, sysbench.db, ffi.C
local cases = {
  { "connect", "driver" },
  { "query", "connection", "statement", "SELECT 1" },
  { "query_row", "connection", "statement", "SELECT 1" },
  { "prepare", "connection", "statement", "SELECT ?" },
  { "check_error", "connection" },
  { "reconnect", "connection" },
  { "more_results", "connection" },
  { "next_result", "connection" },
  { "bulk_insert_init", "connection", "statement", "INSERT" },
  { "bulk_insert_next", "connection", "statement", "(1)" },
  { "bulk_insert_done", "connection" },
  { "bind_param", "statement", "param", make.whole },
  { "bind_create", "statement", "count", kinds.VARCHAR, "bytes", 5 },
  { "execute", "statement" },
  { "next_result", "statement" },
  { "close", "statement" },
  { "set", "whole", "whole", 5 },
  { "set", "real", "real", 5 },
  { "set", "text", "characters", "abc" },
  { "set_rand_str", "text", "text", "###" },
  { "fetch_row", "result" },
  { "free", "result" },
  { "free", "counted" },
  { "update", "histogram", "wide", 5 },
  { "print", "histogram" },
  { rand.string, nil, "text", "##@" },
  { rand.varstring, nil, "count", 1, "count", 3 },
  { sysbench.histogram.new, nil, "count", 10, "count", 1, "most", 100 },
  { sysbench.sql.driver, nil, "driver_name", "mysql" },
  { db.query, nil, "statement", "SELECT 1" },
  { db.prepare, nil, "statement", "SELECT ?" },
  { db.bulk_insert_init, nil, "statement", "INSERT" },
  { db.bulk_insert_next, nil, "statement", "(1)" },
  { db.bind_param, nil, "prepared", make.statement, "table", { 1 } },
  { db.execute, nil, "prepared", make.statement },
  { db.close, nil, "prepared", make.statement },
  { sb_rand_str, nil, "text", "##@" },
  { C.sb_counter_inc, nil, "any", 0, "count", 1 },
  { C.sb_counter_add, nil, "any", 0, "count", 1, "number", 5 },
  { C.sb_counter_val, nil, "any", 0, "count", 1 },
  { C.usleep, nil, "count", 5 },
  { C.sleep, nil, "count", 5 },
  { sysbench.report_default, nil, "figures", { time_interval = 1 } },
  { sysbench.report_csv, nil, "figures", { time_interval = 1 } },
  { sysbench.report_json, nil, "figures", { time_interval = 1 } },
  { sysbench.cmdline.call_command, nil, "command", "help" },
}
for _, name in ipairs({ "default", "uniform", "gaussian", "special", "pareto", "zipfian" }) do
  cases[#cases + 1] = { rand[name], nil, "draw", 1, "draw", 9 }
  cases[#cases + 1] = { C["sb_rand_" .. name], nil, "draw", 1, "draw", 9 }
end

-- Values and subjects that are of one class.
local IS = { whole = "param", real = "param", text = "param", counted = "result", closed_statement = "statement" }

local function good(value)
  if type(value) == "function" then
    return value()
  end
  return value
end

local calls, wrongs = 0, {}

-- Calls a function that must refuse what it is given, or may take it.
local function try(what, must_refuse, body, count, args)
  calls = calls + 1
  local succeeded, raised = pcall(body, unpack(args, 1, count))
  -- What sysbench raises at the place of its caller has none where that is pcall().
  local has_line = type(raised) == "table" or tostring(raised):find("^a%.lua:%d+: ")
  local is_theirs = raised == "SQL API error" or raised == "failed to initialize the DB driver"
    or tostring(raised):find("^db_[%w_]+%(%) failed$")
  if not succeeded and not has_line and not is_theirs then
    wrongs[#wrongs + 1] = ("%s: its error has no line: %s"):format(what, tostring(raised))
  elseif succeeded and must_refuse then
    wrongs[#wrongs + 1] = what .. " was taken"
  end
end

local function refuse_all()
  local values = wrong_values()
  local names = { "nil" }
  for name in pairs(values) do
    names[#names + 1] = name
  end
  for _, case in ipairs(cases) do
    local name, class = case[1], case[2]
    local count = (table.maxn(case) - 2) / 2
    for place = class and 0 or 1, count do
      for _, wrong in ipairs(names) do
        local args, own = {}, class and make[class]()
        local body = class and own[name] or name
        local shift = class and 1 or 0
        args[1] = own
        for other = 1, count do
          args[other + shift] = good(case[2 + 2 * other])
        end
        args[place + shift] = values[wrong]
        local kind = case[1 + 2 * place]
        local must = place > 0 and kind ~= "any" and not TAKES[kind][wrong]
        if place == 0 then
          must = (IS[wrong] or wrong) ~= (IS[class] or class)
        end
        local what = ("%s of %s, place %d is %s"):format(tostring(name), tostring(class), place, wrong)
        try(what, must, body, count + shift, args)
      end
    end
  end
  -- Objects of which a script has changed the parts that it can reach.
  for _, name in ipairs(names) do
    for place = 0, 2 do
      local stmt = con:prepare("SELECT ?")
      stmt:bind_param(make.whole())
      local kept = stmt[place]
      if place == 0 then
        stmt[place] = values[name]
        try("a statement's place", name ~= "statement", stmt.execute, 1, { stmt })
      end
      stmt[place] = kept
    end
  end
end

-- Code that is compiled for good values meets wrong ones.
local function surprise()
  local values = wrong_values()
  for _, wrong in ipairs({ "boolean", "table", "array", "small", "connection", "param", "closed_statement", "nan" }) do
    local stmt, param = con:prepare("SELECT ?"), make.whole()
    local all = { stmt, param }
    for round = 1, 80 do
      local last = round == 80
      local of, by = last and values[wrong] or all[1], last and values[wrong] or 5
      local own = last and values[wrong] or all[2]
      pcall(param.set, own, round)
      pcall(param.set, param, by)
      pcall(stmt.bind_param, stmt, own)
      local succeeded, raised = pcall(stmt.execute, of)
      assert(succeeded == not last or wrong == "statement", ("%s %s"):format(wrong, tostring(raised)))
      assert(succeeded or type(raised) == "table" or raised:find("^a%.lua:%d+: "), tostring(raised))
      pcall(sysbench.rand.uniform, 1, by)
    end
  end
end

local faces = {}
function thread_init()
  drv = sysbench.sql.driver()
  con = drv:connect()
  make_statement = con:prepare("SELECT ?")
end

local round = 0
function event()
  round = round + 1
  faces[debug.getinfo(make_statement.execute, "S").what] = true
  if round <= 2 or round >= EVENTS - 1 then
    refuse_all()
    surprise()
  end
  assert(#wrongs == 0, table.concat(wrongs, "\n", 1, math.min(#wrongs, 40)))
  con:query("SELECT 1")
end

function thread_done()
  assert(faces.C and faces.Lua, "both faces")
  assert(calls > 5000, calls)
end
