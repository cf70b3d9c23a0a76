-- What parameters take beside numbers that they have room for and texts.
local _, inner = ...

local NULL, WHOLE, TEXT = 0, 1, 3

return function(param, value)
  if not inner.is_param(param) then
    return inner.rest("arguments").refuse_self("set", "<sql_param>", param)
  end
  local holds, written = param.holds, inner.ffi.cast(inner.written_param, param)
  if value == nil then
    written.has = NULL
  elseif holds == TEXT then
    if type(value) ~= "number" then
      return inner.rest("arguments").refuse(1, "set", "string", value)
    end
    inner.text_into(param, tostring(value))
  else
    value = inner.rest("arguments").to_bind(value, holds == WHOLE)
    written.has = holds
    if holds == WHOLE then
      written.whole = value
    else
      written.real = value
    end
  end
end
