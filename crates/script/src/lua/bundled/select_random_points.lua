-- Reads the rows of a list of random keys.
require("oltp_common")

sysbench.cmdline.options.random_points = { "Number of keys in the list", 10 }

function thread_init()
  drv = sysbench.sql.driver()
  con = drv:connect()
  local count = sysbench.opt.random_points
  local marks = ("?, "):rep(count - 1) .. "?"
  statement = con:prepare(("SELECT id, k, c, pad FROM sbtest1 WHERE k IN (%s)"):format(marks))
  points = {}
  for place = 1, count do
    points[place] = statement:bind_create(sysbench.sql.type.INT)
  end
  statement:bind_param(unpack(points))
  -- Each thread draws from a slice of the rows.
  slice = sysbench.opt.table_size / sysbench.opt.threads
end

function thread_done()
  statement:close()
  con:disconnect()
end

function event(thread_id)
  local first = slice * thread_id
  for place = 1, sysbench.opt.random_points do
    points[place]:set(sysbench.rand.default(first, first + slice))
  end
  statement:execute()
end
