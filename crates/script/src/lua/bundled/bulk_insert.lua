-- Inserts rows of increasing ids, many in one statement; each thread has a table of its own.

local counted = 0

function prepare()
  local connection = sysbench.sql.driver():connect()
  for number = 1, sysbench.opt.threads do
    print(("Creating table 'sbtest%d'..."):format(number))
    connection:query(([[
CREATE TABLE IF NOT EXISTS sbtest%d (
  id INTEGER NOT NULL,
  k INTEGER DEFAULT '0' NOT NULL,
  PRIMARY KEY (id))]]):format(number))
  end
end

function cleanup()
  local connection = sysbench.sql.driver():connect()
  for number = 1, sysbench.opt.threads do
    print(("Dropping table 'sbtest%d'..."):format(number))
    connection:query("DROP TABLE IF EXISTS sbtest" .. number)
  end
end

function thread_init(thread_id)
  con = sysbench.sql.driver():connect()
  con:bulk_insert_init(("INSERT INTO sbtest%d VALUES"):format(thread_id + 1))
end

function event()
  counted = counted + 1
  con:bulk_insert_next(("(%d,%d)"):format(counted, counted))
end

function thread_done()
  con:bulk_insert_done()
  con:disconnect()
end
