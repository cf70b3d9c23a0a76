-- Functions of sysbench.rand for whole numbers.
--
-- What a function refers to is constant to the compiler only where no more than two have its code: this part is loaded for
-- each of the functions that nearly all scripts call, and once for all others.
local _, inner = ...

local state, type = inner.state, type

return function(name, has_face)
  local draw = inner.native(inner.OF_NUMBERS, "rand_" .. name)
  -- The driver answers what is no number to ends that are none, or infinite.
  local function drawn(a, b)
    if type(a) == "number" and type(b) == "number" then
      local number = draw(state, a, b)
      if number == number then
        return number
      end
    end
    return inner.rest("arguments").drawn(draw, name, a, b)
  end
  if has_face then
    inner.face(drawn, draw, "of_numbers", "rand_" .. name)
  end
  return drawn
end
