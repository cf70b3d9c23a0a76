-- Histograms of scripts: buckets whose bounds grow by one ratio.
local native, inner = ...

local number, check_self = inner.rest("arguments").number, inner.rest("arguments").check_self
local histogram = { __name = "<sysbench histogram>" }
histogram.__index = histogram
histogram.__tostring = function()
  return "<sysbench histogram>"
end

local MOST_BUCKETS, TINY, HUGE = 2 ^ 24, 2 ^ -1022, 1.7976931348623157e308

local function new(size, least, most)
  size = math.floor(number(1, "new", size, 1, MOST_BUCKETS))
  least = number(2, "new", least, TINY, HUGE)
  most = number(3, "new", most, least, HUGE)
  -- One bucket, or one value, has no ratio.
  local step = size > 1 and most > least and (math.log(most) - math.log(least)) / (size - 1) or 1
  return setmetatable({ size = size, low = math.log(least), step = step, counts = {} }, histogram)
end

function histogram:update(value)
  check_self("update", histogram, self)
  -- What is not above zero is in the first bucket, as in sysbench.
  value = math.max(number(1, "update", value, -HUGE, HUGE), TINY)
  local place = math.floor((math.log(value) - self.low) / self.step + 0.5)
  place = math.min(math.max(place, 0), self.size - 1)
  self.counts[place] = (self.counts[place] or 0) + 1
end

function histogram:print()
  check_self("print", histogram, self)
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

return { new = new }
