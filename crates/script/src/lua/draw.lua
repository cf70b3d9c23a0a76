-- Functions of sysbench.rand for whole numbers.
--
-- What a function refers to is constant to the compiler only where no more than two have its code: this part is loaded for
-- each of the functions that nearly all scripts call, and once for all others.
local _, inner = ...

local state, type = inner.state, type

-- The square of numbers that are drawn from without a closer look, together.
local NEAR = 2 ^ 128

return function(name, has_face)
  local draw = inner.native(inner.OF_NUMBERS, "rand_" .. name)
  -- Other ends are looked at more closely. Compiled code looks at the same ends once, however often it draws.
  local function drawn(a, b)
    if type(a) == "number" and type(b) == "number" and a * a + b * b <= NEAR then
      return draw(state, a, b)
    end
    return inner.rest("arguments").drawn(draw, name, a, b)
  end
  if has_face then
    inner.face(drawn, draw, "of_numbers", "rand_" .. name)
  end
  return drawn
end
