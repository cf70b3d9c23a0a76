-- Options: those of every test, those that a script declares, and how their values are read. Every state reads them.
local native, inner = ...

-- What runs once is not worth compiling.
jit.off(true, true)

local cmdline = sysbench.cmdline
local BOOL, INT, SIZE, DOUBLE = cmdline.ARG_BOOL, cmdline.ARG_INT, cmdline.ARG_SIZE, cmdline.ARG_DOUBLE
local STRING, LIST, FILE = cmdline.ARG_STRING, cmdline.ARG_LIST, cmdline.ARG_FILE

-- The options of every test as they are where nobody gives them: a table of constants, which a state has at once.
local function general()
  return {
    threads = 1,
    events = 0,
    time = 10,
    warmup_time = 0,
    forced_shutdown = "off",
    thread_stack_size = 65536,
    thread_init_timeout = 30,
    rate = 0,
    report_interval = 0,
    report_checkpoints = {},
    debug = false,
    validate = false,
    help = false,
    version = false,
    luajit_cmd = "",
    verbosity = 3,
    percentile = 95,
    histogram = false,
    rand_type = "special",
    rand_spec_iter = 12,
    rand_spec_pct = 1,
    rand_spec_res = 75,
    rand_seed = 0,
    rand_pareto_h = 0.2,
    rand_zipfian_exp = 0.8,
    db_driver = "mysql",
    db_ps_mode = "auto",
    db_debug = false,
    mysql_host = { "localhost" },
    mysql_port = { "3306" },
    mysql_socket = {},
    mysql_user = "sbtest",
    mysql_password = "",
    mysql_db = "sbtest",
    mysql_ssl = false,
    mysql_ssl_key = "",
    mysql_ssl_ca = "",
    mysql_ssl_cert = "",
    mysql_ssl_cipher = "",
    mysql_compression = false,
    mysql_compression_algorithms = "zlib",
    mysql_debug = false,
    mysql_ignore_errors = { "1213", "1020", "1205" },
    mysql_dry_run = false,
  }
end

-- Those whose type is not that of their value.
local OF_TYPE = {
  threads = INT,
  events = INT,
  thread_stack_size = SIZE,
  thread_init_timeout = INT,
  verbosity = INT,
  rand_spec_iter = INT,
  rand_spec_pct = INT,
  rand_spec_res = INT,
  rand_seed = INT,
  config_file = FILE,
  -- A switch in 1.0, and a word in 1.1.
  mysql_ssl = STRING,
}

-- Names that older versions had for some of them.
local FORMER = { num_threads = "threads", max_requests = "events", max_time = "time", tx_rate = "rate" }

local YES = { on = true, ["true"] = true, ["1"] = true, [""] = true }
local NO = { off = true, ["false"] = true, ["0"] = true }
local UNITS = { K = 2 ^ 10, M = 2 ^ 20, G = 2 ^ 30, T = 2 ^ 40 }

local function plain(name)
  return name:find("-", 1, true) and name:gsub("-", "_") or name
end

-- Raises an error in sysbench's words; the advice is on a line of its own.
local function invalid(name, value, advice)
  local given = value == "" and "" or "=" .. value
  error(("invalid option: --%s%s%s"):format(name:gsub("_", "-"), given, advice and "\nhint: " .. advice or ""), 0)
end

local function refuse(name, value, expected)
  invalid(name, value, "expected " .. expected)
end

local function unknown(name, value, ...)
  local known = {}
  for _, options in ipairs({ ... }) do
    for option in pairs(options) do
      known[option] = true
    end
  end
  local nearest = inner.part("nearest")()(name, known)
  invalid(name, value, nearest and ("did you mean --%s?"):format((nearest:gsub("_", "-"))))
end

local function list(text)
  local items = {}
  for item in text:gmatch("[^,]+") do
    items[#items + 1] = item:match("^%s*(.-)%s*$")
  end
  return items
end

-- The value that a text stands for in an option of this type.
local function read(name, kind, text)
  if kind == BOOL then
    if YES[text:lower()] then
      return true
    end
    return not NO[text:lower()] and refuse(name, text, "on or off")
  elseif kind == INT or kind == DOUBLE then
    local number = tonumber(text)
    if not number or (kind == INT and number % 1 ~= 0) then
      refuse(name, text, kind == INT and "a whole number" or "a number")
    end
    return number
  elseif kind == SIZE then
    local digits, unit = text:match("^(%d+)(%a?)$")
    local factor = unit == "" and 1 or UNITS[(unit or "?"):upper()]
    return digits and factor and tonumber(digits) * factor or refuse(name, text, "a size such as 64K, 10M or 1G")
  elseif name == "mysql_ssl" and (YES[text:lower()] or NO[text:lower()]) then
    return YES[text:lower()] or false
  elseif kind == LIST then
    return list(text)
  elseif kind == FILE then
    return nil
  end
  return text
end

-- The type of an option that a script declares without one.
local function kind_of(default)
  local type = type(default)
  if type == "boolean" then
    return BOOL
  elseif type == "number" then
    return DOUBLE
  elseif type == "table" then
    return LIST
  end
  return STRING
end

-- An option of a script as its value stands when nobody gives one.
local function default_of(name, declared)
  local default, kind = declared[2], declared[3] or kind_of(declared[2])
  if kind == LIST then
    return type(default) == "string" and list(default) or default or {}
  elseif kind == STRING then
    return default == nil and "" or tostring(default)
  elseif type(default) == "string" then
    return read(name, kind, default)
  elseif kind == BOOL then
    -- As an option without a value: it is on.
    return default == nil or default
  elseif kind == FILE then
    return nil
  end
  return default or 0
end

-- sysbench's own words, with the place in its own code.
local WRONG_OPTIONS = "`sysbench.cmdline.read_cmdline_options' function failed: "
  .. '[string "sysbench.cmdline.lua"]:1: wrong table structure in sysbench.cmdline.options'

-- Scripts for 0.5 declare no options: each is a global. Those of every script have their types, as in sysbench; all
-- others are text.
local function options_as_globals(opt, former)
  local function set(name, value)
    if type(_G[name]) ~= "function" and type(_G[name]) ~= "table" then
      _G[name] = value
    end
  end
  for name, value in pairs(opt) do
    if value ~= "" then
      set(name, value)
    end
  end
  for old, name in pairs(former) do
    set(old, opt[name])
  end
end

-- Reads the options that were given, after the script has declared its own; returns them.
local function read_all()
  local opt, kinds = general(), {}
  local declares = cmdline.options ~= nil
  if declares and type(cmdline.options) ~= "table" then
    error(WRONG_OPTIONS, 0)
  end
  for name, declared in pairs(cmdline.options or {}) do
    if type(name) ~= "string" or type(declared) ~= "table" then
      error(WRONG_OPTIONS, 0)
    end
    name = plain(name)
    kinds[name] = declared[3] or kind_of(declared[2])
    opt[name] = default_of(name, declared)
  end
  local function known(name)
    return kinds[name] or OF_TYPE[name] or opt[name] ~= nil and kind_of(opt[name])
  end
  for name, text in pairs(native.given()) do
    name = plain(name)
    name = not known(name) and FORMER[name] or name
    local kind = known(name)
    if not kind and declares then
      unknown(name, text, opt, kinds, OF_TYPE)
    end
    opt[name] = read(name, kind or STRING, text)
  end
  sysbench.opt = opt
  if not declares then
    options_as_globals(opt, FORMER)
  end
  return opt
end

return {
  read = read_all,
  general = general,
  of_type = OF_TYPE,
  plain = plain,
  kind_of = kind_of,
  default_of = default_of,
}
