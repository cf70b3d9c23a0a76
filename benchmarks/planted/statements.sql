-- Statements of the plants: the option says what is planted into the transaction.
-- @data tables.sql
-- @option update = false: one row is changed by each transaction
-- @option hot = false: all connections change one row
-- @option trigger = false: the changed table has a trigger
-- @option held = false: one transaction in fifty locks the table for 20 ms
-- @option read = false: one row is read by its key
-- @option sleeps = false: a stored function sleeps for 2 ms
-- @option reckons = false: a stored function computes
-- @option joins = false: a join of ten accounts with their entries
-- @option unkeyed = false: its column has no index
-- @option sorts = false: all accounts are sorted
-- @option groups = false: entries are grouped in a temporary table
-- @let id = int(1..10000)
-- @transaction mixed weight=98
-- @if $update
BEGIN;
-- @if $hot
UPDATE accounts SET balance = balance + 1 WHERE id = 1;
-- @else
-- @if $trigger
UPDATE watched SET balance = balance + 1 WHERE id = :id;
-- @else
UPDATE accounts SET balance = balance + 1 WHERE id = :id;
-- @end
-- @end
SELECT balance FROM accounts WHERE id = :other;   -- @let other = int(1..10000)
COMMIT;
-- @end
-- @if $read
-- @if $sleeps
SELECT waits(balance) FROM accounts WHERE id = :id;
-- @else
-- @if $reckons
SELECT reckons(balance) FROM accounts WHERE id = :id;
-- @else
SELECT balance FROM accounts WHERE id = :id;
-- @end
-- @end
-- @end
-- @if $joins
-- @if $unkeyed
SELECT SUM(e.amount) FROM accounts a JOIN entries e ON e.unkeyed = a.id WHERE a.id BETWEEN :low AND :low + 3;   -- @let low = int(1..1900)
-- @else
SELECT SUM(e.amount) FROM accounts a JOIN entries e ON e.account = a.id WHERE a.id BETWEEN :low AND :low + 3;   -- @let low = int(1..1900)
-- @end
-- @end
-- @if $sorts
SELECT id, note FROM accounts ORDER BY note LIMIT 2000, 10;
-- @end
-- @if $groups
SELECT account, COUNT(*) AS n, MAX(amount) FROM entries GROUP BY account, amount ORDER BY n DESC LIMIT 5;
-- @end
-- @transaction holder weight=2
-- @if $held
LOCK TABLES accounts WRITE;
DO SLEEP(0.02);
UNLOCK TABLES;
-- @else
DO 1;
DO SLEEP(0.02);
DO 1;
-- @end
