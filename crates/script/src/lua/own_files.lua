-- The files that a script came with.
local native, inner = ...

local load_file, error = loadfile, error

function loadfile(path)
  if path ~= nil then
    inner.rest("arguments").text(1, "loadfile", path)
  end
  local source, name = native.own_file(path)
  if source then
    return loadstring(source, "@" .. name)
  end
  return load_file(path)
end

function dofile(path)
  local chunk, message = loadfile(path)
  if not chunk then
    error(message, 0)
  end
  return chunk()
end

-- After what a script itself has put into package.preload.
table.insert(package.loaders, 2, function(name)
  local source, path = native.own_module(name)
  if not source then
    return ("\n\tno file of the script is the module '%s'"):format(name)
  end
  return assert(loadstring(source, "@" .. path))
end)
