-- Histograms of scripts: buckets whose bounds grow by one ratio.
local histogram = {}
histogram.__index = histogram
histogram.__tostring = function()
  return "<sysbench histogram>"
end

local function new(size, least, most)
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

return { new = new }
