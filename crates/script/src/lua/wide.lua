-- Random numbers without a distribution, and those of ranges that 32 bits do not hold.
local native, inner = ...

local state = inner.state
local floor = math.floor
local wide = {}

local unique = inner.native(inner.OF_NUMBERS, "rand_unique")
local uniform_double = inner.native("double (*)(void *)", "rand_double")
local uniform_uint64 = inner.native("uint64_t (*)(void *)", "rand_u64")

function wide.unique()
  return unique(state, 0, 0)
end

function wide.uniform_double()
  return uniform_double(state)
end

function wide.uniform_uint64()
  return uniform_uint64(state)
end

local MOST = 2 ^ 32 - 1

-- A number of a range that sysbench cannot draw from: the distribution picks one of so many equal parts of it.
function wide.draw(draw, a, b)
  return a + floor((draw(state, 0, MOST) + uniform_double(state)) / (MOST + 1) * (b - a + 1))
end

return wide
