-- Commands: those that a script declares, and the functions that stand for the usual ones.
local native, inner = ...

local api, cmdline = inner.api, sysbench.cmdline

-- Commands that a global function of the same name carries out, where none is declared.
local USUAL = { prepare = true, cleanup = true, help = true }

local function declared(name)
  return cmdline.commands and cmdline.commands[name]
end

function cmdline.command_defined(name)
  return declared(name) ~= nil or (USUAL[name] == true and type(rawget(_G, name)) == "function")
end

function cmdline.command_parallel(name)
  local command = declared(name)
  return command ~= nil and command[2] == cmdline.PARALLEL_COMMAND
end

function cmdline.call_command(name)
  local command = declared(name)
  local body = command and command[1] or rawget(_G, name)
  local answer = inner.call(name, body)
  return answer ~= false
end

-- Carries out a command; false where it says that it has failed.
function api.command(name)
  if cmdline.command_defined(name) then
    return cmdline.call_command(name)
  elseif name == "help" then
    cmdline.print_test_options()
    return true
  elseif USUAL[name] then
    error(("'%s' test does not have the '%s' command"):format(inner.script, name), 0)
  end
  error(("Unknown command: %s"):format(name), 0)
end

function api.parallel(name)
  return cmdline.command_parallel(name)
end
