-- Functions of sysbench.rand for whole numbers.
--
-- What a function refers to is constant to the compiler only where no more than two have its code: this part is loaded for
-- each of the functions that nearly all scripts call, and once for all others.
local _, inner = ...

local state = inner.state

return function(name, has_face)
  local draw = inner.native(inner.OF_NUMBERS, "rand_" .. name)
  local function drawn(a, b)
    return draw(state, a, b)
  end
  if has_face then
    inner.face(drawn, draw, "of_numbers", "rand_" .. name)
  end
  return drawn
end
