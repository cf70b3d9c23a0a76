-- Statements of the plants: the option says what is planted into the transaction.
-- @data tables.sql
-- @option update = false: one row is changed by each transaction
-- @option hot = false: all connections change one row
-- @option trigger = false: the changed table has a trigger
-- @option holds = false: one transaction in fifty takes 20 ms
-- @option held = false: it locks the table for that time
-- @option read = false: one row is read by its key
-- @option sleeps = false: a stored function sleeps for 2 ms
-- @option reckons = false: a stored function computes
-- @option joins = false: a join of ten accounts with their entries
-- @option unkeyed = false: its column has no index
-- @option sorts = false: all accounts are sorted
-- @option groups = false: entries are grouped in a temporary table
-- @option repeats = false: one row is read, and something is computed
-- @option more = false: it is computed 16 times more, which takes 0.6 µs of processor time
-- @option numbers = false: rows are copied into a table that numbers them
-- @option writes = false: one row is added that names another
-- @option refers = false: its table has a foreign key
-- @option stores = false: one row of a table is changed
-- @option computed = false: its table has a generated column
-- @option documents = false: one row with a document is read
-- @option long = false: a text of 3 kB is sent with it
-- @option json = false: a part of the document is extracted
-- @option regex = false: its text is searched by a regular expression
-- @option guards = false: one row is read under a named lock, one for each connection
-- @option guarded = false: all connections take one such lock
-- @option derives = false: one row is read from a derived table
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
-- @if $guards
-- @if $guarded
DO GET_LOCK('one', 10);
-- @else
DO GET_LOCK(CONCAT('own ', CONNECTION_ID()), 10);
-- @end
SELECT balance, BENCHMARK(20000, id * 3 + 1) FROM accounts WHERE id = :id;
DO RELEASE_ALL_LOCKS();
-- @end
-- @if $derives
SELECT d.balance FROM (SELECT id, balance FROM accounts WHERE branch < 200) d WHERE d.id = :id;
-- @end
-- @if $repeats
-- @if $more
SELECT balance, BENCHMARK(26, id * 3 + 1) FROM accounts WHERE id = :id;
-- @else
SELECT balance, BENCHMARK(10, id * 3 + 1) FROM accounts WHERE id = :id;
-- @end
-- @end
-- @if $numbers
INSERT INTO journal (account, before_, note) SELECT id, balance, note FROM accounts WHERE id BETWEEN :low AND :low + 4;   -- @let low = int(1..9900)
-- @end
-- @if $writes
-- @if $refers
INSERT INTO children (parent, amount) VALUES (:id, 1);
-- @else
INSERT INTO orphans (parent, amount) VALUES (:id, 1);
-- @end
-- @end
-- @if $stores
-- @if $computed
UPDATE computed SET balance = balance + 1 WHERE id = :id;
-- @else
UPDATE accounts SET balance = balance + 1 WHERE id = :id;
-- @end
-- @end
-- @if $documents
-- @if $long
SELECT id, text_ FROM documents WHERE id = :row;   -- @let row = int(1..1000)
-- @else
-- @if $json
SELECT id, JSON_EXTRACT(doc, '$.inner.n') FROM documents WHERE id = :row;   -- @let row = int(1..1000)
-- @else
-- @if $regex
SELECT id, text_ REGEXP 'f[0-9]+a(b|c)+e$' FROM documents WHERE id = :row;   -- @let row = int(1..1000)
-- @else
SELECT id, LENGTH(doc) FROM documents WHERE id = :row;   -- @let row = int(1..1000)
-- @end
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
-- @if $holds
DO 1;
DO SLEEP(0.02);
DO 1;
-- @else
DO 1;
-- @end
-- @end
