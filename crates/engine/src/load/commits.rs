//! What the server has kept: operations that ended inside an open transaction, until one of its statements commits it.
//!
//! A transaction counts when it is committed. The server says with each answer whether a transaction is open; whether it
//! holds anything is known by the statement: `BEGIN`, and `COMMIT` under `completion_type` CHAIN, open an empty one.

/// The effect that a statement has on the transaction before it, by its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Boundary {
    /// The statement belongs to the transaction that is open.
    #[default]
    Within,
    /// The statement commits what was open and opens another transaction, which is empty.
    Begins,
    /// The statement commits what was open; another transaction may be open after it.
    Commits,
    /// The statement ends a part of a distributed transaction, which a later one commits.
    Prepares,
    /// The statement rolls back what was open.
    RollsBack,
}

/// Letters of the longest word that is looked at.
const LONGEST: usize = 12;

impl Boundary {
    /// The effect of a text; of several statements in one that of the last.
    pub(crate) fn of(sql: &[u8]) -> Self {
        let sql = sql.trim_ascii_end();
        let sql = sql.strip_suffix(b";").unwrap_or(sql);
        let last = sql.iter().rposition(|byte| *byte == b';').map_or(sql, |at| &sql[at + 1..]);
        let mut words = last
            .split(|byte| !byte.is_ascii_alphabetic() && *byte != b'_')
            .filter(|word| !word.is_empty())
            .map(|word| &word[..word.len().min(LONGEST)]);
        let is = |word: Option<&[u8]>, name: &str| {
            word.is_some_and(|word| word.eq_ignore_ascii_case(name.as_bytes()))
        };
        let first = words.next();
        // MySQL manual, Statements That Cause an Implicit Commit: a transaction that begins ends the one before it.
        if is(first, "BEGIN") {
            return Self::Begins;
        }
        if is(first, "COMMIT") {
            return Self::Commits;
        }
        let second = words.next();
        match () {
            () if is(first, "START") && is(second, "TRANSACTION") => Self::Begins,
            () if is(first, "XA") && (is(second, "START") || is(second, "BEGIN")) => Self::Begins,
            () if is(first, "XA") && is(second, "PREPARE") => Self::Prepares,
            () if is(first, "XA") && is(second, "COMMIT") => Self::Commits,
            () if is(first, "XA") && is(second, "ROLLBACK") => Self::RollsBack,
            () if is(first, "ROLLBACK") && !is(second, "TO") && !is(words.next(), "TO") => Self::RollsBack,
            () => Self::Within,
        }
    }
}

/// ER_LOCK_WAIT_TIMEOUT.
const LOCK_WAIT_TIMEOUT: u16 = 1205;
/// ER_CHECKREAD (MariaDB's `innodb_snapshot_isolation`) and ER_LOCK_TABLE_FULL: InnoDB rolls back the whole transaction, and
/// the state does not say so.
const ROLLED_BACK: [u16; 2] = [1020, 1206];

/// Whether an error means that the server has rolled back the whole transaction, not only the statement: class 40 of SQL's
/// states, XA10 of X/Open's, and what InnoDB does beyond. `on_timeout`: `innodb_rollback_on_timeout` is on.
pub(crate) fn rolls_back(code: u16, state: &str, on_timeout: bool) -> bool {
    state.starts_with("40")
        || state.starts_with("XA10")
        || ROLLED_BACK.contains(&code)
        || (on_timeout && code == LOCK_WAIT_TIMEOUT)
}

/// What one client has open: the transactions of its connections.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Open {
    /// Connections whose open transaction holds something.
    connections: u32,
    /// Operations that ended since the last time that nothing was open.
    pending: u64,
    /// Whether the server has rolled back work of the operation that is going on, and the client has not begun it again.
    undone: bool,
}

impl Open {
    /// Hears that an operation begins, or begins again.
    #[inline]
    pub(crate) fn begins(&mut self) {
        self.undone = false;
    }

    /// Hears that a statement has succeeded on a connection. `holds`: whether that one's open transaction holds something.
    #[inline]
    pub(crate) fn heard(&mut self, holds: &mut bool, in_transaction: bool, boundary: Boundary) -> Settled {
        if self.undone && matches!(boundary, Boundary::Begins | Boundary::RollsBack) {
            self.undone = false;
        }
        let now = match boundary {
            Boundary::Within => in_transaction,
            Boundary::Prepares => true,
            Boundary::Begins | Boundary::Commits | Boundary::RollsBack => false,
        };
        if now == *holds {
            return Settled::Nothing;
        }
        self.turned(holds, now, boundary == Boundary::RollsBack)
    }

    #[cold]
    fn turned(&mut self, holds: &mut bool, now: bool, lost: bool) -> Settled {
        *holds = now;
        if now {
            self.connections += 1;
            return Settled::Nothing;
        }
        self.connections = self.connections.saturating_sub(1);
        if self.connections > 0 && !lost {
            return Settled::Nothing;
        }
        match std::mem::take(&mut self.pending) {
            0 => Settled::Nothing,
            _ if lost => Settled::Nothing,
            kept => Settled::Kept(kept),
        }
    }

    /// Hears that an operation has ended; whether it did so inside an open transaction, or after its work was rolled back.
    #[inline]
    pub(crate) fn ended(&mut self) -> bool {
        if std::mem::take(&mut self.undone) {
            return true;
        }
        let open = self.connections > 0;
        self.pending += u64::from(open);
        open
    }

