-- Options: those of every test, those that a script declares, and how their values are read.
local _, inner = ...

-- What runs once is not worth compiling.
jit.off(true, true)

local cmdline = sysbench.cmdline
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

-- Raises an error in sysbench's words; the advice is on a line of its own.
local function invalid(name, value, advice)
  local given = value == "" and "" or "=" .. value
  error(("invalid option: --%s%s%s"):format(name:gsub("_", "-"), given, advice and "\nhint: " .. advice or ""), 0)
end

local function refuse(name, value, expected)
  invalid(name, value, "expected " .. expected)
end

local function unknown(name, value, known)
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

-- Reads the options after the script has declared its own; `given` has texts by name.
local function read_all(given)
  local opt, kinds = {}, {}
  for _, general in ipairs(GENERAL) do
    local name, kind, default = unpack(general)
    kinds[name] = kind
    opt[name] = default and read(name, kind, default)
    if kind == STRING and default == nil then
      opt[name] = ""
    end
  end
  local declares = cmdline.options ~= nil
  for name, declared in pairs(cmdline.options or {}) do
    if type(name) ~= "string" or type(declared) ~= "table" then
      error(WRONG_OPTIONS, 0)
    end
    name = plain(name)
    kinds[name] = declared[3] or kind_of(declared[2])
    opt[name] = default_of(name, declared)
  end
  for name, text in pairs(given) do
    name = plain(name)
    name = not kinds[name] and FORMER[name] or name
    if not kinds[name] and declares then
      unknown(name, text, kinds)
    end
    opt[name] = read(name, kinds[name] or STRING, text)
  end
  sysbench.opt = opt
  if not declares then
    options_as_globals(opt, FORMER)
  end
end

local TYPE_WORDS = { [BOOL] = "[=on|off]", [INT] = "=N", [SIZE] = "=SIZE", [DOUBLE] = "=N", [LIST] = "=[LIST,...]" }

-- How a script's option is shown when nobody gives a value; nil where it has no default.
local function shown_default(default)
  if type(default) == "table" then
    return table.concat(default, ",")
  elseif type(default) == "boolean" then
    return default and "on" or "off"
  end
  return default ~= nil and tostring(default) or nil
end

-- Prints the options that the script declares.
local function print_all()
  local names, shown, width = {}, {}, 0
  for name, declared in pairs(cmdline.options or {}) do
    local kind = declared[3] or kind_of(declared[2])
    names[#names + 1] = name
    shown[name] = name .. (TYPE_WORDS[kind] or "=" .. (kind == FILE and "FILENAME" or "STRING"))
    width = math.max(width, #shown[name])
  end
  table.sort(names)
  for _, name in ipairs(names) do
    local declared = cmdline.options[name]
    local default = shown_default(declared[2])
    local text = shown[name] .. (" "):rep(width - #shown[name] + 1) .. tostring(declared[1] or "")
    print("  --" .. text .. (default and (" [%s]"):format(default) or ""))
  end
  print("")
end

-- Options of every script that a study may set: those that no other part of it decides.
local OF_STUDIES = {
  rand_type = "How numbers are drawn by default.",
  rand_spec_iter = "Numbers that are added up for one of the special distribution.",
  rand_spec_pct = "Percent of the values that the special distribution draws more often.",
  rand_spec_res = "Percent of the draws that are among them.",
  rand_pareto_h = "Shape of the Pareto distribution.",
  rand_zipfian_exp = "Exponent of the Zipfian distribution.",
  mysql_ignore_errors = "Codes of errors after which an event begins again, or all.",
  validate = "Whether the script checks what it reads.",
}

local KIND_WORDS = { [BOOL] = "switch", [INT] = "whole", [SIZE] = "size", [DOUBLE] = "number" }

-- The options that its command `prepare` reads, as a set; nil where the script does not say, or has replaced one of the
-- functions of which it holds.
local function prepare_reads()
  local said = cmdline.prepare_reads
  if type(said) ~= "table" then
    return nil
  end
  local command = cmdline.commands and cmdline.commands.prepare
  for name, body in pairs(said.made_by or {}) do
    if (name == "prepare" and command and command[1] or rawget(_G, name)) ~= body then
      return nil
    end
  end
  local reads = {}
  for _, name in ipairs(said) do
    reads[plain(name)] = true
  end
  return reads
end

-- What the driver is told of a script before any load.
local function all_declared()
  local found, reads = { options = {}, declares = false }, prepare_reads()
  local function add(name, kind, default, help)
    if type(default) == "table" then
      default = table.concat(default, ",")
    end
    found.options[name] = { kind = KIND_WORDS[kind] or "text", default = default, help = help, shapes = not reads or reads[name] or false }
  end
  for _, general in ipairs(GENERAL) do
    local name, kind, default = unpack(general)
    if OF_STUDIES[name] then
      add(name, kind, read(name, kind, default), OF_STUDIES[name])
    end
  end
  for name, declared in pairs(cmdline.options or {}) do
    found.declares = true
    name = plain(name)
    add(name, declared[3] or kind_of(declared[2]), default_of(name, declared), declared[1])
  end
  found.prepares = cmdline.command_defined("prepare")
  found.checks = cmdline.command_defined("check")
  return found
end

return { read = read_all, print = print_all, declared = all_declared }
