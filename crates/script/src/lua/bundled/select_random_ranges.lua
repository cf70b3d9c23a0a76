-- Counts the rows of several short ranges of random keys.
require("oltp_common")

sysbench.cmdline.options.number_of_ranges = { "Number of ranges", 10 }
sysbench.cmdline.options.delta = { "Length of a range", 5 }

function thread_init()
  drv = sysbench.sql.driver()
  con = drv:connect()
  local count = sysbench.opt.number_of_ranges
  local ranges = ("k BETWEEN ? AND ? OR "):rep(count - 1) .. "k BETWEEN ? AND ?"
  statement = con:prepare("SELECT count(k) FROM sbtest1 WHERE " .. ranges)
  bounds = {}
  for place = 1, 2 * count do
    bounds[place] = statement:bind_create(sysbench.sql.type.INT)
  end
  statement:bind_param(unpack(bounds))
  slice = sysbench.opt.table_size / sysbench.opt.threads
end

function thread_done()
  statement:close()
  con:disconnect()
end

function event(thread_id)
  local first = slice * thread_id
  for place = 1, 2 * sysbench.opt.number_of_ranges, 2 do
    local low = sysbench.rand.default(first, first + slice)
    bounds[place]:set(low)
    bounds[place + 1]:set(low + sysbench.opt.delta)
  end
  statement:execute()
end
