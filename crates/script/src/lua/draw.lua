-- Functions of sysbench.rand for whole numbers.
--
-- What a function refers to is constant to the compiler only where no more than two have its code: this part is loaded for
-- each of the functions that nearly all scripts call, and once for all others.
local _, inner = ...

local state = inner.state

return function(name)
  local draw = inner.native(inner.OF_NUMBERS, "rand_" .. name)
  return function(a, b)
    return draw(state, a, b)
  end
end
