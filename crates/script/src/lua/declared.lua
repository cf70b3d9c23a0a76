-- What a script declares, for those who ask: its options as they are printed, and what a study is told of it.
local native, inner = ...

-- What runs once is not worth compiling.
jit.off(true, true)

local cmdline = sysbench.cmdline
local BOOL, INT, SIZE, DOUBLE = cmdline.ARG_BOOL, cmdline.ARG_INT, cmdline.ARG_SIZE, cmdline.ARG_DOUBLE
local LIST, FILE = cmdline.ARG_LIST, cmdline.ARG_FILE

local options = inner.part("options")(native, inner)
local plain, kind_of, default_of = options.plain, options.kind_of, options.default_of

local TYPE_WORDS = { [BOOL] = "[=on|off]", [INT] = "=N", [SIZE] = "=SIZE", [DOUBLE] = "=N", [LIST] = "=[LIST,...]" }

-- The items of a default that is a list, with commas.
local function joined(name, default)
  for place, item in ipairs(default) do
    if type(item) ~= "string" and type(item) ~= "number" then
      local refused = "option --%s: place %d of its default is a %s: give texts and numbers"
      error(refused:format((name:gsub("_", "-")), place, type(item)), 0)
    end
  end
  return table.concat(default, ",")
end

-- How a script's option is shown when nobody gives a value; nil where it has no default.
local function shown_default(name, default)
  if type(default) == "table" then
    return joined(name, default)
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
    local default = shown_default(name, declared[2])
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
    if type(name) == "string" then
      reads[plain(name)] = true
    end
  end
  return reads
end

-- What the driver is told of a script before any load.
local function all_declared()
  local found, reads = { options = {}, declares = false }, prepare_reads()
  local function add(name, kind, default, help)
    if type(default) == "table" then
      default = joined(name, default)
    end
    found.options[name] = { kind = KIND_WORDS[kind] or "text", default = default, help = help, shapes = not reads or reads[name] or false }
  end
  local general = options.general()
  for name, help in pairs(OF_STUDIES) do
    add(name, options.of_type[name] or kind_of(general[name]), general[name], help)
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

return { print = print_all, list = all_declared }
