-- What the driver asks of a script beside its threads: commands, functions, reports.
local native, inner = ...

local calls = {}

-- Commands compute for long, and are compiled as they do.
inner.turn_back()
if native.notes_inputs then
  inner.note_statements(inner.connection)
end

-- Calls a global function of the script, where it has one.
function calls.call(name, ...)
  local body = rawget(_G, name)
  if type(body) == "function" then
    return inner.call(name, body, ...)
  end
end

-- What stands before all threads of a run.
function calls.begin()
  calls.call("init")
  if type(event) ~= "function" then
    error(("cannot find the event() function in %s"):format(inner.script), 0)
  end
end

-- Calls a hook with the figures of a report, where the script has it; returns whether it has.
function calls.report(name, stat)
  local hook = inner.hook(name)
  if not hook then
    return false
  end
  inner.call(name, hook, stat)
  return true
end

-- Whether the script has a hook.
function calls.has_hook(name)
  return inner.hook(name) ~= nil
end

-- Commands that a global function of the same name carries out, where none is declared.
local USUAL = { prepare = true, cleanup = true, help = true }

local function declared(name)
  local commands = sysbench.cmdline.commands
  local command = type(commands) == "table" and commands[name] or nil
  if command ~= nil and type(command) ~= "table" then
    inner.fail(("wrong table structure in sysbench.cmdline.commands: '%s' must be a table with a function"):format(tostring(name)))
  end
  return command
end

function calls.command_defined(name)
  return declared(name) ~= nil or (USUAL[name] == true and type(rawget(_G, name)) == "function")
end

function calls.command_parallel(name)
  local command = declared(name)
  return command ~= nil and command[2] == sysbench.cmdline.PARALLEL_COMMAND
end

-- Carries a command out. An error in one that is declared is told as sysbench tells it, whose own function calls it.
function calls.call_command(name)
  local command = declared(name)
  local answer
  if command then
    answer = inner.call("sysbench.cmdline.call_command", command[1])
  else
    local body = name ~= nil and rawget(_G, name)
    if type(body) ~= "function" then
      inner.rest("arguments").refuse(1, "call_command", "the name of a command", name)
    end
    answer = inner.call(name, body)
  end
  return answer ~= false
end

-- Carries out a command; false where it says that it has failed.
function calls.command(name)
  local cmdline = sysbench.cmdline
  if cmdline.command_defined(name) then
    return cmdline.call_command(name)
  end
  local test = inner.script:match("[^/]*$")
  if name == "help" and cmdline.options then
    print(("%s options:"):format(test))
    cmdline.print_test_options()
    return true
  elseif USUAL[name] then
    error(("'%s' test does not implement the '%s' command."):format(test, name), 0)
  end
  error(("Unknown command: %s"):format(name), 0)
end

function calls.parallel(name)
  return sysbench.cmdline.command_parallel(name)
end

-- Options are read and printed once, if at all.
function calls.print_test_options()
  inner.part("declared")(native, inner).print()
end

function calls.read_cmdline_options()
  inner.part("options")(native, inner).read()
end

return calls
