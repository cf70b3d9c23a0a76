-- The name that somebody may have meant.

local min = math.min

-- The number of letters that must be changed, added or left out to make one word of another.
local function distance(a, b)
  local row = {}
  for j = 0, #b do
    row[j] = j
  end
  for i = 1, #a do
    local diagonal = row[0]
    row[0] = i
    for j = 1, #b do
      local above = row[j]
      local changed = a:byte(i) == b:byte(j) and 0 or 1
      row[j] = min(above + 1, row[j - 1] + 1, diagonal + changed)
      diagonal = above
    end
  end
  return row[#b]
end

-- The name in a set that is nearest to a word; nil where none is near.
return function(word, names)
  local found, least = nil, math.max(1, #word / 3)
  for name in pairs(names) do
    local apart = distance(word, name)
    -- Of two that are as near, the first in the alphabet: the order of a table is chance.
    if apart < least or (apart == least and (not found or name < found)) then
      found, least = name, apart
    end
  end
  return found
end
