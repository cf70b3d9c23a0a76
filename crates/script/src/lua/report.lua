-- Reports that scripts choose by `sysbench.hooks.report_intermediate = sysbench.report_csv`.
local native, inner = ...

local arguments = inner.rest("arguments")
local reports = {}

-- What a report reads of its figures.
local FIGURES = { "time_interval", "time_total", "threads_running", "events", "reads", "writes", "other", "latency_pct", "errors", "reconnects" }

local MILLISECONDS = 1000

-- Rates of an interval.
local function rates(name, stat)
  arguments.table(1, name, stat)
  for _, figure in ipairs(FIGURES) do
    if type(rawget(stat, figure)) ~= "number" then
      inner.fail(("bad argument #1 to '%s' (its field '%s' must be a number)"):format(name, figure))
    end
  end
  local seconds = stat.time_interval
  local queries = stat.reads + stat.writes + stat.other
  local function per_second(count)
    return count / seconds
  end
  return per_second, queries
end

function reports.report_default(stat)
  local per, queries = rates("report_default", stat)
  print(("[ %.0fs ] thds: %u tps: %4.2f qps: %4.2f (r/w/o: %4.2f/%4.2f/%4.2f) lat (ms,%u%%): %4.2f err/s %4.2f reconn/s: %4.2f"):format(
    stat.time_total,
    stat.threads_running,
    per(stat.events),
    per(queries),
    per(stat.reads),
    per(stat.writes),
    per(stat.other),
    sysbench.opt.percentile,
    stat.latency_pct * MILLISECONDS,
    per(stat.errors),
    per(stat.reconnects)
  ))
end

function reports.report_csv(stat)
  local per, queries = rates("report_csv", stat)
  print(("%.0f,%u,%4.2f,%4.2f,%4.2f,%4.2f,%4.2f,%4.2f,%4.2f,%4.2f"):format(
    stat.time_total,
    stat.threads_running,
    per(stat.events),
    per(queries),
    per(stat.reads),
    per(stat.writes),
    per(stat.other),
    stat.latency_pct * MILLISECONDS,
    per(stat.errors),
    per(stat.reconnects)
  ))
end

-- The array of report_json: opened by its first report, closed with the Lua state.
local array

function reports.report_json(stat)
  local per, queries = rates("report_json", stat)
  if not array then
    io.write("[\n")
    array = newproxy(true)
    getmetatable(array).__gc = function()
      io.write("\n]\n")
    end
  else
    io.write(",\n")
  end
  io.write(([[
  {
    "time": %4.0f,
    "threads": %u,
    "tps": %4.2f,
    "qps": {
      "total": %4.2f,
      "reads": %4.2f,
      "writes": %4.2f,
      "other": %4.2f
    },
    "latency": %4.2f,
    "errors": %4.2f,
    "reconnects": %4.2f
  }]]):format(
    stat.time_total,
    stat.threads_running,
    per(stat.events),
    per(queries),
    per(stat.reads),
    per(stat.writes),
    per(stat.other),
    stat.latency_pct * MILLISECONDS,
    per(stat.errors),
    per(stat.reconnects)
  ))
end

return reports
