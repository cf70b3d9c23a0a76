-- The point query of sysbench's oltp_point_select, on one of its tables.
-- @option size = 100000: rows of sbtest1
-- @let id = int(1..$size)
SELECT c FROM sbtest1 WHERE id=:id;  -- @label point_select
