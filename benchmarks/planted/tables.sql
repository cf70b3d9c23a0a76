-- Tables of the plants that send statements of their own: accounts to read and change, and their entries.
CREATE TABLE accounts (
  id INT NOT NULL PRIMARY KEY, branch INT NOT NULL, balance INT NOT NULL, note CHAR(60) NOT NULL, KEY branch (branch)
) ENGINE=InnoDB;
CREATE TABLE watched LIKE accounts;
CREATE TABLE entries (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, account INT NOT NULL, unkeyed INT NOT NULL, amount INT NOT NULL, KEY account (account)
) ENGINE=InnoDB;
CREATE TABLE journal (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, account INT NOT NULL, before_ INT NOT NULL, note CHAR(60) NOT NULL
) ENGINE=InnoDB;
CREATE TABLE orphans (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, parent INT NOT NULL, amount INT NOT NULL, KEY parent (parent)
) ENGINE=InnoDB;
CREATE TABLE children (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, parent INT NOT NULL, amount INT NOT NULL, KEY parent (parent),
  CONSTRAINT of_account FOREIGN KEY (parent) REFERENCES accounts (id)
) ENGINE=InnoDB;
CREATE TABLE computed (
  id INT NOT NULL PRIMARY KEY, branch INT NOT NULL, balance INT NOT NULL, note CHAR(60) NOT NULL,
  waves DOUBLE GENERATED ALWAYS AS (
    SIN(balance + 1) * COS(balance - 1) + SIN(balance + 2) * COS(balance - 2) + SIN(balance + 3) * COS(balance - 3) + SIN(balance + 4) * COS(balance - 4) + SIN(balance + 5) * COS(balance - 5) + SIN(balance + 6) * COS(balance - 6)
    + SIN(balance + 7) * COS(balance - 7) + SIN(balance + 8) * COS(balance - 8) + SIN(balance + 9) * COS(balance - 9) + SIN(balance + 10) * COS(balance - 10) + SIN(balance + 11) * COS(balance - 11) + SIN(balance + 12) * COS(balance - 12)
  ) STORED, KEY branch (branch)
) ENGINE=InnoDB;
CREATE TABLE documents (id INT NOT NULL PRIMARY KEY, text_ TEXT NOT NULL, doc TEXT NOT NULL) ENGINE=InnoDB;
CREATE TABLE digits (d INT NOT NULL PRIMARY KEY) ENGINE=InnoDB;
INSERT INTO digits VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
INSERT INTO accounts
  SELECT 1 + a.d + 10 * b.d + 100 * c.d + 1000 * e.d, (a.d * 37 + b.d * 11 + c.d) % 100, 1000,
    CONCAT('note ', MD5(a.d + 10 * b.d + 100 * c.d + 1000 * e.d))
  FROM digits a, digits b, digits c, digits e;
INSERT INTO watched SELECT * FROM accounts;
INSERT INTO computed (id, branch, balance, note) SELECT id, branch, balance, note FROM accounts;
INSERT INTO documents
  SELECT id, REPEAT(note, 80), CONCAT('{"tags": ["', note, '", "a", "b"], "inner": {"m": [1, 2, 3], "n": ', id, '}}')
  FROM accounts WHERE id <= 1000;
INSERT INTO entries (account, unkeyed, amount)
  SELECT 1 + (7 * a.id) % 2000, 1 + (7 * a.id) % 2000, a.id % 100 FROM accounts a;
CREATE TRIGGER watched_changed AFTER UPDATE ON watched FOR EACH ROW
  INSERT INTO journal (account, before_, note) VALUES (OLD.id, OLD.balance, OLD.note);
CREATE FUNCTION waits(x INT) RETURNS INT DETERMINISTIC RETURN x + SLEEP(0.002);
CREATE FUNCTION reckons(x INT) RETURNS INT DETERMINISTIC RETURN x + 0 * LENGTH(BENCHMARK(2000, MD5('assay')));
