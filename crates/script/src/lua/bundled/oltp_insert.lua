-- Inserts one row, as text.
require("oltp_common")

-- Rows of their own ids must not meet those of the load: the tables stay empty.
sysbench.cmdline.commands.prepare = {
  function()
    if not sysbench.opt.auto_inc then
      sysbench.opt.table_size = 0
    end
    cmd_prepare()
  end,
  sysbench.cmdline.PARALLEL_COMMAND,
}

sysbench.cmdline.prepare_reads.made_by.prepare = sysbench.cmdline.commands.prepare[1]

function prepare_statements() end

-- The smallest number of an INTEGER.
local LEAST = -2147483648

function event()
  local number = sysbench.rand.uniform(1, sysbench.opt.tables)
  local id = sysbench.opt.auto_inc and 0 or sysbench.rand.unique() + LEAST
  local k = sysbench.rand.default(1, sysbench.opt.table_size)
  con:query(
    ("INSERT INTO sbtest%d (id, k, c, pad) VALUES (%d, %d, '%s', '%s')"):format(
      number,
      id,
      k,
      get_c_value(),
      get_pad_value()
    )
  )
  check_reconnect()
end
