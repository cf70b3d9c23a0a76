-- sysbench.rand.
local native, inner = ...

local function functions()
  return inner.part("draw")(native, inner)
end

local rand = { default = functions()("default", true), uniform = functions()("uniform", true) }
sysbench.rand = rand

local others = functions()
for _, name in ipairs({ "gaussian", "special", "pareto", "zipfian" }) do
  rand[name] = others(name)
end

inner.later("texts", rand, "string", "varstring")
inner.later("wide", rand, "unique", "uniform_double", "uniform_uint64")
sysbench.histogram = {}
inner.later("histogram", sysbench.histogram, "new")
