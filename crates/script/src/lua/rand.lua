-- sysbench.rand.
local native, inner = ...

local state = inner.state
local rand = {}
sysbench.rand = rand

local MOST = 2 ^ 32 - 1
local type = type

-- The conversions of FFI calls are what scripts know: fractions are cut, negative numbers wrap, strings are refused.
for _, name in ipairs({ "default", "uniform", "gaussian", "special", "pareto", "zipfian" }) do
  local draw = inner.native(inner.OF_NUMBERS, "rand_" .. name)
  rand[name] = function(a, b)
    if type(b) == "number" and b > MOST then
      return inner.rest("wide").draw(draw, a, b)
    end
    return draw(state, a, b)
  end
end

inner.later("texts", rand, "string", "varstring")
inner.later("wide", rand, "unique", "uniform_double", "uniform_uint64")
sysbench.histogram = {}
inner.later("histogram", sysbench.histogram, "new")
