-- Functions of sysbench.rand for whole numbers.
--
-- What a function refers to is constant to the compiler only where no more than two have its code: this part is loaded for
-- each of the functions that nearly all scripts call, and once for all others.
local _, inner = ...

local state, type = inner.state, type

return function(name)
  local draw = inner.native(inner.OF_NUMBERS, "rand_" .. name)
  -- The conversions of FFI calls are what scripts know: fractions are cut, negative numbers wrap, strings are refused.
  return function(a, b)
    if type(b) == "number" and b > 4294967295 then
      return inner.rest("wide").draw(draw, a, b)
    end
    return draw(state, a, b)
  end
end
