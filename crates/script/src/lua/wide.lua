-- Random numbers without a distribution.
local native, inner = ...

local state = inner.state
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

return wide
