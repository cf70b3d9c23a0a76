-- Options: those of every test, those that a script declares, and how their values are read.
local native, inner = ...

local cmdline = {
  ARG_NULL = 0,
  ARG_BOOL = 1,
  ARG_INT = 2,
  ARG_SIZE = 3,
  ARG_DOUBLE = 4,
  ARG_STRING = 5,
  ARG_LIST = 6,
  ARG_FILE = 7,
  ARG_MAX = 8,
  PARALLEL_COMMAND = true,
  argv = native.argv,
  command = native.command,
  script_path = native.script_path,
}
sysbench.cmdline = cmdline

local BOOL, INT, SIZE, DOUBLE = cmdline.ARG_BOOL, cmdline.ARG_INT, cmdline.ARG_SIZE, cmdline.ARG_DOUBLE
local STRING, LIST, FILE = cmdline.ARG_STRING, cmdline.ARG_LIST, cmdline.ARG_FILE

-- The options of every test: name, type, default.
local GENERAL = {
  { "threads", INT, "1" },
  { "events", INT, "0" },
  { "time", DOUBLE, "10" },
  { "warmup_time", DOUBLE, "0" },
  { "forced_shutdown", STRING, "off" },
  { "thread_stack_size", SIZE, "64K" },
  { "thread_init_timeout", INT, "30" },
  { "rate", DOUBLE, "0" },
  { "report_interval", DOUBLE, "0" },
  { "report_checkpoints", LIST, "" },
  { "debug", BOOL, "off" },
  { "validate", BOOL, "off" },
  { "help", BOOL, "off" },
  { "version", BOOL, "off" },
  { "config_file", FILE },
  { "luajit_cmd", STRING },
  { "verbosity", INT, "3" },
  { "percentile", DOUBLE, "95" },
  { "histogram", BOOL, "off" },
  { "rand_type", STRING, "special" },
  { "rand_spec_iter", INT, "12" },
  { "rand_spec_pct", INT, "1" },
  { "rand_spec_res", INT, "75" },
  { "rand_seed", INT, "0" },
  { "rand_pareto_h", DOUBLE, "0.2" },
  { "rand_zipfian_exp", DOUBLE, "0.8" },
  { "db_driver", STRING, "mysql" },
  { "db_ps_mode", STRING, "auto" },
  { "db_debug", BOOL, "off" },
  { "mysql_host", LIST, "localhost" },
  { "mysql_port", LIST, "3306" },
  { "mysql_socket", LIST, "" },
  { "mysql_user", STRING, "sbtest" },
  { "mysql_password", STRING, "" },
  { "mysql_db", STRING, "sbtest" },
  { "mysql_ssl", STRING, "off" },
  { "mysql_ssl_key", STRING },
  { "mysql_ssl_ca", STRING },
  { "mysql_ssl_cert", STRING },
  { "mysql_ssl_cipher", STRING, "" },
  { "mysql_compression", BOOL, "off" },
  { "mysql_compression_algorithms", STRING, "zlib" },
  { "mysql_debug", BOOL, "off" },
  { "mysql_ignore_errors", LIST, "1213,1020,1205" },
  { "mysql_dry_run", BOOL, "off" },
}

-- Names that older versions had for some of them.
local FORMER = { num_threads = "threads", max_requests = "events", max_time = "time", tx_rate = "rate" }

local YES = { on = true, ["true"] = true, ["1"] = true, [""] = true }
local NO = { off = true, ["false"] = true, ["0"] = true }
local UNITS = { K = 2 ^ 10, M = 2 ^ 20, G = 2 ^ 30, T = 2 ^ 40 }

local function plain(name)
  return (name:gsub("-", "_"))
end

local function refuse(name, value, expected)
  error(("--%s=%s: expected %s"):format(name:gsub("_", "-"), value, expected), 0)
end

local function unknown(name, known)
  local nearest = inner.nearest(name, known)
  local meant = nearest and (" (did you mean --%s?)"):format((nearest:gsub("_", "-"))) or ""
  error(("invalid option: --%s%s"):format((name:gsub("_", "-")), meant), 0)
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
    return default or false
  elseif kind == FILE then
    return nil
  end
  return default or 0
end

-- Reads the options after the script has declared its own; `given` has texts by name.
function inner.read_options(given)
  local opt, kinds = {}, {}
  for _, general in ipairs(GENERAL) do
    local name, kind, default = unpack(general)
    kinds[name] = kind
    opt[name] = default and read(name, kind, default)
    if kind == STRING and default == nil then
      opt[name] = ""
    end
  end
  local declares = false
  for name, declared in pairs(cmdline.options or {}) do
    declares = true
    name = plain(name)
    kinds[name] = declared[3] or kind_of(declared[2])
    opt[name] = default_of(name, declared)
  end
  local texts = {}
  for name, text in pairs(given) do
    name = plain(name)
    name = not kinds[name] and FORMER[name] or name
    if not kinds[name] and declares then
      unknown(name, kinds)
    end
    opt[name] = read(name, kinds[name] or STRING, text)
    texts[name] = text
  end
  sysbench.opt = opt
  if not declares then
    inner.options_as_globals(opt, texts, FORMER)
  end
end

-- Scripts for 0.5 declare no options: each is a global, as text.
function inner.options_as_globals(opt, texts, former)
  local function set(name, value)
    if type(_G[name]) ~= "function" and type(_G[name]) ~= "table" then
      _G[name] = value
    end
  end
  for name, value in pairs(opt) do
    if texts[name] then
      set(name, texts[name])
    elseif type(value) == "boolean" then
      set(name, value and "on" or "off")
    elseif type(value) == "table" then
      set(name, table.concat(value, ","))
    elseif value ~= "" then
      set(name, tostring(value))
    end
  end
  for old, name in pairs(former) do
    set(old, tostring(opt[name]))
  end
end

local TYPE_WORDS = { [BOOL] = "[=on|off]", [INT] = "=N", [SIZE] = "=SIZE", [DOUBLE] = "=N", [LIST] = "=[LIST,...]" }

-- Prints the options that the script declares.
function cmdline.print_test_options()
  local names = {}
  for name in pairs(cmdline.options or {}) do
    names[#names + 1] = name
  end
  table.sort(names)
  print(("%s options:"):format(inner.script))
  for _, name in ipairs(names) do
    local declared = cmdline.options[name]
    local kind = declared[3] or kind_of(declared[2])
    local shown = "--" .. name .. (TYPE_WORDS[kind] or "=" .. (kind == FILE and "FILENAME" or "STRING"))
    local default = default_of(plain(name), declared)
    if type(default) == "table" then
      default = table.concat(default, ",")
    elseif type(default) == "boolean" then
      default = default and "on" or "off"
    end
    local ending = (default ~= nil and default ~= "") and (" [%s]"):format(default) or ""
    print(("  %-29s %s%s"):format(shown, declared[1] or "", ending))
  end
  print("")
end

function cmdline.read_cmdline_options()
  inner.read_options(native.given)
end
