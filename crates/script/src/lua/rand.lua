-- sysbench.rand and sysbench.histogram.
local native, inner = ...

local ffi, state = inner.ffi, inner.state
local rand = {}
sysbench.rand = rand

-- The conversions of FFI calls are what scripts know: fractions are cut, negative numbers wrap, strings are refused.
for _, name in ipairs({ "default", "uniform", "gaussian", "special", "pareto", "zipfian" }) do
  local draw = inner.native("uint32_t (*)(void *, uint32_t, uint32_t)", native["rand_" .. name])
  rand[name] = function(a, b)
    return draw(state, a, b)
  end
end

local unique = inner.native("uint32_t (*)(void *)", native.rand_unique)
local uniform_double = inner.native("double (*)(void *)", native.rand_double)
local uniform_uint64 = inner.native("uint64_t (*)(void *)", native.rand_u64)
local fill = inner.native("void (*)(void *, const char *, size_t, char *)", native.rand_string)
local vary = inner.native("uint32_t (*)(void *, uint32_t, uint32_t, char *)", native.rand_varstring)

function rand.unique()
  return unique(state)
end

function rand.uniform_double()
  return uniform_double(state)
end

function rand.uniform_uint64()
  return uniform_uint64(state)
end

local room = 256
local buffer = ffi.new("char[?]", room)

local function reserve(length)
  if length > room then
    room = length
    buffer = ffi.new("char[?]", room)
  end
end

function rand.string(format)
  local length = #format
  reserve(length)
  fill(state, format, length, buffer)
  return ffi.string(buffer, length)
end

function rand.varstring(least, most)
  assert(least <= most, "the least length must not be above the most")
  reserve(most)
  return ffi.string(buffer, vary(state, least, most, buffer))
end

-- Histograms of scripts: buckets whose bounds grow by one ratio.
local histogram = {}
histogram.__index = histogram
histogram.__tostring = function()
  return "<sysbench histogram>"
end

sysbench.histogram = {}

function sysbench.histogram.new(size, least, most)
  local step = (math.log(most) - math.log(least)) / (size - 1)
  return setmetatable({ size = size, low = math.log(least), step = step, counts = {} }, histogram)
end

function histogram:update(value)
  local place = math.floor((math.log(value) - self.low) / self.step + 0.5)
  place = math.min(math.max(place, 0), self.size - 1)
  self.counts[place] = (self.counts[place] or 0) + 1
end

function histogram:print()
  local most = 0
  for _, count in pairs(self.counts) do
    most = math.max(most, count)
  end
  print("       value  ------------- distribution ------------- count")
  for place = 0, self.size - 1 do
    local count = self.counts[place]
    if count then
      local stars = ("*"):rep(math.floor(count / most * 40 + 0.5))
      print(("%12.3f |%-40s %d"):format(math.exp(self.low + place * self.step), stars, count))
    end
  end
end
