-- A queue of jobs in a table: every event takes the oldest job, works on it, removes it, and puts a new one at the end.
-- assay sysbench studies/job-queue.lua prepare | run | cleanup, or sysbench; studies/job-queue.toml is a study of it.

sysbench.cmdline.options = {
  jobs = {"Jobs that wait in the queue", 10000},
  skip_locked = {"Pass over jobs that another worker has taken", false},
  payload = {"Bytes of a job", 100},
}

-- Assay makes one dataset for all levels of an option that is not among these; sysbench takes no notice.
sysbench.cmdline.prepare_reads = {"jobs", "payload"}

function prepare()
  local con = sysbench.sql.driver():connect()
  con:query([[CREATE TABLE jobs (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    payload VARCHAR(1000) NOT NULL)]])
  con:bulk_insert_init("INSERT INTO jobs (payload) VALUES")
  for _ = 1, sysbench.opt.jobs do
    con:bulk_insert_next(("('%s')"):format(("x"):rep(sysbench.opt.payload)))
  end
  con:bulk_insert_done()
  con:disconnect()
end

function cleanup()
  sysbench.sql.driver():connect():query("DROP TABLE IF EXISTS jobs")
end

local con, take, put

function thread_init()
  con = sysbench.sql.driver():connect()
  take = "SELECT id FROM jobs ORDER BY id LIMIT 1 FOR UPDATE"
  if sysbench.opt.skip_locked then
    take = take .. " SKIP LOCKED"
  end
  put = ("INSERT INTO jobs (payload) VALUES ('%s')"):format(("x"):rep(sysbench.opt.payload))
end

function event()
  con:query("BEGIN")
  local id = con:query_row(take)
  if id then
    con:query("DELETE FROM jobs WHERE id = " .. id)
  end
  con:query(put)
  con:query("COMMIT")
end

function thread_done()
  con:disconnect()
end

-- What a deadlock or a long wait has left is undone before the event begins again.
function sysbench.hooks.before_restart_event()
  con:query("ROLLBACK")
end
