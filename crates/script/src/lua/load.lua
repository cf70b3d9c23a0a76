-- Loads a script: a file, or else a module by its name.
local native, inner = ...

-- The function that loads a module; nil where there is no such module.
local function module(name)
  for _, loader in ipairs(package.loaders) do
    local found = loader(name)
    if type(found) == "function" then
      return found
    end
  end
end

local function run(chunk, message)
  if not chunk then
    error(message, 0)
  end
  local succeeded, raised = xpcall(chunk, native.note_place)
  if not succeeded then
    error(inner.explained(raised), 0)
  end
end

-- Carries a command of `--luajit-cmd` out, as `luajit -j` does: a function of `jit`, or else a module of that name.
local function control(command)
  local name, arguments = command:match("^([^=]*)=?(.*)$")
  local body = jit[name]
  if type(body) ~= "function" then
    local found, loaded = pcall(require, "jit." .. name)
    body = found and type(loaded) == "table" and loaded.start
  end
  if not body then
    error(("--luajit-cmd=%s: neither a command of LuaJIT nor a module jit.%s"):format(command, name), 0)
  end
  local given = {}
  for argument in arguments:gmatch("[^,]+") do
    given[#given + 1] = argument
  end
  body(unpack(given))
end

return function(path, source)
  inner.script = path
  test = path
  local given = native.given()
  local command = given.luajit_cmd or given["luajit-cmd"] or ""
  if command ~= "" then
    control(command)
  end
  if source then
    return run(loadstring(source, "@" .. path))
  end
  local compiled = native.compiled(path)
  if compiled then
    return run(compiled)
  end
  local file = io.open(path)
  if file then
    file:close()
    return run(loadfile(path))
  end
  local name = path:gsub("%.lua$", "")
  if not package.loaded[name] and not module(name) then
    error(("Cannot find benchmark '%s': no such built-in test, file or module"):format(path), 0)
  end
  return run(function()
    require(name)
  end)
end
