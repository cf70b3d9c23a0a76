-- The globals of 0.4 and 0.5, which 1.0 still has.
local native, inner = ...

local rand = sysbench.rand

thread_id = sysbench.tid
mysql_table_engine = "innodb"
myisam_max_rows = 1000000

DB_ERROR_NONE = 0
DB_ERROR_RESTART_TRANSACTION = 1
DB_ERROR_FAILED = 2

sb_rand, sb_rand_uniform, sb_rand_gaussian = rand.default, rand.uniform, rand.gaussian
sb_rand_special, sb_rand_str = rand.special, rand.string
inner.later("older", _G, "sb_rnd", "sb_rand_uniq")

local db = {}
sysbench.db = db
inner.later(
  "older",
  db,
  "connect",
  "disconnect",
  "query",
  "bulk_insert_init",
  "bulk_insert_next",
  "bulk_insert_done",
  "prepare",
  "bind_param",
  "bind_result",
  "execute",
  "store_results",
  "free_results",
  "close"
)
for name, body in pairs(db) do
  _G["db_" .. name] = body
end
