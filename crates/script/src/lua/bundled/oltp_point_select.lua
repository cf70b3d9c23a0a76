-- Reads one row by its key.
require("oltp_common")

function prepare_statements()
  -- One statement an event, whatever the option says.
  sysbench.opt.point_selects = 1
  prepare_point_selects()
end

function event()
  execute_point_selects()
  check_reconnect()
end
