-- The transaction of sysbench's oltp_read_write, on one of its tables.
-- @option size = 100000: rows of sbtest1
-- @transaction oltp_read_write
BEGIN;
-- @repeat 10
-- @label point_select
SELECT c FROM sbtest1 WHERE id=:id;  -- @let id = int(1..$size)
-- @end
-- @label simple_range
SELECT c FROM sbtest1 WHERE id BETWEEN :low AND :low + 99;  -- @let low = int(1..$size)
-- @label sum_range
SELECT SUM(k) FROM sbtest1 WHERE id BETWEEN :low2 AND :low2 + 99;  -- @let low2 = int(1..$size)
-- @label order_range
SELECT c FROM sbtest1 WHERE id BETWEEN :low3 AND :low3 + 99 ORDER BY c;  -- @let low3 = int(1..$size)
-- @label distinct_range
SELECT DISTINCT c FROM sbtest1 WHERE id BETWEEN :low4 AND :low4 + 99 ORDER BY c;  -- @let low4 = int(1..$size)
-- @label index_update
UPDATE sbtest1 SET k=k+1 WHERE id=:moved;  -- @let moved = int(1..$size)
-- @label non_index_update
UPDATE sbtest1 SET c=:c WHERE id=:changed;  -- @let changed = int(1..$size), c = text(119..119)
-- @label delete
DELETE FROM sbtest1 WHERE id=:gone;  -- @let gone = int(1..$size)
-- @label insert
INSERT INTO sbtest1 (id, k, c, pad) VALUES (:gone, :k, :text, :pad);  -- @let k = int(1..$size), text = text(119..119), pad = text(59..59)
COMMIT;