    /// Hears that the server has rolled back what was open on a connection: unless the client begins it again, the operation that
    /// goes on loses its work.
    pub(crate) fn rolled_back(&mut self, holds: &mut bool) {
        self.undone |= self.gone(holds);
    }

    /// Hears that a connection has gone; whether its transaction held something.
    pub(crate) fn gone(&mut self, holds: &mut bool) -> bool {
        let held = *holds;
        if held {
            self.turned(holds, false, true);
        }
        held
    }
}

/// What a statement has settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Settled {
    Nothing,
    /// The number of operations that ended in an open transaction and were committed after all.
    Kept(u64),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_known_to_end_the_transaction_before_it() {
        use Boundary::{Begins, Commits, Prepares, RollsBack, Within};
        for (sql, expected) in [
            ("COMMIT", Commits),
            ("commit work;", Commits),
            ("COMMIT AND CHAIN", Commits),
            (" BEGIN ", Begins),
            ("START TRANSACTION READ ONLY", Begins),
            ("XA START 'a'", Begins),
            ("xa begin 'a'", Begins),
            ("XA END 'a'", Within),
            ("XA PREPARE 'a'", Prepares),
            ("XA COMMIT 'a'", Commits),
            ("INSERT INTO t VALUES (1); COMMIT", Commits),
            ("COMMIT; BEGIN; INSERT INTO t VALUES (1)", Within),
            ("ROLLBACK", RollsBack),
            ("ROLLBACK WORK", RollsBack),
            ("XA ROLLBACK 'a'", RollsBack),
            ("ROLLBACK TO SAVEPOINT a", Within),
            ("ROLLBACK WORK TO a", Within),
            ("START SLAVE", Within),
            ("SAVEPOINT a", Within),
            ("SELECT 1", Within),
            ("BEGINNING", Within),
            ("", Within),
        ] {
            assert_eq!(Boundary::of(sql.as_bytes()), expected, "{sql}");
        }
    }

    /// What a client's statements and ends of operations come to: ended open, kept after all, and connections left open.
    fn played(steps: &str) -> (u64, u64, bool) {
        let (mut open, mut holds) = (Open::default(), false);
        let (mut ended_open, mut kept) = (0, 0);
        for step in steps.chars() {
            let (in_transaction, boundary) = match step {
                // A statement in a transaction, one that commits itself.
                'w' => (true, Boundary::Within),
                'a' => (false, Boundary::Within),
                'b' => (true, Boundary::Begins),
                'p' => (false, Boundary::Prepares),
                'c' => (false, Boundary::Commits),
                // COMMIT AND CHAIN.
                'C' => (true, Boundary::Commits),
                'r' => (false, Boundary::RollsBack),
                '.' => {
                    ended_open += u64::from(open.ended());
                    continue;
                }
                'x' => {
                    open.gone(&mut holds);
                    continue;
                }
                // The server rolls the transaction back; the operation begins again.
                'd' => {
                    open.rolled_back(&mut holds);
                    continue;
                }
                '^' => {
                    open.begins();
                    continue;
                }
                other => panic!("{other}"),
            };
            if let Settled::Kept(count) = open.heard(&mut holds, in_transaction, boundary) {
                kept += count;
            }
        }
        (ended_open, kept, holds)
    }

    #[test]
    fn operations_count_as_kept_once_a_commit_follows() {
        for (steps, expected) in [
            // One statement each, committed by itself.
            ("a.a.a.", (0, 0, false)),
            ("bwwc.bwwc.", (0, 0, false)),
            // autocommit is off and nobody commits.
            ("w.w.w.", (3, 0, true)),
            // Several operations to a commit; a BEGIN commits, too.
            ("w.w.wc.", (2, 2, false)),
            ("bw.bw.bw.", (3, 2, true)),
            ("w.w.a.", (2, 2, false)),
            // An open transaction that holds nothing.
            ("bwC.bwC.", (0, 0, false)),
            ("b.", (0, 0, false)),
            // Rolled back on purpose inside the operation, or what ended before it.
            ("bwr.bwr.", (0, 0, false)),
            ("w.w.r.", (2, 0, false)),
            // The connection was lost, then the load goes on over another one.
            ("w.w.xw.c", (3, 1, false)),
            // Rolled back by the server, and the script goes on as if nothing had been.
            ("bwdac.bwc.", (1, 0, false)),
            ("bwd.", (1, 0, false)),
            ("wdwc.", (1, 0, false)),
            // It begins again, the operation or the transaction, or gives up in so many words.
            ("bwd^bwc.", (0, 0, false)),
            ("bwdbwc.", (0, 0, false)),
            ("bwdr.", (0, 0, false)),
            // There was nothing to roll back.
            ("bdbwc.", (0, 0, false)),
            // Distributed transactions: only the commit keeps them.
            ("bwp.", (1, 0, true)),
            ("bwpc.", (0, 0, false)),
            ("bwp.c", (1, 1, false)),
        ] {
            assert_eq!(played(steps), expected, "{steps}");
        }
    }

    #[test]
    fn an_error_tells_whether_the_whole_transaction_is_gone() {
        for (code, state, on_timeout, expected) in [
            (1213, "40001", false, true),
            (3101, "40000", false, true),
            (1614, "XA102", false, true),
            (1613, "XA106", false, true),
            (1206, "HY000", false, true),
            (1020, "HY000", false, true),
            (1205, "HY000", false, false),
            (1205, "HY000", true, true),
            (1062, "23000", true, false),
            (1064, "42000", true, false),
        ] {
            assert_eq!(rolls_back(code, state, on_timeout), expected, "{code} {on_timeout}");
        }
    }
}
